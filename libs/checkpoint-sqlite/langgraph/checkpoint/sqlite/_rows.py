"""Checkpoints as rows, and back.

A checkpoint is one row, with its values beside it in `blobs`, by channel and version. Values that can not be
found so (no version, or a channel with a NUL in its name) stay in the row. The type of our rows
starts with `blobs:`, at which the release fails loudly; a row without is the release's own and holds everything
itself. Behind it may stand `inline:`, if a value stayed, and `sends:`, for formats before 4.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    CheckpointTuple,
    check_names_checkpoint,
    damaged,
    id_of,
    located,
    move_sends,
)
from langgraph.checkpoint.errors import CheckpointError, DecodeError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite._blobs import Blob, Typed
from langgraph.checkpoint.sqlite._metadata import dump_metadata, load_metadata

_SPLIT = "blobs:"
_INLINE = "inline:"
_SENDS = "sends:"
_LARGEST_INTEGER = 1 << 63
_SPELLED = "\x1f"
"""Stands before versions that are spelled out."""


class CheckpointRow(NamedTuple):
    """A row of `checkpoints`."""

    id: int
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    type: str | None
    checkpoint: bytes
    metadata: bytes | str
    blob_ids: list[int] | None
    """`None` in rows of the release."""

    @property
    def address(self) -> dict[str, str]:
        """Return what an error says of the place."""
        return CheckpointKey(self.thread_id, self.checkpoint_ns, self.checkpoint_id).address()


class WriteRow(NamedTuple):
    """A row of `writes`; its first fields are what it is sorted by, as `writes_sort_key` says."""

    task_path: str
    task_id: str
    idx: int
    channel: str
    typed: Typed


class Read:
    """What one statement read, by kind: checkpoints (0), writes (1), sends before old formats (2), blobs (3)."""

    __slots__ = ("blobs", "checkpoints", "sends", "size", "writes")

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.checkpoints: list[CheckpointRow] = []
        self.blobs: dict[int, Blob] = {}
        self.writes: dict[int, list[WriteRow]] = {}
        self.sends: dict[int, list[WriteRow]] = {}
        self.size = 0
        for row in rows:
            kind = row[0]
            if kind == 0:
                self.checkpoints.append(CheckpointRow._make((*row[1:9], _blob_ids(row))))
                self.size += len(row[7])
            elif kind == 3:
                self.blobs[row[1]] = Blob(row[2], row[5], (row[3], row[4]))
                self.size += len(row[4])
            else:
                _, row_id, channel, tag, value, task_id, idx, task_path, _, _ = row
                write = WriteRow(task_path, task_id, idx, channel, (tag, value))
                (self.writes if kind == 1 else self.sends).setdefault(row_id, []).append(write)
                self.size += len(value)
        if self.writes or self.sends:
            for unsorted in (*self.writes.values(), *self.sends.values()):
                unsorted.sort()


@dataclass(slots=True)
class EncodedCheckpoint:
    """A checkpoint on its way into the database."""

    key: CheckpointKey
    parent_id: str | None
    header: Typed
    metadata: str
    versions: dict[str, str | int]
    """All versions by which a value can be found."""
    new: dict[str, Blob]
    """Values of channels with a new version."""
    old: set[str]
    """Channels without a new version, whose value may be stored."""
    unchanged: set[str]
    """Those of them that have a value in the checkpoint."""
    encode: Callable[[str], Blob]
    """Encodes the value of a channel that turns out not to be stored yet."""

    def named_before(self) -> tuple[str | None, ...]:
        """Return parameters for `_sql.NAMED_BEFORE`."""
        return (*self.key[:2], self.parent_id, self.key.checkpoint_id)

    def sought(self, channels: Iterable[str]) -> tuple[str, ...]:
        """Return parameters for `_sql.STORED`."""
        return (*self.key[:2], json.dumps({channel: self.versions[channel] for channel in channels}))

    def blob_row(self, blob_id: int, blob: Blob) -> tuple[Any, ...]:
        """Return the row for `_sql.PUT_BLOB`."""
        return (blob_id, *self.key[:2], blob.channel, blob.version, *blob.typed)

    def row(self, blob_ids: Iterable[int]) -> tuple[Any, ...]:
        """Return the row for `_sql.PUT`."""
        return (*self.key, self.parent_id, *self.header, self.metadata, f"[{','.join(map(str, blob_ids))}]")


class RowCodec:
    """Encodes and decodes rows with a saver's serializer."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self.serde = serde
        self._loads_many: Callable[[Sequence[Typed]], list[Any]] = getattr(serde, "loads_many", self._one_by_one)

    def _one_by_one(self, stored: Sequence[Typed]) -> list[Any]:
        return [self.serde.loads_typed(typed) for typed in stored]

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
        versions = {
            name: stored_version(version)
            for name, version in checkpoint["channel_versions"].items()
            if "\0" not in name  # SQLite's JSON functions would cut it there
        }

        def encode(channel: str) -> Blob:
            with located(key, "channel_values", channel, channel=channel):
                return Blob(channel, versions[channel], self.serde.dumps_typed(values[channel]))

        inline = {name: value for name, value in values.items() if name not in versions}
        flags = _SPLIT + (_INLINE if inline else "") + (_SENDS if checkpoint["v"] < 4 else "")
        with located(key, "checkpoint"):
            tag, header = self.serde.dumps_typed({**checkpoint, "channel_values": inline})
        with located(key, "metadata"):
            stored_metadata = dump_metadata(metadata, self.serde)
        old = versions.keys() - new_versions.keys()
        return EncodedCheckpoint(
            key=key,
            parent_id=parent_id,
            header=(flags + tag, header),
            metadata=stored_metadata,
            versions=versions,
            new={name: encode(name) for name in new_versions if name in values and name in versions},
            old=old,
            unchanged=old & values.keys(),
            encode=encode,
        )

    def encode_writes(
        self, key: CheckpointKey, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> list[tuple[Any, ...]]:
        """Return rows for `_sql.PUT_WRITE`."""
        check_names_checkpoint(key)
        rows: list[tuple[Any, ...]] = []
        for place, (channel, value) in enumerate(writes):
            with located(key, "writes", place, channel=channel, task_id=task_id):
                typed = self.serde.dumps_typed(value)
            rows.append((*key, task_id, task_path, WRITES_IDX_MAP.get(channel, place), channel, *typed))
        return rows

    def decode(self, read: Read, blobs: Mapping[int, Blob]) -> list[CheckpointTuple]:
        """Return the checkpoints that were read, with all that belongs to them.

        All values are decoded in one go, which is much faster than one by one.

        Raises:
            DecodeError: a row, a blob or a write is damaged or missing.
        """
        stored: list[Typed] = []
        parts: list[tuple[CheckpointRow, list[Blob], Sequence[WriteRow]]] = []
        for row in read.checkpoints:
            named, writes = _named(row, blobs), read.writes.get(row.id, ())
            parts.append((row, named, writes))
            stored.append((_tag(row.type), row.checkpoint))
            stored += [blob.typed for blob in named]
            stored += [write.typed for write in writes]
        try:
            values = iter(self._loads_many(stored))
        except Exception as error:
            raise self._explain(error, parts) from error
        return [self._assemble(row, named, writes, values, read) for row, named, writes in parts]

    def _assemble(
        self,
        row: CheckpointRow,
        blobs: list[Blob],
        writes: Sequence[WriteRow],
        values: Iterator[Any],
        read: Read,
    ) -> CheckpointTuple:
        checkpoint: Checkpoint = next(values)
        try:
            channel_values = checkpoint["channel_values"]
            for blob in blobs:
                channel_values[blob.channel] = next(values)
            if (sends := read.sends.get(row.id)) and checkpoint["v"] < 4:
                move_sends(checkpoint, lambda: self._loads_many([send.typed for send in sends]))
        except Exception as error:  # readable bytes that are no checkpoint, or sends that can not be read
            raise damaged(error, "checkpoint", **row.address) from error
        return CheckpointTuple(
            _config(row, row.checkpoint_id),
            checkpoint,
            self.decode_metadata(row),
            _config(row, row.parent_id) if row.parent_id else None,
            [(write.task_id, write.channel, next(values)) for write in writes],
        )

    def _explain(
        self, error: Exception, parts: Iterable[tuple[CheckpointRow, list[Blob], Sequence[WriteRow]]]
    ) -> CheckpointError:
        """Decode one by one, to say which of the values it was."""
        for row, blobs, writes in parts:
            places: list[tuple[str, Typed, dict[str, str]]] = [
                ("checkpoint", (_tag(row.type), row.checkpoint), {}),
                *((f"channel_values[{b.channel!r}]", b.typed, {"channel": b.channel}) for b in blobs),
                *(("pending_writes", w.typed, {"channel": w.channel, "task_id": w.task_id}) for w in writes),
            ]
            for path, typed, where in places:
                try:
                    self._loads_many([typed])
                except Exception as one:
                    return damaged(one, path, **row.address, **where)
        return damaged(error, "checkpoint")

    def decode_header(self, type: str | None, checkpoint: bytes) -> Checkpoint:
        """Return what the row itself holds; values that are in `blobs` are not in it."""
        return cast("Checkpoint", self.serde.loads_typed((_tag(type), checkpoint)))

    def decode_metadata(self, row: CheckpointRow) -> CheckpointMetadata:
        """Return the metadata of `row`."""
        try:
            return cast("CheckpointMetadata", load_metadata(row.metadata, self.serde))
        except Exception as error:
            raise damaged(error, "metadata", **row.address) from error

    def run_id(self, metadata: bytes | str) -> object:
        """Return the run that metadata names; damaged metadata names none."""
        try:
            return load_metadata(metadata, self.serde).get("run_id")
        except (CheckpointError, ValueError, TypeError):
            return None


def ids_in(text: str) -> list[int] | None:
    """Return the ids in a list that `EncodedCheckpoint.row` wrote, `None` if it is damaged.

    `json.loads` would take twice as long.
    """
    try:
        if text[0] + text[-1] != "[]":
            return None
        return [int(blob_id) for blob_id in text[1:-1].split(",")] if len(text) > 2 else []
    except (ValueError, TypeError, IndexError):
        return None


def _blob_ids(row: tuple[Any, ...]) -> list[int] | None:
    if row[9] is None:
        return None
    ids = ids_in(row[9])
    if ids is None:
        address = CheckpointKey(row[2], row[3], row[4]).address()
        raise DecodeError(
            f"the list of a checkpoint's blobs is damaged: {row[9]!r:.80}", path="blob_ids", address=address
        )
    return ids


def _tag(type: str | None) -> str:
    """Return the serializer's tag in the type of a row."""
    if type is None:
        return "json"
    if type.startswith(_SPLIT):
        return type.removeprefix(_SPLIT).removeprefix(_INLINE).removeprefix(_SENDS)
    return type


def _config(row: CheckpointRow, checkpoint_id: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": row.thread_id,
            "checkpoint_ns": row.checkpoint_ns,
            "checkpoint_id": checkpoint_id,
        }
    }


def _named(row: CheckpointRow, blobs: Mapping[int, Blob]) -> list[Blob]:
    try:
        return [blobs[blob_id] for blob_id in row.blob_ids or ()]
    except KeyError as error:
        raise damaged(error, "channel_values", **row.address) from error


def stored_version(version: object) -> str | int:
    """Return what stands for a version in `blobs`, and in JSON that SQLite reads.

    SQLite's JSON functions cut text at a NUL, and read floats and integers beyond 64 bits as their nearest
    double; such versions are spelled out behind a mark.
    """
    if type(version) is str and "\0" not in version and not version.startswith(_SPELLED):
        return version
    if type(version) is int and -_LARGEST_INTEGER <= version < _LARGEST_INTEGER:
        return version
    return _SPELLED + json.dumps(version)
