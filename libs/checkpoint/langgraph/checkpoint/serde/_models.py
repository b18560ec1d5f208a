"""Pydantic models: field by field out, so that a nested object keeps its class, and set again without validation.

A model whose class has other fields than were stored, and one that the release wrote, is validated instead.
"""

from __future__ import annotations

import sys
from typing import Any

from pydantic import BaseModel

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_PYDANTIC_V1, EXT_PYDANTIC_V2
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext

_set = object.__setattr__
_METHOD = "model_validate_json"


def pydantic_v2(cls: type) -> Treatment | None:
    """Store fields, which of them were set, extras and private attributes."""
    if not issubclass(cls, BaseModel):
        return None
    module, name = cls.__module__, cls.__name__
    names = frozenset(cls.model_fields)
    count = len(names)
    generic = cls.__pydantic_generic_metadata__
    privates = cls.__private_attributes__

    def write(obj: BaseModel, pack: Pack) -> Any:
        fields = obj.__dict__
        if len(fields) != count:  # a cached property is no field
            fields = {key: value for key, value in fields.items() if key in names}
        given = obj.__pydantic_fields_set__
        extras = obj.__pydantic_extra__
        if extras:
            fields = {**fields, **extras}
        qualname, arguments = _type_arguments(cls, generic)
        return ext(
            EXT_PYDANTIC_V2,
            pack,
            [module, name, fields, _METHOD, qualname, arguments, [key for key in fields if key in given]],
            None if extras is None else list(extras),
            obj.__pydantic_private__,
        )

    def rebuild(code: int, body: list[Any]) -> Any:
        fields: dict[str, Any] = body[2]
        if len(body) < 7:
            return _validated(cls, fields)
        extras = None
        if len(body) > 7 and body[7] is not None:
            extras = {key: fields.pop(key) for key in body[7]}
        if fields.keys() != names:
            return _validated(cls, {k: v for k, v in fields.items() if k in names} | (extras or {}))
        private = body[8] if len(body) > 8 else None
        if private is None and privates:
            private = {key: value for key, at in privates.items() if (value := at.get_default()) is not None}
        obj = cls.__new__(cls)
        _set(obj, "__dict__", fields)
        _set(obj, "__pydantic_fields_set__", set(body[6]))
        _set(obj, "__pydantic_extra__", extras)
        _set(obj, "__pydantic_private__", private)
        return obj

    return Treatment(write, rebuild)


def _type_arguments(cls: type, generic: Any) -> tuple[str | None, list[Any] | None]:
    """Return the qualified name of the class, or of the generic one that it is made of with the arguments."""
    origin, arguments = generic["origin"], generic["args"]
    if origin is None or not all(isinstance(argument, type) for argument in arguments):
        return nested_name(cls), None
    return origin.__qualname__, list(arguments)


def _validated(cls: type[BaseModel], fields: dict[str, Any]) -> BaseModel:
    """Return a model made the ordinary way; aliases may keep the names of the fields from being accepted."""
    try:
        return cls(**fields)
    except Exception:
        return cls.model_construct(**fields)


def pydantic_v1(cls: type) -> Treatment | None:
    """Store fields, which of them were set and private attributes of a model of the `pydantic.v1` shim."""
    v1 = sys.modules.get("pydantic.v1.main")
    if v1 is None or not issubclass(cls, v1.BaseModel):
        return None
    module, name = cls.__module__, cls.__name__
    names = frozenset(cls.__fields__)  # type: ignore[attr-defined]  # v1 is known by name alone

    def write(obj: Any, pack: Pack) -> Any:
        private = {key: getattr(obj, key) for key in obj.__private_attributes__ if hasattr(obj, key)}
        lead = [module, name, obj.__dict__]
        given = [key for key in obj.__dict__ if key in obj.__fields_set__]
        return ext(EXT_PYDANTIC_V1, pack, lead, nested_name(cls), given, private or None)

    def rebuild(code: int, body: list[Any]) -> Any:
        fields: dict[str, Any] = body[2]
        if len(body) < 5 or not names <= fields.keys():
            try:
                return cls(**fields)
            except Exception:
                return cls.construct(**fields)  # type: ignore[attr-defined]
        obj = cls.__new__(cls)
        _set(obj, "__dict__", fields)
        _set(obj, "__fields_set__", set(body[4]))
        for key, value in (body[5] if len(body) > 5 else {}).items():
            _set(obj, key, value)
        return obj

    return Treatment(write, rebuild)
