"""Clauses on `delete_thread`: all of a thread goes, and nothing else."""

from __future__ import annotations

from typing import Any, cast
from uuid import uuid4

from langgraph.checkpoint.conformance._expect import expect_equal
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, id_of
from langgraph.checkpoint.conformance.capabilities import Capability


@case(Capability.DELETE_THREAD)
async def delete_thread_removes_checkpoints(probe: Probe) -> None:
    """No checkpoint is found or listed afterwards."""
    thread = Thread(probe)
    stored = await thread.steps(3)
    await probe.delete_thread(thread.id)
    await thread.missing()
    await thread.missing(thread.at(stored[0]))
    expect_equal("ids", await thread.listed(), [])


@case(Capability.DELETE_THREAD)
async def delete_thread_removes_writes(probe: Probe) -> None:
    """Writes go too: a checkpoint that is put again at the same address has none."""
    thread = Thread(probe)
    stored = await thread.put()
    await thread.write(("a", 1))
    await probe.delete_thread(thread.id)
    await thread.put(parent=thread.at(), id=id_of(stored))
    expect_equal("writes", await thread.writes(), [])


@case(Capability.DELETE_THREAD)
async def delete_thread_removes_channels(probe: Probe) -> None:
    """Channel values go too: a version that was stored before is not found again."""
    thread = Thread(probe)
    versions = {"a": thread.version()}
    await thread.put({"a": ["secret"]}, versions=versions)
    await probe.delete_thread(thread.id)
    await thread.put({}, parent=thread.at(), versions=versions, new={})
    expect_equal("values", await thread.values(), {})


@case(Capability.DELETE_THREAD)
async def delete_thread_removes_all_namespaces(probe: Probe) -> None:
    """All namespaces of the thread go."""
    root = Thread(probe)
    threads = [root, root.namespace("child"), root.namespace("child|deeper")]
    for thread in threads:
        await thread.put()
    await probe.delete_thread(root.id)
    for thread in threads:
        await thread.missing()
    expect_equal("listed", await probe.list(root.anywhere), [])


@case(Capability.DELETE_THREAD)
async def delete_thread_preserves_other_threads(probe: Probe) -> None:
    """Other threads keep all that they have, also one whose name begins alike."""
    thread = Thread(probe)
    others = [Thread(probe), Thread(probe, id=thread.id + "0"), Thread(probe, id=thread.id[:-1] + "%")]
    versions = {"a": thread.version()}
    for each in (thread, *others):
        await each.put({"a": [each.id]}, versions=versions)
        await each.write(("a", each.id))
    before = [await other.dump() for other in others]
    await probe.delete_thread(thread.id)
    expect_equal("other threads", [await other.dump() for other in others], before)


@case(Capability.DELETE_THREAD)
async def delete_thread_nonexistent_noop(probe: Probe) -> None:
    """Deleting an unknown thread, or one twice, is no error."""
    thread = Thread(probe)
    await probe.delete_thread(thread.id)
    await thread.put()
    for _ in range(2):
        await probe.delete_thread(thread.id)
    await thread.missing()


@case(Capability.DELETE_THREAD)
async def delete_thread_int_thread_id(probe: Probe) -> None:
    """A thread id that is a number is the same as its text."""
    thread = Thread(probe, id=str(uuid4().int))
    await thread.put()
    await probe.delete_thread(cast("Any", int(thread.id)))
    await thread.missing()
