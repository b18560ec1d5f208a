"""Read msgpack and rebuild what its envelopes name, as far as the allowlist admits it.

What an envelope can not become is returned as its stored payload, and told; what is no envelope at all,
or damaged, is an error.
"""

from __future__ import annotations

from typing import Any, Final

import ormsgpack

from langgraph.checkpoint.errors import DecodeError
from langgraph.checkpoint.serde._allowlist import (
    Allowed,
    admits,
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
    EXT_PYDANTIC_V2,
    QUALNAME_AT,
    TYPE_ARGS_AT,
)
from langgraph.checkpoint.serde._depth import FREE_LEVELS, MAX_LEVELS, ROOM, packed_depth
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS
from langgraph.checkpoint.serde._registry import KNOWN, treatment
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]

OPTIONS: Final = ormsgpack.OPT_NON_STR_KEYS
_unpackb = ormsgpack.unpackb


class Decoder:
    """Decodes one value; made anew for each, since it counts how deep it is."""

    __slots__ = ("_allowed", "_level", "_room", "failure")

    def __init__(self, allowed: Allowed) -> None:
        self.failure: BaseException | None = None  # ormsgpack replaces what the hook raises
        self._allowed = allowed
        self._level = 0
        self._room = ROOM

    def unpack(self, data: bytes) -> Any:
        """Return the value.

        Raises:
            DecodeError: the bytes are damaged, or use an extension code that is not ours.
        """
        try:
            return _unpackb(data, ext_hook=self.hook, option=OPTIONS)
        except ValueError as exc:
            if isinstance(self.failure, DecodeError) or (self.failure and not isinstance(self.failure, Exception)):
                raise self.failure from None
            raise DecodeError(f"stored msgpack is damaged: {self.failure or exc}") from exc

    def hook(self, code: int, data: bytes) -> Any:
        """Return what an envelope stands for."""
        used = 0
        self._level += 1
        try:
            if self._level > FREE_LEVELS:
                used = self._reserve(data)
            body = _unpackb(data, ext_hook=self.hook, option=OPTIONS)
            return self._open(code, body)
        except BaseException as exc:
            self.failure = self.failure or exc
            raise
        finally:
            self._level -= 1
            self._room += used

    def _reserve(self, data: bytes) -> int:
        """Take the depth of `data` from what the stack still holds: a crash can not be caught."""
        used = packed_depth(data)
        self._room -= used
        if self._level > MAX_LEVELS or self._room < 0:
            raise DecodeError("stored msgpack is nested too deeply")
        return used

    def _open(self, code: int, body: Any) -> Any:
        at = QUALNAME_AT.get(code)
        if at is not None:
            module, name, *_ = _checked(code, body)
            rebuild = KNOWN.get((module, name))
            if rebuild is None:
                qualname = body[at] if len(body) > at and body[at] is not None else name
                return self._object(code, body, module, name, qualname)
        elif code == EXT_METHOD_SINGLE_ARG:
            module, name, payload, method, *_ = _checked(code, body)
            if (module, name, method) == ("builtins", "type", "lookup"):
                return self._class(payload)
            if (module, name, method) not in SAFE_MSGPACK_METHODS:
                report_blocked_method(module, name, method)
                return payload
            rebuild = KNOWN[module, name]
        elif code == EXT_NUMPY_ARRAY:
            module, name, rebuild = "numpy", "ndarray", KNOWN["numpy", "ndarray"]
        elif code == EXT_DELTA_SNAPSHOT:
            return _DeltaSnapshot(body)
        else:
            raise DecodeError(f"msgpack extension code {code} is not known to this version")
        try:
            return rebuild(code, body)
        except Exception as exc:
            report_not_rebuilt(module, name, exc)
            return payload_of(code, body)

    def _object(self, code: int, body: list[Any], module: str, name: str, qualname: str) -> Any:
        """Rebuild an object of a class that must be allowed, and then found."""
        if type(qualname) is not str or qualname.rpartition(".")[2] != name.partition("[")[0]:
            qualname = name  # what is looked up must be what was asked for
        if not admits(self._allowed, module, name, qualname):
            return body[2]
        try:
            cls = find(module, qualname)
            if not isinstance(cls, type):
                raise TypeError("not a class, and nothing else is called")
            if code == EXT_PYDANTIC_V2 and len(body) > TYPE_ARGS_AT and body[TYPE_ARGS_AT]:
                cls = cls[tuple(body[TYPE_ARGS_AT])]  # type: ignore[index]  # a generic model
            found = treatment(cls)
            if found is None or found.rebuild is None:
                return self._construct(cls, code, body[2])
            return found.rebuild(code, body)
        except Exception as exc:
            report_not_rebuilt(module, name, exc)
            return body[2]

    def _construct(self, cls: type, code: int, argument: Any) -> Any:
        """Call a class that no table row covers, if it was allowed by name: anybody's class could do anything."""
        names = {(cls.__module__, cls.__name__), (cls.__module__, cls.__qualname__)}
        if not isinstance(self._allowed, set) or names.isdisjoint(self._allowed):
            raise TypeError("not a kind of class that is stored, nor allowed by name")
        if code == EXT_CONSTRUCTOR_SINGLE_ARG:
            return cls(argument)
        return cls(*argument) if code == EXT_CONSTRUCTOR_POS_ARGS else cls(**argument)

    def _class(self, payload: Any) -> Any:
        """Return the class itself that a stored class value names."""
        module, qualname = payload
        if module == "builtins" and qualname in _PLAIN_CLASSES:
            return find(module, qualname)
        if not admits(self._allowed, module, qualname.rpartition(".")[2], qualname):
            return payload
        try:
            cls = find(module, qualname)
            if not isinstance(cls, type):
                raise TypeError("not a class")
        except Exception as exc:
            report_not_rebuilt(module, qualname, exc)
            return payload
        return cls


_PLAIN_CLASSES: Final = frozenset(
    [
        "bool",
        "bytearray",
        "bytes",
        "complex",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "object",
        "set",
        "str",
        "tuple",
    ]
)


def _checked(code: int, body: Any) -> list[Any]:
    """Return the elements of an envelope that names something, if they are what they must be."""
    least = 4 if code == EXT_METHOD_SINGLE_ARG else 3
    if (
        type(body) is not list
        or len(body) < least
        or type(body[0]) is not str
        or type(body[1]) is not str
        or (least == 4 and type(body[3]) is not str)
    ):
        raise DecodeError(f"stored msgpack is damaged: an envelope with code {code} lacks its parts")
    return body


def payload_of(code: int, body: Any) -> Any:
    """Return what an envelope holds, without the class around it."""
    if code == EXT_DELTA_SNAPSHOT or type(body) is not list or len(body) < 3:
        return body
    return body if code == EXT_NUMPY_ARRAY else body[2]
