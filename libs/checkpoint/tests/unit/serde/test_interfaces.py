"""The modules as others import them: protocols, hooks, and private names that savers use."""

from __future__ import annotations

import json
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde import jsonplus, types
from langgraph.checkpoint.serde.base import SerializerCompat, SerializerProtocol, maybe_add_typed_methods
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


class Untyped:
    def dumps(self, obj: Any) -> bytes:
        return json.dumps(obj).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


def test_untyped_serializer_gets_typed_methods() -> None:
    """Its tag is the name of the type; a typed serializer is left alone."""
    compat = maybe_add_typed_methods(Untyped())
    typed = JsonPlusSerializer()
    assert isinstance(compat, SerializerCompat)
    assert compat.dumps_typed({"a": 1}) == ("dict", b'{"a": 1}')
    assert compat.loads_typed(("dict", b'{"a": 1}')) == {"a": 1}
    assert maybe_add_typed_methods(typed) is typed
    assert isinstance(typed, SerializerProtocol)


def test_own_hook_replaces_the_decoder_and_survives_the_clone() -> None:
    """`__unpack_ext_hook__` gets code and bytes of each envelope."""
    serde = JsonPlusSerializer(__unpack_ext_hook__=lambda code, data: code)
    stored = JsonPlusSerializer().dumps_typed([(1,), {2}])
    assert serde.loads_typed(stored) == [0, 0]
    assert serde.with_msgpack_allowlist([int]).loads_typed(stored) == [0, 0]


def test_plain_view_shows_values_without_classes(evaluate: Any) -> None:
    """`_msgpack_ext_hook_to_json` shows what is stored, for people."""
    value = [evaluate("Point(1, (2,))"), evaluate("Color.RED"), types._DeltaSnapshot([1])]
    stored = jsonplus._msgpack_enc(value)
    plain = ormsgpack.unpackb(stored, ext_hook=jsonplus._msgpack_ext_hook_to_json)
    assert plain == [{"x": 1, "y": [2]}, "red", [1]]


def test_hooks_are_usable_alone(evaluate: Any) -> None:
    """Savers give the hooks to ormsgpack themselves."""
    point = evaluate("Point(1, 2)")
    stored = ormsgpack.packb([point], default=jsonplus._msgpack_default, option=jsonplus._option)
    strict, open_ = jsonplus._msgpack_ext_hook, jsonplus._create_msgpack_ext_hook(True)
    assert ormsgpack.unpackb(stored, ext_hook=strict) == [{"x": 1, "y": 2}]
    assert ormsgpack.unpackb(stored, ext_hook=open_) == [point]


def test_send_keeps_its_timeout(evaluate: Any) -> None:
    """A `Send` with a timeout is the same `Send` again."""
    from langgraph.types import Send

    send = Send("node", {"x": (1,)}, timeout=3)
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    assert serde.loads_typed(serde.dumps_typed([send])) == [send]
    assert jsonplus._send_from_args(["node", 1]) == Send("node", 1)


def test_item_is_found_when_it_is_asked_for() -> None:
    """`Item` lives above the serializer, and is importable from it as in the release."""
    from langgraph.store.base import Item

    assert jsonplus.Item is Item
