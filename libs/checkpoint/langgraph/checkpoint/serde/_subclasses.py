"""Subclasses of builtins: the builtin's value, and the attributes that the subclass added."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import collections
import datetime as dt
import decimal
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_POS_ARGS, EXT_CONSTRUCTOR_SINGLE_ARG
from langgraph.checkpoint.serde._registry import Pack, Treatment, ext


class _Base(NamedTuple):
    value: Callable[[Any], Any]
    """Take the builtin's value, past whatever methods the subclass overrides."""
    fill: Callable[[Any, Any], Any] | None
    """Put the value into an empty instance; `None` if it must be given to `__new__`."""


_WHOLE = slice(None)
_BASES: dict[type, _Base] = {
    collections.Counter: _Base(lambda obj: dict(dict.items(obj)), dict.update),
    collections.OrderedDict: _Base(
        lambda obj: dict(collections.OrderedDict.items(obj)),
        lambda obj, value: [collections.OrderedDict.__setitem__(obj, k, v) for k, v in value.items()],
    ),
    dict: _Base(lambda obj: dict(dict.items(obj)), dict.update),
    list: _Base(lambda obj: [*list.__iter__(obj)], list.extend),
    set: _Base(lambda obj: [*set.__iter__(obj)], set.update),
    bytearray: _Base(lambda obj: bytes(memoryview(obj)), bytearray.extend),
    frozenset: _Base(lambda obj: [*frozenset.__iter__(obj)], None),
    tuple: _Base(lambda obj: [*tuple.__iter__(obj)], None),
    str: _Base(lambda obj: str.__getitem__(obj, _WHOLE), None),
    bytes: _Base(lambda obj: bytes.__getitem__(obj, _WHOLE), None),
    int: _Base(int.__index__, None),
    float: _Base(float.__float__, None),
    complex: _Base(complex.__pos__, None),
}


def builtin_subclasses(cls: type) -> Treatment | None:
    """Store an instance of a subclass of a builtin as the builtin, with its own class and attributes."""
    base: Any = next((base for base in _BASES if issubclass(cls, base)), None)
    if base is None or issubclass(cls, collections.defaultdict):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)
    value, fill = _BASES[base]

    def write(obj: Any, pack: Pack) -> Any:
        lead = [module, name, value(obj)]
        return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, lead, qualname, _attributes(obj) or None)

    def rebuild(code: int, body: list[Any]) -> Any:
        if fill is None:
            obj: Any = base.__new__(cls, body[2])
        else:
            obj = base.__new__(cls)
            fill(obj, body[2])
        for key, attribute in (body[4] if len(body) > 4 else {}).items():
            object.__setattr__(obj, key, attribute)
        return obj

    return Treatment(write, rebuild)


def struct_sequences(cls: type) -> Treatment | None:
    """Store a `time.struct_time` and its like by its items, and the fields that are not among them."""
    if not (issubclass(cls, tuple) and hasattr(cls, "n_sequence_fields")):
        return None
    kind: Any = cls
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)

    def write(obj: Any, pack: Pack) -> Any:
        _, (items, others) = obj.__reduce__()
        return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, [module, name, list(items)], qualname, others or None)

    return Treatment(write, lambda code, body: kind(body[2], body[4] if len(body) > 4 else {}))


_PARTS: dict[type, Callable[[Any], list[Any]]] = {
    dt.datetime: lambda obj: [
        *(obj.year, obj.month, obj.day, obj.hour, obj.minute, obj.second, obj.microsecond, obj.tzinfo)
    ],
    dt.date: lambda obj: [obj.year, obj.month, obj.day],
    dt.timedelta: lambda obj: [obj.days, obj.seconds, obj.microseconds],
    decimal.Decimal: lambda obj: [decimal.Decimal.__str__(obj)],
    uuid.UUID: lambda obj: [obj.hex],
}


_EXAMPLES: dict[type, Any] = {
    dt.datetime: dt.datetime.min,
    dt.date: dt.date.min,
    dt.timedelta: dt.timedelta(),
    decimal.Decimal: decimal.Decimal(),
    uuid.UUID: uuid.UUID(int=0),
}


def standard_subclasses(cls: type) -> Treatment | None:
    """Store an instance of a subclass of a date, number or UUID by what its base is made of, and its `fold`."""
    base: Any = next((base for base in _PARTS if issubclass(cls, base)), None)
    if base is None or not _can_be_made(base, cls):
        return None
    module, name, qualname = cls.__module__, cls.__name__, nested_name(cls)

    def write(obj: Any, pack: Pack) -> Any:
        others = {key: value for key, value in _attributes(obj).items() if key not in _IN_PARTS}
        others.update({"fold": 1} if getattr(obj, "fold", 0) else {})
        return ext(EXT_CONSTRUCTOR_POS_ARGS, pack, [module, name, _PARTS[base](obj)], qualname, others or None)

    def rebuild(code: int, body: list[Any]) -> Any:
        others = dict(body[4]) if len(body) > 4 else {}
        if base is uuid.UUID:
            obj: Any = object.__new__(cls)
            uuid.UUID.__init__(obj, *body[2])
        else:
            fold = {"fold": others.pop("fold")} if "fold" in others else {}
            obj = base.__new__(cls, *body[2], **fold)
        for key, attribute in others.items():
            object.__setattr__(obj, key, attribute)
        return obj

    return Treatment(write, rebuild)


_IN_PARTS = frozenset({"int", "is_safe"})  # the slots of a UUID


def _can_be_made(base: Any, cls: type) -> bool:
    """Tell whether the base can make a `cls`: not if compiled code lies between, as in pandas' `Timestamp`."""
    try:
        base.__new__(cls, *_PARTS[base](_EXAMPLES[base]))
    except TypeError:
        return base is uuid.UUID
    return True


def _attributes(obj: Any) -> dict[str, Any]:
    """Return what the instance carries beyond the builtin, in its `__dict__` or in slots."""
    found = dict(getattr(obj, "__dict__", ()))
    for cls in type(obj).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(obj, name):
                found[name] = getattr(obj, name)
    return found
