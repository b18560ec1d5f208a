"""Checkpoints as rows, and back, in the form that the release reads and writes.

A checkpoint is one JSON document. Short scalars stand in it; other values are beside it in `checkpoint_blobs`,
by channel and version. A value that has no version can not be found there and stands in the document, in the
form that `_json` gives it. Where a blob and a value in the document compete, the blob counts: the release
leaves `true` in place of a snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    CheckpointTuple,
    PendingWrite,
    check_names_checkpoint,
    damaged,
    id_of,
    located,
    move_sends,
    to_envelope,
    to_json,
)
from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.postgres._json import (
    dump_json,
    is_exact,
    load_json,
    writes_plainly,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]  # the engine imports it too

_LONGEST_INLINE = 128
"""Characters of a text that stands in the document, again in each checkpoint; a blob is stored once."""
_COUNTERS = "counters_since_delta_snapshot"
Typed = tuple[str, bytes]
"""A serialized value with its tag."""


class CheckpointRow(NamedTuple):
    """A row of `checkpoints`; `place` is its place in what was read."""

    place: int
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    checkpoint: str
    metadata: str

    @property
    def key(self) -> CheckpointKey:
        """Return its address."""
        return CheckpointKey(self.thread_id, self.checkpoint_ns, self.checkpoint_id)


class WriteRow(NamedTuple):
    """A row of `checkpoint_writes`; its first fields are what it is sorted by, as `writes_sort_key` says."""

    task_path: str
    task_id: str
    idx: int
    channel: str
    typed: Typed


class Read:
    """What one statement read, by kind: checkpoints (0), blobs (1), writes (2), sends of old formats (3)."""

    __slots__ = ("blobs", "checkpoints", "sends", "size", "writes")

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.checkpoints: list[CheckpointRow] = []
        self.blobs: dict[tuple[str, str, str, str], Typed] = {}
        self.writes: dict[int, list[WriteRow]] = {}
        self.sends: dict[int, list[WriteRow]] = {}
        self.size = 0
        for kind, place, a, b, c, d, text, metadata, blob, idx in rows:
            if kind == 0:
                self.checkpoints.append(CheckpointRow(place, a, b, c, d, text, metadata))
                self.size += len(text)
            else:
                self.size += len(blob)
                if kind == 1:
                    self.blobs[a, b, c, d] = (text, blob)
                else:
                    writes = self.writes if kind == 2 else self.sends
                    writes.setdefault(place, []).append(WriteRow(a, b, idx, c, (text, blob)))
        self.checkpoints.sort()
        for unsorted in (*self.writes.values(), *self.sends.values()):
            unsorted.sort()


@dataclass(slots=True)
class EncodedCheckpoint:
    """A checkpoint on its way into the database."""

    key: CheckpointKey
    parent_id: str | None
    checkpoint: str
    metadata: str
    blobs: dict[str, Typed]
    """Values of channels with a new version."""
    versions: dict[str, str]
    """All versions by which a value can be found."""
    emptied: list[str]
    """Channels with a new version, but no blob."""
    unchanged: list[str]
    """Channels that should have a blob already; they do not if the caller left a new version out."""
    encode: Callable[[str], Typed]
    """Encodes the value of a channel."""

    def params(self) -> dict[str, Any]:
        """Return parameters for `_sql.PUT`; blobs are in an order that all writers share."""
        new = sorted(self.blobs)
        return {
            **self.key._asdict(),
            "parent_id": self.parent_id,
            "checkpoint": self.checkpoint,
            "metadata": self.metadata,
            "new": new,
            "new_versions": [self.versions[name] for name in new],
            "types": [self.blobs[name][0] for name in new],
            "blobs": [self.blobs[name][1] for name in new],
            "emptied": self.emptied,
            "emptied_versions": [self.versions[name] for name in self.emptied],
            "unchanged": self.unchanged,
            "unchanged_versions": [self.versions[name] for name in self.unchanged],
        }

    def add(self, missing: Iterable[str]) -> None:
        """Take values that turned out not to be stored for new ones."""
        for name in missing:
            self.unchanged.remove(name)
            self.blobs[name] = self.encode(name)


class RowCodec:
    """Encodes and decodes rows with a saver's serializer."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self.serde = serde
        self._inlines = writes_plainly(serde)

    def encode(
        self,
        key: CheckpointKey,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> EncodedCheckpoint:
        """Encode what `put` was given; `key` names the parent."""
        key, parent_id = key._replace(checkpoint_id=id_of(checkpoint)), key.checkpoint_id
        values = checkpoint["channel_values"]
        versions = {name: _version_text(key, name, v) for name, v in checkpoint["channel_versions"].items()}

        def encode(channel: str) -> Typed:
            with located(key, "channel_values", channel, channel=channel):
                return self.serde.dumps_typed(values[channel])

        inline = {name: value for name, value in values.items() if self._stays_inline(value)}
        beside = [name for name in values if name in versions and name not in inline]
        blobs = {name: encode(name) for name in beside if name in new_versions}
        with located(key, "channel_values"):
            unversioned = {
                name: self._in_document(value)
                for name, value in values.items()
                if name not in versions and name not in inline
            }
        marks = {name: True for name in beside if isinstance(values[name], _DeltaSnapshot)}
        with located(key, "checkpoint"):
            document = {
                name: to_json(value, self.serde, is_exact)
                for name, value in checkpoint.items()
                if name not in _OWN
            }
        document["channel_versions"] = checkpoint["channel_versions"]
        document["channel_values"] = {**inline, **unversioned, **marks}
        return EncodedCheckpoint(
            key=key,
            parent_id=parent_id,
            checkpoint=dump_json(document),
            metadata=self._dump_metadata(key, metadata),
            blobs=blobs,
            versions=versions,
            emptied=[name for name in new_versions if name in versions and name not in blobs],
            unchanged=[name for name in beside if name not in new_versions],
            encode=encode,
        )

    def encode_writes(
        self, key: CheckpointKey, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> dict[str, Any]:
        """Return parameters for `_sql.PUT_WRITES`."""
        check_names_checkpoint(key)
        by_idx: dict[int, tuple[str, str, bytes]] = {}  # of several in one slot the last counts
        for place, (channel, value) in enumerate(writes):
            with located(key, "writes", place, channel=channel, task_id=task_id):
                by_idx[WRITES_IDX_MAP.get(channel, place)] = (channel, *self.serde.dumps_typed(value))
        return {
            **key._asdict(),
            "task_id": task_id,
            "task_path": task_path,
            "idx": list(by_idx),
            "channels": [channel for channel, _, _ in by_idx.values()],
            "types": [tag for _, tag, _ in by_idx.values()],
            "blobs": [blob for _, _, blob in by_idx.values()],
        }

    def decode(self, row: CheckpointRow, read: Read) -> CheckpointTuple:
        """Return the checkpoint of `row` with all that belongs to it.

        Raises:
            DecodeError: the row, a blob or a write is damaged.
        """
        key = row.key
        checkpoint = self._load_document(row)
        for channel, version in checkpoint["channel_versions"].items():
            blob = read.blobs.get((row.thread_id, row.checkpoint_ns, channel, str(version)))
            if blob is not None:
                try:
                    checkpoint["channel_values"][channel] = self.serde.loads_typed(blob)
                except Exception as error:
                    path = f"channel_values[{channel!r}]"
                    raise damaged(error, path, channel=channel, **key.address()) from error
        if sends := read.sends.get(row.place):
            move_sends(checkpoint, lambda: [value for *_, value in self.decode_writes(key, sends)])
        return CheckpointTuple(
            key.config(),
            checkpoint,
            self.decode_metadata(row),
            key._replace(checkpoint_id=row.parent_id).config() if row.parent_id else None,
            self.decode_writes(key, read.writes.get(row.place, ())),
        )

    def decode_writes(self, key: CheckpointKey, writes: Iterable[WriteRow]) -> list[PendingWrite]:
        """Return writes as callers know them."""
        decoded: list[PendingWrite] = []
        for write in writes:
            try:
                decoded.append((write.task_id, write.channel, self.serde.loads_typed(write.typed)))
            except Exception as error:
                where = {"task_id": write.task_id, "channel": write.channel}
                raise damaged(error, "pending_writes", **where, **key.address()) from error
        return decoded

    def decode_metadata(self, row: CheckpointRow) -> CheckpointMetadata:
        """Return the metadata of `row`."""
        try:
            metadata = load_json(row.metadata, self.serde)
        except Exception as error:
            raise damaged(error, "metadata", **row.key.address()) from error
        if isinstance(counters := metadata.get(_COUNTERS), dict):
            metadata[_COUNTERS] = {name: tuple(counts) for name, counts in cast("Any", counters).items()}
        return cast("CheckpointMetadata", metadata)

    def _dump_metadata(self, key: CheckpointKey, metadata: CheckpointMetadata) -> str:
        with located(key, "metadata"):
            document = {name: to_json(value, self.serde, is_exact) for name, value in metadata.items()}
        if isinstance(counters := metadata.get(_COUNTERS), dict):
            document[_COUNTERS] = counters  # pairs, which the release reads as JSON lists
        return dump_json(document)

    def _load_document(self, row: CheckpointRow) -> Checkpoint:
        try:
            document = load_json(row.checkpoint, self.serde)
            document.setdefault("channel_values", {})
            document.setdefault("channel_versions", {})
        except Exception as error:
            raise damaged(error, "checkpoint", **row.key.address()) from error
        return cast("Checkpoint", document)

    def _stays_inline(self, value: object) -> bool:
        return self._inlines and is_exact(value) and not (isinstance(value, str) and len(value) > _LONGEST_INLINE)

    def _in_document(self, value: object) -> Any:
        return to_json(value, self.serde, is_exact) if self._inlines else to_envelope(value, self.serde)


_OWN = ("channel_values", "channel_versions")


def _version_text(key: CheckpointKey, channel: str, version: object) -> str:
    """Return how Postgres writes a version that stands in JSON."""
    if is_exact(version) and isinstance(version, str | int | float) and not isinstance(version, bool):
        return str(version)
    raise EncodeError(
        f"the version {version!r:.80} can not be stored; versions are text, or numbers of moderate size",
        path=f"channel_versions[{channel!r}]",
        type_name=type(version).__qualname__,
        address={**key.address(), "channel": channel},
    )
