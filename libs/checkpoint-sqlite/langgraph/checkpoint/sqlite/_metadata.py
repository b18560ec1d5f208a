"""Metadata as JSON text, which filters look into.

What JSON can not hold exactly (tuples, NaN, bytes, dates, a dict with keys that are not text) goes through
the saver's serializer and stands in the text as `{"__langgraph_serde__": [tag, base64]}`.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from typing import Any, cast

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde.base import SerializerProtocol

_SERIALIZED = "__langgraph_serde__"
_EXACT = (str, int, bool, type(None))
_LEVELS = 50
"""Containers within containers that stay JSON; deeper ones are the serializer's, which bounds its stack."""


def dump_metadata(metadata: Mapping[str, Any], serde: SerializerProtocol) -> str:
    """Return `metadata` as ASCII JSON text."""
    for key in metadata:
        if not isinstance(key, str) or key == _SERIALIZED:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EncodeError(
                f"metadata can not have the key {key!r:.80}; keys are text, and {_SERIALIZED!r} is reserved",
                path=f"[{key!r:.80}]",
                type_name=type(key).__name__,
            )
    return json.dumps({key: _to_json(value, serde) for key, value in metadata.items()})


def load_metadata(text: str | bytes, serde: SerializerProtocol) -> dict[str, Any]:
    """Return what `dump_metadata`, or the release, made `text` from."""

    def revive(found: dict[str, Any]) -> Any:
        if _SERIALIZED in found:
            tag, payload = found[_SERIALIZED]
            return serde.loads_typed((tag, base64.b64decode(payload)))
        return found

    if isinstance(text, bytes) and b'"lc"' in text:
        return cast("dict[str, Any]", serde.loads_typed(("json", text)))  # the first savers' envelopes
    loaded = json.loads(text, object_hook=revive if _marked(text) else None)
    if not isinstance(loaded, dict):
        raise TypeError(f"metadata is a {type(loaded).__name__}, not an object")
    return cast("dict[str, Any]", loaded)


def _marked(text: str | bytes) -> bool:
    return (_SERIALIZED.encode() if isinstance(text, bytes) else _SERIALIZED) in text  # type: ignore[operator]


def _to_json(value: Any, serde: SerializerProtocol, levels: int = _LEVELS) -> Any:
    kind = type(value)
    if kind in _EXACT or (kind is float and math.isfinite(value)):
        return value
    if kind is list and levels:
        return [_to_json(item, serde, levels - 1) for item in value]
    if kind is dict and levels and _SERIALIZED not in value and all(type(key) is str for key in value):
        return {key: _to_json(item, serde, levels - 1) for key, item in value.items()}
    tag, payload = serde.dumps_typed(value)
    return {_SERIALIZED: [tag, base64.b64encode(payload).decode()]}
