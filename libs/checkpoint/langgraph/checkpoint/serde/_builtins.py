"""Rows of the table for what the standard library has and msgpack has not, but for dates and times (`_times`).

Each row writes an envelope that the release opens by calling a builtin. Ours are opened without importing
anything by a name in the bytes, and each checks what it is given: `bytearray(10**12)` would fill the memory.
"""

from __future__ import annotations

import array
import collections
import decimal
import fractions
import ipaddress
import pathlib
import re
import types
import uuid
from collections.abc import Callable
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_POS_ARGS, EXT_CONSTRUCTOR_SINGLE_ARG
from langgraph.checkpoint.serde._encode import SURROGATES
from langgraph.checkpoint.serde._registry import KNOWN, Pack, ext, register

_LONG_INT = 2**13  # bits; Python refuses decimal text of more than 4,300 digits


def single(cls: type, module: str, to: Callable[[Any], str]) -> None:
    """Register a type that is made from one text."""
    name = cls.__name__

    def write(obj: Any, pack: Pack) -> ormsgpack.Ext:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, ormsgpack.packb([module, name, to(obj)]))

    register(cls, write, (module, name), lambda code, body: cls(_typed(body[2], str)))


def several(cls: type, module: str, to: Callable[[Any], list[Any]], name: str = "", make: Any = None) -> None:
    """Register a type that is made from several values."""
    name = name or cls.__name__
    build = make or cls

    def write(obj: Any, pack: Pack) -> ormsgpack.Ext:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_POS_ARGS, pack([module, name, to(obj)]))

    register(cls, write, (module, name), lambda code, body: build(*_typed(body[2], list)))


def _holder(cls: type, module: str, to: Callable[[Any], Any], stored: type) -> None:
    """Register a type that is made from one list, dict or bytes."""
    name = cls.__name__

    def write(obj: Any, pack: Pack) -> ormsgpack.Ext:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack([module, name, to(obj)]))

    register(cls, write, (module, name), lambda code, body: cls(_typed(body[2], stored)))


def _typed(value: Any, cls: type) -> Any:
    if type(value) is not cls:
        raise TypeError(f"made from {cls.__name__}, not from {type(value).__name__}")
    return value


_holder(tuple, "builtins", list, list)
_holder(set, "builtins", list, list)
_holder(frozenset, "builtins", list, list)
_holder(bytearray, "builtins", bytes, bytes)
_holder(collections.OrderedDict, "collections", dict, dict)
_holder(collections.Counter, "collections", dict, dict)
_holder(types.MappingProxyType, "types", dict, dict)
single(decimal.Decimal, "decimal", str)
single(uuid.UUID, "uuid", lambda obj: obj.hex)
for _ip in ("IPv4Address", "IPv4Interface", "IPv4Network", "IPv6Address", "IPv6Interface", "IPv6Network"):
    single(getattr(ipaddress, _ip), "ipaddress", str)
several(complex, "builtins", lambda obj: [obj.real, obj.imag])
several(range, "builtins", lambda obj: [obj.start, obj.stop, obj.step])
several(slice, "builtins", lambda obj: [obj.start, obj.stop, obj.step])
several(fractions.Fraction, "fractions", lambda obj: [obj.numerator, obj.denominator])
several(array.array, "array", lambda obj: [obj.typecode, obj.tolist()])
several(type(...), "types", lambda obj: [], "EllipsisType", lambda: ...)
several(re.Pattern, "re", lambda obj: [obj.pattern, obj.flags], "compile", re.compile)
for _path in (pathlib.PosixPath, pathlib.WindowsPath, pathlib.PurePosixPath, pathlib.PureWindowsPath):
    several(_path, "pathlib", lambda obj: list(obj.parts))
KNOWN["pathlib", "Path"] = lambda code, body: pathlib.Path(*body[2])
for (_module, _name), _rebuild in tuple(KNOWN.items()):
    if _module == "pathlib":
        KNOWN["pathlib._local", _name] = _rebuild  # where Python 3.13 says they live

# Written by the encoder for dicts with keys that msgpack would turn into text.
KNOWN["builtins", "dict"] = lambda code, body: dict(body[2])


def _write_int(obj: int, pack: Pack) -> ormsgpack.Ext:
    """Write a number of more than 64 bits."""
    if obj.bit_length() < _LONG_INT:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack(["builtins", "int", str(obj)]))
    return ormsgpack.Ext(EXT_CONSTRUCTOR_POS_ARGS, pack(["builtins", "int", [f"{obj:x}", 16]]))


def _rebuild_int(code: int, body: list[Any]) -> int:
    return int(body[2]) if code == EXT_CONSTRUCTOR_SINGLE_ARG else int(*body[2])


register(int, _write_int, ("builtins", "int"), _rebuild_int)


def _write_surrogates(obj: str, pack: Pack) -> ormsgpack.Ext:
    seen = obj.encode("utf-8", "replace").decode()  # what the release makes of it
    exact = obj.encode("utf-8", "surrogatepass")
    return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, ["builtins", "str", seen], None, exact)


def _rebuild_str(code: int, body: list[Any]) -> str:
    return body[4].decode("utf-8", "surrogatepass") if len(body) > 4 else str(body[2])


register(SURROGATES, _write_surrogates, ("builtins", "str"), _rebuild_str)


def _write_memoryview(obj: memoryview, pack: Pack) -> ormsgpack.Ext:
    if obj.format != "B" or obj.ndim != 1:
        raise TypeError("a memoryview with a format or a shape has no stored form")
    return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack(["builtins", "memoryview", bytes(obj)]))


def _rebuild_memoryview(code: int, body: list[Any]) -> memoryview:
    return memoryview(_typed(body[2], bytes))


register(memoryview, _write_memoryview, ("builtins", "memoryview"), _rebuild_memoryview)


def _write_deque(obj: collections.deque[Any], pack: Pack) -> ormsgpack.Ext:
    return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, ["collections", "deque", list(obj)], None, obj.maxlen)


def _rebuild_deque(code: int, body: list[Any]) -> collections.deque[Any]:
    return collections.deque(_typed(body[2], list), body[4] if len(body) > 4 else None)


register(collections.deque, _write_deque, ("collections", "deque"), _rebuild_deque)


def _write_defaultdict(obj: collections.defaultdict[Any, Any], pack: Pack) -> ormsgpack.Ext:
    lead = ["collections", "defaultdict", dict(obj)]
    return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, lead, None, obj.default_factory)


def _rebuild_defaultdict(code: int, body: list[Any]) -> collections.defaultdict[Any, Any]:
    factory = body[4] if len(body) > 4 else None
    if not (factory is None or isinstance(factory, type)):
        raise TypeError("the factory is blocked or gone")
    return collections.defaultdict(factory, body[2])


register(collections.defaultdict, _write_defaultdict, ("collections", "defaultdict"), _rebuild_defaultdict)
