"""Which checkpoints may go: decided on plain nodes, the same for every backend.

A backend reads a thread as `Node`s, asks here, and deletes and relinks what the `Removal` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, cast

from langgraph.checkpoint.errors import InvalidConfigError, InvalidTypeError

Strategy = Literal["keep_latest", "delete"]


class Node(NamedTuple):
    """What retention needs to know of a checkpoint."""

    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    replayed: frozenset[str] = frozenset()
    """Delta channels whose value this checkpoint does not store, so that ancestors are needed."""
    stored: frozenset[str] = frozenset()
    """Channels whose value this checkpoint stores."""

    @property
    def place(self) -> Place:
        """Return where it is in its thread."""
        return (self.checkpoint_ns, self.checkpoint_id)


Place = tuple[str, str]
"""`(checkpoint_ns, checkpoint_id)` in a thread."""


class Removal(NamedTuple):
    """What is to be done to a thread."""

    removed: list[Place]
    relinked: dict[Place, str | None]
    """New parent ids of checkpoints whose parent goes."""


def latest_of_each_namespace(nodes: Iterable[Node]) -> set[Place]:
    """Return the places of the greatest id in each namespace."""
    latest: dict[str, Place] = {}
    for node in nodes:
        latest[node.checkpoint_ns] = max(node.place, latest.get(node.checkpoint_ns, node.place))
    return set(latest.values())


def plan_removal(nodes: Sequence[Node], wanted: set[Place], *, relink: bool) -> Removal:
    """Remove the `wanted` checkpoints, except those from which a remaining one replays a delta channel.

    Args:
        nodes: all checkpoints of a thread.
        wanted: places that are to go.
        relink: give a remaining checkpoint whose parent goes its nearest remaining ancestor; else no parent.
    """
    by_place = {node.place: node for node in nodes}
    removed = wanted - _needed(by_place, (node for node in nodes if node.place not in wanted))
    relinked: dict[Place, str | None] = {}
    for node in nodes:
        if node.place in removed or node.parent_id is None:
            continue
        if (node.checkpoint_ns, node.parent_id) in removed:
            relinked[node.place] = _remaining_ancestor(by_place, node, removed) if relink else None
    return Removal(sorted(removed), relinked)


def check_strategy(strategy: str) -> Strategy:
    """Return `strategy` if `prune` knows it.

    Raises:
        InvalidConfigError: it does not.
    """
    if strategy not in ("keep_latest", "delete"):
        raise InvalidConfigError(f"strategy must be 'keep_latest' or 'delete', not {strategy!r}", field="strategy")
    return cast("Strategy", strategy)


def check_ids(field: str, ids: Iterable[str], convert: Callable[[object, str], str]) -> list[str]:
    """Return `ids` as a list of different texts.

    Raises:
        InvalidTypeError: it is a single text, which would be taken letter by letter, or not iterable.
    """
    if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidTypeError(
            f"{field} must be a list of ids, not {type(ids).__name__}: {ids!r:.80}", field=field
        )
    return list(dict.fromkeys(convert(one, field) for one in ids))


def _needed(by_place: dict[Place, Node], kept: Iterable[Node]) -> set[Place]:
    """Return the ancestors that `kept` checkpoints, and those ancestors, replay delta channels from."""
    needed: set[Place] = set()
    waiting = [node for node in kept if node.replayed]
    while waiting:
        node = waiting.pop()
        open_channels = set(node.replayed)
        for ancestor in _ancestors(by_place, node):
            if not open_channels:
                break
            if ancestor.place not in needed:
                needed.add(ancestor.place)
                waiting.append(ancestor)
            open_channels -= ancestor.stored
    return needed


def _remaining_ancestor(by_place: dict[Place, Node], node: Node, removed: set[Place]) -> str | None:
    for ancestor in _ancestors(by_place, node):
        if ancestor.place not in removed:
            return ancestor.checkpoint_id
    return None


def _ancestors(by_place: dict[Place, Node], node: Node) -> Iterator[Node]:
    visited = {node.place}
    while node.parent_id is not None:
        place = (node.checkpoint_ns, node.parent_id)
        if place in visited or place not in by_place:
            return  # a ring, or a parent that is long gone
        visited.add(place)
        node = by_place[place]
        yield node
