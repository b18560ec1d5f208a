"""`RedisCache`: entries as the release writes them, so that both can share a Redis.

| part | form |
| --- | --- |
| key | prefix, labels and key, joined by `:` |
| value | the serializer's tag, `:`, its bytes |

A cache makes things faster and must not make them fail: what goes wrong between here and Redis is logged, and
counts as an entry that is not there. A value that can not be serialized is the caller's mistake, and raises.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from langgraph.cache.base import BaseCache, FullKey, Namespace, ValueT
from langgraph.checkpoint.serde.base import SerializerProtocol

_log = logging.getLogger(__name__)

_GLOB = re.compile(r"([*?\[\]\\])")


class RedisCache(BaseCache[ValueT]):
    """A cache in Redis. It expires and evicts as the server does.

    Args:
        redis: a synchronous client, such as `redis.Redis(...)`, that does not decode responses. The
            asynchronous methods use it from a thread.
        serde: turns values into bytes and back; `None` for a `JsonPlusSerializer`.
        prefix: what all keys begin with.
    """

    def __init__(
        self, redis: Any, *, serde: SerializerProtocol | None = None, prefix: str = "langgraph:cache:"
    ) -> None:
        super().__init__(serde=serde)
        self.redis = redis
        self.prefix = prefix

    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Read entries; see `BaseCache.get`."""
        if not keys:
            return {}
        try:
            stored = self.redis.mget([self._make_key(namespace, key) for namespace, key in keys])
        except Exception as error:  # the client is anybody's, and so are its errors
            _log.warning("Cache entries could not be read from Redis: %r", error)
            return {}
        return {key: value for key, entry in zip(keys, stored, strict=True) for value in self._loaded(entry)}

    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Async version of `get`."""
        return await asyncio.to_thread(self.get, keys)

    def set(  # pyright: ignore[reportIncompatibleMethodOverride] — the release's name
        self, mapping: Mapping[FullKey, tuple[ValueT, int | None]]
    ) -> None:
        """Write entries; see `BaseCache.set`."""
        if not mapping:
            return
        entries = [
            (self._make_key(*full_key), ttl, self._dumped(value)) for full_key, (value, ttl) in mapping.items()
        ]
        try:
            self._write(entries)
        except Exception as error:  # the client is anybody's, and so are its errors
            _log.warning("Cache entries could not be written to Redis: %r", error)

    async def aset(  # pyright: ignore[reportIncompatibleMethodOverride] — the release's name
        self, mapping: Mapping[FullKey, tuple[ValueT, int | None]]
    ) -> None:
        """Async version of `set`."""
        await asyncio.to_thread(self.set, mapping)

    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Remove the entries of some namespaces and those below them; see `BaseCache.clear`."""
        starts = [self.prefix] if namespaces is None else [self._make_key(one, "") for one in namespaces]
        try:
            for start in starts:
                self._remove(_GLOB.sub(r"\\\1", start) + "*")
        except Exception as error:  # the client is anybody's, and so are its errors
            _log.warning("Cache entries could not be removed from Redis: %r", error)

    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Async version of `clear`."""
        await asyncio.to_thread(self.clear, namespaces)

    def _make_key(self, ns: Namespace, key: str) -> str:
        return self.prefix + ":".join((*ns, key))

    def _dumped(self, value: ValueT) -> bytes:
        tag, payload = self.serde.dumps_typed(value)
        return tag.encode() + b":" + payload

    def _loaded(self, entry: bytes | None) -> Iterator[ValueT]:
        """Give the value of an entry, or nothing if there is none or it can not be read."""
        if entry is None:
            return
        try:
            tag, payload = entry.split(b":", 1)
            yield self.serde.loads_typed((tag.decode(), payload))
        except Exception as error:  # anybody can write to a shared Redis
            _log.warning("A cache entry from Redis could not be read: %r", error)

    def _write(self, entries: Sequence[tuple[str, int | None, bytes]]) -> None:
        pipe = self.redis.pipeline()
        for key, ttl, value in entries:
            if ttl is None:
                pipe.set(key, value)
            elif ttl > 0:
                pipe.setex(key, ttl, value)
            else:  # over before it began; Redis would refuse the whole pipeline
                pipe.delete(key)
        pipe.execute()

    def _remove(self, pattern: str) -> None:
        # KEYS stops the server for as long as it takes; it is for clients that know no better.
        find = self.redis.scan_iter if hasattr(self.redis, "scan_iter") else self.redis.keys
        found: Iterator[Any] = iter(find(pattern))
        while some := list(islice(found, 1000)):
            self.redis.delete(*some)
