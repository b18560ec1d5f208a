"""Values in JSON: what it holds exactly stands as it is, the rest as an envelope of the serializer."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

ENVELOPE = "__langgraph_serde__"
"""The one key of a JSON object that stands for a serialized value: `[tag, base64]`."""

_LEVELS = 50
"""Containers within containers that stay JSON; deeper ones are the serializer's, which bounds its stack."""


def to_json(
    value: Any, serde: SerializerProtocol, is_exact: Callable[[object], bool], levels: int = _LEVELS
) -> Any:
    """Return what stands in JSON for `value`.

    Args:
        value: anything that `serde` stores.
        serde: encodes what JSON would change.
        is_exact: tells whether the database's JSON gives back this very scalar, in type and value.
        levels: how deep containers may stay JSON.
    """
    if is_exact(value):
        return value
    if type(value) is list and levels:
        return [to_json(item, serde, is_exact, levels - 1) for item in value]
    if type(value) is dict and levels and _has_plain_keys(value, is_exact):
        return {key: to_json(item, serde, is_exact, levels - 1) for key, item in value.items()}
    return to_envelope(value, serde)


def _has_plain_keys(value: dict[Any, Any], is_exact: Callable[[object], bool]) -> bool:
    return ENVELOPE not in value and all(type(key) is str and is_exact(key) for key in value)


def to_envelope(value: Any, serde: SerializerProtocol) -> dict[str, Any]:
    """Return what stands in JSON for a value that JSON itself does not hold exactly."""
    tag, payload = serde.dumps_typed(value)
    return {ENVELOPE: [tag, base64.b64encode(payload).decode()]}


def open_envelopes(serde: SerializerProtocol) -> Callable[[dict[str, Any]], Any]:
    """Return an `object_hook` for `json.loads` that puts values in the place of their envelopes."""

    def revive(found: dict[str, Any]) -> Any:
        if ENVELOPE in found:
            tag, payload = found[ENVELOPE]
            return serde.loads_typed((tag, base64.b64decode(payload)))
        return found

    return revive
