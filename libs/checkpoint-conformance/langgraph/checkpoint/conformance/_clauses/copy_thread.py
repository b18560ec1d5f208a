"""Clauses on `copy_thread`: the target is the source under another name, and a life of its own."""

from __future__ import annotations

from uuid import uuid4

from langgraph.checkpoint.conformance._expect import expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, address_of, id_of
from langgraph.checkpoint.conformance.capabilities import Capability


async def _copied(probe: Probe, source: Thread) -> Thread:
    target = source.through(probe, str(uuid4()))
    await probe.copy_thread(source.id, target.id)
    return target


async def _filled(probe: Probe) -> Thread:
    """Return a thread with a changed and an unchanged channel, writes and a namespace."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    await thread.put({"a": [1], "b": [1]}, versions={"a": one, "b": one}, note={"x": [1]})
    await thread.write(("a", 2), ("b", [3]), path="p")
    await thread.put({"a": [2], "b": [1]}, versions={"a": two, "b": one}, new={"a": two}, step=1)
    await thread.namespace("child").put({"a": ["child"]}, versions={"a": one})
    return thread


@case(Capability.COPY_THREAD)
async def copy_thread_basic(probe: Probe) -> None:
    """The target has the source's latest checkpoint, reported under its own name."""
    source = await _filled(probe)
    target = await _copied(probe, source)
    found = await target.get()
    expect_equal("thread_id", address_of(found.config)["thread_id"], target.id)
    expect_equal("checkpoint", found.checkpoint, (await source.get()).checkpoint)


@case(Capability.COPY_THREAD)
async def copy_thread_all_checkpoints(probe: Probe) -> None:
    """All checkpoints are copied with ids, parents, values, metadata and writes."""
    source = await _filled(probe)
    target = await _copied(probe, source)
    expect_equal("the copy", await target.dump(), await source.dump())


@case(Capability.COPY_THREAD)
async def copy_thread_preserves_metadata(probe: Probe) -> None:
    """Metadata is the source's, and can be filtered by."""
    source = Thread(probe)
    await source.steps(2, note="x")
    target = await _copied(probe, source)
    expect_equal("metadata", (await target.get()).metadata, (await source.get()).metadata)
    expect_equal("number", len(await target.listed(filter={"note": "x"})), 2)


@case(Capability.COPY_THREAD)
async def copy_thread_preserves_namespaces(probe: Probe) -> None:
    """Every namespace is copied into the same namespace."""
    source = await _filled(probe)
    child = (await _copied(probe, source)).namespace("child")
    expect_equal("values in the child", await child.values(), {"a": ["child"]})


@case(Capability.COPY_THREAD)
async def copy_thread_preserves_writes(probe: Probe) -> None:
    """Pending writes are copied in their order, and a repeat is known there too."""
    source = Thread(probe)
    await source.put()
    await source.write(("a", 2), task="t1", path="p2")
    await source.write(("a", 1), task="t2", path="p1")
    target = await _copied(probe, source)
    await target.write(("a", "again"), task="t1", path="p2", at=(await target.get()).config)
    expect_equal("writes", await target.writes(), [("t2", "a", 1), ("t1", "a", 2)])


@case(Capability.COPY_THREAD)
async def copy_thread_preserves_ordering(probe: Probe) -> None:
    """Ids are the source's, so the order is too, and parents point into the target."""
    source = Thread(probe)
    stored = await source.steps(3)
    target = await _copied(probe, source)
    expect_equal("ids", await target.listed(), stored[::-1])
    parents = [t.parent_config for t in await probe.list(target.at())]
    expect_equal("parents", [id_of(parent) for parent in parents], [stored[1], stored[0], ""])
    threads = {address_of(parent)["thread_id"] for parent in parents if parent}
    expect_equal("parents' thread", threads, {target.id})


@case(Capability.COPY_THREAD)
async def copy_thread_preserves_delta_history(probe: Probe) -> None:
    """The target replays its delta channels from the same seed and writes."""
    source = Thread(probe)
    await source.delta_steps(*range(4))
    target = await _copied(probe, source)
    expect_equal(
        "history", await probe.delta_history(target.at(), "d"), await probe.delta_history(source.at(), "d")
    )


@case(Capability.COPY_THREAD)
async def copy_thread_source_unchanged(probe: Probe) -> None:
    """The source stays as it is, also when the target goes on."""
    source = await _filled(probe)
    before = await source.dump()
    target = await _copied(probe, source)
    await target.put({"a": "target"}, parent=(await target.get()).config)
    await target.write(("a", "target"))
    expect_equal("the source", await source.dump(), before)


@case(Capability.COPY_THREAD)
async def copy_thread_outlives_source(probe: Probe) -> None:
    """The target keeps everything when the source is deleted."""
    source = await _filled(probe)
    target = await _copied(probe, source)
    before = await target.dump()
    await probe.delete_thread(source.id)
    expect_equal("the target", await target.dump(), before)


@case(Capability.COPY_THREAD)
async def copy_thread_refuses_used_target(probe: Probe) -> None:
    """A target that has checkpoints in any namespace is an error and stays as it is."""
    source = await _filled(probe)
    for target in (Thread(probe), Thread(probe, ns="other"), source):
        if target is not source:
            await target.put({"a": "target"})
        before = await target.dump()
        with expect_error(f"copy to a thread with namespace {target.ns!r}", Exception):
            await probe.copy_thread(source.id, target.id)
        expect_equal("the target", await target.dump(), before)


@case(Capability.COPY_THREAD)
async def copy_thread_nonexistent_source(probe: Probe) -> None:
    """An unknown source copies nothing, without an error."""
    target = await _copied(probe, Thread(probe))
    await target.missing()
    expect_equal("listed", await probe.list(target.anywhere), [])
