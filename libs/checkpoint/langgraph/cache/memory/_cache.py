"""`InMemoryCache`: serialized values, each with the time at which it ends."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from time import monotonic
from typing import NamedTuple

from langgraph.cache.base import BaseCache, FullKey, Namespace, ValueT
from langgraph.checkpoint.serde.base import SerializerProtocol


class _Entry(NamedTuple):
    """A value as bytes, so that nobody else can change it, and when it ends."""

    typed: tuple[str, bytes]
    ends: float | None


class InMemoryCache(BaseCache[ValueT]):
    """A cache that lives in this process. Safe for many threads.

    Args:
        serde: turns values into bytes and back; `None` for a `JsonPlusSerializer`.
    """

    def __init__(self, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self._cache: dict[Namespace, dict[str, _Entry]] = {}
        self._ends: list[tuple[float, FullKey]] = []  # a heap
        self._lock = threading.Lock()

    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Read entries; see `BaseCache.get`."""
        now = monotonic()
        with self._lock:
            self._expire(now)
            entries = {(ns, key): entry for ns, key in keys if (entry := self._cache.get(ns, {}).get(key))}
        return {full_key: self.serde.loads_typed(entry.typed) for full_key, entry in entries.items()}

    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Async version of `get`."""
        return self.get(keys)

    def set(  # pyright: ignore[reportIncompatibleMethodOverride] — the release's name
        self, keys: Mapping[FullKey, tuple[ValueT, int | None]]
    ) -> None:
        """Write entries; see `BaseCache.set`."""
        now = monotonic()
        # All are encoded before any is kept: one that can not be fails the whole call.
        entries = {
            full_key: _Entry(self.serde.dumps_typed(value), None if ttl is None else now + ttl)
            for full_key, (value, ttl) in keys.items()
        }
        with self._lock:
            for (namespace, key), entry in entries.items():
                self._cache.setdefault(namespace, {})[key] = entry
                if entry.ends is not None:
                    heappush(self._ends, (entry.ends, (namespace, key)))
            self._expire(now)

    async def aset(  # pyright: ignore[reportIncompatibleMethodOverride] — the release's name
        self, keys: Mapping[FullKey, tuple[ValueT, int | None]]
    ) -> None:
        """Async version of `set`."""
        self.set(keys)

    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Remove entries; see `BaseCache.clear`."""
        with self._lock:
            for namespace in list(self._cache) if namespaces is None else namespaces:
                self._cache.pop(namespace, None)

    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Async version of `clear`."""
        self.clear(namespaces)

    def _expire(self, now: float) -> None:
        """Drop what has ended, also what nobody asks for any more."""
        while self._ends and self._ends[0][0] <= now:
            ends, (namespace, key) = heappop(self._ends)
            entries = self._cache.get(namespace, {})
            if key in entries and entries[key].ends == ends:  # not put anew since
                del entries[key]
