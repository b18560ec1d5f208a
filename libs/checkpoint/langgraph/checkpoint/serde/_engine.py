"""What the engine stores beyond dataclasses: `Send` and what looks like it, and items of a store.

They are known by their looks or by name, for `serde` stands below the engine and below the stores.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_POS_ARGS, EXT_PYDANTIC_V1
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext

_missing = object()
_ITEM = ("namespace", "key", "value", "created_at", "updated_at")


def sends(cls: type) -> Treatment | None:
    """Store the node, the argument, and the timeout if there is one."""
    if not all(_declares(cls, name) for name in ("node", "arg")):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)

    def write(obj: Any, pack: Pack) -> Any:
        arguments = [obj.node, obj.arg]
        if (timeout := getattr(obj, "timeout", None)) is not None:
            arguments.append(timeout)
        return ext(EXT_CONSTRUCTOR_POS_ARGS, pack, [module, name, arguments], qualname)

    return Treatment(write, lambda code, body: send_from_args(body[2], cls))


def _declares(cls: type, name: str) -> bool:
    return name in inspect.get_annotations(cls) or inspect.getattr_static(cls, name, _missing) is not _missing


def send_from_args(args: Sequence[Any], cls: Any) -> Any:
    """Return a `Send` of the arguments that were stored; a third one is its timeout."""
    node, arg, *timeout = args
    return cls(node, arg, timeout=timeout[0]) if timeout else cls(node, arg)


def store_items(cls: type) -> Treatment | None:
    """Store an item of a store by its fields."""
    base = sys.modules.get("langgraph.store.base")
    item = getattr(base, "Item", None)
    if item is None or not issubclass(cls, item):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)
    names = (*_ITEM, "score") if cls.__name__ == "SearchItem" else _ITEM

    def write(obj: Any, pack: Pack) -> Any:
        fields = {field: getattr(obj, field) for field in names}
        return ext(EXT_PYDANTIC_V1, pack, [module, name, fields], qualname)

    def rebuild(code: int, body: list[Any]) -> Any:
        fields = dict(body[2])
        fields["namespace"] = tuple(fields["namespace"])
        for key in ("created_at", "updated_at"):
            if isinstance(fields[key], str):
                fields[key] = datetime.fromisoformat(fields[key])
        return cls(**fields)

    return Treatment(write, rebuild)
