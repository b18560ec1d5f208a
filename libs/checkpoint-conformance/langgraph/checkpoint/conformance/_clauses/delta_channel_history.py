"""Clauses on `get_delta_channel_history`: the seed of a delta channel, and the writes to replay on it."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.conformance._expect import expect_equal
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, snapshot
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint


async def _expect_history(
    thread: Thread, writes: list[Any], *, at: Any = None, channel: str = "d", **seed: Any
) -> None:
    history = await thread.probe.delta_history(at or thread.at(), channel)
    expect_equal("channels", list(history), [channel])
    expect_equal("values written", [value for _, _, value in history[channel]["writes"]], writes)
    expect_equal("seed", {key: value for key, value in history[channel].items() if key == "seed"}, seed)


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_writes(probe: Probe) -> None:
    """The writes of all ancestors come, oldest first, as `(task_id, channel, value)`; the own ones do not."""
    thread = Thread(probe)
    for number in range(3):
        await thread.put()
        await thread.write(("d", number), task=f"t{number}")
    history = await probe.delta_history(thread.at(), "d")
    expect_equal("history", history, {"d": {"writes": [("t0", "d", 0), ("t1", "d", 1)]}})


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_seed(probe: Probe) -> None:
    """The nearest ancestor that stored a snapshot ends the walk: its value is the seed, its writes count."""
    thread = Thread(probe)
    await thread.delta_steps(*range(2))
    await thread.delta_steps(*range(3))
    await _expect_history(thread, [0, 1], seed=snapshot(["snapshot"]))


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_plain_seed(probe: Probe) -> None:
    """A plain value, from before the channel became a delta channel, is a seed too; also `None`."""
    for seed in (["plain"], None, 0, "text"):
        thread = Thread(probe)
        await thread.put({"d": seed})
        await thread.write(("d", 0))
        await thread.put()
        await _expect_history(thread, [0], seed=seed)


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_own_snapshot(probe: Probe) -> None:
    """The value of the checkpoint asked for is no seed of its own: it already is the answer."""
    thread = Thread(probe)
    await thread.put()
    await thread.write(("d", 0))
    await thread.put({"d": snapshot([0])})
    await _expect_history(thread, [0])


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_at_checkpoint(probe: Probe) -> None:
    """History is as of the checkpoint named; what came after does not count."""
    thread = Thread(probe)
    stored = await thread.delta_steps(*range(4))
    await _expect_history(thread, [0, 1], at=stored[2], seed=snapshot(["snapshot"]))
    await _expect_history(thread, [], at=stored[0])


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_empty_id_is_latest(probe: Probe) -> None:
    """Without an id, or with an empty one, history is as of the latest checkpoint."""
    thread = Thread(probe)
    await thread.delta_steps(*range(3))
    for config in (thread.at(), thread.at("")):
        await _expect_history(thread, [0, 1], at=config, seed=snapshot(["snapshot"]))


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_order(probe: Probe) -> None:
    """Within a checkpoint writes come in the order of task path, task id and index."""
    thread = Thread(probe)
    await thread.put()
    await thread.write(("d", 3), ("d", 4), task="t1", path="p2")
    await thread.write(("d", 2), task="t3", path="p1")
    await thread.write(("d", 1), task="t2", path="p1")
    await thread.put()
    await thread.write(("d", 5), task="t0")
    await thread.put()
    await _expect_history(thread, [1, 2, 3, 4, 5])


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_per_channel(probe: Probe) -> None:
    """Each channel has its own seed and writes; one that was never written has none."""
    thread = Thread(probe)
    await thread.put({"a": ["a"]})
    await thread.write(("a", 1), ("b", 10))
    await thread.put({"b": ["b"]})
    await thread.write(("a", 2), ("b", 20))
    await thread.put()
    await _expect_history(thread, [1, 2], channel="a", seed=["a"])
    await _expect_history(thread, [20], channel="b", seed=["b"])
    await _expect_history(thread, [], channel="never")
    together = await probe.delta_history(thread.at(), "a", "b", "never")
    expect_equal("channels", sorted(together), ["a", "b", "never"])
    expect_equal("b of three", [value for *_, value in together["b"]["writes"]], [20])
    expect_equal("without channels", dict(await probe.delta_history(thread.at())), {})


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_follows_parents(probe: Probe) -> None:
    """The walk follows parents: of two branches only the own one counts."""
    thread = Thread(probe)
    fork = await thread.put()
    await thread.write(("d", "common"))
    await thread.put()
    await thread.write(("d", "left"))
    await thread.put(parent=fork)
    await thread.write(("d", "right"))
    await thread.put()
    await _expect_history(thread, ["common", "right"])


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_follows_ids_down(probe: Probe) -> None:
    """A parent may have a greater id, since ids grow only within a process."""
    thread = Thread(probe)
    small, great = (generate_checkpoint()["id"] for _ in range(2))
    await thread.put(id=great)
    await thread.write(("d", "parent"))
    await thread.put(id=small)
    await _expect_history(thread, ["parent"], at=thread.head)


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_respects_namespace(probe: Probe) -> None:
    """Only the namespace named counts."""
    child = Thread(probe, ns="child")
    await child.delta_steps(*range(2))
    await child.namespace("").put()
    await _expect_history(child, [0], seed=snapshot(["snapshot"]))
    await _expect_history(child.namespace(""), [])


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_nonexistent(probe: Probe) -> None:
    """An unknown thread or checkpoint has an empty history."""
    thread = Thread(probe)
    await _expect_history(thread, [])
    await thread.delta_steps(*range(2))
    await _expect_history(thread, [], at=thread.at(generate_checkpoint()["id"]))


@case(Capability.DELTA_CHANNEL_HISTORY)
async def delta_channel_history_long(probe: Probe) -> None:
    """A history of many steps comes as a whole."""
    thread = Thread(probe)
    await thread.delta_steps(*range(60))
    await _expect_history(thread, list(range(59)), seed=snapshot(["snapshot"]))
