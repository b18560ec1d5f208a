"""Find what in a value can not be stored, and where it sits. Only run once encoding has failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde._codes import EXT_DELTA_SNAPSHOT
from langgraph.checkpoint.serde._encode import Encoder
from langgraph.checkpoint.serde._registry import treatment

_FARTHEST = 64  # steps; a cycle has no end


def explain(value: Any, cause: Exception) -> EncodeError:
    """Return the error for a value that failed to encode with `cause`."""
    path = ""
    seen: set[int] = set()
    for _ in range(_FARTHEST):
        seen.add(id(value))
        for step, child in _children(value):
            if (failure := _failure(child)) is not None:
                path, value, cause = path + step, child, failure
                break
        else:
            break
        if id(value) in seen:
            break
    cls = type(value)
    name = f"{cls.__module__}.{cls.__qualname__}"
    text = cause.args[0] if isinstance(cause, EncodeError) else f"{name} can not be stored: {_reason(cause)}"
    return EncodeError(str(text), path=path.removeprefix("."), type_name=name)


def _reason(cause: Exception) -> str:
    """Return what our own refusals say; the text of any other error may hold the value."""
    return str(cause) if type(cause) is TypeError else type(cause).__name__


def _failure(value: Any) -> Exception | None:
    try:
        Encoder().pack(value)
    except Exception as exc:
        return exc
    return None


def _children(value: Any) -> Iterator[tuple[str, Any]]:
    """Return what a value holds, each with the step that leads to it."""
    if isinstance(value, dict):
        for key, item in dict.items(value):
            yield f"[{_shown(key)}]", item
            yield f"[key {_shown(key)}]", key
    elif isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        yield from ((f"[{at}]", item) for at, item in enumerate(value))
    else:
        yield from _parts(value)


def _shown(key: Any) -> str:
    return repr(key) if type(key) in (str, int, bool, float, type(None)) else type(key).__name__


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Return the parts of an object, as its row in the table would have them encoded."""
    found = treatment(type(value))
    if found is None:
        return
    bodies: list[Any] = []

    def pack(body: Any) -> bytes:
        bodies.append(body)
        return b""

    try:
        written = found.write(value, pack)
    except Exception:
        return
    if not bodies:
        return
    body = bodies[0]
    if written.tag == EXT_DELTA_SNAPSHOT:
        yield ".value", body
        return
    for part in body[2:]:
        if isinstance(part, dict):
            for key, item in part.items():
                yield (f".{key}" if isinstance(key, str) else f"[{_shown(key)}]"), item
        elif isinstance(part, list):
            yield from ((f"[{at}]", item) for at, item in enumerate(part))
