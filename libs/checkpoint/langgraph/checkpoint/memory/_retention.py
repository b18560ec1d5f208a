"""A thread as the nodes that retention decides on, and which blobs its checkpoints refer to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from langgraph.checkpoint.base import CheckpointKey, Node, Place, Removal, latest_of_each_namespace, plan_removal
from langgraph.checkpoint.memory._stored import (
    EMPTY,
    BlobKey,
    Namespaces,
    Stored,
    Typed,
    decode_header,
    decode_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol


class Cut(NamedTuple):
    """What is to be done to a thread."""

    thread_id: str
    removal: Removal
    needed: set[BlobKey]
    """The blobs that its remaining checkpoints refer to."""


class ThreadNodes:
    """The checkpoints of a thread, without their values."""

    def __init__(
        self,
        serde: SerializerProtocol,
        thread_id: str,
        namespaces: Namespaces,
        blobs: Mapping[BlobKey, Typed],
    ) -> None:
        self._serde = serde
        self._thread_id = thread_id
        self._blobs = blobs
        self._refers: dict[Place, list[BlobKey]] = {}
        self.nodes = [
            self._node(CheckpointKey(thread_id, checkpoint_ns, checkpoint_id), stored)
            for checkpoint_ns, checkpoints in namespaces.items()
            for checkpoint_id, stored in checkpoints.items()
        ]

    def outdated(self) -> set[Place]:
        """Return the places of all but the latest of each namespace."""
        return self._refers.keys() - latest_of_each_namespace(self.nodes)

    def plan(self, wanted: set[Place], *, relink: bool) -> Cut:
        """Return what is to be done so that `wanted` goes."""
        removal = plan_removal(self.nodes, wanted, relink=relink)
        kept = self._refers.keys() - set(removal.removed)
        return Cut(self._thread_id, removal, {blob for place in kept for blob in self._refers[place]})

    def _node(self, key: CheckpointKey, stored: Stored) -> Node:
        checkpoint_ns, checkpoint_id = place = cast("Place", key[1:])
        header = decode_header(self._serde, key, stored)
        thread_id, versions = self._thread_id, header["channel_versions"]
        refers = {name: (thread_id, checkpoint_ns, name, version) for name, version in versions.items()}
        self._refers[place] = list(refers.values())
        stored_beside = {name for name, blob in refers.items() if self._blobs.get(blob, EMPTY)[0] != EMPTY[0]}
        stores = frozenset(stored_beside | header["channel_values"].keys())
        metadata = decode_metadata(self._serde, key, stored)
        replayed = frozenset(metadata.get("counters_since_delta_snapshot") or ())
        return Node(checkpoint_ns, checkpoint_id, stored[2], replayed - stores, stores)
