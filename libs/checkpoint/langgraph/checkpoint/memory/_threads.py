"""The three dicts as one store of threads: what is read and what is changed in one go, under the lock.

Headers and metadata, which are small, are decoded under the lock, since they say what else belongs to a
checkpoint. Values are not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge, nlargest
from itertools import starmap
from typing import Any, cast

from langgraph.checkpoint.base import (
    Checkpoint,
    CheckpointKey,
    CheckpointTuple,
    DeltaChannelHistory,
    DeltaWalk,
    ListQuery,
    PendingWrite,
    Place,
    matches,
    move_sends,
)
from langgraph.checkpoint.errors import ConflictError
from langgraph.checkpoint.memory._index import Index
from langgraph.checkpoint.memory._retention import Cut, ThreadNodes
from langgraph.checkpoint.memory._stored import (
    EMPTY,
    Address,
    BlobKey,
    Encoded,
    Namespaces,
    Stored,
    Typed,
    Write,
    Writes,
    decode_header,
    decode_metadata,
    decode_values,
    decode_writes,
    encode_value,
    in_order,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import TASKS

Run = tuple[str, str, str, list[str], int]
"""The newest selected id of a namespace, its thread, the namespace, its ids in order, and how many count."""


class Threads:
    """Threads in three dicts, whose shapes are the release's."""

    serde: SerializerProtocol
    storage: defaultdict[str, Namespaces]
    """Checkpoints by thread, namespace and id."""
    writes: defaultdict[Address, Writes]
    """Pending writes by their checkpoint, then by task and index."""
    blobs: dict[BlobKey, Typed]
    """Values of channels by version."""
    _index: Index

    def _read(self, key: CheckpointKey, filter: Mapping[str, Any] | None = None) -> CheckpointTuple | None:
        """Return a checkpoint if there is one and its metadata matches."""
        serde = self.serde
        with self._index.lock:
            found = self._find(key)
            if found is None:
                return None
            key, stored = found
            metadata = decode_metadata(serde, key, stored)
            if filter and not matches(metadata, filter):
                return None
            checkpoint = decode_header(serde, key, stored)
            blobs = self._blobs_of(key, checkpoint)
            writes = self._writes_for(key)
            sends = self._sends_before(key, stored[2], checkpoint)
        if blobs:
            checkpoint["channel_values"].update(decode_values(serde, key, blobs))
        if sends:
            move_sends(checkpoint, lambda: [value for *_, value in decode_writes(serde, key, sends)])
        return CheckpointTuple(
            key.config(),
            checkpoint,
            metadata,
            key._replace(checkpoint_id=stored[2]).config() if stored[2] else None,
            decode_writes(serde, key, writes) if writes else [],
        )

    def _newest_first(self, query: ListQuery) -> Iterator[CheckpointKey]:
        """Iterate over the addresses that `query` selects of those that are there now."""
        with self._index.lock:
            runs = list(self._runs(query))
        if query.limit is not None and not query.filter:
            runs = nlargest(query.limit, runs)  # by their newest; no other can have one of so many
        for checkpoint_id, thread_id, checkpoint_ns in merge(*starmap(_addresses, runs), reverse=True):
            yield CheckpointKey(thread_id, checkpoint_ns, checkpoint_id)

    def _runs(self, query: ListQuery) -> Iterator[Run]:
        """Iterate over what `query` selects in each namespace, if it selects anything."""
        before, only_ns, only_id = query.before, query.checkpoint_ns, query.checkpoint_id
        order = self._index.order
        for thread_id in self.storage if query.thread_id is None else (query.thread_id,):
            for checkpoint_ns, checkpoints in self.storage.get(thread_id, {}).items():
                if only_ns is not None and only_ns != checkpoint_ns:
                    continue
                if only_id is None:
                    ids = order(thread_id, checkpoint_ns, checkpoints).ids
                else:
                    ids = [only_id] if only_id in checkpoints else []
                end = len(ids) if before is None else bisect_left(ids, before)
                if end:
                    yield (ids[end - 1], thread_id, checkpoint_ns, ids, end)

    def _store(self, encoded: Encoded, values: Mapping[str, Any]) -> None:
        """Put a checkpoint into the dicts, with those values that turn out not to be there."""
        key, stored, blobs, unchanged = encoded
        thread_id, checkpoint_ns, _ = key
        while True:
            with self._index.lock:
                held = self.blobs
                missing = [
                    channel
                    for channel, version in unchanged.items()
                    if held.get((thread_id, checkpoint_ns, channel, version), EMPTY)[0] == EMPTY[0]
                ]
                if not missing:
                    self._store_blobs(thread_id, blobs)
                    self._store_checkpoint(cast("Address", key), stored)
                    return
            for channel in missing:
                version = unchanged.pop(channel)
                blobs[thread_id, checkpoint_ns, channel, version] = encode_value(
                    self.serde, key, channel, values[channel]
                )

    def _store_writes(self, key: CheckpointKey, writes: Writes) -> None:
        """Put writes into the dicts, except ordinary ones whose place is taken."""
        writes_key = cast("Address", tuple(key))
        with self._index.lock:
            if writes_key not in self.writes:
                self._index.writes.add(key.thread_id, (writes_key,))
            held = self.writes[writes_key]
            held.update({place: write for place, write in writes.items() if place[1] < 0 or place not in held})

    def _history(self, key: CheckpointKey, channels: Sequence[str]) -> dict[str, DeltaChannelHistory]:
        """Return what delta channels are replayed from; only values that count are decoded."""
        walk = DeltaWalk(channels)
        with self._index.lock:
            found = self._find(key)
            visited: set[str] = set()
            while walk.open and found and (parent_id := found[1][2]) and parent_id not in visited:
                visited.add(parent_id)
                found = self._find(key._replace(checkpoint_id=parent_id))
                if found:
                    walk.visit(self._undecoded(*found, walk.open))
        decoded: dict[str, DeltaChannelHistory] = {}
        for channel, history in walk.result().items():
            decoded[channel] = {"writes": [decode() for _, _, decode in history["writes"]]}
            if "seed" in history:
                decoded[channel]["seed"] = history["seed"]()
        return decoded

    def _remove_threads(self, thread_ids: Iterable[str]) -> None:
        """Remove all of some threads."""
        with self._index.lock:
            for thread_id in thread_ids:
                for checkpoint_ns in self.storage.pop(thread_id, {}):
                    self._index.forget_order(thread_id, checkpoint_ns)
                self._index.writes.remove_thread(thread_id, self.writes)
                self._index.blobs.remove_thread(thread_id, self.blobs)

    def _remove_runs(self, run_ids: set[str]) -> None:
        """Remove the checkpoints of some runs."""
        with self._index.lock:
            found = self._places_of_runs(run_ids) if run_ids else {}
            self._cut([self._nodes(thread_id).plan(wanted, relink=True) for thread_id, wanted in found.items()])

    def _keep_latest(self, thread_ids: Iterable[str]) -> None:
        """Remove all but the latest checkpoint of each namespace of some threads."""
        with self._index.lock:
            threads = [self._nodes(thread_id) for thread_id in thread_ids if thread_id in self.storage]
            self._cut([nodes.plan(nodes.outdated(), relink=False) for nodes in threads])

    def _copy_thread(self, source: str, target: str) -> None:
        """Copy all of a thread to another, which must have no checkpoints."""
        with self._index.lock:
            if any(self.storage.get(target, {}).values()):
                raise ConflictError(
                    f"thread {target!r} has checkpoints already; copy to a new thread, or delete it first",
                    key=target,
                )
            for blob in self._index.blobs.of(source, self.blobs):
                self._store_blobs(target, {(target, *blob[1:]): self.blobs[blob]})
            for writes_key in self._index.writes.of(source, self.writes):
                self._store_writes(CheckpointKey(target, *writes_key[1:]), self.writes[writes_key])
            for checkpoint_ns, checkpoints in list(self.storage.get(source, {}).items()):
                for checkpoint_id, stored in checkpoints.items():
                    self._store_checkpoint((target, checkpoint_ns, checkpoint_id), stored)

    def _places_of_runs(self, run_ids: set[str]) -> dict[str, set[Place]]:
        """Return where the checkpoints of these runs are, by thread."""
        found: dict[str, set[Place]] = {}
        for thread_id, namespaces in self.storage.items():
            for checkpoint_ns, checkpoints in namespaces.items():
                for checkpoint_id, stored in checkpoints.items():
                    key = CheckpointKey(thread_id, checkpoint_ns, checkpoint_id)
                    run_id: object = decode_metadata(self.serde, key, stored).get("run_id")
                    if isinstance(run_id, str) and run_id in run_ids:
                        found.setdefault(thread_id, set()).add((checkpoint_ns, checkpoint_id))
        return found

    def _nodes(self, thread_id: str) -> ThreadNodes:
        return ThreadNodes(self.serde, thread_id, self.storage.get(thread_id, {}), self.blobs)

    def _cut(self, cuts: Iterable[Cut]) -> None:
        """Change threads as planned; all has been read by now, so nothing can fail halfway."""
        for thread_id, removal, needed in cuts:
            namespaces = self.storage[thread_id]
            for (checkpoint_ns, checkpoint_id), parent_id in removal.relinked.items():
                checkpoint, metadata, _ = namespaces[checkpoint_ns][checkpoint_id]
                namespaces[checkpoint_ns][checkpoint_id] = (checkpoint, metadata, parent_id)
            for checkpoint_ns, checkpoint_id in removal.removed:
                del namespaces[checkpoint_ns][checkpoint_id]
                self._index.forget_order(thread_id, checkpoint_ns)
                if not namespaces[checkpoint_ns]:
                    del namespaces[checkpoint_ns]
            if not namespaces:
                del self.storage[thread_id]
            self._index.writes.remove(thread_id, self.writes, [(thread_id, *place) for place in removal.removed])
            unused = set(self._index.blobs.of(thread_id, self.blobs)) - needed
            self._index.blobs.remove(thread_id, self.blobs, unused)

    def _find(self, key: CheckpointKey) -> tuple[CheckpointKey, Stored] | None:
        """Return the full address of the checkpoint that `key` names, and the checkpoint."""
        thread_id, checkpoint_ns, checkpoint_id = key
        checkpoints = self.storage.get(thread_id, {}).get(checkpoint_ns)
        if not checkpoints:
            return None
        if checkpoint_id is None:
            checkpoint_id = self._index.order(thread_id, checkpoint_ns, checkpoints).ids[-1]
            key = CheckpointKey(thread_id, checkpoint_ns, checkpoint_id)
        stored = checkpoints.get(checkpoint_id)
        return (key, stored) if stored else None

    def _blobs_of(self, key: CheckpointKey, header: Checkpoint) -> dict[str, Typed]:
        """Return the values of a checkpoint's channels that are beside it."""
        thread_id, checkpoint_ns, _ = key
        found: dict[str, Typed] = {}
        for channel, version in header["channel_versions"].items():
            typed = self.blobs.get((thread_id, checkpoint_ns, channel, version), EMPTY)
            if typed[0] != EMPTY[0]:
                found[channel] = typed
        return found

    def _writes_for(self, key: CheckpointKey) -> list[Write]:
        writes = self.writes.get(cast("Address", key))
        return in_order(writes) if writes else []

    def _sends_before(self, key: CheckpointKey, parent_id: str | None, header: Checkpoint) -> list[Write]:
        """Return the sends that the tasks before a checkpoint of an old format queued.

        Most old savers have moved them into the checkpoint itself, where today's engine looks, too.
        """
        if header["v"] >= 4 or parent_id is None or header.get("pending_sends"):
            return []
        return [write for write in self._writes_for(key._replace(checkpoint_id=parent_id)) if write[1] == TASKS]

    def _undecoded(self, key: CheckpointKey, stored: Stored, channels: set[str]) -> CheckpointTuple:
        """Return what a checkpoint has of some channels, with functions in place of values."""
        serde = self.serde
        header = decode_header(serde, key, stored)
        inline, blobs = header["channel_values"], self._blobs_of(key, header)
        values = {name: partial(inline.get, name) for name in inline.keys() & channels}
        values |= {
            name: partial(_decoded_value, serde, key, name, blobs[name]) for name in blobs.keys() & channels
        }
        writes: list[PendingWrite] = [
            (write[0], write[1], partial(_decoded_write, serde, key, write))
            for write in self._writes_for(key)
            if write[1] in channels
        ]
        return CheckpointTuple(key.config(), {**header, "channel_values": values}, {}, None, writes)

    def _store_blobs(self, thread_id: str, blobs: Mapping[BlobKey, Typed]) -> None:
        self._index.blobs.add(thread_id, [blob for blob in blobs if blob not in self.blobs])
        self.blobs.update(blobs)

    def _store_checkpoint(self, address: Address, stored: Stored) -> None:
        thread_id, checkpoint_ns, checkpoint_id = address
        checkpoints = self.storage[thread_id].setdefault(checkpoint_ns, {})
        order = self._index.order(thread_id, checkpoint_ns, checkpoints)
        if checkpoint_id not in checkpoints:
            order.add(checkpoint_id)
        checkpoints[checkpoint_id] = stored


def _addresses(_: str, thread_id: str, checkpoint_ns: str, ids: list[str], end: int) -> Iterator[Address]:
    """Iterate over addresses with the id in front, so that they sort as time does."""
    for place in range(end - 1, -1, -1):
        yield ids[place], thread_id, checkpoint_ns


def _decoded_write(serde: SerializerProtocol, key: CheckpointKey, write: Write) -> PendingWrite:
    return decode_writes(serde, key, (write,))[0]


def _decoded_value(serde: SerializerProtocol, key: CheckpointKey, channel: str, typed: Typed) -> Any:
    return decode_values(serde, key, {channel: typed})[channel]
