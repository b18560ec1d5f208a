"""Clauses on `put_writes`: slots, order, and the checkpoint that the writes belong to."""

from __future__ import annotations

from threading import Lock
from typing import Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import ERROR, INTERRUPT, RESUME, SCHEDULED
from langgraph.checkpoint.conformance._expect import expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, id_of
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint

SPECIAL = (ERROR, SCHEDULED, INTERRUPT, RESUME)


async def _started(probe: Probe, ns: str = "") -> Thread:
    thread = Thread(probe, ns=ns)
    await thread.put()
    return thread


@case(Capability.PUT_WRITES)
async def put_writes_basic(probe: Probe) -> None:
    """A write is pending on the checkpoint that its task started from."""
    thread = await _started(probe)
    await thread.write(("a", "value"))
    expect_equal("writes", await thread.writes(), [("task", "a", "value")])


@case(Capability.PUT_WRITES)
async def put_writes_multiple_writes_same_task(probe: Probe) -> None:
    """All writes of a batch are kept in order, also several to one channel."""
    thread = await _started(probe)
    await thread.write(*[(f"c{n % 2}", n) for n in range(12)])
    expect_equal("writes", await thread.writes(), [("task", f"c{n % 2}", n) for n in range(12)])


@case(Capability.PUT_WRITES)
async def put_writes_multiple_tasks(probe: Probe) -> None:
    """Each task has writes of its own, also with the same channels."""
    thread = await _started(probe)
    await thread.write(("a", 2), task="t2")
    await thread.write(("a", 1), task="t1")
    expect_equal("writes", await thread.writes(), [("t1", "a", 1), ("t2", "a", 2)])


@case(Capability.PUT_WRITES)
async def put_writes_preserves_task_id(probe: Probe) -> None:
    """A task id comes back as it is, whatever it looks like."""
    thread = await _started(probe)
    tasks = sorted(["a:b|c", "quoted'\"", "grüße 🙂", "007"])
    for task in tasks:
        await thread.write(("a", 1), task=task)
    expect_equal("task ids", [task for task, _, _ in await thread.writes()], tasks)


@case(Capability.PUT_WRITES)
async def put_writes_preserves_channel_and_value(probe: Probe) -> None:
    """Channel and value come back equal and of the same type."""
    thread = await _started(probe)
    values: list[tuple[str, Any]] = [
        ("text", "1"),
        ("int", 1),
        ("bool", True),
        ("bytes", b"\x00"),
        ("nested", {"a": [1, {"b": None}]}),
        ("branch:to:node", []),
        ("none", None),
    ]
    await thread.write(*values)
    expect_equal("writes", await thread.writes(), [("task", *write) for write in values])


@case(Capability.PUT_WRITES)
async def put_writes_task_path(probe: Probe) -> None:
    """Writes with a task path are accepted and come back."""
    thread = await _started(probe)
    await thread.write(("a", 1), path="~__pregel_pull, node")
    expect_equal("writes", await thread.writes(), [("task", "a", 1)])


@case(Capability.PUT_WRITES)
async def put_writes_ordered(probe: Probe) -> None:
    """Pending writes come in the order of task path, then task id, then index, however they were put."""
    thread = await _started(probe)
    await thread.write(("b", 1), ("a", 2), task="t1", path="p2")
    await thread.write(("a", 3), task="t3", path="p1")
    await thread.write(("a", 4), task="t2", path="p1")
    await thread.write(("a", 5), task="t4")
    expect_equal("values in order", [value for _, _, value in await thread.writes()], [5, 4, 3, 1, 2])


@case(Capability.PUT_WRITES)
async def put_writes_idempotent(probe: Probe) -> None:
    """Repeating a batch changes nothing."""
    thread = await _started(probe)
    for _ in range(2):
        await thread.write(("a", 1), ("b", 2))
    expect_equal("writes", await thread.writes(), [("task", "a", 1), ("task", "b", 2)])


@case(Capability.PUT_WRITES)
async def put_writes_keeps_first(probe: Probe) -> None:
    """An ordinary write keeps the first value at its place; places that were free are filled."""
    thread = await _started(probe)
    await thread.write(("a", 1), ("b", 2))
    await thread.write(("a", 10), ("c", 20), ("d", 30))
    expect_equal("writes", await thread.writes(), [("task", "a", 1), ("task", "b", 2), ("task", "d", 30)])


@case(Capability.PUT_WRITES)
async def put_writes_special_channels(probe: Probe) -> None:
    """Error, scheduled, interrupt and resume each have a slot of their own."""
    thread = await _started(probe)
    for number, channel in enumerate(SPECIAL):
        await thread.write((channel, number))
    await thread.write(("a", "ordinary"))
    found = {channel: value for _, channel, value in await thread.writes()}
    expect_equal("writes", found, {"a": "ordinary"} | {channel: number for number, channel in enumerate(SPECIAL)})


@case(Capability.PUT_WRITES)
async def put_writes_special_replaces(probe: Probe) -> None:
    """A special write replaces the one in its slot."""
    thread = await _started(probe)
    for value in ("first", "second"):
        for channel in SPECIAL:
            await thread.write((channel, value))
    found = [(channel, value) for _, channel, value in await thread.writes()]
    expect_equal("writes", sorted(found), sorted((channel, "second") for channel in SPECIAL))


@case(Capability.PUT_WRITES)
async def put_writes_mixed_batch(probe: Probe) -> None:
    """In a batch of both kinds each write follows its own rule."""
    thread = await _started(probe)
    await thread.write(("a", 1), (ERROR, "first"))
    await thread.write(("a", 2), (ERROR, "second"), ("b", 3))
    expect_equal("writes", await thread.writes(), [("task", ERROR, "second"), ("task", "a", 1), ("task", "b", 3)])


@case(Capability.PUT_WRITES)
async def put_writes_across_namespaces(probe: Probe) -> None:
    """Writes belong to a namespace; the same checkpoint id elsewhere has its own."""
    root = Thread(probe)
    child = root.namespace("child")
    checkpoint_id = generate_checkpoint()["id"]
    for thread in (root, child):
        await thread.put(id=checkpoint_id)
    await root.write(("a", "root"))
    await child.write(("a", "child"))
    expect_equal("writes in the root", await root.writes(), [("task", "a", "root")])
    expect_equal("writes in the child", await child.writes(), [("task", "a", "child")])


@case(Capability.PUT_WRITES)
async def put_writes_across_threads(probe: Probe) -> None:
    """Writes belong to a thread; the same checkpoint id in another thread has its own."""
    one, other = Thread(probe), Thread(probe)
    checkpoint_id = generate_checkpoint()["id"]
    for thread in (one, other):
        await thread.put(id=checkpoint_id)
    await one.write(("a", "one"))
    expect_equal("writes of the other thread", await other.writes(), [])


@case(Capability.PUT_WRITES)
async def put_writes_cleared_on_next_checkpoint(probe: Probe) -> None:
    """The next checkpoint starts without writes; those of the one before stay."""
    thread = await _started(probe)
    before = thread.head
    await thread.write(("a", 1))
    await thread.put()
    expect_equal("writes", await thread.writes(), [])
    expect_equal("writes before", await thread.writes(before), [("task", "a", 1)])


@case(Capability.PUT_WRITES)
async def put_writes_before_checkpoint(probe: Probe) -> None:
    """Writes may come before their checkpoint is put."""
    thread = Thread(probe)
    checkpoint_id = generate_checkpoint()["id"]
    await thread.write(("a", 1), at=thread.at(checkpoint_id))
    await thread.put(id=checkpoint_id)
    expect_equal("writes", await thread.writes(), [("task", "a", 1)])


@case(Capability.PUT_WRITES)
async def put_writes_frozen(probe: Probe) -> None:
    """A value that is changed after `put_writes` stays as it was."""
    thread = await _started(probe)
    value = ["first"]
    await thread.write(("a", value))
    value.append("later")
    expect_equal("writes", await thread.writes(), [("task", "a", ["first"])])


@case(Capability.PUT_WRITES)
async def put_writes_empty_batch(probe: Probe) -> None:
    """A batch without writes is no error and stores nothing."""
    thread = await _started(probe)
    await thread.write()
    expect_equal("writes", await thread.writes(), [])


@case(Capability.PUT_WRITES)
async def put_writes_unstorable_stores_nothing(probe: Probe) -> None:
    """A value that can not be stored is an error, and nothing of its batch is stored."""
    thread = await _started(probe)
    with expect_error("put_writes of a lock", Exception):
        await thread.write(("a", 1), ("b", Lock()))
    expect_equal("writes", await thread.writes(), [])


@case(Capability.PUT_WRITES)
async def put_writes_same_address(probe: Probe) -> None:
    """A thread id that is a number, and a namespace that is missing or `None`, are as for `put`."""
    thread = Thread(probe, id=str(uuid4().int))
    checkpoint_id = id_of(await thread.put())
    configs = [
        thread.renamed(thread_id=int(thread.id), checkpoint_id=checkpoint_id),
        thread.renamed(checkpoint_ns=None, checkpoint_id=checkpoint_id),
        {"configurable": {"thread_id": thread.id, "checkpoint_id": checkpoint_id}},
    ]
    for task, config in enumerate(configs):
        await thread.write(("a", 1), task=str(task), at=cast("RunnableConfig", config))
    expect_equal("tasks", [task for task, _, _ in await thread.writes()], ["0", "1", "2"])


@case(Capability.PUT_WRITES)
async def put_writes_needs_thread_id(probe: Probe) -> None:
    """A config without thread id is a `KeyError` or `ValueError`."""
    config: RunnableConfig = {"configurable": {"checkpoint_ns": "", "checkpoint_id": "x"}}
    with expect_error("put_writes without thread_id", KeyError, ValueError):
        await probe.put_writes(config, [("a", 1)], "task")
