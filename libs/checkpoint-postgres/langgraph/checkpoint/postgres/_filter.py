"""What the server can tell of a metadata filter, so that most of what does not match is not read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.checkpoint.postgres._json import dump_json, is_exact

_SAFE_NUMBER = 10**15
"""Greater floats are stored through the serializer, where the server can not compare them."""


def prefilter(filter: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters for `_sql.MAY_MATCH`; metadata that `matches` takes is never left out."""
    comparable = {key: value for key, value in filter.items() if is_exact(key) and _is_comparable(value)}
    # a NUL can not be sent; no stored key has one, so that `matches` finds nothing
    keys = [key for key in filter if is_exact(key)]
    return {"scalars": dump_json(comparable), "keys": keys}


def _is_comparable(value: object) -> bool:
    """Tell whether everything that equals `value` is stored as the same JSON scalar."""
    if not is_exact(value):
        return False
    # equal to zero is -0.0, which is stored through the serializer
    return not isinstance(value, int | float) or isinstance(value, bool) or 0 < abs(value) < _SAFE_NUMBER
