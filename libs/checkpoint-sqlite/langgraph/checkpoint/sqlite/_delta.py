"""Delta channels: the ancestors are walked by their rows, and only the seeds' values are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from langgraph.checkpoint.base import CheckpointKey, DeltaChannelHistory, damaged
from langgraph.checkpoint.base.operations import begin, compute, fetch
from langgraph.checkpoint.sqlite import _sql
from langgraph.checkpoint.sqlite._blobs import blobs_of
from langgraph.checkpoint.sqlite._retention import Stores
from langgraph.checkpoint.sqlite._rows import RowCodec, WriteRow

_PAGE = 200
"""Ancestors read at a time; by default a snapshot is at most 100 updates away."""


class _Walk:
    """Which ancestors count for each channel, and where its seed is."""

    def __init__(self, codec: RowCodec, channels: Sequence[str]) -> None:
        self._codec = codec
        self.open = set(channels)
        self.reach: dict[str, int] = {}
        """How many ancestors each closed channel goes back."""
        self.rowids: list[int] = []
        self.blob_seeds: dict[str, int] = {}
        self.inline_seeds: dict[str, Any] = {}

    def visit(self, rowid: int, blobs: str, type: str | None, checkpoint: bytes | None) -> None:
        """Take the next ancestor."""
        self.rowids.append(rowid)
        stores = Stores(self._codec, blobs, type, checkpoint)
        for channel in self.open & stores.channels():
            self.open.discard(channel)
            self.reach[channel] = len(self.rowids)
            if channel in stores.inline:
                self.inline_seeds[channel] = stores.inline[channel]
            else:
                self.blob_seeds[channel] = stores.blobs[channel]


async def read_delta_history(
    codec: RowCodec, key: CheckpointKey, channels: Sequence[str]
) -> dict[str, DeltaChannelHistory]:
    """Return what `channels` are replayed from, as of the checkpoint at `key`."""
    if not channels:
        return {}
    walk = _Walk(codec, channels)
    await begin(write=False)
    at = key.checkpoint_id or await _latest(key)
    visited: set[str] = set()
    while walk.open and at is not None:
        rows = await fetch(_sql.ANCESTORS, (*key[:2], at, _PAGE))
        at = rows[-1][1] if len(rows) == _PAGE else None
        for rowid, checkpoint_id, *stores in rows:
            if checkpoint_id in visited or not walk.open:
                at = None  # done, or parents that form a ring, in a damaged database
                break
            visited.add(checkpoint_id)
            walk.visit(rowid, *stores)
    writes = await fetch(_sql.WRITES_OF, (json.dumps(walk.rowids),))
    blobs = await fetch(_sql.BLOBS, (json.dumps(list(walk.blob_seeds.values())),))
    history: dict[str, DeltaChannelHistory] = await compute(
        lambda: _decode(codec, walk, channels, key, writes, blobs)
    )
    return history


async def _latest(key: CheckpointKey) -> str | None:
    rows = await fetch(_sql.LATEST_ID, key[:2])
    return rows[0][0] if rows else None


def _decode(
    codec: RowCodec,
    walk: _Walk,
    channels: Sequence[str],
    key: CheckpointKey,
    writes: Iterable[tuple[Any, ...]],
    blobs: Iterable[tuple[Any, ...]],
) -> dict[str, DeltaChannelHistory]:
    seeds = blobs_of(blobs)
    back = {rowid: place for place, rowid in enumerate(walk.rowids, 1)}
    oldest_first = sorted(
        (-back[rowid], WriteRow(task_path, task_id, idx, channel, (tag, value)))
        for rowid, channel, tag, value, task_id, idx, task_path in writes
    )
    loads = codec.serde.loads_typed
    history: dict[str, DeltaChannelHistory] = {}
    for channel in channels:
        reach = walk.reach.get(channel, len(back))
        counted = [write for place, write in oldest_first if write.channel == channel and -place <= reach]
        try:
            history[channel] = {"writes": [(write.task_id, channel, loads(write.typed)) for write in counted]}
            if channel in walk.inline_seeds:
                history[channel]["seed"] = walk.inline_seeds[channel]
            elif channel in walk.blob_seeds:
                history[channel]["seed"] = loads(seeds[walk.blob_seeds[channel]].typed)
        except Exception as error:
            raise damaged(error, f"history[{channel!r}]", channel=channel, **key.address()) from error
    return history
