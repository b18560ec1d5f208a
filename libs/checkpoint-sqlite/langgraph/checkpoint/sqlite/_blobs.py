"""Blobs, and the memory of those read or written lately.

A blob never changes, and its id is never given twice: savers make ids of the time and chance, so not even a file
that is restored from a backup gives one again. So what is remembered of committed blobs is true for ever,
whatever other processes do. Whether a blob still exists is another question: a checkpoint that names it proves it.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from langgraph.checkpoint.base import CheckpointKey

Typed = tuple[str, bytes]
"""A serialized value with its tag."""

_MEMORY = 8 << 20
"""Bytes after which the older half is forgotten."""
_LARGEST = 1 << 20
"""Blobs of this size are read again each time."""


_EPOCH = 1_735_689_600_000_000
"""Microseconds from 1970 to 2025; ids last until 2096."""
_CHANCE = 12
"""Random bits behind the microseconds; ids that meet all the same are made anew."""


class Ids:
    """Makes ids of blobs, each greater than the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> int:
        """Return an id: 51 bits of time, 12 of chance."""
        microseconds = time.time_ns() // 1000 - _EPOCH
        with self._lock:
            self._last = max(self._last + 1, microseconds << _CHANCE | secrets.randbits(_CHANCE))
            return self._last


new_id = Ids().new


class Blob(NamedTuple):
    """The value of a channel at a version."""

    channel: str
    version: str | int
    typed: Typed


class BlobMemory:
    """Blobs by id. Threads may share it: each step is atomic, and a lost one only costs a query."""

    def __init__(self) -> None:
        self._young: dict[int, Blob] = {}
        self._old: dict[int, Blob] = {}
        self._size = 0
        self._known: set[tuple[str, str]] = set()
        """Namespaces of threads that were read or written while the young ones were remembered."""

    def recall(self, ids: Iterable[int]) -> dict[int, Blob]:
        """Return what is remembered of these blobs."""
        found: dict[int, Blob] = {}
        for blob_id in ids:
            blob = self._young.get(blob_id)
            if blob is None and (blob := self._old.get(blob_id)) is not None:
                self._keep(blob_id, blob)
            if blob is not None:
                found[blob_id] = blob
        return found

    def knows(self, key: CheckpointKey) -> bool:
        """Tell whether it is likely that the blobs of a namespace are remembered."""
        return key[:2] in self._known

    def disown(self, key: CheckpointKey) -> None:
        """Note that blobs of a namespace are not remembered."""
        self._known.discard(key[:2])

    def remember(self, blobs: dict[int, Blob], key: CheckpointKey | None = None) -> None:
        """Take committed blobs; `key` is their namespace, if that is all it is likely to need."""
        for blob_id, blob in blobs.items():
            self._keep(blob_id, blob)
        if key is not None and blobs and all(len(blob.typed[1]) < _LARGEST for blob in blobs.values()):
            self._known.add(key[:2])

    def _keep(self, blob_id: int, blob: Blob) -> None:
        size = len(blob.typed[1]) + 500  # about what a blob costs besides its value
        if len(blob.typed[1]) >= _LARGEST:
            return
        if self._size > _MEMORY // 2:
            self._old, self._young, self._size, self._known = self._young, {}, 0, set()
        self._young[blob_id] = blob
        self._size += size


def blobs_of(rows: Iterable[tuple[Any, ...]]) -> dict[int, Blob]:
    """Return the blobs of rows `(id, channel, version, type, value)`."""
    return {blob_id: Blob(channel, version, (tag, value)) for blob_id, channel, version, tag, value in rows}
