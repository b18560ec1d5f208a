"""Show stored msgpack as plain lists, dicts and text, without loading any class: for people and for JSON."""

from __future__ import annotations

from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._codes import EXT_NUMPY_ARRAY
from langgraph.checkpoint.serde._decode import payload_of
from langgraph.checkpoint.serde._registry import KNOWN


def plain_ext_hook(code: int, data: bytes) -> Any:
    """Return what an envelope holds, without its class; an array as lists."""
    body = ormsgpack.unpackb(data, ext_hook=plain_ext_hook, option=ormsgpack.OPT_NON_STR_KEYS)
    if code == EXT_NUMPY_ARRAY:
        return KNOWN["numpy", "ndarray"](code, body).tolist()
    return payload_of(code, body)
