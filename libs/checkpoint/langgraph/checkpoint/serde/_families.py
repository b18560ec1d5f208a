"""The families of classes, in the order in which they are asked. Importing this module fills the table."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import enum
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde import _times as _times  # it and what it imports fill their rows
from langgraph.checkpoint.serde._classes import find, nested_name
from langgraph.checkpoint.serde._codes import (
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD_SINGLE_ARG,
)
from langgraph.checkpoint.serde._dataclasses import dataclass_instances, named_tuples
from langgraph.checkpoint.serde._engine import sends, store_items
from langgraph.checkpoint.serde._models import pydantic_leaves, pydantic_v1, pydantic_v2
from langgraph.checkpoint.serde._numpy import numpy_values
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext, family, register
from langgraph.checkpoint.serde._subclasses import builtin_subclasses, standard_subclasses, struct_sequences
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]


def exceptions(cls: type) -> Treatment | None:
    """Store an exception as its text, which is what the engine expects of it."""
    if not issubclass(cls, BaseException):
        return None
    return Treatment(lambda obj, pack: repr(obj).encode("utf-8", "backslashreplace").decode(), None)


def enums(cls: type) -> Treatment | None:
    """Store a member by its value, which may outlive its name."""
    if not issubclass(cls, enum.Enum):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)

    def write(obj: enum.Enum, pack: Pack) -> ormsgpack.Ext:
        return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, [module, name, obj.value], qualname)

    return Treatment(write, lambda code, body: cls(body[2]))


def class_objects(cls: type) -> Treatment | None:
    """Store a class by its name; a method that nothing calls makes the release return the name."""
    return Treatment(_write_class, None) if issubclass(cls, type) else None


def _write_class(obj: type, pack: Pack) -> ormsgpack.Ext:
    nested_name(obj)
    if find(obj.__module__, obj.__qualname__) is not obj:
        raise TypeError(f"class {obj.__qualname__} is not found under its own name")
    body = ["builtins", "type", [obj.__module__, obj.__qualname__], "lookup"]
    return ormsgpack.Ext(EXT_METHOD_SINGLE_ARG, pack(body))


register(_DeltaSnapshot, lambda obj, pack: ormsgpack.Ext(EXT_DELTA_SNAPSHOT, pack(obj.value)))

_ORDER: tuple[Any, ...] = (
    exceptions,
    enums,
    pydantic_v2,
    pydantic_v1,
    pydantic_leaves,
    named_tuples,
    store_items,
    dataclass_instances,
    numpy_values,
    struct_sequences,
    builtin_subclasses,
    standard_subclasses,
    class_objects,
    sends,  # by looks alone, so after all that is known by kind
)
for _family in _ORDER:
    family(_family)
