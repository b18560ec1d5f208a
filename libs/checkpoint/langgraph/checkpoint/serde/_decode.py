"""Read msgpack and rebuild what its envelopes name, as far as the allowlist admits it.

What an envelope can not become is returned as its stored payload, and told; what is no envelope at all,
or damaged, is an error.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from types import NoneType
from typing import Any, Final, NamedTuple

import ormsgpack

from langgraph.checkpoint.errors import DecodeError
from langgraph.checkpoint.serde._allowlist import (
    Allowed,
    judge,
    report_blocked_method,
    report_not_rebuilt,
)
from langgraph.checkpoint.serde._classes import find
from langgraph.checkpoint.serde._codes import (
    EXT_CONSTRUCTOR_POS_ARGS,
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD_SINGLE_ARG,
    EXT_NUMPY_ARRAY,
    QUALNAME_AT,
    TYPE_ARGS_AT,
)
from langgraph.checkpoint.serde._depth import FREE_LEVELS, MAX_LEVELS, ROOM, packed_depth
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS
from langgraph.checkpoint.serde._registry import KNOWN, Rebuild, treatment
from langgraph.checkpoint.serde.event_hooks import emit_serde_event
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]

OPTIONS: Final = ormsgpack.OPT_NON_STR_KEYS
_unpackb = ormsgpack.unpackb
_TOO_DEEP: Final = "stored msgpack is nested too deeply"


class _Plan(NamedTuple):
    """What to do with the objects of one class, for the time of one load."""

    event: str | None
    rebuild: Rebuild


class Decoder:
    """Decodes one value; made anew for each, since it counts how deep it is."""

    # On the class, since most values have few envelopes or none and so change none of them.
    failure: BaseException | None = None
    """What the hook raised; ormsgpack replaces it by an error of its own."""
    _level = 0
    _room = ROOM

    def __init__(self, allowed: Allowed) -> None:
        self._allowed: Allowed = allowed
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def unpack(self, data: bytes) -> Any:
        """Return the value.

        Raises:
            DecodeError: the bytes are damaged, or use an extension code that is not ours.
        """
        try:
            return _unpackb(data, ext_hook=self.hook, option=OPTIONS)
        except ValueError as exc:
            failure = self.failure
            if isinstance(failure, DecodeError) or not isinstance(failure, (Exception, NoneType)):
                raise failure from None
            if isinstance(failure, RecursionError):
                raise DecodeError(_TOO_DEEP) from None
            raise DecodeError(f"stored msgpack is damaged: {failure or exc}") from failure

    def hook(self, code: int, data: bytes) -> Any:
        """Return what an envelope stands for."""
        self._level += 1
        try:
            used = self._reserve(data) if self._level > FREE_LEVELS else 0
            body = _unpackb(data, ext_hook=self.hook, option=OPTIONS)
            value = self._object(code, body) if code in QUALNAME_AT else self._other(code, body)
        except BaseException as exc:
            self.failure = self.failure or exc
            raise
        self._level -= 1
        if used:
            self._room += used
        return value

    def _reserve(self, data: bytes) -> int:
        """Take the depth of `data` from what the stack still holds: a crash can not be caught."""
        used = packed_depth(data)
        self._room -= used
        if self._level > MAX_LEVELS or self._room < 0:
            raise DecodeError(_TOO_DEEP)
        return used

    def _object(self, code: int, body: Any) -> Any:
        """Return the object that an envelope with a class describes."""
        if type(body) is not list or len(body) < 3:
            raise _lacking(code)
        key: tuple[str, ...] = (body[0], body[1])
        rebuild = KNOWN.get(key)
        if rebuild is None:
            at = QUALNAME_AT[code]
            if len(body) > at and body[at] is not None:
                key = (*key, body[at])
            plan = self._plans.get(key)
            if plan is None:
                plan = self._plans[key] = self._plan(code, *key)
            event, rebuild = plan
            if event is not None:
                emit_serde_event({"kind": event, "module": key[0], "name": key[1]})
        return _rebuilt(rebuild, code, body, key[0], key[1])

    def _plan(self, code: int, module: str, name: str, qualname: str = "") -> _Plan:
        """Decide what is done with a class: whether it is allowed, then whether it is there."""
        if not all(type(part) is str for part in (module, name, qualname)):
            raise _lacking(code)
        if qualname.rpartition(".")[2] != name.partition("[")[0]:
            qualname = name  # what is looked up must be what was asked for
        verdict = judge(self._allowed, module, name, qualname)
        if not verdict.admitted:
            return _Plan(verdict.event, payload_of)
        try:
            cls: Any = find(module, qualname)
        except Exception as exc:
            return _Plan(verdict.event, _refusing(exc))
        if not isinstance(cls, type):
            return _Plan(verdict.event, _refusing(TypeError("not a class, and nothing else is called")))
        if "[" in name and "[" not in qualname:
            return _Plan(verdict.event, lambda code, body: _of_generic(cls, code, body))
        found = treatment(cls)
        rebuild = found.rebuild if found else None
        return _Plan(verdict.event, rebuild or self._constructor(cls))

    def _constructor(self, cls: type) -> Rebuild:
        """Return how to call a class that no family covers, if it is allowed by name: it could do anything."""
        names = {(cls.__module__, cls.__name__), (cls.__module__, cls.__qualname__)}
        if not isinstance(self._allowed, set) or names.isdisjoint(self._allowed):
            return _refusing(TypeError("not a kind of class that is stored, nor allowed by name"))

        def construct(code: int, body: list[Any]) -> Any:
            if code == EXT_CONSTRUCTOR_SINGLE_ARG:
                return cls(body[2])
            return cls(*body[2]) if code == EXT_CONSTRUCTOR_POS_ARGS else cls(**body[2])

        return construct

    def _other(self, code: int, body: Any) -> Any:
        """Return what an envelope stands for that does not describe an object of a class."""
        if code == EXT_METHOD_SINGLE_ARG:
            return self._called(code, body)
        if code == EXT_DELTA_SNAPSHOT:
            return _DeltaSnapshot(body)
        if code == EXT_NUMPY_ARRAY:
            return _rebuilt(KNOWN["numpy", "ndarray"], code, body, "numpy", "ndarray")
        raise DecodeError(f"msgpack extension code {code} is not known to this version")

    def _called(self, code: int, body: Any) -> Any:
        """Return what a listed method makes of its argument, or the class that a class value names."""
        if type(body) is not list or len(body) < 4:
            raise _lacking(code)
        module, name, argument, method = body[:4]
        if (module, name, method) == ("builtins", "type", "lookup"):
            return self._class(argument)
        if (module, name, method) in SAFE_MSGPACK_METHODS:
            return _rebuilt(KNOWN[module, name], code, body, module, name)
        report_blocked_method(module, name, method)
        return argument

    def _class(self, names: Any) -> Any:
        module, qualname = names
        if module == "builtins" and qualname in _PLAIN_CLASSES:
            return find(module, qualname)
        name = qualname.rpartition(".")[2]
        verdict = judge(self._allowed, module, name, qualname)
        if verdict.event is not None:
            emit_serde_event({"kind": verdict.event, "module": module, "name": name})
        if not verdict.admitted:
            return names
        try:
            cls = find(module, qualname)
            if not isinstance(cls, type):
                raise TypeError("not a class")
        except Exception as exc:
            report_not_rebuilt(module, name, exc)
            return names
        return cls


def _rebuilt(rebuild: Rebuild, code: int, body: Any, module: str, name: str) -> Any:
    try:
        return rebuild(code, body)
    except (RecursionError, MemoryError):
        raise  # no fault of the class
    except Exception as exc:
        report_not_rebuilt(module, name, exc)
        return payload_of(code, body)


def _refusing(reason: Exception) -> Rebuild:
    def refuse(code: int, body: list[Any]) -> Any:
        raise reason

    return refuse


def _of_generic(origin: Any, code: int, body: list[Any]) -> Any:
    """Rebuild a model of a generic class; the type arguments were let through, or not, as classes."""
    found = treatment(origin[tuple(body[TYPE_ARGS_AT])])
    if found is None or found.rebuild is None:
        raise TypeError("not a generic model")
    return found.rebuild(code, body)


def _lacking(code: int) -> DecodeError:
    return DecodeError(f"stored msgpack is damaged: an envelope with code {code} lacks its parts")


def payload_of(code: int, body: Any) -> Any:
    """Return what an envelope holds, without the class around it."""
    if code in QUALNAME_AT or code == EXT_METHOD_SINGLE_ARG:
        return body[2]
    return body


_PLAIN_CLASSES: Final = frozenset(
    cls.__name__
    for cls in (bool, bytearray, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple)
)
"""Classes that may be stored as values by anybody; they are not called."""
