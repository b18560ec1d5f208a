"""What stored bytes may cause: only what the allowlist admits is imported, only classes are constructed."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import ormsgpack
import pytest

from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.serde.event_hooks import emit_serde_event, register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

pytestmark = pytest.mark.usefixtures("warned_anew")
LOG = "langgraph.checkpoint.serde.jsonplus"


def envelope(code: int, *elements: Any) -> tuple[str, bytes]:
    return "msgpack", ormsgpack.packb(ormsgpack.Ext(code, ormsgpack.packb(list(elements))))


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Plant a module that leaves a mark when it is imported, and return a function that looks for it."""
    mark = tmp_path / "imported"
    source = f"open({str(mark)!r}, 'w').close()\nclass Evil:\n def __init__(self, *a, **k): pass\n"
    (tmp_path / "planted_module.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield mark.exists
    sys.modules.pop("planted_module", None)


@pytest.mark.parametrize("allowed", [None, [("other", "Thing")]])
@pytest.mark.parametrize(
    "stored",
    [
        envelope(0, "planted_module", "Evil", "payload"),
        envelope(1, "planted_module", "Evil", "payload"),
        envelope(2, "planted_module", "Evil", "payload", "Evil"),
        envelope(3, "planted_module", "Evil", "payload", "method"),
        envelope(3, "builtins", "type", ["planted_module", "Evil"], "lookup"),
        envelope(4, "planted_module", "Evil", "payload"),
        envelope(5, "planted_module", "Evil", "payload", "model_validate_json", None, None, True),
        envelope(0, "planted_module.inner", "Evil", "payload"),
    ],
)
def test_blocked_module_is_not_imported(planted: Any, allowed: Any, stored: Any) -> None:
    """The check comes before the import, whatever the kind of envelope; the payload comes back."""
    found = JsonPlusSerializer(allowed_msgpack_modules=allowed).loads_typed(stored)
    assert found in ("payload", ["planted_module", "Evil"])
    assert not planted()


def test_json_that_is_not_allowed_imports_nothing(planted: Any) -> None:
    """The same holds for JSON of old versions."""
    value = {"lc": 2, "type": "constructor", "id": ["planted_module", "Evil"], "kwargs": {}}
    for allowed in (None, [("planted_module", "Other")]):
        serde = JsonPlusSerializer(allowed_json_modules=allowed)
        assert serde.loads_typed(("json", json.dumps(value).encode())) == value
    assert not planted()


def test_class_that_no_family_knows_is_not_constructed_unless_named(planted: Any) -> None:
    """Allowing everything is not calling anything: the class must be one that is stored, or be named."""
    stored = envelope(0, "planted_module", "Evil", "payload")
    assert JsonPlusSerializer(allowed_msgpack_modules=True).loads_typed(stored) == "payload"
    named = JsonPlusSerializer(allowed_msgpack_modules=[("planted_module", "Evil")])
    assert type(named.loads_typed(stored)).__name__ == "Evil"


@pytest.mark.parametrize(
    ("module", "name", "payload"),
    [
        ("builtins", "len", [1]),
        ("os", "system", "true"),
        ("subprocess", "Popen", "true"),
        ("builtins", "eval", "1"),
    ],
)
@pytest.mark.parametrize("code", [0, 1, 2])
def test_functions_are_never_called(code: int, module: str, name: str, payload: Any) -> None:
    """At the most open level too, a function that the bytes name is not called."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=True)
    assert serde.loads_typed(envelope(code, module, name, payload)) == payload


def test_function_that_is_allowed_by_name_is_not_called_either() -> None:
    """The allowlist holds classes."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=[("builtins", "len")])
    assert serde.loads_typed(envelope(0, "builtins", "len", [1, 2])) == [1, 2]


def test_unlisted_method_is_not_called(events: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    """Only the methods on the list are called, also of safe types; the argument comes back, and it is told."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=True)
    assert serde.loads_typed(envelope(3, "datetime", "date", "2024-01-01", "fromisoformat")) == "2024-01-01"
    assert events == [
        {"kind": "msgpack_method_blocked", "module": "datetime", "name": "date", "method": "fromisoformat"}
    ]
    assert "datetime.date.fromisoformat" in caplog.text


def test_qualified_name_does_not_get_past_the_allowlist() -> None:
    """What is looked up is what was asked for: a qualified name of another class is not followed."""
    from golden_types import Point

    serde = JsonPlusSerializer(allowed_msgpack_modules=[("golden_types", "Point")])
    stored = envelope(2, "golden_types", "Point", {"x": 1, "y": 2}, "Outer.InnerPoint")
    assert serde.loads_typed(stored) == Point(1, 2)


def test_huge_bytearray_is_not_made_of_a_number() -> None:
    """A number where bytes belong fills no memory."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    assert serde.loads_typed(envelope(0, "builtins", "bytearray", 10**15)) == 10**15


def test_blocked_type_gives_its_fields_and_one_warning(
    events: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Each object is an event, each type one warning."""
    from golden_types import Point

    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    stored = serde.dumps_typed([Point(1, 2), Point(3, (4,))])
    assert serde.loads_typed(stored) == [{"x": 1, "y": 2}, {"x": 3, "y": (4,)}]
    assert events == [{"kind": "msgpack_blocked", "module": "golden_types", "name": "Point"}] * 2
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert caplog.records[0].name == LOG
    assert "('golden_types', 'Point')" in caplog.text


def test_unregistered_type_loads_with_one_warning(events: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    """At the open level, types nobody named load, and are told of."""
    from golden_types import Point

    serde = JsonPlusSerializer(allowed_msgpack_modules=True)
    assert serde.loads_typed(serde.dumps_typed([Point(1, 2)] * 3)) == [Point(1, 2)] * 3
    assert events == [{"kind": "msgpack_unregistered_allowed", "module": "golden_types", "name": "Point"}] * 3
    assert len(caplog.records) == 1


def test_allowed_and_safe_types_load_silently(events: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    """What was named, as a class or by name, and what is safe, is worth no word."""
    from golden_types import Color, Outer, Point
    from langchain_core.messages import HumanMessage

    serde = JsonPlusSerializer(
        allowed_msgpack_modules=[Point, ("golden_types", "Color"), Outer.Inner, ("golden_types", "InnerPoint")]
    )
    value = [Point(1, 2), Color.RED, Outer.Inner(v=1), Outer.InnerPoint(1), HumanMessage("x"), (1,), {2**70: int}]
    assert serde.loads_typed(serde.dumps_typed(value)) == value
    assert (events, caplog.records) == ([], [])


def test_default_level_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an argument the strict switch decides between all types and the safe ones."""
    from golden_types import Point

    stored = JsonPlusSerializer().dumps_typed(Point(1, 2))
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", False)
    assert JsonPlusSerializer().loads_typed(stored) == Point(1, 2)
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", True)
    assert JsonPlusSerializer().loads_typed(stored) == {"x": 1, "y": 2}


def test_allowlist_clone_keeps_the_subclass_and_its_state() -> None:
    """`with_msgpack_allowlist` adds types to a copy; the original is as strict as before."""
    from golden_types import Point

    class Mine(JsonPlusSerializer):
        extra = "state"

    strict = Mine(allowed_msgpack_modules=None)
    strict.extra = "mine"
    open_ = strict.with_msgpack_allowlist([Point])
    stored = strict.dumps_typed(Point(1, 2))
    assert (type(open_), open_.extra) == (Mine, "mine")  # type: ignore[attr-defined]
    assert open_.loads_typed(stored) == Point(1, 2)
    assert strict.loads_typed(stored) == {"x": 1, "y": 2}
    assert strict.with_msgpack_allowlist([]) is strict


@pytest.mark.parametrize(
    ("module", "name", "reason"),
    [
        ("no_such_module", "C", "ModuleNotFoundError"),
        ("golden_types", "Gone", "AttributeError"),
        ("golden_types", "Color", "ValueError"),
    ],
)
def test_class_gone_or_refusing_gives_the_payload(
    module: str, name: str, reason: str, events: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A class that is not there, or refuses its fields, is never a silent `None`."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=[(module, name)])
    assert serde.loads_typed(envelope(0, module, name, "payload")) == "payload"
    assert events == [{"kind": "msgpack_not_rebuilt", "module": module, "name": name}]
    assert reason in caplog.text


def test_listener_that_fails_harms_nobody(events: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    """Its error goes to the log; the listeners behind it are told all the same, until they leave."""

    def fail(event: Any) -> None:
        raise RuntimeError

    unregister = register_serde_event_listener(fail)
    late: list[Any] = []
    leave = register_serde_event_listener(late.append)
    emit_serde_event({"kind": "k", "module": "m", "name": "n"})
    unregister()
    unregister()
    leave()
    emit_serde_event({"kind": "k2", "module": "m", "name": "n"})
    assert [event["kind"] for event in late] == ["k"]
    assert [event["kind"] for event in events] == ["k", "k2"]
    assert len(caplog.records) == 1
