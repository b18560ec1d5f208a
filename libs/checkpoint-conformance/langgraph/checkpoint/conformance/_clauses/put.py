"""Clauses on `put`: what is stored, under which address, and what it may not touch."""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise
from threading import Lock
from typing import Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import CheckpointMetadata
from langgraph.checkpoint.conformance._expect import expect, expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, address_of, id_of, ids
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint, generate_metadata

VALUES: dict[str, Any] = {
    "none": None,
    "true": True,
    "int": 2**53 + 1,
    "float": 0.1,
    "text": "grüße 🙂 \"quoted\" \\ 'single'",
    "bytes": b"\x00\xff",
    "list": [1, "1", [True, None]],
    "dict": {"a": {"b": [{}]}, "": "empty key"},
    "empty": [],
}


@case(Capability.PUT)
async def put_returns_config(probe: Probe) -> None:
    """The config returned names thread, namespace and id of what was put."""
    thread = Thread(probe, ns="child")
    checkpoint = generate_checkpoint()
    stored = await probe.put(thread.at(), checkpoint, generate_metadata(), {})
    expect_equal("address", address_of(stored), address_of(thread.at(checkpoint["id"])))


@case(Capability.PUT)
async def put_roundtrip(probe: Probe) -> None:
    """A checkpoint comes back with all its fields."""
    thread = Thread(probe)
    version = thread.version()
    checkpoint = generate_checkpoint(
        channel_values={"a": "x"}, channel_versions={"a": version}, versions_seen={"node": {"a": version}}
    )
    checkpoint["updated_channels"] = ["a"]
    stored = await probe.put(thread.at(), checkpoint, generate_metadata(), {"a": version})
    found = (await thread.get(stored)).checkpoint
    expect_equal("checkpoint", {field: found.get(field) for field in checkpoint}, checkpoint)


@case(Capability.PUT)
async def put_preserves_channel_values(probe: Probe) -> None:
    """Values of every kind come back equal and of the same type."""
    thread = Thread(probe)
    await thread.put(VALUES)
    expect_equal("channel_values", await thread.values(), VALUES)


@case(Capability.PUT)
async def put_preserves_channel_versions(probe: Probe) -> None:
    """Channel versions come back, also those of channels without a value."""
    thread = Thread(probe)
    first = thread.version()
    versions = {"a": first, "b": thread.version(), "empty": first}
    await thread.put({"a": 1, "b": 2}, versions=versions)
    expect_equal("channel_versions", (await thread.get()).checkpoint["channel_versions"], versions)


async def _put_seen(probe: Probe, seen: dict[str, Any]) -> None:
    thread = Thread(probe)
    await probe.put(thread.at(), generate_checkpoint(versions_seen=seen), generate_metadata(), {})
    expect_equal("versions_seen", (await thread.get()).checkpoint["versions_seen"], seen)


@case(Capability.PUT)
async def put_preserves_versions_seen(probe: Probe) -> None:
    """What nodes have seen comes back, also of a node that has seen nothing."""
    version = Thread(probe).version()
    await _put_seen(probe, {"node": {"a": version}, "new": {}})


@case(Capability.PUT)
async def put_preserves_versions_seen_values(probe: Probe) -> None:
    """Versions that nodes have seen keep value and type: number or text."""
    await _put_seen(probe, {"n": {"int": 3, "text": "00000003.25"}, "m": {"int": 1}})


@case(Capability.PUT)
async def put_preserves_metadata(probe: Probe) -> None:
    """Metadata comes back equal, nested parts and the caller's own keys too."""
    thread = Thread(probe)
    metadata = {
        "source": "update",
        "step": -1,
        "parents": {"": "id"},
        "note": "grüße",
        "nested": {"list": [1, "1", None, True], "dict": {"deep": {"x": 0.5}}},
    }
    await probe.put(thread.at(), generate_checkpoint(), cast("CheckpointMetadata", metadata), {})
    found = cast("dict[str, Any]", (await thread.get()).metadata)
    expect_equal("metadata", {key: found.get(key) for key in metadata}, metadata)


@case(Capability.PUT)
async def put_preserves_run_id(probe: Probe) -> None:
    """The `run_id` in metadata comes back."""
    thread = Thread(probe)
    await thread.put(run_id="run-1")
    expect_equal("run_id", (await thread.get()).metadata.get("run_id"), "run-1")


@case(Capability.PUT)
async def put_metadata_from_config(probe: Probe) -> None:
    """Scalars in the config's metadata and configurable become metadata; the metadata given wins."""
    thread = Thread(probe)
    config = thread.renamed(user="u1", list=[1], __private=1)
    config["metadata"] = {"tries": 2, "step": 99, "langgraph_node": "n"}
    await thread.put(parent=config, step=5)
    found = cast("dict[str, Any]", (await thread.get()).metadata)
    expect_equal(
        "metadata",
        {key: found.get(key) for key in ("step", "user", "tries")},
        {"step": 5, "user": "u1", "tries": 2},
    )
    for key in ("list", "__private", "langgraph_node", "thread_id"):
        expect(key not in found, f"{key} does not belong into metadata: {found}")


@case(Capability.PUT)
async def put_root_namespace(probe: Probe) -> None:
    """The namespace `""` is the root, and is reported as such."""
    thread = Thread(probe)
    await thread.put()
    expect_equal("namespace", address_of((await thread.get()).config)["checkpoint_ns"], "")


@case(Capability.PUT)
async def put_child_namespace(probe: Probe) -> None:
    """A namespace holds its own checkpoints, and is reported with them."""
    child = Thread(probe, ns="outer:1|inner:2")
    await child.put()
    expect_equal("namespace", address_of((await child.get()).config)["checkpoint_ns"], child.ns)
    await child.namespace("").missing()


@case(Capability.PUT)
async def put_default_namespace(probe: Probe) -> None:
    """A config without namespace puts into the root."""
    thread = Thread(probe)
    stored = await thread.put({"a": 1}, parent=thread.anywhere)
    expect_equal("namespace", address_of(stored)["checkpoint_ns"], "")
    expect_equal("values in the root", await thread.values(), {"a": 1})


@case(Capability.PUT)
async def put_none_namespace(probe: Probe) -> None:
    """The namespace `None` is the root."""
    thread = Thread(probe)
    stored = await thread.put({"a": 1}, parent=thread.renamed(checkpoint_ns=None))
    expect_equal("namespace", address_of(stored)["checkpoint_ns"], "")
    expect_equal("values in the root", await thread.values(), {"a": 1})


@case(Capability.PUT)
async def put_channels_by_namespace(probe: Probe) -> None:
    """The same channel with the same version in two namespaces and two threads has a value for each."""
    threads = [Thread(probe), Thread(probe)]
    threads.append(threads[0].namespace("child"))
    versions = {"a": threads[0].version()}
    for number, thread in enumerate(threads):
        await thread.put({"a": [number]}, versions=versions)
    for number, thread in enumerate(threads):
        expect_equal("value", await thread.values(), {"a": [number]})


@case(Capability.PUT)
async def put_multiple_checkpoints_same_thread(probe: Probe) -> None:
    """A thread keeps all its checkpoints, each with its own values."""
    thread = Thread(probe)
    stored: list[RunnableConfig] = []
    for number in range(3):
        version = thread.version()
        stored.append(await thread.put({"a": [number]}, versions={"a": version}))
    for number, config in enumerate(stored):
        expect_equal("values", await thread.values(config), {"a": [number]})


@case(Capability.PUT)
async def put_multiple_threads_isolated(probe: Probe) -> None:
    """A thread never sees another's checkpoints."""
    one, other = Thread(probe), Thread(probe)
    stored = await one.put({"a": "one"})
    await other.put({"a": "other"})
    expect_equal("values", await one.values(), {"a": "one"})
    await other.missing(other.at(id_of(stored)))


@case(Capability.PUT)
async def put_int_thread_id(probe: Probe) -> None:
    """A thread id that is a number is the same as its text, and is reported as text."""
    thread = Thread(probe, id=str(uuid4().int))
    by_number = thread.renamed(thread_id=int(thread.id))
    stored = await thread.put({"a": 1}, parent=by_number)
    expect_equal("thread_id returned", address_of(stored)["thread_id"], thread.id)
    for config in (thread.at(), by_number):
        found = await thread.get(config)
        expect_equal("thread_id found", address_of(found.config)["thread_id"], thread.id)
    expect_equal("ids listed", ids(await probe.list(by_number)), [id_of(stored)])


@case(Capability.PUT)
async def put_needs_thread_id(probe: Probe) -> None:
    """A config without thread id is a `KeyError` or `ValueError`."""
    with expect_error("put without thread_id", KeyError, ValueError):
        await Thread(probe).put(parent={"configurable": {"checkpoint_ns": ""}})


@case(Capability.PUT)
async def put_parent_config(probe: Probe) -> None:
    """The checkpoint id in the config becomes the parent; without one there is none."""
    thread = Thread(probe, ns="child")
    first = await thread.put()
    second = await thread.put()
    expect_equal("first's parent", (await thread.get(first)).parent_config, None)
    parent = (await thread.get(second)).parent_config
    expect(parent, "the second checkpoint has no parent_config")
    expect_equal("second's parent", address_of(parent), address_of(first))


@case(Capability.PUT)
async def put_incremental_channel_update(probe: Probe) -> None:
    """Channels outside `new_versions` keep the value stored with their version."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    first = await thread.put({"a": ["old"], "b": ["kept"]}, versions={"a": one, "b": one})
    await thread.put({"a": ["new"], "b": ["kept"]}, versions={"a": two, "b": one}, new={"a": two})
    expect_equal("values", await thread.values(), {"a": ["new"], "b": ["kept"]})
    expect_equal("values before", await thread.values(first), {"a": ["old"], "b": ["kept"]})


@case(Capability.PUT)
async def put_unchanged_channel_found(probe: Probe) -> None:
    """A channel whose value is left out is found by its version."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    await thread.put({"a": 1, "b": ["kept"]}, versions={"a": one, "b": one})
    await thread.put({"a": 2}, versions={"a": two, "b": one}, new={"a": two})
    expect_equal("values", await thread.values(), {"a": 2, "b": ["kept"]})


@case(Capability.PUT)
async def put_new_channel_added(probe: Probe) -> None:
    """A channel may appear later; checkpoints before lack it."""
    thread = Thread(probe)
    version = thread.version()
    first = await thread.put({"a": 1}, versions={"a": version})
    await thread.put({"a": 1, "b": 2}, versions={"a": version, "b": version}, new={"b": version})
    expect_equal("values", await thread.values(), {"a": 1, "b": 2})
    expect_equal("values before", await thread.values(first), {"a": 1})


@case(Capability.PUT)
async def put_channel_removed(probe: Probe) -> None:
    """A channel with a new version and no value has become empty; checkpoints before keep its value."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    first = await thread.put({"a": 1, "b": [2]}, versions={"a": one, "b": one})
    await thread.put({"a": 1}, versions={"a": one, "b": two}, new={"b": two})
    expect_equal("values", await thread.values(), {"a": 1})
    expect_equal("values before", await thread.values(first), {"a": 1, "b": [2]})


@case(Capability.PUT)
async def put_replaces(probe: Probe) -> None:
    """A second put to the same address replaces values, metadata and parent of the first."""
    thread = Thread(probe)
    one = thread.version()
    two = thread.version()
    parent = await thread.put()
    again = await thread.put({"a": 1, "b": 1}, versions={"a": one, "b": one}, step=1, note="first")
    await thread.put({"a": 2}, versions={"a": two}, parent=thread.at(), id=id_of(again), step=2)
    found = await thread.get(again)
    expect_equal("values", found.checkpoint["channel_values"], {"a": 2})
    expect_equal("step", found.metadata.get("step"), 2)
    expect("note" not in found.metadata, f"metadata of the first put is left: {found.metadata}")
    expect_equal("parent", found.parent_config, None)
    expect_equal("ids", await thread.listed(), [id_of(again), id_of(parent)])


@case(Capability.PUT)
async def put_replace_keeps_writes(probe: Probe) -> None:
    """A second put to the same address keeps its pending writes."""
    thread = Thread(probe)
    stored = await thread.put({"a": 1})
    await thread.write(("a", 2))
    await thread.put({"a": 3}, parent=thread.at(), id=id_of(stored))
    expect_equal("writes", await thread.writes(stored), [("task", "a", 2)])


@case(Capability.PUT)
async def put_frozen(probe: Probe) -> None:
    """What was put is frozen: changing the checkpoint, a value or the metadata later has no effect."""
    thread = Thread(probe)
    version = thread.version()
    value, tags, seen = ["first"], ["first"], {"a": version}
    checkpoint = generate_checkpoint(
        channel_values={"a": value}, channel_versions={"a": version}, versions_seen={"n": seen}
    )
    metadata = generate_metadata(tags=tags)
    await probe.put(thread.at(), checkpoint, metadata, {"a": version})
    value.append("later")
    tags.append("later")
    seen["b"] = version
    checkpoint["channel_values"]["b"] = checkpoint["channel_versions"]["b"] = "later"
    metadata["step"] = 99
    found = await thread.get()
    expect_equal("values", found.checkpoint["channel_values"], {"a": ["first"]})
    expect_equal("channel_versions", found.checkpoint["channel_versions"], {"a": version})
    expect_equal("versions_seen", found.checkpoint["versions_seen"], {"n": {"a": version}})
    expect_equal("metadata step", found.metadata.get("step"), 0)
    expect_equal("metadata tags", cast("dict[str, Any]", found.metadata).get("tags"), ["first"])


@case(Capability.PUT)
async def put_leaves_arguments(probe: Probe) -> None:
    """The caller's config, checkpoint, metadata and versions are not changed."""
    thread = Thread(probe)
    version = thread.version()
    checkpoint = generate_checkpoint(channel_values={"a": [1]}, channel_versions={"a": version})
    arguments = (thread.at(), checkpoint, generate_metadata(), {"a": version})
    before = deepcopy(arguments)
    await probe.put(*arguments)
    expect_equal("arguments after put", arguments, before)


@case(Capability.PUT)
async def put_unstorable_stores_nothing(probe: Probe) -> None:
    """A value that can not be stored is an error, and nothing of its checkpoint is stored."""
    thread = Thread(probe)
    with expect_error("put of a lock", Exception):
        await thread.put({"a": 1, "b": Lock()})
    await thread.missing()


@case(Capability.PUT)
async def put_next_version_grows(probe: Probe) -> None:
    """`get_next_version` goes up with each call, and starts from `None`."""
    versions = [Thread(probe).version()]
    for _ in range(12):  # past a digit
        versions.append(probe.saver.get_next_version(versions[-1], None))
    expect(all(a < b for a, b in pairwise(versions)), f"versions do not grow: {versions}")


@case(Capability.PUT)
async def put_seen_by_another_saver(probe: Probe) -> None:
    """A second saver on the same store sees what the first has put, and the other way round."""
    thread = Thread(probe)
    async with probe.another() as other:
        await thread.put({"a": 1})
        await thread.write(("a", 2))
        there = thread.through(other)
        expect_equal("values", await there.values(), {"a": 1})
        expect_equal("writes", await there.writes(), [("task", "a", 2)])
        await there.put({"a": 3})
        expect_equal("values", await thread.values(), {"a": 3})
