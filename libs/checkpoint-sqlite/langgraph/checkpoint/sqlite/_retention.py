"""A thread's rows as the nodes that retention decides on."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

from langgraph.checkpoint.base import Node, Place, damaged
from langgraph.checkpoint.sqlite._metadata import load_metadata
from langgraph.checkpoint.sqlite._rows import RowCodec

_COUNTERS = "counters_since_delta_snapshot"


class Stores:
    """Which values a checkpoint stores: in `blobs`, or in itself."""

    def __init__(self, codec: RowCodec, blobs: str, type: str | None, checkpoint: bytes | None) -> None:
        self.blobs: dict[str, int] = json.loads(blobs)
        """Ids by channel."""
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


class ThreadNodes:
    """The checkpoints of a thread, and which row each is."""

    def __init__(self, codec: RowCodec, rows: Sequence[tuple[Any, ...]]) -> None:
        self._codec = codec
        self._rowids: dict[Place, int] = {}
        self._nodes: dict[int, Node] = {}
        for rowid, checkpoint_ns, checkpoint_id, parent_id, metadata in rows:
            self._rowids[checkpoint_ns, checkpoint_id] = rowid
            self._nodes[rowid] = Node(checkpoint_ns, checkpoint_id, parent_id, _replayed(codec, metadata))
        self.with_deltas = any(node.replayed for node in self._nodes.values())
        """Whether it matters what the checkpoints store."""

    def add_stores(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Note what each checkpoint stores."""
        for rowid, *stores in rows:
            stored = Stores(self._codec, *stores).channels()
            node = self._nodes[rowid]
            self._nodes[rowid] = node._replace(stored=stored, replayed=node.replayed - stored)

    def nodes(self) -> list[Node]:
        """Return the nodes."""
        return list(self._nodes.values())

    def places(self) -> set[Place]:
        """Return all places of the thread."""
        return set(self._rowids)

    def places_of(self, rowids: set[int]) -> set[Place]:
        """Return the places of these rows."""
        return {self._nodes[rowid].place for rowid in rowids}

    def rowid(self, place: Place) -> int:
        """Return the row at `place`."""
        return self._rowids[place]

    def rowids(self, places: Iterable[Place]) -> list[int]:
        """Return the rows at `places`."""
        return [self._rowids[place] for place in places]


def _replayed(codec: RowCodec, metadata: bytes | str) -> frozenset[str]:
    """Return the delta channels that had updates since their last snapshot."""
    if (_COUNTERS.encode() if isinstance(metadata, bytes) else _COUNTERS) not in metadata:  # type: ignore[operator]
        return frozenset()
    counters = load_metadata(metadata, codec.serde).get(_COUNTERS) or {}
    return frozenset(cast("dict[str, object]", counters))
