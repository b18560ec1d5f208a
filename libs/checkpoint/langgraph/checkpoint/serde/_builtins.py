"""Rows of the table for the types of the standard library that msgpack has no form for.

Each row writes an envelope that the release rebuilds by calling a builtin, and rebuilds without importing.
"""

from __future__ import annotations

import array
import collections
import datetime as dt
import decimal
import fractions
import ipaddress
import pathlib
import re
import types
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._codes import (
    EXT_CONSTRUCTOR_KW_ARGS,
    EXT_CONSTRUCTOR_POS_ARGS,
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_METHOD_SINGLE_ARG,
)
from langgraph.checkpoint.serde._encode import SURROGATES
from langgraph.checkpoint.serde._registry import KNOWN, Pack, ext, register

_LONG_INT = 2**14  # bits; Python refuses decimal text of more than 4,300 digits


def _single(cls: type, to: Callable[[Any], Any], module: str, make: Callable[[Any], Any] | None = None) -> None:
    """Register a type that is made from one value."""
    name = cls.__name__
    build = make or cls

    def write(obj: Any, pack: Pack) -> ormsgpack.Ext:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack([module, name, to(obj)]))

    register(cls, write, (module, name), lambda code, body: build(body[2]))


def _several(cls: type, to: Callable[[Any], Any], module: str, name: str = "", make: Any = None) -> None:
    """Register a type that is made from several values."""
    name = name or cls.__name__
    build = make or cls

    def write(obj: Any, pack: Pack) -> ormsgpack.Ext:
        return ormsgpack.Ext(EXT_CONSTRUCTOR_POS_ARGS, pack([module, name, to(obj)]))

    register(cls, write, (module, name), lambda code, body: build(*body[2]))


def _bytes_only(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Refuse numbers, of which `bytearray` would make as many zeros."""

    def build(value: Any) -> Any:
        if type(value) is not bytes:
            raise TypeError("not bytes")
        return make(value)

    return build


def _items(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def build(value: Any) -> Any:
        if type(value) is not list:
            raise TypeError("not a list")
        return make(value)

    return build


_single(tuple, list, "builtins", _items(tuple))
_single(set, list, "builtins", _items(set))
_single(frozenset, list, "builtins", _items(frozenset))
_single(bytearray, bytes, "builtins", _bytes_only(bytearray))
_single(types.MappingProxyType, dict, "types")
_single(collections.OrderedDict, dict, "collections")
_single(collections.Counter, dict, "collections")
_single(decimal.Decimal, str, "decimal")
_single(uuid.UUID, lambda obj: obj.hex, "uuid")
for _ip in ("IPv4Address", "IPv4Interface", "IPv4Network", "IPv6Address", "IPv6Interface", "IPv6Network"):
    _single(getattr(ipaddress, _ip), str, "ipaddress")
_several(complex, lambda obj: [obj.real, obj.imag], "builtins")
_several(range, lambda obj: [obj.start, obj.stop, obj.step], "builtins")
_several(slice, lambda obj: [obj.start, obj.stop, obj.step], "builtins")
_several(fractions.Fraction, lambda obj: [obj.numerator, obj.denominator], "fractions")
_several(array.array, lambda obj: [obj.typecode, obj.tolist()], "array")
_several(type(...), lambda obj: [], "types", "EllipsisType", lambda: ...)
_several(dt.date, lambda obj: [obj.year, obj.month, obj.day], "datetime")
_several(dt.timedelta, lambda obj: [obj.days, obj.seconds, obj.microseconds], "datetime")
_several(dt.timezone, lambda obj: list(obj.__getinitargs__()), "datetime")
_several(re.Pattern, lambda obj: [obj.pattern, obj.flags], "re", "compile", re.compile)
for _path in (pathlib.PosixPath, pathlib.WindowsPath, pathlib.PurePosixPath, pathlib.PureWindowsPath):
    _several(_path, lambda obj: list(obj.parts), "pathlib")
KNOWN["pathlib", "Path"] = lambda code, body: pathlib.Path(*body[2])
for (_module, _name), _rebuild in tuple(KNOWN.items()):
    if _module == "pathlib":
        KNOWN["pathlib._local", _name] = _rebuild  # where Python 3.13 says they live

KNOWN["builtins", "dict"] = lambda code, body: dict(body[2])
"""Written by the encoder for keys that msgpack would turn into text."""


def _write_int(obj: int, pack: Pack) -> ormsgpack.Ext:
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
        raise TypeError("a memoryview with a format or shape has no stored form")
    return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack(["builtins", "memoryview", bytes(obj)]))


register(
    memoryview,
    _write_memoryview,
    ("builtins", "memoryview"),
    lambda code, body: _bytes_only(memoryview)(body[2]),
)


def _write_deque(obj: collections.deque[Any], pack: Pack) -> ormsgpack.Ext:
    return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, ["collections", "deque", list(obj)], None, obj.maxlen)


def _rebuild_deque(code: int, body: list[Any]) -> collections.deque[Any]:
    return collections.deque(body[2], body[4] if len(body) > 4 else None)


register(collections.deque, _write_deque, ("collections", "deque"), _rebuild_deque)


def _write_defaultdict(obj: collections.defaultdict[Any, Any], pack: Pack) -> ormsgpack.Ext:
    lead = ["collections", "defaultdict", dict(obj)]
    return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, lead, None, obj.default_factory)


def _rebuild_defaultdict(code: int, body: list[Any]) -> collections.defaultdict[Any, Any]:
    factory = body[4] if len(body) > 4 else None
    if not (factory is None or isinstance(factory, type)):
        raise TypeError("the factory of a defaultdict is blocked or gone")
    return collections.defaultdict(factory, body[2])


register(collections.defaultdict, _write_defaultdict, ("collections", "defaultdict"), _rebuild_defaultdict)


def _write_datetime(obj: dt.datetime, pack: Pack) -> ormsgpack.Ext:
    zone: Any = obj.tzinfo
    if type(zone) is zoneinfo.ZoneInfo and zone.key:
        zone = zone.key
    elif zone is None or (type(zone) is dt.timezone and len(zone.__getinitargs__()) == 1):  # type: ignore[attr-defined]
        zone = None  # the text says it all
    lead = ["datetime", "datetime", obj.isoformat(), "fromisoformat"]
    return ext(EXT_METHOD_SINGLE_ARG, pack, lead, zone, obj.fold or None)


def _rebuild_datetime(code: int, body: list[Any]) -> dt.datetime:
    if code != EXT_METHOD_SINGLE_ARG:
        return dt.datetime(*body[2])
    when = dt.datetime.fromisoformat(body[2])
    if len(body) == 4:
        return when
    zone = body[4] if body[4] is not None else when.tzinfo
    if type(zone) is str:
        zone = zoneinfo.ZoneInfo(zone)
    return when.replace(tzinfo=zone, fold=body[5] if len(body) > 5 else 0)


register(dt.datetime, _write_datetime, ("datetime", "datetime"), _rebuild_datetime)


def _write_time(obj: dt.time, pack: Pack) -> ormsgpack.Ext:
    fields = {
        "hour": obj.hour,
        "minute": obj.minute,
        "second": obj.second,
        "microsecond": obj.microsecond,
        "tzinfo": obj.tzinfo,
        "fold": obj.fold,
    }
    return ormsgpack.Ext(EXT_CONSTRUCTOR_KW_ARGS, pack(["datetime", "time", fields]))


register(dt.time, _write_time, ("datetime", "time"), lambda code, body: dt.time(**body[2]))


def _write_zone(obj: zoneinfo.ZoneInfo, pack: Pack) -> ormsgpack.Ext:
    if not obj.key:
        raise TypeError("a ZoneInfo without a key has no stored form")
    return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack(["zoneinfo", "ZoneInfo", obj.key]))


register(
    zoneinfo.ZoneInfo,
    _write_zone,
    ("zoneinfo", "ZoneInfo"),
    lambda code, body: zoneinfo.ZoneInfo(body[2]),
)
