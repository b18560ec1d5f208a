"""How checkpoints stand in the tables, and that every value comes back as it was."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from golden_types import Color, Pair

from langgraph.checkpoint.base import DecodeError, EncodeError, EncryptedSerializer
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot

pytestmark = pytest.mark.filterwarnings("ignore:Deserializing unregistered type")

ODD: dict[str, Any] = {
    "none": None,
    "true": True,
    "int": 2**63 - 1,
    "beyond 64 bit": 2**70,
    "float": 0.1,
    "tiny": 5e-324,
    "huge": 1e300,
    "whole": 1e16,
    "negative zero": -0.0,
    "infinite": math.inf,
    "text": "grüße 🙂",
    "long": "x" * 1000,
    "NUL": "a\0b",
    "bytes": b"\x00\xff",
    "tuple": (1, [2]),
    "set": {1, 2},
    "int keys": {1: "a"},
    "marker": {"__langgraph_serde__": ["json", "e30="]},
    "pair": Pair(1, "b"),
    "color": Color.RED,
}


@pytest.fixture
def saver(database: str) -> Iterator[PostgresSaver]:
    """Return a saver on `database`."""
    with PostgresSaver.from_conn_string(database) as saver:
        yield saver


@pytest.fixture
def document(connection: psycopg.Connection[Any]) -> Any:
    """Return a function that reads the one checkpoint as it is stored, without what belongs beside it."""

    def read() -> Any:
        ((stored, metadata),) = connection.execute("SELECT checkpoint, metadata FROM checkpoints").fetchall()
        return stored, metadata

    return read


@pytest.fixture
def blobs(connection: psycopg.Connection[Any]) -> Any:
    """Return a function that reads channel, version and type of all blobs."""
    return lambda: connection.execute(
        "SELECT channel, version, type FROM checkpoint_blobs ORDER BY 1, 2"
    ).fetchall()


def same(found: Any, wanted: Any) -> bool:
    """Tell whether two values are of the same type and look the same, which tells -0.0 from 0.0."""
    return type(found) is type(wanted) and repr(found) == repr(wanted)


@pytest.mark.parametrize("has_versions", [True, False])
def test_every_value_comes_back(saver: PostgresSaver, at: Any, checkpoint: Any, has_versions: bool) -> None:
    """In type and value, wherever it stands; also if the caller gave no version to find it by."""
    made = checkpoint("1", ODD)
    if not has_versions:
        made["channel_versions"] = {}
    saver.put(at(), made, {}, made["channel_versions"])
    (listed,) = saver.list(at())
    for found in (saver.get_tuple(at()), listed):
        assert found is not None
        values = found.checkpoint["channel_values"]
        assert values.keys() == ODD.keys()
        assert [name for name in ODD if not same(values[name], ODD[name])] == []


def test_every_metadata_comes_back(saver: PostgresSaver, at: Any, checkpoint: Any) -> None:
    """Also what JSON has no form for, and deep in a list or dict; and it can be filtered by."""
    metadata = {**ODD, "nested": {"list": [(1,), {"a": -0.0}]}, "counters_since_delta_snapshot": {"d": (1, 2)}}
    saver.put(at(), checkpoint("1"), metadata, {})  # type: ignore[arg-type]  # keys of one's own
    found: Any = saver.get_tuple(at())
    assert [name for name in metadata if not same(found.metadata[name], metadata[name])] == []
    for name, value in metadata.items():
        if not isinstance(value, set | bytes):
            assert [item.checkpoint["id"] for item in saver.list(None, filter={name: value})] == ["1"], name


def test_a_number_equals_a_number_in_a_filter(saver: PostgresSaver, at: Any, checkpoint: Any) -> None:
    """However each of them is stored."""
    for number, value in enumerate([1, 1.0, 0, -0.0, 10**16, 1e16]):
        saver.put(at(), checkpoint(str(number)), {"n": value}, {})  # type: ignore[typeddict-unknown-key]
    for wanted, ids in ((1, "10"), (1.0, "10"), (0, "32"), (-0.0, "32"), (10**16, "54"), (1e16, "54")):
        assert [item.checkpoint["id"] for item in saver.list(None, filter={"n": wanted})] == list(ids)


def test_rows_have_the_form_of_the_release(
    saver: PostgresSaver, at: Any, checkpoint: Any, document: Any, blobs: Any
) -> None:
    """Short scalars stand in the document, other values beside it, a snapshot leaves `true`."""
    values = {"a": [1], "b": None, "c": "text", "d": _DeltaSnapshot([1]), "e": 1e300}
    made = checkpoint("1", values)
    made["channel_versions"] = {**made["channel_versions"], "b": 3}
    saver.put(at(), made, {"source": "loop"}, made["channel_versions"])
    stored, metadata = document()
    assert stored == {**made, "channel_values": {"b": None, "c": "text", "d": True}}
    assert metadata == {"source": "loop"}
    assert blobs() == [("a", "1", "msgpack"), ("d", "1", "msgpack"), ("e", "1", "msgpack")]


def test_a_version_that_is_put_again_has_its_last_value(
    saver: PostgresSaver, at: Any, checkpoint: Any, blobs: Any
) -> None:
    """Whether that is beside the document, in it, or none."""
    for values in ({"a": [1]}, {"a": [2]}, {"a": True}, {"a": [3]}, {}):
        made = {**checkpoint("1", values), "channel_versions": {"a": "v"}}
        saver.put(at(), made, {}, {"a": "v"})
        found = saver.get_tuple(at())
        assert found is not None
        assert found.checkpoint["channel_values"] == values
    assert blobs() == []


def test_an_unchanged_value_is_stored_once(saver: PostgresSaver, at: Any, checkpoint: Any, blobs: Any) -> None:
    """A value with an old version is not stored again, unless it has gone meanwhile."""
    first = checkpoint("1", {"a": [1]})
    saver.put(at(), first, {}, {"a": "1"})
    saver.put(at("t", "1"), {**first, "id": "2"}, {}, {})
    assert blobs() == [("a", "1", "msgpack")]
    saver.conn.execute("DELETE FROM checkpoint_blobs")
    saver.put(at("t", "2"), {**first, "id": "3"}, {}, {})
    assert blobs() == [("a", "1", "msgpack")]


class Reversing:
    """A cipher that anyone can break, but not by looking."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "reversing", plaintext[::-1]

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        return ciphertext[::-1]


def test_no_encrypted_value_is_seen(database: str, at: Any, checkpoint: Any, document: Any, blobs: Any) -> None:
    """With a cipher no value stands in the document, however short; with or without version."""
    with psycopg.connect(database) as conn:
        saver = PostgresSaver(conn, serde=EncryptedSerializer(Reversing()))
        made = checkpoint("1", {"a": "secret", "b": None, "c": ["secret"]})
        del made["channel_versions"]["c"]
        saver.put(at(), made, {}, made["channel_versions"])
        found = saver.get_tuple(at())
    assert found is not None
    assert found.checkpoint["channel_values"] == made["channel_values"]
    assert "secret" not in str(document())
    assert [channel for channel, *_ in blobs()] == ["a", "b"]


@pytest.mark.parametrize("version", [math.nan, 1e300, 2**64, None, "a\0"])
def test_a_version_that_json_changes_is_refused(
    saver: PostgresSaver, at: Any, checkpoint: Any, version: Any
) -> None:
    """The value could not be found again."""
    made = {**checkpoint("1", {"a": [1]}), "channel_versions": {"a": version}}
    with pytest.raises(EncodeError, match="channel_versions"):
        saver.put(at(), made, {}, {"a": version})
    assert saver.get_tuple(at()) is None


def test_damaged_rows_say_which(saver: PostgresSaver, at: Any, checkpoint: Any) -> None:
    """An error names thread, checkpoint and channel or task."""
    made = checkpoint("1", {"a": [1]})
    config = saver.put(at(), made, {}, made["channel_versions"])
    saver.put_writes(config, [("b", 1)], "task")
    saver.conn.execute("UPDATE checkpoint_blobs SET blob = '\\xc1'")
    with pytest.raises(DecodeError) as caught:
        saver.get_tuple(at())
    assert caught.value.path == "channel_values['a']"
    assert caught.value.address["thread_id"] == "t"
    saver.conn.execute("DELETE FROM checkpoint_blobs")
    saver.conn.execute("UPDATE checkpoint_writes SET blob = '\\xc1'")
    with pytest.raises(DecodeError) as caught:
        list(saver.list(None))
    assert caught.value.address["task_id"] == "task"


def test_pages_follow_each_other(saver: PostgresSaver, at: Any, checkpoint: Any) -> None:
    """A long history comes once and in order, across threads and namespaces that share ids."""
    for number in range(60):
        for ns in ("", "child"):
            saver.put(at(f"t{number % 2}", ns=ns), checkpoint(f"{number:03}"), {"n": number % 3}, {})  # type: ignore[typeddict-unknown-key]
    expected = [f"{number:03}" for number in reversed(range(60)) for _ in range(2)]
    assert [item.checkpoint["id"] for item in saver.list(None)] == expected
    thread = {"configurable": {"thread_id": "t1"}}
    assert [item.checkpoint["id"] for item in saver.list(thread)] == [one for one in expected if int(one) % 2]  # type: ignore[arg-type]
    some = [
        item.checkpoint["id"] for item in saver.list(at("t1"), filter={"n": 0}, before=at("t1", "040"), limit=5)
    ]
    assert some == ["039", "033", "027", "021", "015"]
