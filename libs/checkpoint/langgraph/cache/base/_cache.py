"""`BaseCache`: what the engine asks of a cache, in both colours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

ValueT = TypeVar("ValueT")

Namespace = tuple[str, ...]
"""The labels that lead to an entry; the engine uses one namespace for each node."""

FullKey = tuple[Namespace, str]
"""A namespace, and a key within it."""


class BaseCache(ABC, Generic[ValueT]):
    """Entries that may be gone at any time, at the latest when their time is over.

    An entry is frozen when it is set, and what is got is the caller's own. An entry that is missing or
    expired is left out of the result, so a `None` in it is a `None` that was set.

    Args:
        serde: turns values into bytes and back; `None` for the class's own, a `JsonPlusSerializer`.
    """

    serde: SerializerProtocol = JsonPlusSerializer(pickle_fallback=False)

    def __init__(self, *, serde: SerializerProtocol | None = None) -> None:
        self.serde = serde or self.serde

    @abstractmethod
    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Read entries.

        Args:
            keys: which ones.

        Returns:
            Those that are there, by key.
        """

    @abstractmethod
    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Async version of `get`."""

    @abstractmethod
    def set(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Write entries, in place of those that are there.

        Args:
            pairs: by key, the value and the seconds that it is kept; `None` for no end.
        """

    @abstractmethod
    async def aset(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Async version of `set`."""

    @abstractmethod
    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Remove the entries of some namespaces.

        Args:
            namespaces: which ones; `None` for all.
        """

    @abstractmethod
    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Async version of `clear`."""


# People know it by this module; the one it is defined in is private.
BaseCache.__module__ = "langgraph.cache.base"
