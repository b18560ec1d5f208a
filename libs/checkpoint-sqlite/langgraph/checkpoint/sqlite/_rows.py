"""Checkpoints as rows, and back.

A checkpoint is one row, with its values beside it in `blobs`, by channel and version. Values that can not be
found so (no version, or one that SQLite's JSON can not name exactly) stay in the row. The type of our rows
starts with `blobs:`, at which the release fails loudly; a row without is the release's own and holds
everything itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    CheckpointTuple,
    InvalidConfigError,
    PendingWrite,
    located,
    next_text_version,
    writes_sort_key,
)
from langgraph.checkpoint.errors import CheckpointError, DecodeError, SerializationError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import TASKS
from langgraph.checkpoint.sqlite._metadata import dump_metadata, load_metadata

_SPLIT = "blobs:"
_LARGEST_INTEGER = 1 << 63
Typed = tuple[str, bytes]
"""A serialized value with its tag."""


class CheckpointRow(NamedTuple):
    """A row of `checkpoints`, in the order of `_sql.COLUMNS`."""

    rowid: int
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    type: str | None
    checkpoint: bytes
    metadata: bytes | str
    versions: str | None

    @property
    def key(self) -> CheckpointKey:
        """Return its address."""
        return CheckpointKey(self.thread_id, self.checkpoint_ns, self.checkpoint_id)


class Belongings:
    """What was read along with some checkpoints: their writes, the blobs they share, the sends before them."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.writes: defaultdict[int, list[tuple[tuple[str, str, int], str, str, Typed]]] = defaultdict(list)
        self.blobs: dict[tuple[str, str, str, Any], Typed] = {}
        self.sends: defaultdict[int, list[Typed]] = defaultdict(list)
        self.size = 0
        for rowid, channel, tag, value, task_or_version, idx, task_path, thread_id, checkpoint_ns in rows:
            self.size += len(value or b"")
            if rowid is None:
                self.blobs[thread_id, checkpoint_ns, channel, task_or_version] = (tag, value)
            else:
                order = writes_sort_key(task_path, task_or_version, idx)
                self.writes[rowid].append((order, task_or_version, channel, (tag, value)))
        for writes in self.writes.values():
            writes.sort(key=lambda write: write[0])

    def add_sends(self, rows: Iterable[tuple[int, str, bytes]]) -> None:
        """Take the sends that were queued before checkpoints of old formats."""
        for rowid, tag, value in rows:
            self.sends[rowid].append((tag, value))


@dataclass(slots=True)
class EncodedCheckpoint:
    """A checkpoint on its way into the database."""

    key: CheckpointKey
    parent_id: str | None
    header: Typed
    metadata: str
    blobs: dict[str, Typed]
    """Values of channels with a new version."""
    versions: dict[str, Any]
    """All versions by which a value can be found."""
    encode: Callable[[str], Typed]
    """Encodes the value of a channel that turns out not to be stored yet."""
    unchanged: set[str]
    """Channels with a value, but no new version: stored, unless the caller left a version out."""
    inline: list[str]
    """Channels whose value is in the header."""

    def sought(self) -> str:
        """Return the channel versions that may be stored already, as JSON."""
        return json.dumps({name: version for name, version in self.versions.items() if name not in self.blobs})

    def blob_rows(self, channels: Iterable[str]) -> list[tuple[Any, ...]]:
        """Return rows for `_sql.PUT_BLOB`."""
        place = self.key[:2]
        return [
            (*place, name, self.versions[name], *(self.blobs.get(name) or self.encode(name))) for name in channels
        ]

    def row(self, stored: set[str]) -> tuple[Any, ...]:
        """Return the row for `_sql.PUT`; `stored` are the channels that have a blob."""
        versions: dict[str, Any] = {
            "blobs": {name: version for name, version in self.versions.items() if name in stored},
            "others": {name: version for name, version in self.versions.items() if name not in stored},
        }
        if self.inline:
            versions["inline"] = self.inline
        tag, header = self.header
        return (*self.key, self.parent_id, _SPLIT + tag, header, self.metadata, json.dumps(versions))


class RowCodec:
    """Encodes and decodes rows with a saver's serializer."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self.serde = serde

    def encode(
        self,
        key: CheckpointKey,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> EncodedCheckpoint:
        """Encode what `put` was given; `key` names the parent."""
        key, parent_id = key._replace(checkpoint_id=_id_of(checkpoint)), key.checkpoint_id
        values, all_versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        versions = {name: v for name, v in all_versions.items() if addressable(name, v)}

        def encode(channel: str) -> Typed:
            with located(f"channel_values[{channel!r}]", channel=channel, **key.address()):
                return self.serde.dumps_typed(values[channel])

        inline = {name: value for name, value in values.items() if name not in versions}
        with located("checkpoint", **key.address()):
            header = self.serde.dumps_typed(
                {
                    **checkpoint,
                    "channel_values": inline,
                    "channel_versions": {name: v for name, v in all_versions.items() if name not in versions},
                }
            )
        with located("metadata", **key.address()):
            stored_metadata = dump_metadata(metadata, self.serde)
        return EncodedCheckpoint(
            key=key,
            parent_id=parent_id,
            header=header,
            metadata=stored_metadata,
            blobs={name: encode(name) for name in new_versions if name in values and name in versions},
            versions=versions,
            encode=encode,
            inline=list(inline),
            unchanged={name for name in values if name in versions and name not in new_versions},
        )

    def encode_writes(
        self, key: CheckpointKey, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> list[tuple[Any, ...]]:
        """Return rows for `_sql.PUT_WRITE`."""
        if key.checkpoint_id is None:
            raise InvalidConfigError(
                "checkpoint_id is missing; writes belong to the checkpoint that their task started from",
                field="checkpoint_id",
            )
        rows: list[tuple[Any, ...]] = []
        for place, (channel, value) in enumerate(writes):
            with located(f"writes[{place}]", channel=channel, task_id=task_id, **key.address()):
                typed = self.serde.dumps_typed(value)
            rows.append((*key, task_id, task_path, WRITES_IDX_MAP.get(channel, place), channel, *typed))
        return rows

    def decode(self, row: CheckpointRow, belongings: Belongings) -> CheckpointTuple:
        """Return the checkpoint of `row` with all that belongs to it.

        Raises:
            DecodeError: the row, a blob or a write is damaged or missing.
        """
        checkpoint = self.decode_checkpoint(row, belongings)
        if checkpoint["v"] < 4 and row.parent_id:
            self._move_sends(checkpoint, belongings.sends[row.rowid])
        return CheckpointTuple(
            row.key.config(),
            checkpoint,
            self.decode_metadata(row),
            row.key._replace(checkpoint_id=row.parent_id).config() if row.parent_id else None,
            self._decode_writes(row, belongings),
        )

    def decode_checkpoint(self, row: CheckpointRow, belongings: Belongings) -> Checkpoint:
        """Return the checkpoint of `row` alone."""
        path, channel = "checkpoint", ""
        try:
            checkpoint = self.decode_header(row.type, row.checkpoint)
            if row.versions is None:
                return checkpoint
            versions = json.loads(row.versions)
            checkpoint["channel_versions"].update(versions["blobs"])
            checkpoint["channel_versions"].update(versions["others"])
            values, blobs, loads = checkpoint["channel_values"], belongings.blobs, self.serde.loads_typed
            path = "channel_values"
            for channel, version in versions["blobs"].items():
                values[channel] = loads(blobs[row.thread_id, row.checkpoint_ns, channel, version])
        except Exception as error:
            if channel:
                path = f"{path}[{channel!r}]"
            raise damaged(error, path, **row.key.address()) from error
        return checkpoint

    def decode_header(self, type: str | None, checkpoint: bytes) -> Checkpoint:
        """Return what the row itself holds: without the values in `blobs`, and the versions beside it."""
        tag = type or "json"
        return cast("Checkpoint", self.serde.loads_typed((tag.removeprefix(_SPLIT), checkpoint)))

    def decode_metadata(self, row: CheckpointRow) -> CheckpointMetadata:
        """Return the metadata of `row`."""
        try:
            return cast("CheckpointMetadata", load_metadata(row.metadata, self.serde))
        except Exception as error:
            raise damaged(error, "metadata", **row.key.address()) from error

    def run_id(self, metadata: bytes | str) -> object:
        """Return the run that metadata names; damaged metadata names none."""
        try:
            return load_metadata(metadata, self.serde).get("run_id")
        except (CheckpointError, ValueError, TypeError):
            return None

    def _decode_writes(self, row: CheckpointRow, belongings: Belongings) -> list[PendingWrite]:
        task_id = channel = ""
        writes: list[PendingWrite] = []
        try:
            for _, task_id, channel, typed in belongings.writes.get(row.rowid, ()):
                writes.append((task_id, channel, self.serde.loads_typed(typed)))
        except Exception as error:
            address = row.key.address()
            raise damaged(error, "pending_writes", task_id=task_id, channel=channel, **address) from error
        return writes

    def _move_sends(self, checkpoint: Checkpoint, sends: Iterable[Typed]) -> None:
        """Put the sends queued by the parent's tasks where today's engine looks for them."""
        checkpoint["channel_values"][TASKS] = [self.serde.loads_typed(send) for send in sends]
        versions = checkpoint["channel_versions"]
        versions[TASKS] = max(versions.values()) if versions else next_text_version(None)  # type: ignore[type-var]  # versions of one thread are of one kind


def damaged(error: Exception, path: str, **address: str) -> CheckpointError:
    """Return what to raise for an error met while decoding: it says where, and keeps its kind."""
    if isinstance(error, SerializationError):
        return error.located(path, **address)
    if isinstance(error, CheckpointError):
        return error
    reason = "it is missing" if isinstance(error, KeyError) else f"{type(error).__name__}: {error}"
    return DecodeError(f"cannot read a stored value: {reason}", path=path, address=address)


def addressable(channel: str, version: object) -> bool:
    """Tell whether SQLite's JSON functions give back this channel and version exactly.

    They cut text at a NUL, and read floats and integers beyond 64 bits as their nearest double.
    """
    if type(version) is str:
        return "\0" not in channel and "\0" not in version
    return type(version) is int and -_LARGEST_INTEGER <= version < _LARGEST_INTEGER and "\0" not in channel


def _id_of(checkpoint: Mapping[str, Any]) -> str:
    checkpoint_id = checkpoint.get("id")
    if not isinstance(checkpoint_id, str) or not checkpoint_id:
        raise InvalidConfigError(f"checkpoint['id'] must be text, not {checkpoint_id!r:.80}", field="id")
    return checkpoint_id
