"""A thread's rows as the nodes that retention decides on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

from langgraph.checkpoint.base import Node, Place
from langgraph.checkpoint.sqlite._metadata import load_metadata
from langgraph.checkpoint.sqlite._rows import RowCodec, damaged

_COUNTERS = "counters_since_delta_snapshot"


class ThreadNodes:
    """The checkpoints of a thread, and which row each is."""

    def __init__(self, codec: RowCodec, rows: Sequence[tuple[Any, ...]]) -> None:
        # only threads with delta channels need to know what each row stores
        with_deltas = any(_mentions_counters(row[4]) for row in rows)
        self._rowids: dict[Place, int] = {}
        self.nodes: list[Node] = []
        for rowid, checkpoint_ns, checkpoint_id, parent_id, metadata, *values in rows:
            self._rowids[checkpoint_ns, checkpoint_id] = rowid
            stored = replayed = frozenset[str]()
            if with_deltas:
                stored = StoredValues(codec, *values).channels()
                replayed = _replayed(codec, metadata) - stored
            self.nodes.append(Node(checkpoint_ns, checkpoint_id, parent_id, replayed, stored))

    def places(self) -> set[Place]:
        """Return all places of the thread."""
        return set(self._rowids)

    def places_of(self, rowids: set[int]) -> set[Place]:
        """Return the places of these rows."""
        return {place for place, rowid in self._rowids.items() if rowid in rowids}

    def rowid(self, place: Place) -> int:
        """Return the row at `place`."""
        return self._rowids[place]

    def rowids(self, places: Iterable[Place]) -> list[int]:
        """Return the rows at `places`."""
        return [self._rowids[place] for place in places]


class StoredValues:
    """Which values a row stores: in `blobs`, or in itself if it is the release's or they are not addressable."""

    def __init__(self, codec: RowCodec, versions: str | None, type: str | None, checkpoint: bytes | None) -> None:
        self.blobs: dict[str, Any] = json.loads(versions)["blobs"] if versions else {}
        """Versions by channel."""
        self.inline: dict[str, Any] = {}
        """Values by channel."""
        if checkpoint is not None:
            try:
                self.inline = codec.decode_header(type, checkpoint)["channel_values"]
            except Exception as error:
                raise damaged(error, "checkpoint") from error

    def channels(self) -> frozenset[str]:
        """Return the channels."""
        return frozenset(self.blobs.keys() | self.inline.keys())


def _mentions_counters(metadata: bytes | str) -> bool:
    return (_COUNTERS.encode() if isinstance(metadata, bytes) else _COUNTERS) in metadata  # type: ignore[operator]


def _replayed(codec: RowCodec, metadata: bytes | str) -> frozenset[str]:
    """Return the delta channels that had updates since their last snapshot."""
    if not _mentions_counters(metadata):
        return frozenset()
    counters = load_metadata(metadata, codec.serde).get(_COUNTERS) or {}
    return frozenset(cast("dict[str, object]", counters))
