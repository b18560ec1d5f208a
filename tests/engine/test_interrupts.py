"""A run that stops to ask, and goes on with the answer, also elsewhere."""

import operator
from collections import Counter
from typing import Annotated, TypedDict

import pytest

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

pytestmark = pytest.mark.usefixtures("interrupts")


class Asked(TypedDict, total=False):
    log: Annotated[list, operator.add]
    answer: str


def asking(ran):
    """`before` → `ask` (interrupts) → `after`."""

    def node(name):
        def run(state):
            ran.append(name)
            return {"log": [name]}

        return run

    def ask(state):
        ran.append("ask")
        return {"answer": interrupt({"question": "which?"}), "log": ["ask"]}

    graph = StateGraph(Asked)
    graph.add_node("before", node("before"))
    graph.add_node("ask", ask)
    graph.add_node("after", node("after"))
    graph.add_edge(START, "before")
    graph.add_edge("before", "ask")
    graph.add_edge("ask", "after")
    return graph


async def test_resume_goes_on_at_the_interrupt_with_the_answer(engine, config, ran):
    """What ran before the interrupt is not run again; the asking node is, with the answer."""
    app = asking(ran).compile(checkpointer=engine.saver)
    stopped = await engine.invoke(app, {"log": ["in"]}, config)
    assert [asked.value for asked in stopped["__interrupt__"]] == [{"question": "which?"}]
    assert (await engine.get_state(app, config)).next == ("ask",)
    assert ran == ["before", "ask"]

    done = await engine.invoke(app, Command(resume="this"), config)
    assert done == {"log": ["in", "before", "ask", "after"], "answer": "this"}
    assert ran == ["before", "ask", "ask", "after"]
    assert (await engine.get_state(app, config)).next == ()


async def test_another_saver_on_the_same_threads_resumes(engine, config, ran):
    """A new saver and a new graph find the question and go on with the answer."""
    await engine.invoke(asking(ran).compile(checkpointer=engine.saver), {"log": []}, config)
    ran.clear()
    await engine.reopen()
    app = asking(ran).compile(checkpointer=engine.saver)
    state = await engine.get_state(app, config)
    assert [asked.value for asked in state.interrupts] == [{"question": "which?"}]
    done = await engine.invoke(app, Command(resume="that"), config)
    assert (done["answer"], ran) == ("that", ["ask", "after"])


async def test_several_interrupts_of_one_node_are_answered_one_after_another(engine, config, ran):
    """Each answer stays with its question, over new savers too."""

    def ask(state):
        ran.append("ask")
        return {"log": [interrupt("first"), interrupt("second"), interrupt("third")]}

    graph = StateGraph(Asked)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    questions = []
    value = {"log": []}
    for answer in ("1", "2", "3"):
        app = graph.compile(checkpointer=engine.saver)
        stopped = await engine.invoke(app, value, config)
        questions += [asked.value for asked in stopped["__interrupt__"]]
        value = Command(resume=answer)
        await engine.reopen()
    done = await engine.invoke(graph.compile(checkpointer=engine.saver), value, config)
    assert questions == ["first", "second", "third"]
    assert done["log"] == ["1", "2", "3"]
    assert ran == ["ask"] * 4


async def test_parallel_questions_are_answered_by_their_ids(engine, config, ran):
    """Answers given by interrupt id reach their tasks, in one resume or in two."""

    def ask(name):
        def run(state):
            ran.append(name)
            return {"log": [f"{name}={interrupt(name)}"]}

        return run

    graph = StateGraph(Asked)
    for name in ("left", "right"):
        graph.add_node(name, ask(name))
        graph.add_edge(START, name)
    app = graph.compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config)
    ids = {asked.value: asked.id for asked in (await engine.get_state(app, config)).interrupts}
    assert sorted(ids) == ["left", "right"]

    half = await engine.invoke(app, Command(resume={ids["right"]: "R"}), config)
    assert [asked.value for asked in half["__interrupt__"]] == ["left"]
    await engine.reopen()
    app = graph.compile(checkpointer=engine.saver)
    done = await engine.invoke(app, Command(resume={ids["left"]: "L"}), config)
    assert done["log"] == ["left=L", "right=R"]
    assert Counter(ran) == {"left": 3, "right": 2}


async def test_static_interrupts_stop_before_and_after_a_node(engine, config, ran):
    """`interrupt_before` and `interrupt_after` store where the run stands."""
    app = asking(ran).compile(checkpointer=engine.saver, interrupt_before=["before"], interrupt_after=["before"])
    await engine.invoke(app, {"log": []}, config)
    assert ran == []
    await engine.invoke(app, None, config)
    assert ran == ["before"]
    assert (await engine.get_state(app, config)).next == ("ask",)


async def test_command_updates_and_goes_where_a_node_says(engine, config, ran):
    """`Command(goto, update)` returned by a node and `Command(resume, update)` given by the caller are stored."""

    def route(state):
        ran.append("route")
        where = interrupt("where?")
        return Command(goto=where, update={"log": [f"to {where}"]})

    def node(name):
        def run(state):
            ran.append(name)
            return {"log": [name]}

        return run

    graph = StateGraph(Asked)
    graph.add_node("route", route, destinations=("left", "right", END))
    graph.add_node("left", node("left"))
    graph.add_node("right", node("right"))
    graph.add_edge(START, "route")
    app = graph.compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config)
    done = await engine.invoke(app, Command(resume="right", update={"answer": "given"}), config)
    assert done == {"log": ["to right", "right"], "answer": "given"}
    assert ran == ["route", "route", "right"]


async def test_stream_tells_interrupts_and_checkpoints_as_they_are_stored(engine, config, ran):
    """Each checkpoint event names a checkpoint that the saver has."""
    app = asking(ran).compile(checkpointer=engine.saver)
    events = await engine.stream(
        app, {"log": []}, config, stream_mode=["checkpoints", "updates"], durability="sync"
    )
    told = [event["config"]["configurable"]["checkpoint_id"] for mode, event in events if mode == "checkpoints"]
    stored = [found.checkpoint["id"] for found in await engine.stored(config)]
    assert told == list(reversed(stored))
    updates = [event for mode, event in events if mode == "updates"]
    assert updates[0] == {"before": {"log": ["before"]}}
    assert [asked.value for asked in updates[1]["__interrupt__"]] == [{"question": "which?"}]
