"""What a search's `filter` admits: read once into a predicate, so a mistake shows before anything is done.

A key that is missing counts as null. Values are compared by type: `1` is `1.0`, but neither is `True` nor
`"1"`. The four ordering operators compare numbers (also those written as text) with numbers, and text with
text; between anything else there is no order, and no match.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from langgraph.checkpoint.errors import InvalidFilterError

Predicate = Callable[[Any], bool]
"""Tells whether a value matches."""


def predicate(wanted: Mapping[str, Any]) -> Predicate:
    """Read a filter.

    Args:
        wanted: for each top-level key a literal; a dict whose entries must be contained; or a dict of
            operators.

    Returns:
        What tells whether a value matches.

    Raises:
        InvalidFilterError: if an operator is unknown.
    """
    fields = [(key, _part(part)) for key, part in wanted.items()]

    def matches(value: Any) -> bool:
        for key, part in fields:  # noqa: SIM110 — the generator of an `all()` costs more than the comparison
            if not part(value.get(key)):
                return False
        return True

    return matches


def _part(wanted: Any) -> Predicate:
    if isinstance(wanted, Mapping):
        entries = cast("Mapping[str, Any]", wanted)
        return _operators(entries) if any(key.startswith("$") for key in entries) else _contains(entries)
    if isinstance(wanted, list | tuple):
        return _elements([_part(part) for part in cast("Sequence[Any]", wanted)])
    return lambda value: _same(value, wanted)


def _contains(wanted: Mapping[str, Any]) -> Predicate:
    matches = predicate(wanted)
    return lambda value: isinstance(value, dict) and matches(value)


def _elements(wanted: Sequence[Predicate]) -> Predicate:
    return lambda value: (
        isinstance(value, (list, tuple))
        and len(cast("Sequence[Any]", value)) == len(wanted)
        and all(matches(part) for matches, part in zip(wanted, cast("Sequence[Any]", value), strict=True))
    )


def _operators(wanted: Mapping[str, Any]) -> Predicate:
    for name in wanted:
        if name not in _OPERATORS:
            raise InvalidFilterError(
                f"Unsupported operator: {name}. Use {', '.join(_OPERATORS)}, and no other keys beside them.",
                key=name,
            )
    tests = [(_OPERATORS[name], operand) for name, operand in wanted.items()]
    return lambda value: all(test(value, operand) for test, operand in tests)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool) != isinstance(other, bool):
        return False
    if isinstance(value, dict) and isinstance(other, dict):
        ours, theirs = cast("dict[str, Any]", value), cast("dict[str, Any]", other)
        return ours.keys() == theirs.keys() and all(_same(ours[key], theirs[key]) for key in ours)
    if isinstance(value, (list, tuple)) and isinstance(other, (list, tuple)):
        parts, others = cast("Sequence[Any]", value), cast("Sequence[Any]", other)
        return len(parts) == len(others) and all(map(_same, parts, others))
    return bool(value == other)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def test(value: Any, operand: Any) -> bool:
        number, limit = _number(value), _number(operand)
        if number is not None and limit is not None:
            return compare(number, limit)
        return isinstance(value, str) and isinstance(operand, str) and compare(value, operand)

    return test


def _number(value: Any) -> float | None:
    if isinstance(value, (int, float)):  # an int stays one: a float could not tell great ones apart
        return value
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None


_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$eq": _same,
    "$ne": lambda value, operand: not _same(value, operand),
    "$gt": _ordered(operator.gt),
    "$gte": _ordered(operator.ge),
    "$lt": _ordered(operator.lt),
    "$lte": _ordered(operator.le),
}
