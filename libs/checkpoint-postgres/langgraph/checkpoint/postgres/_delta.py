"""Delta channels: the ancestors are walked by their rows, and only the seeds' values are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from langgraph.checkpoint.base import CheckpointKey, DeltaChannelHistory, damaged
from langgraph.checkpoint.base.operations import begin, compute, fetch
from langgraph.checkpoint.postgres import _sql
from langgraph.checkpoint.postgres._json import load_json
from langgraph.checkpoint.postgres._rows import RowCodec, Typed, WriteRow

_PAGE = 200
"""Ancestors read at a time; by default a snapshot is at most 100 updates away."""


class _Walk:
    """Which ancestors count for each channel, and where its seed is."""

    def __init__(self, channels: Sequence[str]) -> None:
        self.open = set(channels)
        self.reach: dict[str, int] = {}
        """How many ancestors each closed channel goes back."""
        self.ids: list[str] = []
        self.blob_seeds: dict[str, str] = {}
        """Versions by channel."""
        self.inline_seeds: dict[str, str] = {}
        """Documents that hold the value, by channel."""

    def visit(self, checkpoint_id: str, versions: Sequence[tuple[str, str]] | None, inline: str | None) -> None:
        """Take the next ancestor."""
        self.ids.append(checkpoint_id)
        blobs = dict[str, str](versions or ())
        names: set[str] = set(json.loads(inline)) if inline else set()
        for channel in self.open & (blobs.keys() | names):
            self.open.discard(channel)
            self.reach[channel] = len(self.ids)
            if channel in blobs:
                self.blob_seeds[channel] = blobs[channel]
            else:
                self.inline_seeds[channel] = inline or ""


async def read_delta_history(
    codec: RowCodec, key: CheckpointKey, channels: Sequence[str]
) -> dict[str, DeltaChannelHistory]:
    """Return what `channels` are replayed from, as of the checkpoint at `key`."""
    if not channels:
        return {}
    walk = _Walk(channels)
    await begin(write=False)
    at = key.checkpoint_id or await _latest(key)
    params: dict[str, Any] = {**key._asdict(), "channels": list(channels), "rows": _PAGE}
    visited: set[str] = set()
    while walk.open and at is not None:
        rows = await fetch(_sql.ANCESTORS, {**params, "checkpoint_id": at})
        at = rows[-1][0] if len(rows) == _PAGE else None
        for checkpoint_id, versions, inline in rows:
            if checkpoint_id in visited or not walk.open:
                at = None  # done, or parents that form a ring, in a damaged database
                break
            visited.add(checkpoint_id)
            walk.visit(checkpoint_id, versions, inline)
    writes = await fetch(_sql.WRITES_OF, (*key[:2], walk.ids, list(channels)))
    seeds = {**params, "channels": list(walk.blob_seeds), "versions": list(walk.blob_seeds.values())}
    blobs = await fetch(_sql.BLOBS, seeds) if walk.blob_seeds else []
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
    seeds: dict[str, Typed] = {channel: (tag, blob) for channel, tag, blob in blobs}
    back = {checkpoint_id: place for place, checkpoint_id in enumerate(walk.ids, 1)}
    oldest_first = sorted(
        (-back[checkpoint_id], WriteRow(task_path, task_id, idx, channel, (tag, blob)))
        for checkpoint_id, task_path, task_id, idx, channel, tag, blob in writes
    )
    history: dict[str, DeltaChannelHistory] = {}
    for channel in channels:
        reach = walk.reach.get(channel, len(back))
        counted = [write for place, write in oldest_first if write.channel == channel and -place <= reach]
        history[channel] = {"writes": codec.decode_writes(key, counted)}
        try:
            if channel in seeds:
                history[channel]["seed"] = codec.serde.loads_typed(seeds[channel])
            elif channel in walk.inline_seeds:
                history[channel]["seed"] = load_json(walk.inline_seeds[channel], codec.serde)[channel]
        except Exception as error:
            raise damaged(error, f"history[{channel!r}]", channel=channel, **key.address()) from error
    return history
