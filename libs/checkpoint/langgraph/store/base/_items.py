"""What a store gives back: an item, and an item found by a search."""

# No postponed annotations here: a tool that resolves them looks in the module that `__module__` names.
from collections.abc import Iterable
from datetime import datetime
from typing import Any


class Item:
    """A value in a store, with its address and its times.

    Two items are equal if value, address and times are; the hash is of the address alone.

    Args:
        value: what was put. The caller's own: changing it changes nothing in the store.
        key: names the item within its namespace.
        namespace: the labels that lead to it.
        created_at: when the address was first put, or that time as ISO text.
        updated_at: when it was last put, or that time as ISO text.
    """

    __slots__ = ("created_at", "key", "namespace", "updated_at", "value")

    def __init__(
        self,
        *,
        value: dict[str, Any],
        key: str,
        namespace: tuple[str, ...],
        created_at: datetime,
        updated_at: datetime,
    ) -> None:
        self.value = value
        self.key = key
        # Decoders hand in a list: JSON and msgpack know no tuples.
        self.namespace = tuple(namespace)
        self.created_at = _parsed(created_at)
        self.updated_at = _parsed(updated_at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Item):
            return False
        return all(getattr(self, name) == getattr(other, name) for name in Item.__slots__)

    def __hash__(self) -> int:
        return hash((self.namespace, self.key))

    def dict(self) -> dict[str, Any]:
        """Return the item as JSON has it: a list for the namespace, ISO text for the times."""
        return {
            "namespace": list(self.namespace),
            "key": self.key,
            "value": self.value,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_shown(self.dict().items())})"


class SearchItem(Item):
    """An item that a search found, with the score of the match.

    The score takes no part in equality.

    Args:
        namespace: the labels that lead to the item.
        key: names the item within its namespace.
        value: what was put.
        created_at: when the address was first put.
        updated_at: when it was last put.
        score: similarity to the query, greater is nearer; `None` if nothing was compared.
    """

    __slots__ = ("score",)

    def __init__(
        self,
        namespace: tuple[str, ...],
        key: str,
        value: dict[str, Any],
        created_at: datetime,
        updated_at: datetime,
        score: float | None = None,
    ) -> None:
        super().__init__(value=value, key=key, namespace=namespace, created_at=created_at, updated_at=updated_at)
        self.score = score

    def dict(self) -> dict[str, Any]:
        """Return the item as JSON has it, with its score."""
        return {**super().dict(), "score": self.score}


def _parsed(time: datetime | str) -> datetime:
    if isinstance(time, str):
        # Python 3.10 does not know the Z.
        return datetime.fromisoformat(time[:-1] + "+00:00" if time.endswith("Z") else time)
    return time


def _shown(fields: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in fields)


# Stored values name these classes by this module, and allowlists know them so.
Item.__module__ = SearchItem.__module__ = "langgraph.store.base"
