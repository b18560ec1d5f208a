"""Makers of checkpoints, configs and metadata, for tests of savers. The release's names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.base.id import uuid6


def generate_checkpoint(
    *,
    checkpoint_id: str | None = None,
    channel_values: dict[str, Any] | None = None,
    channel_versions: ChannelVersions | None = None,
    versions_seen: dict[str, ChannelVersions] | None = None,
) -> Checkpoint:
    """Return a checkpoint of the format that the engine writes, with the next id in time."""
    return {
        "v": 4,
        "id": checkpoint_id or str(uuid6(clock_seq=-1)),
        "ts": datetime.now(timezone.utc).isoformat(),
        "channel_values": channel_values or {},
        "channel_versions": channel_versions or {},
        "versions_seen": versions_seen or {},
        "updated_channels": None,
    }


def generate_config(
    thread_id: str | None = None, *, checkpoint_ns: str = "", checkpoint_id: str | None = None
) -> RunnableConfig:
    """Return a config; of a new thread if `thread_id` is omitted, of the latest checkpoint without an id."""
    address = {"thread_id": thread_id or str(uuid4()), "checkpoint_ns": checkpoint_ns}
    if checkpoint_id:
        address["checkpoint_id"] = checkpoint_id
    return {"configurable": address}


def generate_metadata(source: str = "loop", step: int = 0, **extra: Any) -> CheckpointMetadata:
    """Return metadata as the engine writes it, and `extra`."""
    return cast("CheckpointMetadata", {"source": source, "step": step, "parents": {}, **extra})


async def put_test_checkpoint(
    saver: Any,
    *,
    thread_id: str | None = None,
    checkpoint_ns: str = "",
    parent_config: RunnableConfig | None = None,
    channel_values: dict[str, Any] | None = None,
    channel_versions: ChannelVersions | None = None,
    metadata: CheckpointMetadata | None = None,
    new_versions: ChannelVersions | None = None,
) -> RunnableConfig:
    """Put a generated checkpoint with `aput` and return its config.

    Every channel with a value has version 1 and is new, unless told otherwise. Of a `parent_config` only the
    checkpoint id is used.
    """
    versions = channel_versions or dict.fromkeys(channel_values or {}, 1)
    parent_id = (parent_config or {}).get("configurable", {}).get("checkpoint_id")
    stored: RunnableConfig = await saver.aput(
        generate_config(thread_id, checkpoint_ns=checkpoint_ns, checkpoint_id=parent_id),
        generate_checkpoint(channel_values=channel_values, channel_versions=versions),
        metadata or generate_metadata(),
        versions if new_versions is None else new_versions,
    )
    return stored


async def put_test_checkpoints(
    saver: Any,
    *,
    n_threads: int = 1,
    n_checkpoints: int = 1,
    namespaces: list[str] | None = None,
    channel_values: dict[str, Any] | None = None,
) -> list[RunnableConfig]:
    """Put a line of checkpoints in each namespace of each of the threads `thread-0`, `thread-1` and so on."""
    stored: list[RunnableConfig] = []
    for number in range(n_threads):
        for namespace in namespaces or [""]:
            head: RunnableConfig | None = None
            for _ in range(n_checkpoints):
                head = await put_test_checkpoint(
                    saver,
                    thread_id=f"thread-{number}",
                    checkpoint_ns=namespace,
                    parent_config=head,
                    channel_values=channel_values,
                )
                stored.append(head)
    return stored


def assert_checkpoint_equal(
    actual: Checkpoint, expected: Checkpoint, *, check_channel_values: bool = True
) -> None:
    """Raise `AssertionError` unless the checkpoints agree in format, id, versions and values."""
    fields = ["v", "id", "channel_versions", "versions_seen"]
    _assert_fields(actual, expected, fields + ["channel_values"] * check_channel_values)


def assert_tuple_equal(
    actual: CheckpointTuple,
    expected: CheckpointTuple,
    *,
    check_writes: bool = True,
    check_channel_values: bool = True,
) -> None:
    """Raise `AssertionError` unless address, checkpoint, parent, metadata and writes agree.

    The metadata of `actual` may have more keys than that of `expected`.
    """
    address = ["thread_id", "checkpoint_ns", "checkpoint_id"]
    _assert_fields(_address(actual.config), _address(expected.config), address)
    assert_checkpoint_equal(actual.checkpoint, expected.checkpoint, check_channel_values=check_channel_values)
    _assert_fields(actual.metadata, expected.metadata, list(expected.metadata))
    _assert_fields(_address(actual.parent_config), _address(expected.parent_config), address)
    if check_writes:
        writes = [sorted(t.pending_writes or [], key=repr) for t in (actual, expected)]
        if writes[0] != writes[1]:
            raise AssertionError(f"pending_writes mismatch: {writes[0]!r} != {writes[1]!r}")


def _address(config: RunnableConfig | None) -> Mapping[str, Any]:
    return (config or {}).get("configurable", {})


def _assert_fields(actual: Mapping[str, Any], expected: Mapping[str, Any], fields: list[str]) -> None:
    for field in fields:
        if actual.get(field) != expected.get(field):
            raise AssertionError(f"{field} mismatch: {actual.get(field)!r} != {expected.get(field)!r}")
