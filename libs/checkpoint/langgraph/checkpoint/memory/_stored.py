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
    JsonPlusSerializer,
    PendingWrite,
    damaged,
    id_of,
    located,
    writes_sort_key,
)
from langgraph.checkpoint.errors import SerializationError
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
    unchanged: dict[str, Any]
    """The versions of other channels with a value: stored already, unless the caller left a version out."""


def encode_checkpoint(
    serde: SerializerProtocol,
    parent: CheckpointKey,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    new_versions: ChannelVersions,
) -> Encoded:
    """Encode what `put` was given."""
    thread_id, checkpoint_ns, parent_id = parent
    key = CheckpointKey(thread_id, checkpoint_ns, id_of(checkpoint))
    values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
    dumps = serde.dumps_typed
    blobs: dict[BlobKey, Typed] = {}
    header: dict[str, Any] = {**checkpoint}
    del header["channel_values"]
    if inline := {name: values[name] for name in values if name not in versions}:
        header["channel_values"] = inline
    path, channel = "channel_values", None
    try:
        for channel in new_versions:
            if channel in versions:
                blob = (thread_id, checkpoint_ns, channel, versions[channel])
                blobs[blob] = dumps(values[channel]) if channel in values else EMPTY
        path, channel = "checkpoint", None
        stored_header = dumps(header)
        path = "metadata"
        stored = (stored_header, dumps(metadata), parent_id)
    except SerializationError:
        with located(key, path, channel, **({"channel": channel} if channel else {})):
            raise
    unchanged = {name: versions[name] for name in values if name in versions and name not in new_versions}
    return Encoded(key, stored, blobs, unchanged)


def encode_value(serde: SerializerProtocol, key: CheckpointKey, channel: str, value: Any) -> Typed:
    """Encode a channel's value in the checkpoint at `key`."""
    with located(key, "channel_values", channel, channel=channel):
        return serde.dumps_typed(value)


def encode_writes(
    serde: SerializerProtocol,
    key: CheckpointKey,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
    task_path: str,
) -> Writes:
    """Encode what `put_writes` was given."""
    dumps, place, channel = serde.dumps_typed, 0, ""
    encoded: Writes = {}
    try:
        for place, (channel, value) in enumerate(writes):
            idx = WRITES_IDX_MAP.get(channel, place)
            encoded[task_id, idx] = (task_id, channel, dumps(value), task_path)
    except SerializationError:
        with located(key, "writes", place, channel=channel, task_id=task_id):
            raise
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


def decode_values(serde: SerializerProtocol, key: CheckpointKey, blobs: Mapping[str, Typed]) -> dict[str, Any]:
    """Return the values of channels."""
    if (many := _loads_many(serde, list(blobs.values()))) is not None:
        return dict(zip(blobs, many, strict=True))
    loads, channel = serde.loads_typed, ""
    values: dict[str, Any] = {}
    try:
        for channel, typed in blobs.items():
            values[channel] = loads(typed)
    except Exception as error:
        raise damaged(error, f"channel_values[{channel!r}]", channel=channel, **key.address()) from error
    return values


def decode_writes(serde: SerializerProtocol, key: CheckpointKey, writes: Sequence[Write]) -> list[PendingWrite]:
    """Return writes as callers know them."""
    if (many := _loads_many(serde, [write[2] for write in writes])) is not None:
        return [(write[0], write[1], value) for write, value in zip(writes, many, strict=True)]
    loads, task_id, channel = serde.loads_typed, "", ""
    pending: list[PendingWrite] = []
    try:
        for task_id, channel, typed, _ in writes:
            pending.append((task_id, channel, loads(typed)))
    except Exception as error:
        where = {"task_id": task_id, "channel": channel, **key.address()}
        raise damaged(error, "pending_writes", **where) from error
    return pending


def in_order(writes: Writes) -> list[Write]:
    """Return writes in the order in which they count."""
    if len(writes) < 2:
        return list(writes.values())
    ordered = sorted([(writes_sort_key(write[3], *place), write) for place, write in writes.items()])
    return [write for _, write in ordered]


def _loads_many(serde: SerializerProtocol, stored: list[Typed]) -> list[Any] | None:
    """Return many values in a fraction of the time, if the serializer can and nothing is damaged."""
    if len(stored) < 4 or not isinstance(serde, JsonPlusSerializer):
        return None  # few are quicker one by one
    if type(serde).loads_typed is not JsonPlusSerializer.loads_typed:
        return None  # a subclass may store something else under the same tags
    try:
        return serde.loads_many(stored)
    except Exception:
        return None  # one by one, the error tells which
