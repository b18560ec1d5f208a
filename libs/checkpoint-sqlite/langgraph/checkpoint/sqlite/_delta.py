"""Delta channels: the ancestors are walked by their rows, and only the seeds' values are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langgraph.checkpoint.base import CheckpointKey, DeltaChannelHistory, writes_sort_key
from langgraph.checkpoint.base.operations import compute, fetch
from langgraph.checkpoint.sqlite import _sql
from langgraph.checkpoint.sqlite._retention import StoredValues
from langgraph.checkpoint.sqlite._rows import RowCodec, Typed, damaged

_PAGE = 200
"""Ancestors read at a time; by default a snapshot is at most 100 updates away."""


class _Walk:
    """Where each channel's seed is, and how far back its writes count."""

    def __init__(self, codec: RowCodec, channels: Sequence[str]) -> None:
        self._codec = codec
        self.open = set(channels)
        self.reach: dict[str, int] = {}
        """How many ancestors each closed channel goes back."""
        self.rowids: list[int] = []
        self.blob_seeds: dict[str, Any] = {}
        self.inline_seeds: dict[str, Any] = {}

    def visit(self, rowid: int, versions: str | None, type: str | None, checkpoint: bytes | None) -> None:
        """Take the next ancestor."""
        self.rowids.append(rowid)
        stored = StoredValues(self._codec, versions, type, checkpoint)
        for channel in self.open & stored.channels():
            self.open.discard(channel)
            self.reach[channel] = len(self.rowids)
            if channel in stored.inline:
                self.inline_seeds[channel] = stored.inline[channel]
            else:
                self.blob_seeds[channel] = stored.blobs[channel]


async def read_delta_history(
    codec: RowCodec, key: CheckpointKey, channels: Sequence[str]
) -> dict[str, DeltaChannelHistory]:
    """Return what `channels` are replayed from, as of the checkpoint at `key`."""
    if not channels:
        return {}
    walk = _Walk(codec, channels)
    at = key.checkpoint_id or await _latest(key)
    visited: set[str] = set()
    while walk.open and at is not None:
        rows = await fetch(_sql.ANCESTORS, (*key[:2], at, _PAGE))
        at = None
        for rowid, checkpoint_id, *values in rows:
            if checkpoint_id in visited:
                break  # parents that form a ring come from a damaged database
            visited.add(checkpoint_id)
            walk.visit(rowid, *values)
            if not walk.open:
                break
        else:
            at = rows[-1][1] if len(rows) == _PAGE else None
    wanted = None if any("\0" in channel for channel in channels) else json.dumps(list(channels))
    writes = await fetch(_sql.WRITES_TO, (json.dumps(walk.rowids), wanted)) if walk.rowids else []
    blobs = await fetch(_sql.BLOBS, (*key[:2], json.dumps(walk.blob_seeds))) if walk.blob_seeds else []
    return await compute(lambda: _decode(walk, channels, writes, blobs, key))


async def _latest(key: CheckpointKey) -> str | None:
    rows = await fetch(_sql.LATEST, key[:2])
    return rows[0][3] if rows else None


def _decode(
    walk: _Walk,
    channels: Sequence[str],
    writes: Sequence[tuple[Any, ...]],
    blobs: Sequence[tuple[str, str, bytes]],
    key: CheckpointKey,
) -> dict[str, DeltaChannelHistory]:
    loads = walk._codec.serde.loads_typed
    stored: dict[str, Typed] = {channel: (tag, value) for channel, tag, value in blobs}
    age = {rowid: place for place, rowid in enumerate(walk.rowids, 1)}
    ordered = sorted(
        ((-age[rowid], writes_sort_key(path, task_id, idx)), age[rowid], task_id, channel, (tag, value))
        for rowid, channel, tag, value, task_id, idx, path in writes
    )
    history: dict[str, DeltaChannelHistory] = {}
    for channel in channels:
        try:
            reach = walk.reach.get(channel, len(walk.rowids))
            history[channel] = {
                "writes": [
                    (task_id, name, loads(typed))
                    for _, back, task_id, name, typed in ordered
                    if name == channel and back <= reach
                ]
            }
            if channel in walk.inline_seeds:
                history[channel]["seed"] = walk.inline_seeds[channel]
            elif channel in walk.blob_seeds:
                history[channel]["seed"] = loads(stored[channel])
        except Exception as error:
            raise damaged(error, f"history[{channel!r}]", channel=channel, **key.address()) from error
    return history
