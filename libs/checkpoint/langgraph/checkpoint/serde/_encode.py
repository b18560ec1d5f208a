"""Write a value as msgpack. ormsgpack does the plain parts; all that it would change goes through the table.

ormsgpack is told to pass on tuples, subclasses, dates, enums and so on, so they come to `Encoder.default`.
Three things it changes without asking are caught otherwise: keys that are not text (not allowed at first; a
dict that has some is then rewritten), lone surrogates (likewise), and `bytearray` or `memoryview` inside
(the header of binary data appears in the output, then the value is searched).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import ormsgpack

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_SINGLE_ARG
from langgraph.checkpoint.serde._depth import FREE_LEVELS, MAX_LEVELS, ROOM, value_depth
from langgraph.checkpoint.serde._registry import treatment

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
_TOO_DEEP: Final = "the value is nested too deeply, or contains itself"


class Encoder:
    """Encodes one value; made anew for each, since it counts how deep it is."""

    __slots__ = ("_level", "_room", "failure")

    def __init__(self) -> None:
        self.failure: BaseException | None = None  # ormsgpack replaces what `default` raises
        self._level = 0
        self._room = ROOM

    def pack(self, value: Any) -> bytes:
        """Return the value as msgpack.

        Raises:
            EncodeError: something in it has no stored form. Also what an object's own methods raise.
        """
        used = 0
        self._level += 1
        if self._level > FREE_LEVELS:
            used = self._reserve(value)
        try:
            packed = ormsgpack.packb(value, self.default, OPTIONS)
        except TypeError as exc:
            packed = self._pack_rewritten(value, exc)
        else:
            if (b"\xc4" in packed or b"\xc5" in packed or b"\xc6" in packed) and _holds_buffer(value):
                packed = ormsgpack.packb(self._rewrite(value), self.default, _ANY_KEYS)
        self._level -= 1
        self._room += used
        return packed

    def default(self, obj: Any) -> Any:
        """Return what to write for an object that msgpack has no form for."""
        try:
            found = treatment(type(obj))
            if found is None:
                raise EncodeError(f"{_type_name(obj)} has no stored form", type_name=_type_name(obj))
            return found.write(obj, self.pack)
        except BaseException as exc:
            self.failure = self.failure or exc
            raise

    def _reserve(self, value: Any) -> int:
        """Take the value's depth from what the stack still holds: a crash can not be caught."""
        used = value_depth(value)
        self._room -= used
        if self._level > MAX_LEVELS or self._room < 0:
            raise EncodeError(_TOO_DEEP)
        return used

    def _pack_rewritten(self, value: Any, exc: TypeError) -> bytes:
        if self.failure is not None:
            raise self.failure
        if "ecursion" in str(exc):
            raise EncodeError(_TOO_DEEP) from exc
        try:
            return ormsgpack.packb(self._rewrite(value), self.default, _ANY_KEYS)
        except TypeError:
            if self.failure is not None:
                raise self.failure from None
            raise

    def _rewrite(self, value: Any, depth: int = 0) -> Any:
        """Return the value with envelopes for all that ormsgpack would change or refuse."""
        cls = type(value)
        if cls is str:
            return value if _is_unicode(value) else self.default(_Surrogates(value))
        if cls is bytearray or cls is memoryview:
            return self.default(value)
        if depth > 256:
            raise EncodeError(_TOO_DEEP)
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
        return -(2**63) <= key < 2**64
    if cls is tuple:
        return all(map(_is_native_key, key))
    return cls is bool or cls is float or cls is bytes or key is None


def _holds_buffer(value: Any) -> bool:
    """Tell whether there is a `bytearray` or `memoryview` that ormsgpack took for `bytes`."""
    waiting: list[Any] = [[value]]
    for item in waiting:
        children: Iterable[Any] = item.values() if type(item) is dict else item
        for child in children:
            cls = type(child)
            if cls is dict or cls is list:
                waiting.append(child)
            elif cls is bytearray or cls is memoryview:
                return True
    return False


def _type_name(obj: Any) -> str:
    cls = type(obj)
    return f"{cls.__module__}.{cls.__qualname__}"


SURROGATES: Final = _Surrogates
