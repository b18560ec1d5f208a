"""What is stored, and when, in the engine's three durability modes."""

import operator
from typing import Annotated, TypedDict

import pytest

from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt


class Log(TypedDict, total=False):
    log: Annotated[list, operator.add]


class Broken(RuntimeError):
    """What the failing node fails with."""


def steps(ran, last=None):
    """`a` → `b` → `c`; `last` runs in `c` first."""

    def node(name):
        def run(state):
            ran.append(name)
            if name == "c" and last:
                last()
            return {"log": [name]}

        return run

    graph = StateGraph(Log)
    for before, name in ((START, "a"), ("a", "b"), ("b", "c")):
        graph.add_node(name, node(name))
        graph.add_edge(before, name)
    return graph


@pytest.mark.parametrize(
    ("durability", "stored"), [("sync", [3, 2, 1, 0, -1]), ("async", [3, 2, 1, 0, -1]), ("exit", [3])]
)
async def test_mode_decides_which_steps_are_stored(engine, config, ran, durability, stored):
    """`sync` and `async` store each step, `exit` the last one; the state is the same."""
    app = steps(ran).compile(checkpointer=engine.saver)
    done = await engine.invoke(app, {"log": []}, config, durability=durability)
    await engine.reopen()
    assert [found.metadata["step"] for found in await engine.stored(config)] == stored
    app = steps(ran).compile(checkpointer=engine.saver)
    assert (await engine.get_state(app, config)).values == done == {"log": ["a", "b", "c"]}


async def test_sync_has_stored_a_step_before_the_next_one_runs(engine, config):
    """A node sees all steps before its own by another saver on the same threads."""
    seen = []
    async with engine.another() as other:

        def look(state):
            seen.append(next(other.list(config)).metadata["step"])
            return {"log": ["looked"]}

        graph = StateGraph(Log)
        for before, name in ((START, "a"), ("a", "b"), ("b", "c")):
            graph.add_node(name, look)
            graph.add_edge(before, name)
        app = graph.compile(checkpointer=engine.saver)
        await engine.invoke(app, {"log": []}, config, durability="sync")
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
async def test_failed_run_keeps_what_it_reached_and_resumes_there(engine, config, ran, durability):
    """After an exception the thread stands before the failed node in every mode."""
    failing = True

    def last():
        if failing:
            raise Broken("c")

    with pytest.raises(Broken):
        await engine.invoke(
            steps(ran, last).compile(checkpointer=engine.saver), {"log": []}, config, durability=durability
        )
    await engine.reopen()
    app = steps(ran, last).compile(checkpointer=engine.saver)
    state = await engine.get_state(app, config)
    assert (state.next, state.values) == (("c",), {"log": ["a", "b"]})
    assert "Broken" in state.tasks[0].error
    failing = False
    ran.clear()
    done = await engine.invoke(app, None, config, durability=durability)
    assert (done["log"], ran) == (["a", "b", "c"], ["c"])


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
@pytest.mark.usefixtures("interrupts")
async def test_interrupted_run_resumes_in_every_mode(engine, config, ran, durability):
    """The question and the answer survive, whatever was stored in between."""
    answers = []

    def last():
        answers.append(interrupt("go on?"))

    app = steps(ran, last).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config, durability=durability)
    await engine.reopen()
    app = steps(ran, last).compile(checkpointer=engine.saver)
    done = await engine.invoke(app, Command(resume="yes"), config, durability=durability)
    assert (done["log"], answers, ran) == (["a", "b", "c"], ["yes"], ["a", "b", "c", "c"])
