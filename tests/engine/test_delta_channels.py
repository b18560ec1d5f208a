"""`DeltaChannel`: checkpoints hold no value, it is replayed from writes back to the last snapshot."""

from typing import Annotated, TypedDict

import pytest

from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite

EVERY = 4
"""Updates from one snapshot to the next."""


def extend(state, writes):
    return [*(state or []), *(item for write in writes for item in write)]


class Growing(TypedDict, total=False):
    log: Annotated[list, DeltaChannel(extend, list, snapshot_frequency=EVERY)]
    count: int
    until: int


def counting(ran):
    """One node that adds to the log until it has run often enough."""

    def step(state):
        count = state.get("count", 0)
        ran.append(count)
        return {"log": [count], "count": count + 1}

    graph = StateGraph(Growing)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", lambda state: "step" if state["count"] < state["until"] else END)
    return graph


async def test_history_replays_each_state_past_snapshots(engine, config, ran):
    """Every state of a thread that is many snapshots long reads as it was."""
    app = counting(ran).compile(checkpointer=engine.saver)
    done = await engine.invoke(app, {"log": ["in"], "until": 30}, config)
    assert done["log"] == ["in", *range(30)]
    await engine.reopen()
    history = await engine.history(counting(ran).compile(checkpointer=engine.saver), config)
    assert [state.values.get("log", []) for state in history] == [
        *(["in", *range(count)] for count in range(30, -1, -1)),
        [],
    ]
    stored = [found.checkpoint["channel_values"].get("log") for found in await engine.stored(config)]
    snapshots = [value for value in stored if isinstance(value, _DeltaSnapshot)]
    assert 6 <= len(snapshots) <= 8
    assert all(isinstance(value, _DeltaSnapshot) or value is None for value in stored)


@pytest.mark.parametrize("count", [1, EVERY, EVERY + 1, 2 * EVERY + 1])
async def test_fork_off_a_delta_thread_keeps_both_branches(engine, config, ran, count):
    """Right after a snapshot or between two, the fork has the past of its parent and its own future."""
    app = counting(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": ["in"], "until": 12}, config)
    old = next(state for state in await engine.history(app, config) if state.values.get("count") == count)
    fork = await engine.update_state(app, old.config, {"log": ["forked"], "until": count + 3})
    assert (await engine.get_state(app, fork)).values["log"] == ["in", *range(count), "forked"]
    await engine.reopen()
    app = counting(ran).compile(checkpointer=engine.saver)
    done = await engine.invoke(app, None, fork)
    assert done["log"] == ["in", *range(count), "forked", *range(count, count + 3)]
    logs = [state.values.get("log") for state in await engine.history(app, config)]
    assert ["in", *range(12)] in logs
    assert done["log"] in logs


async def test_thread_goes_on_over_many_runs(engine, config, ran):
    """Each run continues the log where the last one left it, also when a snapshot falls between runs."""
    expected = []
    for number in range(1, 11):
        app = counting(ran).compile(checkpointer=engine.saver)
        done = await engine.invoke(app, {"log": [f"run {number}"], "until": number}, config)
        expected += [f"run {number}", number - 1]
        assert done["log"] == expected
        await engine.reopen()


async def test_overwrite_starts_the_log_anew(engine, config, ran):
    """States before an overwrite keep the old log, those after it the new one."""
    app = counting(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": ["in"], "until": 3}, config)
    before = await engine.get_state(app, config)
    await engine.update_state(app, config, {"log": Overwrite(["anew"]), "until": 5}, as_node="step")
    done = await engine.invoke(app, None, config)
    assert done["log"] == ["anew", 3, 4]
    assert (await engine.get_state(app, before.config)).values["log"] == ["in", 0, 1, 2]


async def test_pruned_thread_still_replays_its_log(engine, config, ran):
    """`prune()` keeps the ancestors that the latest state is replayed from, and no more of them."""
    app = counting(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": ["in"], "until": 30}, config)
    await engine.saver.aprune(["t"])
    await engine.reopen()
    app = counting(ran).compile(checkpointer=engine.saver)
    assert (await engine.get_state(app, config)).values["log"] == ["in", *range(30)]
    assert len(await engine.stored(config)) <= EVERY + 1
    done = await engine.invoke(app, {"log": [], "until": 32}, config)
    assert done["log"] == ["in", *range(32)]


async def test_copied_thread_replays_its_log(engine, config, ran):
    """`copy_thread()` takes the writes along that a log is replayed from."""
    app = counting(ran).compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": ["in"], "until": EVERY + 2}, config)
    await engine.saver.acopy_thread("t", "copy")
    await engine.saver.adelete_thread("t")
    copy = {"configurable": {"thread_id": "copy"}}
    assert (await engine.get_state(app, copy)).values["log"] == ["in", *range(EVERY + 2)]
    assert (await engine.get_state(app, config)).values == {}
