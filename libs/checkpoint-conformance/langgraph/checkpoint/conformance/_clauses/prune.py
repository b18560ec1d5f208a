"""Clauses on `prune`: what may go, and what a kept checkpoint still needs."""

from __future__ import annotations

from uuid import uuid4

from langgraph.checkpoint.conformance._expect import expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, id_of
from langgraph.checkpoint.conformance.capabilities import Capability


@case(Capability.PRUNE)
async def prune_keep_latest_single_thread(probe: Probe) -> None:
    """`keep_latest`, which is the default, keeps the latest checkpoint as it was, but for its parent."""
    for arguments in ({}, {"strategy": "keep_latest"}):
        thread = Thread(probe)
        *_, last = await thread.steps(4)
        before = await thread.get()
        await probe.prune([thread.id], **arguments)
        expect_equal("ids", await thread.listed(), [last])
        expect_equal("kept", await thread.get(), before._replace(parent_config=None))


@case(Capability.PRUNE)
async def prune_clears_parent(probe: Probe) -> None:
    """The oldest checkpoint that is kept has no parent any more."""
    thread = Thread(probe)
    await thread.steps(2)
    await probe.prune([thread.id])
    expect_equal("parent", (await thread.get()).parent_config, None)


@case(Capability.PRUNE)
async def prune_keep_latest_multiple_threads(probe: Probe) -> None:
    """Each of the threads keeps its own latest."""
    threads = [Thread(probe) for _ in range(3)]
    lasts = [(await thread.steps(3))[-1] for thread in threads]
    await probe.prune([thread.id for thread in threads])
    expect_equal("ids", [await thread.listed() for thread in threads], [[last] for last in lasts])


@case(Capability.PRUNE)
async def prune_keep_latest_across_namespaces(probe: Probe) -> None:
    """Each namespace keeps its own latest."""
    root = Thread(probe)
    threads = [root, root.namespace("child"), root.namespace("other")]
    lasts = [(await thread.steps(2))[-1] for thread in threads]
    await probe.prune([root.id])
    expect_equal("ids", [await thread.listed() for thread in threads], [[last] for last in lasts])


@case(Capability.PRUNE)
async def prune_keep_latest_preserves_writes(probe: Probe) -> None:
    """The kept checkpoint keeps its pending writes, in their order."""
    thread = Thread(probe)
    await thread.steps(2)
    await thread.write(("a", 2), task="t1", path="p2")
    await thread.write(("a", 1), task="t2", path="p1")
    await probe.prune([thread.id])
    expect_equal("writes", await thread.writes(), [("t2", "a", 1), ("t1", "a", 2)])


@case(Capability.PRUNE)
async def prune_keeps_shared_channels(probe: Probe) -> None:
    """A value that a pruned checkpoint stored stays if the kept one refers to its version."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    await thread.put({"a": [1], "b": [1]}, versions={"a": one, "b": one})
    await thread.put({"a": [1], "b": [2]}, versions={"a": one, "b": two}, new={"b": two})
    await probe.prune([thread.id])
    expect_equal("values", await thread.values(), {"a": [1], "b": [2]})


@case(Capability.PRUNE)
async def prune_removes_writes(probe: Probe) -> None:
    """Writes of a pruned checkpoint go too."""
    thread = Thread(probe)
    first, _ = await thread.steps(2)
    await thread.write(("a", 1), at=thread.at(first))
    await probe.prune([thread.id])
    await thread.put(parent=thread.at(), id=first)
    expect_equal("writes", await thread.writes(thread.at(first)), [])


@case(Capability.PRUNE)
async def prune_keeps_delta_history(probe: Probe) -> None:
    """The kept checkpoint replays its delta channels from the same seed and writes."""
    thread = Thread(probe)
    await thread.delta_steps(*range(4))
    before = await probe.delta_history(thread.at(), "d")
    await probe.prune([thread.id])
    expect_equal("history", await probe.delta_history(thread.at(), "d"), before)


@case(Capability.PRUNE)
async def prune_not_held_by_empty_channels(probe: Probe) -> None:
    """A channel that has become empty is no delta channel: it keeps no ancestors."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    await thread.put({"a": [1], "b": [1]}, versions={"a": one, "b": one})
    last = await thread.put({"a": [1]}, versions={"a": one, "b": two}, new={"b": two})
    await probe.prune([thread.id])
    expect_equal("ids", await thread.listed(), [id_of(last)])
    expect_equal("values", await thread.values(), {"a": [1]})


@case(Capability.PRUNE)
async def prune_delete_all(probe: Probe) -> None:
    """`delete` keeps nothing, in no namespace."""
    root = Thread(probe)
    child = root.namespace("child")
    for thread in (root, child):
        await thread.steps(2)
    await probe.prune([root.id], strategy="delete")
    expect_equal("listed", await probe.list(root.anywhere), [])
    await root.missing()
    await child.missing()


@case(Capability.PRUNE)
async def prune_preserves_other_threads(probe: Probe) -> None:
    """Threads that are not named keep all that they have."""
    thread, other = Thread(probe), Thread(probe)
    for each in (thread, other):
        await each.steps(3)
        await each.write(("a", 1))
    before = await other.dump()
    for strategy in ("keep_latest", "delete"):
        await probe.prune([thread.id], strategy=strategy)
        expect_equal(f"the other thread after {strategy}", await other.dump(), before)


@case(Capability.PRUNE)
async def prune_empty_list_noop(probe: Probe) -> None:
    """Without threads nothing happens."""
    thread = Thread(probe)
    await thread.steps(2)
    before = await thread.dump()
    for strategy in ("keep_latest", "delete"):
        await probe.prune([], strategy=strategy)
    expect_equal("the thread", await thread.dump(), before)


@case(Capability.PRUNE)
async def prune_nonexistent_noop(probe: Probe) -> None:
    """An unknown thread is no error, and those named beside it are pruned."""
    thread = Thread(probe)
    *_, last = await thread.steps(2)
    await probe.prune([str(uuid4()), thread.id])
    expect_equal("ids", await thread.listed(), [last])


@case(Capability.PRUNE)
async def prune_unknown_strategy(probe: Probe) -> None:
    """An unknown strategy is a `ValueError`, and nothing is pruned."""
    thread = Thread(probe)
    await thread.steps(2)
    before = await thread.dump()
    with expect_error("prune with strategy 'newest'", ValueError):
        await probe.prune([thread.id], strategy="newest")
    expect_equal("the thread", await thread.dump(), before)


@case(Capability.PRUNE)
async def prune_single_text(probe: Probe) -> None:
    """A single text for `thread_ids` is a `TypeError` or `ValueError`, since its letters are no threads."""
    thread = Thread(probe)
    await thread.steps(2)
    before = await thread.dump()
    with expect_error("prune with a text", TypeError, ValueError):
        await probe.prune(thread.id)
    expect_equal("the thread", await thread.dump(), before)
