"""Read values that old versions stored as JSON, in LangChain's constructor envelopes. Nothing is written so."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Literal

from langgraph.checkpoint.serde._classes import find
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES

logger = logging.getLogger("langgraph.checkpoint.serde.jsonplus")


class InvalidModuleError(Exception):
    """A JSON envelope names a class that `allowed_json_modules` does not admit."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def is_safe(id_list: list[str]) -> bool:
    """Tell whether an envelope names a type that needs nobody's leave."""
    return (".".join(id_list[:-1]), id_list[-1]) in SAFE_MSGPACK_TYPES


def check_allowed(id_list: list[str], allowed: Iterable[tuple[str, ...]] | Literal[True] | None) -> None:
    """Refuse a name that is not allowed.

    Raises:
        InvalidModuleError: saying how to allow it.
    """
    if allowed is True or is_safe(id_list) or (allowed and tuple(id_list) in allowed):
        return
    raise InvalidModuleError(
        f"{'.'.join(id_list)} is named by stored JSON and not allowed. Pass "
        f"allowed_json_modules=[{tuple(id_list)!r}] to allow it; True would allow anything."
    )


def construct(value: dict[str, Any]) -> Any:
    """Return what an envelope names, or the envelope itself, with a warning, if it can not be made.

    A `method` in the envelope is not used: bytes do not choose what is called.
    """
    *modules, name = value["id"]
    try:
        cls = find(".".join(modules), name)
        if not isinstance(cls, type) and (modules, name) != (["re"], "compile"):
            raise TypeError("not a class, and nothing else is called")
        return cls(*value.get("args") or (), **(value.get("kwargs") or {}))
    except Exception as exc:
        logger.warning(
            "Could not rebuild %s from stored JSON (%s); its envelope is returned instead.",
            ".".join(value["id"]),
            type(exc).__name__,
        )
        return value
