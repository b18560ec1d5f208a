"""Subclasses of builtins: the builtin's value, and the attributes that the subclass added."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, NamedTuple

from langgraph.checkpoint.serde._classes import nested_name
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_SINGLE_ARG
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


def _attributes(obj: Any) -> dict[str, Any]:
    """Return what the instance carries beyond the builtin, in its `__dict__` or in slots."""
    found = dict(getattr(obj, "__dict__", ()))
    for cls in type(obj).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(obj, name):
                found[name] = getattr(obj, name)
    return found
