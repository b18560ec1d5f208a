"""A step in which something fails: what had finished is stored, and only the rest runs again."""

import operator
import threading
from collections import Counter
from typing import Annotated, TypedDict

import pytest

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy, Send


class Log(TypedDict, total=False):
    log: Annotated[list, operator.add]
    items: list
    item: int


class Broken(RuntimeError):
    """What the nodes of these tests fail with."""


async def test_finished_sibling_of_a_failed_node_is_not_run_again(engine, config, ran):
    """After the failure only the failed node runs, and the sibling's result is there."""
    failing = True
    finished = threading.Event()

    def good(state):
        ran.append("good")
        return {"log": ["good"]}

    def bad(state):
        ran.append("bad")
        if failing:
            assert finished.wait(30)
            raise Broken("once")
        return {"log": ["bad"]}

    def watch(state):
        ran.append("join")
        return {"log": ["join"]}

    graph = StateGraph(Log)
    graph.add_node("good", good)
    graph.add_node("bad", bad)
    graph.add_node("join", watch)
    graph.add_edge(START, "good")
    graph.add_edge(START, "bad")
    graph.add_edge(["good", "bad"], "join")
    with _told_of_writes(engine.saver, finished), pytest.raises(Broken):
        await engine.invoke(graph.compile(checkpointer=engine.saver), {"items": []}, config, durability="sync")
    state = await engine.get_state(graph.compile(checkpointer=engine.saver), config)
    assert {task.name: task.error for task in state.tasks}["good"] is None
    assert "Broken" in {task.name: task.error for task in state.tasks}["bad"]

    failing = False
    await engine.reopen()
    done = await engine.invoke(graph.compile(checkpointer=engine.saver), None, config)
    assert done["log"] == ["bad", "good", "join"]
    assert Counter(ran) == {"good": 1, "bad": 2, "join": 1}


async def test_one_of_many_sends_fails_and_alone_runs_again(engine, config, ran):
    """A fan-out of 40 keeps the 39 that finished; results come in the order of the sends."""
    broken = {23}
    finished = threading.Event()

    def work(state):
        item = state["item"]
        ran.append(item)
        if item in broken:
            assert finished.wait(30)
            raise Broken(item)
        return {"log": [item * item]}

    def fan_out(state):
        return [Send("work", {"item": item}) for item in state["items"]]

    graph = StateGraph(Log)
    graph.add_node("work", work)
    graph.add_conditional_edges(
        START, lambda state: [Send("work", {"item": item}) for item in state["items"]], ["work"]
    )
    graph.add_edge("work", END)
    with _told_of_writes(engine.saver, finished, count=39), pytest.raises(Broken):
        await engine.invoke(
            graph.compile(checkpointer=engine.saver), {"items": list(range(40))}, config, durability="sync"
        )
    broken.clear()
    await engine.reopen()
    done = await engine.invoke(graph.compile(checkpointer=engine.saver), None, config)
    assert done["log"] == [item * item for item in range(40)]
    assert Counter(ran) == Counter(range(40)) + Counter([23])


async def test_retry_policy_repeats_a_node_within_its_step(engine, config, ran):
    """Attempts that failed leave nothing in the stored thread."""

    def flaky(state):
        ran.append("flaky")
        if len(ran) < 3:
            raise Broken(len(ran))
        return {"log": ["flaky"]}

    graph = StateGraph(Log)
    policy = RetryPolicy(initial_interval=0.001, max_attempts=3, jitter=False, retry_on=Broken)
    graph.add_node("flaky", flaky, retry_policy=policy)
    graph.add_edge(START, "flaky")
    app = graph.compile(checkpointer=engine.saver)
    assert await engine.invoke(app, {"log": []}, config) == {"log": ["flaky"]}
    assert ran == ["flaky"] * 3
    stored = await engine.stored(config)
    assert [found.metadata["step"] for found in stored] == [1, 0, -1]
    assert not [write for found in stored for write in found.pending_writes if write[1] == "__error__"]


class _told_of_writes:
    """Set an event once a saver has stored what `count` tasks wrote to `log`, so that no test has to sleep."""

    def __init__(self, saver, event, count=1):
        self.saver, self.event, self.count = saver, event, count
        self.tasks = set()

    def __enter__(self):
        put, aput = self.saver.put_writes, self.saver.aput_writes

        def put_writes(config, writes, task_id, task_path=""):
            put(config, writes, task_id, task_path)
            self._note(writes, task_id)

        async def aput_writes(config, writes, task_id, task_path=""):
            await aput(config, writes, task_id, task_path)
            self._note(writes, task_id)

        self.saver.put_writes, self.saver.aput_writes = put_writes, aput_writes

    def __exit__(self, *exc):
        del self.saver.put_writes, self.saver.aput_writes

    def _note(self, writes, task_id):
        if any(channel == "log" for channel, _ in writes):
            self.tasks.add(task_id)
        if len(self.tasks) == self.count:
            self.event.set()
