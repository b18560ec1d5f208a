"""Clauses on `get_tuple`: which checkpoint is meant, and what comes with it."""

from __future__ import annotations

from typing import Any, cast

from langgraph.checkpoint.conformance._expect import expect, expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, address_of, id_of
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint

SENDS = "__pregel_tasks"
"""The channel in which the engine looks for queued sends."""


@case(Capability.GET_TUPLE)
async def get_tuple_nonexistent_returns_none(probe: Probe) -> None:
    """An unknown thread has no checkpoint: the answer is `None`."""
    await Thread(probe).missing()


@case(Capability.GET_TUPLE)
async def get_tuple_nonexistent_checkpoint_id(probe: Probe) -> None:
    """An unknown id in a known thread is `None`, not the latest."""
    thread = Thread(probe)
    await thread.put()
    await thread.missing(thread.at(generate_checkpoint()["id"]))


@case(Capability.GET_TUPLE)
async def get_tuple_latest_when_no_checkpoint_id(probe: Probe) -> None:
    """Without an id the latest checkpoint is meant."""
    thread = Thread(probe)
    *_, last = await thread.steps(3)
    expect_equal("id", id_of((await thread.get()).config), last)


@case(Capability.GET_TUPLE)
async def get_tuple_empty_id_is_latest(probe: Probe) -> None:
    """An id that is `None` or empty means the latest too."""
    thread = Thread(probe)
    *_, last = await thread.steps(2)
    for checkpoint_id in (None, ""):
        found = await thread.get(thread.renamed(checkpoint_id=checkpoint_id))
        expect_equal(f"id for {checkpoint_id!r}", id_of(found.config), last)


@case(Capability.GET_TUPLE)
async def get_tuple_latest_is_greatest_id(probe: Probe) -> None:
    """The latest is the greatest id as text, not what was put last."""
    thread = Thread(probe)
    small, great = (generate_checkpoint()["id"] for _ in range(2))
    await thread.put({"a": "great"}, id=great)
    await thread.put({"a": "small"}, id=small)
    expect_equal("values", await thread.values(), {"a": "great"})


@case(Capability.GET_TUPLE)
async def get_tuple_specific_checkpoint_id(probe: Probe) -> None:
    """With an id that very checkpoint is returned."""
    thread = Thread(probe)
    first, _ = await thread.steps(2)
    found = await thread.get(thread.at(first))
    expect_equal("id", found.checkpoint["id"], first)
    expect_equal("step", found.metadata.get("step"), 0)


@case(Capability.GET_TUPLE)
async def get_tuple_config_structure(probe: Probe) -> None:
    """The config returned names the checkpoint in full, also when the latest was asked for."""
    thread = Thread(probe, ns="child")
    (checkpoint_id,) = await thread.steps(1)
    for asked in (thread.at(), thread.at(checkpoint_id)):
        found = await thread.get(asked)
        expect_equal("address", address_of(found.config), address_of(thread.at(checkpoint_id)))


@case(Capability.GET_TUPLE)
async def get_tuple_checkpoint_fields(probe: Probe) -> None:
    """The checkpoint returned has all seven fields."""
    thread = Thread(probe)
    await thread.put({"a": 1})
    lacking = generate_checkpoint().keys() - (await thread.get()).checkpoint.keys()
    expect(not lacking, f"the checkpoint lacks {sorted(lacking)}")


@case(Capability.GET_TUPLE)
async def get_tuple_metadata(probe: Probe) -> None:
    """Metadata comes with the checkpoint."""
    thread = Thread(probe)
    await thread.put(source="input", step=-1, note="x")
    found = cast("dict[str, Any]", (await thread.get()).metadata)
    expect_equal("metadata", [found.get(key) for key in ("source", "step", "note")], ["input", -1, "x"])


@case(Capability.GET_TUPLE)
async def get_tuple_parent_config(probe: Probe) -> None:
    """`parent_config` names the parent so that it can be read with it; the first has none."""
    thread = Thread(probe, ns="child")
    first, _ = await thread.steps(2)
    parent = (await thread.get()).parent_config
    expect_equal("parent's id", id_of(parent), first)
    expect_equal("parent", (await thread.get(parent)).checkpoint["id"], first)
    expect_equal("first's parent", (await thread.get(thread.at(first))).parent_config, None)


@case(Capability.GET_TUPLE)
async def get_tuple_pending_writes(probe: Probe) -> None:
    """Pending writes come with the checkpoint as `(task_id, channel, value)`."""
    thread = Thread(probe)
    await thread.put()
    await thread.write(("a", [1]), task="t")
    expect_equal("writes", await thread.writes(), [("t", "a", [1])])


@case(Capability.GET_TUPLE)
async def get_tuple_respects_namespace(probe: Probe) -> None:
    """The same id in two namespaces are two checkpoints, and each namespace has its own latest."""
    root = Thread(probe)
    child = root.namespace("child")
    checkpoint_id = generate_checkpoint()["id"]
    await root.put({"a": "root"}, id=checkpoint_id)
    await child.put({"a": "child"}, id=checkpoint_id)
    expect_equal("root", await root.values(root.at(checkpoint_id)), {"a": "root"})
    expect_equal("child", await child.values(child.at(checkpoint_id)), {"a": "child"})
    await child.put({"a": "later"})
    expect_equal("latest of the root", await root.values(), {"a": "root"})
    await root.namespace("chil").missing()


@case(Capability.GET_TUPLE)
async def get_tuple_default_namespace(probe: Probe) -> None:
    """A namespace that is missing or `None` is the root."""
    thread = Thread(probe)
    (checkpoint_id,) = await thread.steps(1)
    await thread.namespace("child").put()
    for config in (thread.anywhere, thread.renamed(checkpoint_ns=None)):
        expect_equal("id", id_of((await thread.get(config)).config), checkpoint_id)


@case(Capability.GET_TUPLE)
async def get_tuple_is_callers_own(probe: Probe) -> None:
    """What is returned belongs to the caller: changing it changes nothing that is stored."""
    thread = Thread(probe)
    await thread.put({"a": ["stored"]}, tags=["stored"])
    await thread.write(("a", ["stored"]))
    found = await thread.get()
    found.checkpoint["channel_values"]["a"].append("changed")
    found.checkpoint["channel_values"]["b"] = found.checkpoint["channel_versions"]["b"] = "changed"
    cast("dict[str, Any]", found.metadata)["tags"].append("changed")
    for write in found.pending_writes or []:
        write[2].append("changed")
    again = await thread.get()
    expect_equal("values", again.checkpoint["channel_values"], {"a": ["stored"]})
    expect("b" not in again.checkpoint["channel_versions"], "channel_versions are shared with the caller")
    expect_equal("tags", cast("dict[str, Any]", again.metadata).get("tags"), ["stored"])
    expect_equal("writes", again.pending_writes, [("task", "a", ["stored"])])


@case(Capability.GET_TUPLE)
async def get_tuple_creates_nothing(probe: Probe) -> None:
    """Reading what is not there leaves nothing behind."""
    thread = Thread(probe)
    child = thread.namespace("child")
    for config in (thread.at(), child.at(), thread.at(generate_checkpoint()["id"])):
        await thread.missing(config)
        await probe.list(config)
        await probe.delta_history(config, "a")
    await thread.missing()
    expect_equal("listed", await probe.list(thread.anywhere), [])
    seen = {address_of(t.config)["thread_id"] for t in await probe.list(None)}
    expect(thread.id not in seen, "the thread exists after it was read")


@case(Capability.GET_TUPLE)
async def get_tuple_queued_sends_upgraded(probe: Probe) -> None:
    """In a format before 4, sends that the parent's tasks wrote become a channel; format 4 is as it is."""
    thread = Thread(probe)
    await thread.put({"a": 1}, v=3)
    await thread.write((SENDS, "second"), task="t2", path="p2")
    await thread.write((SENDS, "first"), ("a", 2), task="t9", path="p1")
    parent = thread.head
    await thread.put({"a": 1}, v=3)
    expect_equal("sends", (await thread.values()).get(SENDS), ["first", "second"])
    expect(SENDS in (await thread.get()).checkpoint["channel_versions"], "the sends have no version")
    listed = (await probe.list(thread.at(), limit=1))[0].checkpoint["channel_values"]
    expect_equal("sends listed", listed.get(SENDS), ["first", "second"])
    await thread.put({"a": 1}, parent=parent)
    expect(SENDS not in await thread.values(), "a checkpoint of format 4 got its parent's sends")


@case(Capability.GET_TUPLE)
async def get_tuple_needs_thread_id(probe: Probe) -> None:
    """A config without thread id is a `KeyError` or `ValueError`, not an unknown thread."""
    with expect_error("get_tuple without thread_id", KeyError, ValueError):
        await probe.get_tuple({"configurable": {"checkpoint_ns": ""}})
