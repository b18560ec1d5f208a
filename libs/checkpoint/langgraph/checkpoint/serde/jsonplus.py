"""The serializer that savers use unless they are given another.

It writes msgpack (see `_encode`) and reads msgpack (`_decode`), the JSON of old versions (`_legacy_json`)
and, if asked, pickle. Names that begin with an underscore are here because code outside imports them.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import ormsgpack
from langchain_core.load.load import Reviver

from langgraph.checkpoint.errors import DecodeError
from langgraph.checkpoint.serde import _families as _families  # fills the table
from langgraph.checkpoint.serde import _legacy_json
from langgraph.checkpoint.serde import _msgpack as _lg_msgpack
from langgraph.checkpoint.serde._allowlist import Allowed, logger
from langgraph.checkpoint.serde._allowlist import normalize as _normalize_allowlist
from langgraph.checkpoint.serde._codes import (
    EXT_CONSTRUCTOR_KW_ARGS,
    EXT_CONSTRUCTOR_POS_ARGS,
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD_SINGLE_ARG,
    EXT_NUMPY_ARRAY,
    EXT_PYDANTIC_V1,
    EXT_PYDANTIC_V2,
)
from langgraph.checkpoint.serde._decode import Decoder
from langgraph.checkpoint.serde._encode import OPTIONS, Encoder
from langgraph.checkpoint.serde._legacy_json import InvalidModuleError
from langgraph.checkpoint.serde._legacy_json import is_safe as _is_safe_json_type
from langgraph.checkpoint.serde._msgpack import AllowedMsgpackModules
from langgraph.checkpoint.serde._path import explain
from langgraph.checkpoint.serde._plain import plain_ext_hook as _msgpack_ext_hook_to_json
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.event_hooks import emit_serde_event
from langgraph.checkpoint.serde.types import (
    SendProtocol,
    _DeltaSnapshot,  # pyright: ignore[reportPrivateUsage]
)

__all__ = [
    "EMPTY_BYTES",
    "EXT_CONSTRUCTOR_KW_ARGS",
    "EXT_CONSTRUCTOR_POS_ARGS",
    "EXT_CONSTRUCTOR_SINGLE_ARG",
    "EXT_DELTA_SNAPSHOT",
    "EXT_METHOD_SINGLE_ARG",
    "EXT_NUMPY_ARRAY",
    "EXT_PYDANTIC_V1",
    "EXT_PYDANTIC_V2",
    "LC_REVIVER",
    "InvalidModuleError",
    "JsonPlusSerializer",
    "Reviver",
    "SendProtocol",
    "SerializerProtocol",
    "UnknownTagError",
    "_DeltaSnapshot",
    "_create_msgpack_ext_hook",
    "_is_safe_json_type",
    "_msgpack_default",
    "_msgpack_enc",
    "_msgpack_ext_hook",
    "_msgpack_ext_hook_to_json",
    "_normalize_allowlist",
    "_option",
    "_send_from_args",
    "emit_serde_event",
    "logger",
]

EMPTY_BYTES = b""
_option = OPTIONS
ExtHook = Callable[[int, bytes], Any]

_BY_ENVIRONMENT: Any = _lg_msgpack._SENTINEL  # pyright: ignore[reportPrivateUsage]
LC_REVIVER = Reviver(allowed_objects="core")


class UnknownTagError(DecodeError, NotImplementedError):
    """The tag of a stored value is not one that this serializer reads."""


_NEXT: Final = False
_NEXT_PACKED: Final = ormsgpack.packb(_NEXT)
_END: Final = "\N{END OF TEXT}end of many values"
_END_PACKED: Final = ormsgpack.packb(_END)


class JsonPlusSerializer(SerializerProtocol):
    """Turns values into msgpack and back, exactly: the same type and value at every depth.

    A value without a stored form is refused when it is dumped. A stored class that is blocked, gone, or
    refuses its fields comes back as those fields, with a warning and an event, never as `None`.

    Args:
        pickle_fallback: pickle what has no other form, and load pickles. Only for trusted storage.
        allowed_json_modules: classes that JSON of old versions may name, each as `(*module path, name)`;
            `True` for all. Safe types and LangChain's core objects need no leave.
        allowed_msgpack_modules: classes that msgpack may name: `None` for the safe types only, a collection of
            classes or `(module, name)` for these too, `True` for all, with a warning for each new one. The
            default is `None` if `LANGGRAPH_STRICT_MSGPACK` is set, else `True`.
    """

    def __init__(
        self,
        *,
        pickle_fallback: bool = False,
        allowed_json_modules: Iterable[tuple[str, ...]] | Literal[True] | None = None,
        allowed_msgpack_modules: AllowedMsgpackModules | Literal[True] | None = _BY_ENVIRONMENT,
        __unpack_ext_hook__: ExtHook | None = None,
    ) -> None:
        self.pickle_fallback = pickle_fallback
        self._allowed_json_modules: set[tuple[str, ...]] | Literal[True] | None = (
            allowed_json_modules
            if allowed_json_modules is True or allowed_json_modules is None
            else {tuple(name) for name in allowed_json_modules}
        )
        if allowed_msgpack_modules is _BY_ENVIRONMENT:
            allowed_msgpack_modules = None if _lg_msgpack.STRICT_MSGPACK_ENABLED else True
        self._custom_unpack_ext_hook = __unpack_ext_hook__ is not None
        self._allowed_msgpack_modules: Allowed = _normalize_allowlist(allowed_msgpack_modules)
        self._unpack_ext_hook: ExtHook = __unpack_ext_hook__ or _create_msgpack_ext_hook(
            self._allowed_msgpack_modules
        )

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[tuple[str, ...] | type]) -> JsonPlusSerializer:
        """Return a copy that also admits these types, or this serializer itself if there are none."""
        extra = _normalize_allowlist(extra_allowlist)
        if not extra:
            return self
        clone = copy.copy(self)
        if clone._allowed_msgpack_modules is not True and extra is not True:
            clone._allowed_msgpack_modules = (clone._allowed_msgpack_modules or set()) | extra
        if not clone._custom_unpack_ext_hook:
            clone._unpack_ext_hook = _create_msgpack_ext_hook(clone._allowed_msgpack_modules)
        return clone

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the tag and the bytes of `obj`.

        Raises:
            EncodeError: something in it has no stored form; the error has its path.
        """
        if obj is None:
            return "null", EMPTY_BYTES
        cls = type(obj)
        if cls is bytes:
            return "bytes", obj
        if cls is bytearray:
            return "bytearray", bytes(obj)
        try:
            return "msgpack", Encoder().pack(obj)
        except Exception as exc:
            if not self.pickle_fallback:
                error = explain(obj, exc)
                raise error from error.__cause__
        return "pickle", pickle.dumps(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value of a tag and its bytes.

        Raises:
            DecodeError: the bytes are damaged.
            UnknownTagError: this serializer does not read the tag; it is also a `NotImplementedError`.
        """
        tag, stored = data
        if tag == "msgpack":
            if self._custom_unpack_ext_hook:
                return _unpack(stored, self._unpack_ext_hook)
            return Decoder(self._allowed_msgpack_modules).unpack(stored)
        if tag == "null":
            return None
        if tag == "bytes":
            return stored
        if tag == "bytearray":
            return bytearray(stored)
        if tag == "json":
            return self._loads_json(stored)
        if tag == "pickle" and self.pickle_fallback:
            return pickle.loads(stored)  # noqa: S301 - asked for by the caller
        hint = "; pass pickle_fallback=True if the storage is trusted" if tag == "pickle" else ""
        raise UnknownTagError(f"stored values with the tag {tag!r} are not read here{hint}")

    def loads_many(self, stored: Sequence[tuple[str, bytes]]) -> list[Any]:
        """Return the values of many tags and their bytes, several times as fast as one by one.

        Raises:
            DecodeError: some of the bytes are damaged. To find out which, ask for them one by one.
        """
        if not stored or type(self).loads_typed is not JsonPlusSerializer.loads_typed:
            return [self.loads_typed(typed) for typed in stored]  # a subclass reads in its own way
        # One array, with nil for what is no msgpack, and marks between and behind the values: each of them is in
        # its place only if every value took just its own bytes.
        packed: list[bytes] = []
        others: list[int] = []
        for place, (tag, data) in enumerate(stored):
            if tag == "msgpack":
                packed.append(data)
            else:
                packed.append(b"\xc0")
                if tag != "null":
                    others.append(place)
        head = b"\xdd" + (2 * len(packed)).to_bytes(4, "big")
        mixed: list[Any] = self.loads_typed(("msgpack", head + _NEXT_PACKED.join(packed) + _END_PACKED))
        values, marks = mixed[::2], mixed[1::2]
        if marks[-1:] != [_END] or marks.count(_NEXT) != len(values) - 1:
            raise DecodeError("stored msgpack is damaged: a value is longer or shorter than its bytes")
        for place in others:
            values[place] = self.loads_typed(stored[place])
        return values

    def _loads_json(self, stored: bytes) -> Any:
        try:
            return json.loads(stored, object_hook=self._reviver)
        except NotImplementedError:
            raise
        except (ValueError, RecursionError) as exc:
            raise DecodeError(f"stored JSON can not be read: {exc}") from exc

    def _check_allowed_json_modules(self, value: dict[str, Any]) -> None:
        _legacy_json.check_allowed(value["id"], self._allowed_json_modules)

    def _reviver(self, value: dict[str, Any]) -> Any:
        """Return what a JSON object stands for: itself, unless it is an envelope."""
        if value.get("lc") == 2 and value.get("type") == "constructor" and value.get("id"):
            if self._allowed_json_modules is None and not _is_safe_json_type(value["id"]):
                return value
            try:
                return self._revive_lc2(value)
            except InvalidModuleError as exc:
                _legacy_json.logger.warning("%s Its envelope is returned.", exc.message)
                return value
        return LC_REVIVER(value)

    def _revive_lc2(self, value: dict[str, Any]) -> Any:
        self._check_allowed_json_modules(value)
        return _legacy_json.construct(value)


def _unpack(stored: bytes, hook: ExtHook) -> Any:
    try:
        return ormsgpack.unpackb(stored, ext_hook=hook, option=ormsgpack.OPT_NON_STR_KEYS)
    except ValueError as exc:
        raise DecodeError(f"stored msgpack can not be read: {exc}") from exc


def _create_msgpack_ext_hook(
    allowed_modules: set[tuple[str, ...]] | Literal[True] | None,
) -> ExtHook:
    def hook(code: int, data: bytes) -> Any:
        return Decoder(allowed_modules).hook(code, data)

    return hook


_msgpack_ext_hook = _create_msgpack_ext_hook(None)


def _msgpack_default(obj: Any) -> Any:
    return Encoder().default(obj)


def _msgpack_enc(data: Any) -> bytes:
    try:
        return Encoder().pack(data)
    except Exception as exc:
        error = explain(data, exc)
        raise error from error.__cause__


def _send_from_args(args: Any) -> Any:
    from langgraph.checkpoint.serde._classes import find
    from langgraph.checkpoint.serde._engine import send_from_args

    return send_from_args(args, find("langgraph.types", "Send"))


if TYPE_CHECKING:
    from langgraph.store.base import Item as Item
else:

    def __getattr__(name: str) -> Any:
        """Return `Item`, which lives above this package and so is looked up when asked for."""
        if name == "Item":
            from langgraph.store.base import Item

            return Item
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
