"""Which operations of a batch are the same, so that each is performed once.

Reads are the same if they ask the same; puts are if they have the same address, and then the last one counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, cast

from langgraph.store.base._copies import copied
from langgraph.store.base._ops import Op, PutOp, Result, SearchOp


def distinct(ops: Sequence[Op]) -> tuple[list[Op], list[int]]:
    """Leave out the operations that need not be performed.

    Args:
        ops: the operations of a batch.

    Returns:
        Those to perform, and for each of `ops` the place of its result among theirs.
    """
    kept: list[Op] = []
    places: list[int] = []
    seen: dict[Hashable, int] = {}
    for op in ops:
        place = seen.setdefault(_identity(op), len(kept))
        if place == len(kept):
            kept.append(op)
        elif isinstance(op, PutOp):
            kept[place] = op
        places.append(place)
    return kept, places


def own(results: Sequence[Result], places: Sequence[int]) -> Iterator[Result]:
    """Give each caller a result of its own, also where several asked the same."""
    given: set[int] = set()
    for place in places:
        yield copied(results[place]) if place in given else results[place]
        given.add(place)


def _identity(op: Op) -> Hashable:
    if isinstance(op, PutOp):
        return PutOp, op.namespace, op.key
    if not isinstance(op, SearchOp):
        return type(op), op
    try:
        identity = SearchOp, op._replace(filter=None), _frozen(op.filter)
        hash(identity)
    except TypeError:
        return id(op)  # of a filter with an object that has no hash, nothing is known
    return identity


def _frozen(value: Any) -> Hashable:
    """Make a hashable stand-in that differs where a filter would: `1` is not `True`."""
    if isinstance(value, Mapping):
        entries = cast("dict[Any, Any]", value).items()
        return "dict", frozenset((key, _frozen(part)) for key, part in entries)
    if isinstance(value, list | tuple):
        return "list", tuple(_frozen(part) for part in cast("Sequence[Any]", value))
    kind: type[Any] = value.__class__
    return kind, value
