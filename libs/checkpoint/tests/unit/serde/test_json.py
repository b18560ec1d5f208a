"""JSON that old versions stored: read, never written."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from langgraph.checkpoint.errors import DecodeError
from langgraph.checkpoint.serde.jsonplus import InvalidModuleError, JsonPlusSerializer

HUMAN = ("langchain_core", "messages", "human", "HumanMessage")


def envelope(*names: str, lc: int = 2, **parts: Any) -> dict[str, Any]:
    return {"lc": lc, "type": "constructor", "id": list(names), **parts}


def load(value: Any, allowed: Any = None) -> Any:
    return JsonPlusSerializer(allowed_json_modules=allowed).loads_typed(("json", json.dumps(value).encode()))


def test_plain_json_is_read() -> None:
    """What is no envelope stays as it is."""
    assert load({"a": [1, None, {"lc": 3}]}) == {"a": [1, None, {"lc": 3}]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (envelope("uuid", "UUID", args=["0" * 32]), uuid.UUID(int=0)),
        (envelope("builtins", "set", args=[[1, 2]]), {1, 2}),
        (
            envelope("langchain_core", "messages", "human", "HumanMessage", kwargs={"content": "x"}),
            HumanMessage("x"),
        ),
        (envelope("langchain", "schema", "messages", "AIMessage", lc=1, kwargs={"content": "x"}), AIMessage("x")),
    ],
)
def test_safe_types_and_core_messages_need_no_leave(value: Any, expected: Any) -> None:
    """Envelopes of both generations are opened."""
    assert load([value]) == [expected]


def test_other_types_need_leave() -> None:
    """A class that is not safe is made only if it is named exactly, or everything is allowed."""
    from golden_types import Point

    value = envelope("golden_types", "Point", kwargs={"x": 1, "y": 2})
    assert load(value) == value
    assert load(value, [("golden_types", "Other")]) == value
    assert load(value, [("golden_types", "Point")]) == Point(1, 2)
    assert load(value, True) == Point(1, 2)


def test_method_of_an_envelope_is_not_used() -> None:
    """The bytes do not choose what is called; what can not be made is returned as it was stored."""
    value = envelope("datetime", "datetime", method="fromisoformat", args=["2024-01-01"])
    assert load(value, True) == value


def test_functions_are_not_called() -> None:
    """At the most open level too, only classes are."""
    value = envelope("builtins", "len", args=[[1]])
    assert load(value, True) == value


def test_damaged_json_raises() -> None:
    """What is no JSON is a `DecodeError`."""
    with pytest.raises(DecodeError):
        JsonPlusSerializer().loads_typed(("json", b"{"))


def test_subclass_may_use_and_replace_the_reviver() -> None:
    """Savers call `_reviver` on a subclass, and override it."""

    class Mine(JsonPlusSerializer):
        def _reviver(self, value: dict[str, Any]) -> Any:
            return super()._reviver(value) if "lc" in value else {**value, "seen": True}

    assert Mine().loads_typed(("json", b'{"a": 1}')) == {"a": 1, "seen": True}
    assert Mine()._revive_lc2(envelope("uuid", "UUID", args=["0" * 32])) == uuid.UUID(int=0)
    with pytest.raises(InvalidModuleError, match="allowed_json_modules"):
        Mine()._check_allowed_json_modules(envelope("a", "b"))
