"""Write a value as msgpack. ormsgpack does the plain parts; all that it would change goes through the table.

ormsgpack is told to pass on tuples, subclasses, dates, enums and so on, so they come to `Encoder.default`.
Three things it changes without asking are caught otherwise: keys that are not text (not allowed at first; a
dict that has some is then rewritten), lone surrogates (likewise), and `bytearray` or `memoryview` inside
(the header of binary data appears in the output, then the value is searched).
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from itertools import chain
from typing import Any, Final

import ormsgpack

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_SINGLE_ARG
from langgraph.checkpoint.serde._depth import FREE_LEVELS, MAX_LEVELS, ROOM, value_depth
from langgraph.checkpoint.serde._registry import WRITERS, Write, treatment

OPTIONS: Final = (
    ormsgpack.OPT_PASSTHROUGH_BIG_INT
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    | ormsgpack.OPT_PASSTHROUGH_TUPLE
    | ormsgpack.OPT_PASSTHROUGH_UUID
)
_ANY_KEYS: Final = OPTIONS | ormsgpack.OPT_NON_STR_KEYS
_packb: Final = ormsgpack.packb
_BUFFERS: Final = frozenset({bytearray, memoryview})
_NATIVE_KEYS: Final = frozenset({bool, float, bytes, type(None)})
_CONTAINERS: Final = frozenset({dict, list})
_ATOMS: Final = frozenset({str, int, float, bool, type(None)})
TOO_DEEP: Final = "the value is nested too deeply, or contains itself"


class Encoder:
    """Encodes one value; made anew for each, since it counts how deep it is."""

    # On the class, since most values need no more than one call and so change none of them.
    failure: BaseException | None = None
    """What `default` raised; ormsgpack replaces it by an error of its own."""
    _level = 0
    _room = ROOM

    def pack(self, value: Any) -> bytes:
        """Return the value as msgpack.

        Raises:
            EncodeError: something in it has no stored form. Also what an object's own methods raise.
        """
        try:
            packed = _packb(value, self.default, OPTIONS)
        except TypeError as exc:
            packed = self._pack_rewritten(value, exc)
        else:
            if (0xC4 in packed or 0xC5 in packed or 0xC6 in packed) and _holds_buffer(value):
                packed = _packb(self._rewrite(value), self.default, _ANY_KEYS)
        return packed

    def default(self, obj: Any) -> Any:
        """Return what to write for an object that msgpack has no form for."""
        self._level += 1
        try:
            write = WRITERS.get(type(obj)) or _writer(obj)
            written = write(obj, self._pack_deep if self._level > FREE_LEVELS else self.pack)
        except BaseException as exc:
            self.failure = self.failure or exc
            raise
        self._level -= 1
        return written

    def _pack_deep(self, value: Any) -> bytes:
        """Pack what sits behind many levels, if the stack still holds it: a crash can not be caught."""
        used = value_depth(value)
        self._room -= used
        if self._level > MAX_LEVELS or self._room < 0:
            raise EncodeError(TOO_DEEP)
        packed = self.pack(value)
        self._room += used
        return packed

    def _pack_rewritten(self, value: Any, exc: TypeError) -> bytes:
        """Try again with what ormsgpack can not take in envelopes, unless that is not what failed."""
        self._raise_failure(exc)
        rewritten = self._rewrite(value)
        try:
            return _packb(rewritten, self.default, _ANY_KEYS)
        except TypeError as again:
            self._raise_failure(again)
            raise

    def _raise_failure(self, exc: TypeError) -> None:
        """Raise what ormsgpack's error stands for, if it is known."""
        if self.failure is None and "ecursion" in str(exc):
            self.failure = EncodeError(TOO_DEEP)
        if self.failure is not None:
            raise self.failure from None

    def _rewrite(self, value: Any, depth: int = 0) -> Any:
        """Return the value with envelopes for all that ormsgpack would change or refuse."""
        cls = type(value)
        if cls is str:
            return value if _is_unicode(value) else self.default(_Surrogates(value))
        if cls is bytearray or cls is memoryview:
            return self.default(value)
        if depth > 256:
            raise EncodeError(TOO_DEEP)
        if cls is list:
            return [self._rewrite(item, depth + 1) for item in value]
        if cls is not dict:
            return value
        if all(map(_is_native_key, value)):
            return {key: self._rewrite(item, depth + 1) for key, item in value.items()}
        pairs = [[key, item] for key, item in value.items()]
        body = ["builtins", "dict", pairs]
        return ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, self.pack(body))


class _Surrogates(str):
    """Text that has no UTF-8; a class of its own, so that it has a row in the table."""

    __slots__ = ()


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_native_key(key: Any) -> bool:
    """Tell whether ormsgpack writes and reads this key as it is."""
    cls = type(key)
    if cls is str:
        return _is_unicode(key)
    if cls is int:
        return bool(-(2**63) <= key < 2**64)
    if cls is tuple:
        return all(map(_is_native_key, key))
    return cls in _NATIVE_KEYS


def _holds_buffer(value: Any) -> bool:
    """Tell whether there is a `bytearray` or `memoryview` that ormsgpack took for `bytes`.

    A plain loop is quickest for a few small containers; many, or long ones, are gone through in C.
    """
    level: list[Any] = [[value]]
    while level:
        if len(level) > 8:
            found = set(map(type, chain.from_iterable(map(_items, level))))
            if not _BUFFERS.isdisjoint(found):
                return True
            if _CONTAINERS.isdisjoint(found):
                return False
        below: list[Any] = []
        for container in level:
            items = _items(container)
            if len(items) > 16 and _ATOMS.issuperset(map(type, items)):
                continue
            for item in items:
                kind = type(item)
                if kind is dict or kind is list:
                    below.append(item)
                elif kind in _BUFFERS:
                    return True
        level = below
    return False


def _items(container: Any) -> Any:
    return container.values() if type(container) is dict else container


def _writer(obj: Any) -> Write:
    found = treatment(type(obj))
    if found is None:
        cls = type(obj)
        name = f"{cls.__module__}.{cls.__qualname__}"
        raise EncodeError(f"{name} has no stored form; store what it is made from instead", type_name=name)
    return found.write


SURROGATES: Final = _Surrogates
