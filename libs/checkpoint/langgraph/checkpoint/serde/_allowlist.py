"""Decide whether a type that stored bytes name may be loaded, before anything of it is imported.

Three levels: `None` admits the safe types, a set also what it holds, `True` everything. What `True` lets
through without being named is told once a type in the log, each time to the listeners.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.event_hooks import emit_serde_event

# The logger that people already filter by, wherever this code lives.
logger = logging.getLogger("langgraph.checkpoint.serde.jsonplus")

Allowed = set[tuple[str, ...]] | Literal[True] | None

_MAX_WARNED_TYPES = 1000
_warned: set[tuple[str, ...]] = set()


def normalize(allowlist: Iterable[tuple[str, ...] | type] | Literal[True] | None) -> Allowed:
    """Return an allowlist as names; an empty one is `None`, the safe types only."""
    if allowlist is None or allowlist is True:
        return allowlist
    return {key for entry in allowlist for key in _names(entry)} or None


def _names(entry: tuple[str, ...] | type) -> Iterable[tuple[str, ...]]:
    if isinstance(entry, type):
        return {(entry.__module__, entry.__name__), (entry.__module__, entry.__qualname__)}
    return (entry,)


def warn_once(kind: str, module: str, name: str, text: str, *args: object) -> None:
    """Log a warning the first time for this kind and type; after 1,000 types, no more."""
    key = (kind, module, name)
    if key not in _warned and len(_warned) < _MAX_WARNED_TYPES:
        _warned.add(key)
        logger.warning(text, *args)


class Verdict(NamedTuple):
    """Whether a type may be loaded, and the kind of event to emit for each object of it, if any."""

    admitted: bool
    event: str | None = None


def judge(allowed: Allowed, module: str, name: str, qualname: str) -> Verdict:
    """Decide whether a type may be loaded; the log is told what it should know, once."""
    if (module, name) in SAFE_MSGPACK_TYPES and qualname == name:
        return Verdict(True)
    if allowed is True:
        warn_once(
            "unregistered",
            module,
            name,
            "Loading %s.%s from a checkpoint although it was not registered. A later version will block it: "
            "pass allowed_msgpack_modules=[(%r, %r)], or set LANGGRAPH_STRICT_MSGPACK=true to block it now.",
            module,
            name,
            module,
            name,
        )
        return Verdict(True, "msgpack_unregistered_allowed")
    if allowed is not None and ((module, name) in allowed or (module, qualname) in allowed):
        return Verdict(True)
    warn_once(
        "blocked",
        module,
        name,
        "Blocked %s.%s in a checkpoint: it is not in allowed_msgpack_modules, so its stored fields are returned. "
        "To admit it pass allowed_msgpack_modules=[(%r, %r)].",
        module,
        name,
        module,
        name,
    )
    return Verdict(False, "msgpack_blocked")


def report_blocked_method(module: str, name: str, method: str) -> None:
    """Tell the log and the listeners of a method that is not to be called."""
    emit_serde_event({"kind": "msgpack_method_blocked", "module": module, "name": name, "method": method})
    warn_once(
        "method",
        module,
        f"{name}.{method}",
        "Blocked a call of %s.%s.%s in a checkpoint: only listed methods are called. Its argument is returned.",
        module,
        name,
        method,
    )


def report_not_rebuilt(module: str, name: str, why: BaseException | str) -> None:
    """Tell the log and the listeners of an object whose stored fields are returned in its place."""
    emit_serde_event({"kind": "msgpack_not_rebuilt", "module": module, "name": name})
    reason: Any = why if isinstance(why, str) else type(why).__name__
    warn_once(
        "not rebuilt",
        module,
        name,
        "Could not rebuild %s.%s from a checkpoint (%s); its stored fields are returned instead.",
        module,
        name,
        reason,
    )
