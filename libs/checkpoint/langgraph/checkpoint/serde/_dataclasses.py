"""Dataclasses and named tuples: field by field out, and fields set again without running any code of the class."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import dataclasses
import inspect
from functools import cached_property
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_KW_ARGS
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext

_set = object.__setattr__


def named_tuples(cls: type) -> Treatment | None:
    """Store the fields by name."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)
    kind: Any = cls
    names: tuple[str, ...] = kind._fields
    expected = frozenset(names)

    def write(obj: Any, pack: Pack) -> Any:
        fields = dict(zip(names, tuple.__iter__(obj), strict=True))
        others = getattr(obj, "__dict__", None) or None
        return ext(EXT_CONSTRUCTOR_KW_ARGS, pack, [module, name, fields], qualname, others)

    def rebuild(code: int, body: list[Any]) -> Any:
        fields: dict[str, Any] = body[2]
        if fields.keys() != expected:
            return cls(**{key: fields[key] for key in names if key in fields})
        obj = tuple.__new__(cls, [fields[key] for key in names])
        if len(body) > 4:
            obj.__dict__.update(body[4])
        return obj

    return Treatment(write, rebuild)


def dataclass_instances(cls: type) -> Treatment | None:
    """Store the fields, and apart from them those that `__init__` does not take and further attributes."""
    if not dataclasses.is_dataclass(cls):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)
    declared = dataclasses.fields(cls)
    taken = frozenset(field.name for field in declared if field.init)
    names = frozenset(field.name for field in declared)
    simple = taken == names and _live_in_dict(cls, names)

    def write(obj: Any, pack: Pack) -> Any:
        if simple and obj.__dict__.keys() == names:
            body = [module, name, obj.__dict__]
            return ormsgpack.Ext(EXT_CONSTRUCTOR_KW_ARGS, pack(body if qualname is None else [*body, qualname]))
        stored = _attributes(obj, names)
        fields = {key: value for key, value in stored.items() if key in taken}
        others = {key: value for key, value in stored.items() if key not in taken}
        return ext(EXT_CONSTRUCTOR_KW_ARGS, pack, [module, name, fields], qualname, others or None)

    def rebuild(code: int, body: list[Any]) -> Any:
        fields: dict[str, Any] = body[2]
        if simple and fields.keys() == names and len(body) == 3:
            obj = object.__new__(cls)
            obj.__dict__.update(fields)
            return obj
        others: dict[str, Any] = body[4] if len(body) > 4 else {}
        if fields.keys() <= names and names <= fields.keys() | others.keys():
            obj = object.__new__(cls)
            for key, value in {**fields, **others}.items():
                _set(obj, key, value)
            return obj
        return cls(**{key: value for key, value in fields.items() if key in taken})

    return Treatment(write, rebuild)


def _live_in_dict(cls: type, names: frozenset[str]) -> bool:
    """Tell whether the fields are plain entries of the instance's `__dict__`."""
    missing = object()
    found = (inspect.getattr_static(cls, name, missing) for name in names)
    return cls.__dictoffset__ != 0 and not any(hasattr(type(attribute), "__set__") for attribute in found)


def _attributes(obj: Any, names: frozenset[str]) -> dict[str, Any]:
    """Return the fields that are set and whatever else the object carries, but for cached properties."""
    found = {name: getattr(obj, name) for name in names if hasattr(obj, name)}
    for name, value in getattr(obj, "__dict__", {}).items():
        if name not in found and not isinstance(inspect.getattr_static(type(obj), name, None), cached_property):
            found[name] = value
    return found
