"""Pydantic models: field by field out, so that a nested object keeps its class, and set again without validation.

A model whose class has other fields than were stored, and one that the release wrote, is validated instead.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import sys
from typing import Any

import ormsgpack
import pydantic.networks
from pydantic import BaseModel

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_SINGLE_ARG, EXT_PYDANTIC_V1, EXT_PYDANTIC_V2
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext

_BaseUrl: Any = getattr(pydantic.networks, "_BaseUrl", ())  # plain strings before pydantic 2.10
_set = object.__setattr__
# The slots of every model; a third of the time that `object.__setattr__` takes to find them.
_set_dict = vars(BaseModel)["__dict__"].__set__
_set_given = vars(BaseModel)["__pydantic_fields_set__"].__set__
_set_extra = vars(BaseModel)["__pydantic_extra__"].__set__
_set_private = vars(BaseModel)["__pydantic_private__"].__set__
_MAX_ORDERS = 256
_METHOD = "model_validate_json"


def pydantic_v2(cls: type) -> Treatment | None:
    """Store fields, which of them were set, extras and private attributes."""
    if not issubclass(cls, BaseModel):
        return None
    module, name = cls.__module__, cls.__name__
    names = frozenset(cls.model_fields)
    count = len(names)
    qualname, arguments = _type_arguments(cls)
    privates = cls.__private_attributes__

    orders: dict[frozenset[str], Any] = {names: True}

    def remember(given: frozenset[str]) -> list[str]:
        """Give the set an order, so that equal models have equal bytes in every process."""
        if len(orders) >= _MAX_ORDERS:
            orders.clear()
        orders[given] = order = sorted(given)
        return order

    def write(obj: BaseModel, pack: Pack) -> Any:
        fields = obj.__dict__
        if len(fields) != count:  # a cached property is no field
            fields = {key: value for key, value in fields.items() if key in names}
        extras = obj.__pydantic_extra__
        if extras:
            fields = {**fields, **extras}
        given = frozenset(obj.__pydantic_fields_set__)
        was_set = orders.get(given) or remember(given)
        body = [module, name, fields, _METHOD, qualname, arguments, was_set]
        private = obj.__pydantic_private__
        if extras is not None or private is not None:
            body += [extras if extras is None else list(extras), private]
        return ormsgpack.Ext(EXT_PYDANTIC_V2, pack(body))

    def rebuild(code: int, body: list[Any]) -> Any:
        fields: dict[str, Any] = body[2]
        if len(body) < 7:
            return _validated(cls, fields)
        extras = private = None
        if len(body) > 7:
            if body[7] is not None:
                extras = {key: fields.pop(key) for key in body[7]}
            private = body[8]
        if fields.keys() != names:
            return _validated(cls, {k: v for k, v in fields.items() if k in names} | (extras or {}))
        if private is None and privates:
            private = {key: value for key, at in privates.items() if (value := at.get_default()) is not None}
        obj: Any = object.__new__(cls)
        _set_dict(obj, fields)
        _set_given(obj, set(names) if body[6] is True else set(body[6]))
        _set_extra(obj, extras)
        _set_private(obj, private)
        return obj

    return Treatment(write, rebuild)


def _type_arguments(cls: type[BaseModel]) -> tuple[str | None, list[Any] | None]:
    """Return the qualified name of the class, or of the generic one that it is made of with the arguments."""
    generic = cls.__pydantic_generic_metadata__
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


def pydantic_leaves(cls: type) -> Treatment | None:
    """Store the secrets and URLs of pydantic by the text or bytes that they are made from."""
    if not cls.__module__.startswith("pydantic.") or not (
        hasattr(cls, "get_secret_value") or issubclass(cls, _BaseUrl)
    ):
        return None
    module, name = cls.__module__, cls.__name__

    def write(obj: Any, pack: Pack) -> Any:
        value = obj.get_secret_value() if hasattr(obj, "get_secret_value") else str(obj)
        return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, [module, name, value])

    return Treatment(write, lambda code, body: cls(body[2]))


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
        obj: Any = object.__new__(cls)
        _set(obj, "__dict__", fields)
        _set(obj, "__fields_set__", set(body[4]))
        for key, value in (body[5] if len(body) > 5 else {}).items():
            _set(obj, key, value)
        return obj

    return Treatment(write, rebuild)
