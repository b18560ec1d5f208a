"""Delta channels: what a value is replayed from, and that retention keeps it."""

from __future__ import annotations

import asyncio
import operator
import warnings
from typing import Annotated, Any, TypedDict

import pytest

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the engine calls them a beta
    from langgraph.channels.delta import DeltaChannel


def replay(state: list[str], writes: list[list[str]]) -> list[str]:
    return [*(state or []), *(item for write in writes for item in write)]


def graph(saver: Any) -> Any:
    """A loop of five steps that adds to a delta channel, with a snapshot each fifth time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        class State(TypedDict, total=False):
            log: Annotated[list[str], DeltaChannel(replay, list, snapshot_frequency=5)]
            plain: Annotated[list[str], operator.add]
            n: int

        made = StateGraph(State)
        made.add_node("a", lambda s: {"log": [f"a{s.get('n', 0)}"], "plain": ["p"], "n": s.get("n", 0) + 1})
        made.add_edge(START, "a")
        made.add_conditional_edges("a", lambda s: "a" if s["n"] % 5 else END)
        return made.compile(checkpointer=saver)


@pytest.fixture
def app(open_sync: Any) -> Any:
    """The graph after two runs, `r1` and `r2`."""
    app = graph(open_sync())
    app.invoke({"log": ["in"]}, config("r1"))
    app.invoke({"log": ["again"]}, config("r2"))
    return app


def config(run: str = "r", checkpoint: str | None = None) -> dict[str, Any]:
    address = {"thread_id": "t", "checkpoint_ns": ""} | ({"checkpoint_id": checkpoint} if checkpoint else {})
    return {"configurable": address, "metadata": {"run_id": run}}


LOG = ["in", "a0", "a1", "a2", "a3", "a4", "again", "a5", "a6", "a7", "a8", "a9"]


def states(app: Any) -> dict[str, list[str]]:
    return {
        s.config["configurable"]["checkpoint_id"]: s.values.get("log", []) for s in app.get_state_history(config())
    }


def test_every_state_of_the_history_is_replayed(app: Any) -> None:
    """Each checkpoint gives the value of its time."""
    logs = list(states(app).values())
    assert logs[0] == LOG
    assert all(log == LOG[: len(log)] for log in logs)


def test_pruning_keeps_what_the_latest_replays(app: Any) -> None:
    """The ancestors back to the snapshot stay, older ones go, and the thread goes on."""
    before = states(app)
    app.checkpointer.prune(["t"])
    after = states(app)
    assert 1 < len(after) < len(before)
    assert app.get_state(config()).values["log"] == LOG
    for _ in range(2):
        app.checkpointer.prune(["t"])
    assert app.get_state(config()).values["log"] == LOG
    app.invoke({"log": ["third"]}, config("r3"))
    assert app.get_state(config()).values["log"] == [*LOG, "third", "a10", "a11", "a12", "a13", "a14"]


def test_deleting_a_run_keeps_what_others_replay(app: Any) -> None:
    """Later checkpoints have the same value after the first run was deleted."""
    kept = {
        s.config["configurable"]["checkpoint_id"]: s.values["log"]
        for s in app.get_state_history(config(), filter={"run_id": "r2"})
    }
    assert kept
    app.checkpointer.delete_for_runs(["r1"])
    after = states(app)
    assert kept.items() <= after.items()
    assert app.get_state(config()).values["log"] == LOG


def test_a_copy_replays_by_itself(app: Any) -> None:
    """A copied thread has the same history when the source is gone."""
    before = list(states(app).values())
    app.checkpointer.copy_thread("t", "copy")
    app.checkpointer.delete_thread("t")
    copied = [s.values.get("log", []) for s in app.get_state_history({"configurable": {"thread_id": "copy"}})]
    assert copied == before


def test_a_fork_replays_its_own_side(app: Any) -> None:
    """Two branches from one checkpoint do not see each other's writes."""
    history = list(app.get_state_history(config()))
    middle = history[len(history) // 2]
    forked = app.update_state(middle.config, {"log": ["forked"]})
    assert app.get_state(forked).values["log"] == [*middle.values["log"], "forked"]
    assert app.get_state(history[0].config).values["log"] == LOG
    same_as_default(app.checkpointer)


def same_as_default(saver: Any) -> int:
    """Compare the history of every checkpoint with the walk of the base class; return how many had a seed."""
    seeds = 0
    channels = ["log", "plain", "n", "missing", "branch:to:a"]
    for item in list(saver.list(None)):
        ours = saver.get_delta_channel_history(config=item.config, channels=channels)
        assert ours == BaseCheckpointSaver.get_delta_channel_history(saver, config=item.config, channels=channels)
        seeds += any("seed" in history for history in ours.values())
    return seeds


def test_history_is_that_of_the_default_walk(app: Any) -> None:
    """Seeds and writes are those that the base class finds by reading every ancestor."""
    assert same_as_default(app.checkpointer) > 5
    app.checkpointer.prune(["t"])
    assert same_as_default(app.checkpointer) > 0


async def test_history_in_both_colours(saver: Any, put: Any, at: Any) -> None:
    """Seeds in blobs, seeds within the row, several tasks, and a latest checkpoint by default."""
    made: list[Any] = []
    for n in range(6):
        values = {"a": [n]} if n in (0, 2) else {}
        stored = await put(saver, str(n), values, parent=str(n - 1) if n else None, new_versions={"a": str(n)})
        for task in ("t2", "t1"):
            await saver.put_writes(stored, [("a", (task, n)), ("b", n)], task, "p")
        made.append(stored)
    history = await saver.get_delta_channel_history(config=at(), channels=["a", "b", "c"])
    assert history["a"] == {"seed": [2], "writes": [(t, "a", (t, n)) for n in (2, 3, 4) for t in ("t1", "t2")]}
    assert history["b"] == {"writes": [(t, "b", n) for n in range(5) for t in ("t1", "t2")]}
    assert history["c"] == {"writes": []}
    assert await saver.get_delta_channel_history(config=made[0], channels=["a"]) == {"a": {"writes": []}}
    assert await saver.get_delta_channel_history(config=at(), channels=[]) == {}


async def test_seeds_within_the_row(saver: Any, at: Any, checkpoint: Any) -> None:
    """Values that are stored in the checkpoint itself are seeds too."""
    first = await saver.put(at(), checkpoint("1", a=[1]) | {"channel_versions": {"a": 1.5}}, {}, {"a": 1.5})
    await saver.put_writes(first, [("a", 2)], "task")
    await saver.put(first, checkpoint("2"), {}, {})
    history = await saver.get_delta_channel_history(config=at(), channels=["a"])
    assert history == {"a": {"seed": [1], "writes": [("task", "a", 2)]}}


async def test_a_long_chain(saver: Any, put: Any, at: Any) -> None:
    """A seed is found however far away it is, over the borders of pages."""
    config = await put(saver, "0000", {"a": ["seed"]})
    for n in range(1, 450):
        await saver.put_writes(config, [("a", n)], "task")
        config = await put(saver, f"{n:04}", parent=f"{n - 1:04}")
    history = await saver.get_delta_channel_history(config=at(), channels=["a", "b"])
    assert history["a"]["seed"] == ["seed"]
    assert [write[2] for write in history["a"]["writes"]] == list(range(1, 450))
    assert history["b"] == {"writes": []}


def test_the_engine_on_the_async_saver(path: Any) -> None:
    """The same graph runs, is pruned and goes on through the async methods."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async def run() -> list[str]:
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            app = graph(saver)
            await app.ainvoke({"log": ["in"]}, config("r1"))
            await saver.aprune(["t"])
            await app.ainvoke({"log": ["again"]}, config("r2"))
            await saver.adelete_for_runs(["r1"])
            return (await app.aget_state(config())).values["log"]

    assert asyncio.run(run()) == LOG
