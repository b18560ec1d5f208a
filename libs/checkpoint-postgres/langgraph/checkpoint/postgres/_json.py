"""What JSONB holds, and how the rest travels in it.

JSONB gives back text without NUL, numbers of moderate size, booleans, `None`, and lists and dicts of these.
What it would change or refuse goes through the saver's serializer and stands in the JSON as
`{"__langgraph_serde__": [tag, base64]}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from langgraph.checkpoint.base import ENVELOPE, JsonPlusSerializer, open_envelopes
from langgraph.checkpoint.serde.base import SerializerProtocol

_LARGEST_INTEGER = 1 << 63


def is_exact(value: object) -> bool:
    """Tell whether JSONB gives back this very scalar, in type and value."""
    test = _EXACT.get(type(value))
    return test is not None and test(value)


def writes_plainly(serde: SerializerProtocol) -> bool:
    """Tell whether values may be seen in the clear; a serializer of the user's own may be there to hide them."""
    return type(serde).dumps_typed is JsonPlusSerializer.dumps_typed


def dump_json(document: Mapping[str, Any]) -> str:
    """Return the text of what `to_json` gave."""
    return json.dumps(document, ensure_ascii=False)


def load_json(text: str, serde: SerializerProtocol) -> dict[str, Any]:
    """Return what was stored as `text`, by us or by the release."""
    hook = open_envelopes(serde) if ENVELOPE in text else None
    return cast("dict[str, Any]", json.loads(text, object_hook=hook))


def _is_exact_text(text: str) -> bool:
    if "\0" in text:
        return False
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_exact_float(number: float) -> bool:
    # numeric has no -0.0, NaN or infinity, and writes 1e16 as an integer
    return "." in (text := repr(number)) and "e" not in text and text != "-0.0"


_EXACT: dict[type, Callable[[Any], bool]] = {
    str: _is_exact_text,
    bool: lambda _: True,
    type(None): lambda _: True,
    int: lambda number: -_LARGEST_INTEGER <= number < _LARGEST_INTEGER,
    float: _is_exact_float,
}
