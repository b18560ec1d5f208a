"""Metadata as JSON text, which filters look into.

What JSON can not hold exactly (tuples, NaN, bytes, dates, a dict with keys that are not text) goes through
the saver's serializer and stands in the text as `{"__langgraph_serde__": [tag, base64]}`.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, cast

from langgraph.checkpoint.base import ENVELOPE, open_envelopes, to_json
from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde.base import SerializerProtocol

_decoder = json.JSONDecoder()
_EXACT = (str, int, bool, type(None))


def dump_metadata(metadata: Mapping[str, Any], serde: SerializerProtocol) -> str:
    """Return `metadata` as ASCII JSON text."""
    for key in metadata:
        if not isinstance(key, str) or key == ENVELOPE:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EncodeError(
                f"metadata can not have the key {key!r:.80}; keys are text, and {ENVELOPE!r} is reserved",
                path=f"[{key!r:.80}]",
                type_name=type(key).__name__,
            )
    return json.dumps({key: to_json(value, serde, _is_exact) for key, value in metadata.items()})


def load_metadata(text: str | bytes, serde: SerializerProtocol) -> dict[str, Any]:
    """Return what `dump_metadata`, or the release, made `text` from."""
    if isinstance(text, bytes) and b'"lc"' in text:
        return cast("dict[str, Any]", serde.loads_typed(("json", text)))  # the first savers' envelopes
    if isinstance(text, str) and ENVELOPE not in text:
        loaded, _ = _decoder.raw_decode(text)  # our own text has nothing before or behind it
    else:
        loaded = json.loads(text, object_hook=open_envelopes(serde))
    if not isinstance(loaded, dict):
        raise TypeError(f"metadata is a {type(loaded).__name__}, not an object")
    return cast("dict[str, Any]", loaded)


def _is_exact(value: object) -> bool:
    """Tell whether JSON gives back this very scalar, in type and value."""
    kind = type(value)
    return kind in _EXACT or (kind is float and math.isfinite(value))  # type: ignore[arg-type]  # it is a float
