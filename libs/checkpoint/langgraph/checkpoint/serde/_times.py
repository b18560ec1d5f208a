"""Rows of the table for dates and times. A zone keeps its key, and the hour that comes twice its `fold`."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._builtins import several
from langgraph.checkpoint.serde._codes import (
    EXT_CONSTRUCTOR_KW_ARGS,
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_METHOD_SINGLE_ARG,
)
from langgraph.checkpoint.serde._registry import Pack, ext, register

several(dt.date, "datetime", lambda obj: [obj.year, obj.month, obj.day])
several(dt.timedelta, "datetime", lambda obj: [obj.days, obj.seconds, obj.microseconds])
several(dt.timezone, "datetime", lambda obj: list(obj.__getinitargs__()))


def _write_datetime(obj: dt.datetime, pack: Pack) -> ormsgpack.Ext:
    zone: Any = obj.tzinfo
    lead = ["datetime", "datetime", obj.isoformat(), "fromisoformat"]
    if (zone is None or zone is dt.timezone.utc) and not obj.fold:
        return ormsgpack.Ext(EXT_METHOD_SINGLE_ARG, ormsgpack.packb(lead))
    if type(zone) is zoneinfo.ZoneInfo and zone.key:
        zone = zone.key
    elif type(zone) is dt.timezone and len(_arguments(zone)) == 1:
        zone = None  # the text says it all
    return ext(EXT_METHOD_SINGLE_ARG, pack, lead, zone, obj.fold or None)


def _arguments(zone: Any) -> tuple[Any, ...]:
    """Return the offset of a fixed zone, and its name if it was given one."""
    arguments: tuple[Any, ...] = zone.__getinitargs__()
    return arguments


def _rebuild_datetime(code: int, body: list[Any]) -> dt.datetime:
    if code != EXT_METHOD_SINGLE_ARG:
        return dt.datetime(*body[2])
    when = dt.datetime.fromisoformat(body[2])
    if len(body) == 4:
        return when
    zone: Any = when.tzinfo if body[4] is None else body[4]
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


def _rebuild_zone(code: int, body: list[Any]) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(body[2])


register(zoneinfo.ZoneInfo, _write_zone, ("zoneinfo", "ZoneInfo"), _rebuild_zone)
