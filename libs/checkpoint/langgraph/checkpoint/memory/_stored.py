"""The form in which the three dicts hold a checkpoint, and the way there and back.

The dicts have the release's shapes, since programs look into them. Nothing here touches them or the lock:
what is encoded here is stored later, what is decoded here was collected before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    PendingWrite,
    damaged,
    located,
    writes_sort_key,
)
from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.checkpoint.serde.base import SerializerProtocol

Typed = tuple[str, bytes]
"""A serialized value with its tag."""

Stored = tuple[Typed, Typed, str | None]
"""`(checkpoint, metadata, parent id)`; the checkpoint is without the values that are in `blobs`."""

Namespaces = dict[str, dict[str, Stored]]
"""The checkpoints of a thread, by namespace and id."""

Address = tuple[str, str, str]
"""`(thread_id, checkpoint_ns, checkpoint_id)`."""

Write = tuple[str, str, Typed, str]
"""`(task_id, channel, value, task_path)`."""

Writes = dict[tuple[str, int], Write]
"""The writes for a checkpoint, by `(task_id, idx)`."""

BlobKey = tuple[str, str, str, Any]
"""`(thread_id, checkpoint_ns, channel, version)`."""

EMPTY: Typed = ("empty", b"")
"""The blob of a channel that has a version, but no value."""


class Encoded(NamedTuple):
    """A checkpoint on its way into the dicts."""

    key: CheckpointKey
    stored: Stored
    blobs: dict[BlobKey, Typed]
    """Those of channels with a new version."""
    unchanged: list[BlobKey]
    """Those of other channels with a value: stored already, unless the caller left a version out."""


def encode_checkpoint(
    serde: SerializerProtocol,
    parent: CheckpointKey,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    new_versions: ChannelVersions,
) -> Encoded:
    """Encode what `put` was given."""
    thread_id, checkpoint_ns, parent_id = parent
    key = CheckpointKey(thread_id, checkpoint_ns, _id_of(checkpoint))
    values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
    header: dict[str, Any] = {**checkpoint}
    del header["channel_values"]
    if inline := {channel: values[channel] for channel in values if channel not in versions}:
        header["channel_values"] = inline
    with located(key, "checkpoint"):
        stored_header = serde.dumps_typed(header)
    with located(key, "metadata"):
        stored_metadata = serde.dumps_typed(metadata)
    blobs: dict[BlobKey, Typed] = {}
    unchanged: list[BlobKey] = []
    for channel, version in versions.items():
        blob_key = (thread_id, checkpoint_ns, channel, version)
        if channel in new_versions:
            blobs[blob_key] = encode_value(serde, key, channel, values) if channel in values else EMPTY
        elif channel in values:
            unchanged.append(blob_key)
    return Encoded(key, (stored_header, stored_metadata, parent_id), blobs, unchanged)


def encode_value(serde: SerializerProtocol, key: CheckpointKey, channel: str, values: Mapping[str, Any]) -> Typed:
    """Encode a channel's value in the checkpoint at `key`."""
    with located(key, "channel_values", channel, channel=channel):
        return serde.dumps_typed(values[channel])


def encode_writes(
    serde: SerializerProtocol,
    key: CheckpointKey,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
    task_path: str,
) -> Writes:
    """Encode what `put_writes` was given."""
    encoded: Writes = {}
    for place, (channel, value) in enumerate(writes):
        with located(key, "writes", place, channel=channel, task_id=task_id):
            typed = serde.dumps_typed(value)
        encoded[task_id, WRITES_IDX_MAP.get(channel, place)] = (task_id, channel, typed, task_path)
    return encoded


def decode_header(serde: SerializerProtocol, key: CheckpointKey, stored: Stored) -> Checkpoint:
    """Return a checkpoint with those of its values that are not in `blobs`."""
    try:
        header: dict[str, Any] = serde.loads_typed(stored[0])
        header.setdefault("channel_values", {})
    except Exception as error:
        raise damaged(error, "checkpoint", **key.address()) from error
    return cast("Checkpoint", header)


def decode_metadata(serde: SerializerProtocol, key: CheckpointKey, stored: Stored) -> CheckpointMetadata:
    """Return the metadata of a checkpoint."""
    try:
        return cast("CheckpointMetadata", serde.loads_typed(stored[1]))
    except Exception as error:
        raise damaged(error, "metadata", **key.address()) from error


def decode_value(serde: SerializerProtocol, key: CheckpointKey, channel: str, typed: Typed) -> Any:
    """Return a channel's value."""
    try:
        return serde.loads_typed(typed)
    except Exception as error:
        raise damaged(error, f"channel_values[{channel!r}]", channel=channel, **key.address()) from error


def decode_write(serde: SerializerProtocol, key: CheckpointKey, write: Write) -> PendingWrite:
    """Return a write as callers know it."""
    task_id, channel, typed, _ = write
    try:
        return (task_id, channel, serde.loads_typed(typed))
    except Exception as error:
        where = {"task_id": task_id, "channel": channel, **key.address()}
        raise damaged(error, "pending_writes", **where) from error


def in_order(writes: Writes) -> list[Write]:
    """Return writes in the order in which they count."""
    if len(writes) < 2:
        return list(writes.values())
    ordered = sorted(writes.items(), key=lambda item: writes_sort_key(item[1][3], *item[0]))
    return [write for _, write in ordered]


def _id_of(checkpoint: Checkpoint) -> str:
    checkpoint_id = checkpoint.get("id")
    if not isinstance(checkpoint_id, str) or not checkpoint_id:  # pyright: ignore[reportUnnecessaryIsInstance]  # comes from outside
        raise InvalidConfigError(f"checkpoint['id'] must be text, not {checkpoint_id!r:.80}", field="id")
    return checkpoint_id
