"""What would otherwise be searched for: which ids are the greatest, and which keys belong to a thread.

All of it follows from the saver's three dicts, and is found again from them when somebody else has changed
those: programs do reach into `storage`, `writes` and `blobs`.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key", bound=tuple[Any, ...])


class IdOrder:
    """The ids of one namespace from the smallest to the greatest.

    The list only ever grows at its end; any other change makes a new one. So who knows its length of a moment
    has its content of that moment, without a copy or the lock.
    """

    __slots__ = ("_last_put", "ids")

    def __init__(self, checkpoints: dict[str, Any]) -> None:
        self.ids = sorted(checkpoints)
        self._last_put: str | None = next(reversed(checkpoints), None)

    def is_of(self, checkpoints: dict[str, Any]) -> bool:
        """Tell whether these are the ids of `checkpoints`."""
        return len(self.ids) == len(checkpoints) and self._last_put == next(reversed(checkpoints), None)

    def add(self, checkpoint_id: str) -> None:
        """Take an id that is new."""
        self._last_put = checkpoint_id
        if not self.ids or checkpoint_id > self.ids[-1]:
            self.ids.append(checkpoint_id)
        else:
            self.ids = self.ids.copy()
            insort(self.ids, checkpoint_id)


class KeysByThread(Generic[_Key]):
    """The keys of a dict by their first part, the thread."""

    def __init__(self) -> None:
        self._keys: dict[str, list[_Key]] = {}
        self._count = 0

    def add(self, thread_id: str, keys: Iterable[_Key]) -> None:
        """Take keys that are new."""
        of_thread = self._keys.setdefault(thread_id, [])
        before = len(of_thread)
        of_thread.extend(keys)
        self._count += len(of_thread) - before

    def of(self, thread_id: str, keyed: Mapping[_Key, object]) -> list[_Key]:
        """Return the keys in `keyed` of a thread."""
        if self._count != len(keyed):
            self._keys, self._count = {}, 0
            for key in keyed:
                self.add(key[0], (key,))
        return [key for key in self._keys.get(thread_id, ()) if key in keyed]

    def remove(self, thread_id: str, keyed: dict[_Key, Any], gone: Iterable[_Key]) -> None:
        """Remove keys of a thread from `keyed` too."""
        kept = dict.fromkeys(self.of(thread_id, keyed))
        for key in gone:
            keyed.pop(key, None)
            kept.pop(key, None)
        self._count += len(kept) - len(self._keys.pop(thread_id, ()))
        if kept:
            self._keys[thread_id] = list(kept)

    def remove_thread(self, thread_id: str, keyed: dict[_Key, Any]) -> None:
        """Remove all keys of a thread from `keyed` too."""
        for key in self.of(thread_id, keyed):
            del keyed[key]
        self._count -= len(self._keys.pop(thread_id, ()))


class Index:
    """The lock of a saver's dicts, and what is known of their content.

    A saver and its copies with another allowlist share one; a deep or pickled copy starts with an empty one.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a value's own code may come back to the saver while a header is read
        self.writes: KeysByThread[tuple[str, str, str]] = KeysByThread()
        self.blobs: KeysByThread[tuple[str, str, str, Any]] = KeysByThread()
        self._orders: dict[tuple[str, str], IdOrder] = {}

    def order(self, thread_id: str, checkpoint_ns: str, checkpoints: dict[str, Any]) -> IdOrder:
        """Return the order of the ids in `checkpoints`, which are those of this namespace."""
        order = self._orders.get((thread_id, checkpoint_ns))
        if order is None or not order.is_of(checkpoints):
            order = self._orders[thread_id, checkpoint_ns] = IdOrder(checkpoints)
        return order

    def forget_order(self, thread_id: str, checkpoint_ns: str) -> None:
        """Note that checkpoints of this namespace went."""
        self._orders.pop((thread_id, checkpoint_ns), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Index, ()
