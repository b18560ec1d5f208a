"""Graphs in graphs: each level has a namespace of its own, and a resume reaches the innermost one."""

import operator
from typing import Annotated, TypedDict

import pytest

from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt

pytestmark = pytest.mark.usefixtures("interrupts")


class Log(TypedDict, total=False):
    log: Annotated[list, operator.add]


class Inner(TypedDict, total=False):
    log: Annotated[list, operator.add]
    own: Annotated[list, operator.add]


def nested(ran):
    """`outer` → `middle` → `inner`, which asks."""

    def node(name):
        def run(state):
            ran.append(name)
            return {"log": [name]}

        return run

    def ask(state):
        ran.append("ask")
        return {"log": [f"ask={interrupt('deep?')}"], "own": ["kept"]}

    inner = StateGraph(Inner)
    inner.add_node("first", node("first"))
    inner.add_node("ask", ask)
    inner.add_edge(START, "first")
    inner.add_edge("first", "ask")

    middle = StateGraph(Log)
    middle.add_node("inner", inner.compile())
    middle.add_node("after_inner", node("after_inner"))
    middle.add_edge(START, "inner")
    middle.add_edge("inner", "after_inner")

    outer = StateGraph(Log)
    outer.add_node("start", node("start"))
    outer.add_node("middle", middle.compile())
    outer.add_node("end", node("end"))
    outer.add_edge(START, "start")
    outer.add_edge("start", "middle")
    outer.add_edge("middle", "end")
    return outer


def levels(state):
    """The states of a snapshot from the outermost to the innermost graph."""
    found = [state]
    while (inner := next((task.state for task in found[-1].tasks if task.state is not None), None)) is not None:
        found.append(inner)
    return found


async def test_interrupt_two_levels_down_resumes_there_alone(engine, config, ran):
    """With a new saver in between, only the asking node and what follows it run."""
    app = nested(ran).compile(checkpointer=engine.saver)
    stopped = await engine.invoke(app, {"log": []}, config)
    assert [asked.value for asked in stopped["__interrupt__"]] == ["deep?"]
    assert ran == ["start", "first", "ask"]

    ran.clear()
    await engine.reopen()
    app = nested(ran).compile(checkpointer=engine.saver)
    state = await engine.get_state(app, config, subgraphs=True)
    assert [level.next for level in levels(state)] == [("middle",), ("inner",), ("ask",)]
    values = [{"log": ["start"]}, {"log": ["start"]}, {"log": ["start", "first"], "own": []}]
    assert [level.values for level in levels(state)] == values
    done = await engine.invoke(app, Command(resume="yes"), config)
    assert ran == ["ask", "after_inner", "end"]
    assert done["log"][-3:] == ["ask=yes", "after_inner", "end"]


async def test_each_level_is_stored_in_its_own_namespace(engine, config, ran):
    """Namespaces nest by `|`; the thread's own history does not show them, the saver's listing does."""
    app = nested(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config)
    namespaces = {found.config["configurable"]["checkpoint_ns"] for found in await engine.stored(config)}
    assert sorted(namespace.count("|") for namespace in namespaces if namespace) == [0, 1]
    innermost = max(namespaces, key=len)
    assert [level.partition(":")[0] for level in innermost.split("|")] == ["middle", "inner"]
    assert {s.config["configurable"]["checkpoint_ns"] for s in await engine.history(app, config)} == {""}


async def test_state_of_a_subgraph_can_be_changed_while_it_waits(engine, config, ran):
    """An update by the subgraph's own config is what it goes on with."""
    app = nested(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config)
    innermost = levels(await engine.get_state(app, config, subgraphs=True))[-1]
    await engine.update_state(app, innermost.config, {"log": ["by hand"]})
    done = await engine.invoke(app, Command(resume="yes"), config)
    assert done["log"][-4:] == ["by hand", "ask=yes", "after_inner", "end"]


async def test_fork_before_a_subgraph_runs_it_again_in_a_namespace_of_its_own(engine, config, ran):
    """The first branch's subgraph is not touched by the second one's."""
    app = nested(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": []}, config)
    first = await engine.invoke(app, Command(resume="1"), config)
    before = next(state for state in await engine.history(app, config) if state.next == ("middle",))
    ran.clear()
    fork = await engine.update_state(app, before.config, {"log": ["forked"]})
    await engine.invoke(app, None, fork)
    second = await engine.invoke(app, Command(resume="2"), config)
    assert ran == ["first", "ask", "ask", "after_inner", "end"]
    assert "ask=2" in second["log"]
    assert "forked" in second["log"]
    ended = [state for state in await engine.history(app, config) if not state.next]
    assert [state.values for state in ended] == [second, first]


async def test_subgraph_with_its_own_memory_keeps_it_from_run_to_run(engine, config, ran):
    """A subgraph compiled with `checkpointer=True` goes on from its last state in the same thread."""

    def remember(state):
        ran.append(len(state.get("own", [])))
        return {"own": ["x"], "log": [f"saw {len(state.get('own', []))}"]}

    inner = StateGraph(Inner)
    inner.add_node("remember", remember)
    inner.add_edge(START, "remember")
    outer = StateGraph(Log)
    outer.add_node("inner", inner.compile(checkpointer=True))
    outer.add_edge(START, "inner")
    for _ in range(3):
        await engine.invoke(outer.compile(checkpointer=engine.saver), {"log": []}, config)
        await engine.reopen()
    assert ran == [0, 1, 2]
    other = {"configurable": {"thread_id": "other"}}
    await engine.invoke(outer.compile(checkpointer=engine.saver), {"log": []}, other)
    assert ran[-1] == 0
    assert "inner" in {found.config["configurable"]["checkpoint_ns"] for found in await engine.stored(config)}
