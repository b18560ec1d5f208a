"""Find what in a value can not be stored, and where it sits. Only run once encoding has failed."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde._encode import TOO_DEEP, Encoder
from langgraph.checkpoint.serde._registry import treatment
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]

_FARTHEST = 64  # steps; a cycle has no end


def explain(value: Any, cause: Exception) -> EncodeError:
    """Return the error for a value that failed to encode with `cause`; its own cause is the user's, if any."""
    path = ""
    seen: set[int] = set()
    for _ in range(_FARTHEST):
        if id(value) in seen:
            break
        seen.add(id(value))
        for step, child in _children(value):
            if (failure := _failure(child)) is not None:
                path, value, cause = path + step, child, failure
                break
        else:
            break
    cls = type(value)
    name = f"{cls.__module__}.{cls.__qualname__}"
    error = EncodeError(_reason(name, cause), path=path.removeprefix("."), type_name=name)
    error.__cause__ = None if isinstance(cause, (EncodeError, RecursionError)) else cause
    return error


def _reason(name: str, cause: Exception) -> str:
    """Return what our own refusals say; the text of any other error may hold the value."""
    if isinstance(cause, EncodeError):
        return str(cause.args[0])
    if isinstance(cause, RecursionError):
        return TOO_DEEP
    return f"{name} can not be stored: {cause if type(cause) is TypeError else type(cause).__name__}"


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
    bodies: list[Any] = []

    def pack(body: Any) -> bytes:
        bodies.append(body)
        return b""

    try:
        found = treatment(type(value))
        if found is not None:
            found.write(value, pack)
    except Exception:
        return
    if not bodies:
        return
    if type(value) is _DeltaSnapshot:
        yield ".value", value.value
        return
    for part in bodies[0][2:]:
        if isinstance(part, dict):
            yield from ((_step(key), item) for key, item in part.items())
        elif isinstance(part, list):
            yield from ((f"[{at}]", item) for at, item in enumerate(part))
        else:
            yield "", part


def _step(key: Any) -> str:
    return f".{key}" if isinstance(key, str) else f"[{_shown(key)}]"
