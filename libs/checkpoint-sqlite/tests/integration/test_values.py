"""Values come back as they were put: same type, equal, through channels, writes and metadata."""

from __future__ import annotations

import collections
import datetime
import decimal
import ipaddress
import math
import pathlib
import re
import uuid
import zoneinfo
from typing import Any

import golden_types
import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage

VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**63,
    -(2**100),
    0.0,
    -0.0,
    1e300,
    math.inf,
    math.nan,
    "",
    "text",
    "nul \0 inside",
    "emoji \N{GRINNING FACE}",
    "lone \ud800 surrogate",
    b"",
    b"\0\xff",
    bytearray(b"ab"),
    complex(1, 2),
    [],
    [1, [2, [3]]],
    (),
    (1, (2, [3])),
    {},
    {"a": {"b": (1,)}},
    {1: "int", "1": "text", (1, 2): "tuple", None: "none", 2.5: "float"},
    {True: "bool"},
    set(),
    {1, "1"},
    frozenset({(1, 2)}),
    collections.deque([1, 2], maxlen=3),
    collections.OrderedDict(b=1, a=2),
    datetime.datetime(2024, 2, 29, 12, 30, 1, 7, tzinfo=datetime.timezone.utc),
    datetime.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")),
    datetime.date(2024, 2, 29),
    datetime.time(1, 2, 3),
    datetime.timedelta(days=1, microseconds=1),
    decimal.Decimal("1.10"),
    uuid.UUID(int=5),
    pathlib.PurePosixPath("/a/b"),
    ipaddress.ip_address("127.0.0.1"),
    re.compile("a+", re.IGNORECASE),
    golden_types.Color.BLUE,
    golden_types.Point(1, 2),
    golden_types.Pair(1, [2]),
    HumanMessage("hello", id="h"),
    AIMessage("reply", id="a", tool_calls=[{"name": "f", "args": {"x": 1}, "id": "1"}]),
    Document("page", metadata={"n": (1, 2)}),
]
PLACES = [f"{number}-{type(value).__name__}" for number, value in enumerate(VALUES)]


def same(one: Any, other: Any) -> bool:
    """Tell whether values are equal and of the same types throughout."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return math.copysign(1, one) == math.copysign(1, other) and (one == other or one != one)
    if isinstance(one, dict):
        pairs = zip(one.items(), other.items(), strict=True)
        return len(one) == len(other) and all(same(list(a), list(b)) for a, b in pairs)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, collections.deque):
        return one == other and one.maxlen == other.maxlen
    return bool(one == other)


async def test_channel_values_are_exact(saver: Any, put: Any, at: Any) -> None:
    """Every value is stored in a channel of its own, and all of them together in one."""
    values = dict(zip(PLACES, VALUES, strict=True)) | {
        "all": VALUES,
        "by name": dict(zip(PLACES, VALUES, strict=True)),
    }
    await put(saver, "1", values)
    for found in (await saver.get_tuple(at()), *await saver.list(None)):
        stored = found.checkpoint["channel_values"]
        assert stored.keys() == values.keys()
        assert [name for name in values if not same(values[name], stored[name])] == []


async def test_writes_are_exact(saver: Any, put: Any, at: Any) -> None:
    """The same through `put_writes`."""
    stored = await put(saver, "1")
    await saver.put_writes(stored, list(zip(PLACES, VALUES, strict=True)), "task", "path")
    for found in (await saver.get_tuple(at()), *await saver.list(None)):
        assert [write[:2] for write in found.pending_writes] == [("task", name) for name in PLACES]
        assert [
            name
            for (_, name, out), value in zip(found.pending_writes, VALUES, strict=True)
            if not same(out, value)
        ] == []


async def test_metadata_is_exact(saver: Any, put: Any, at: Any) -> None:
    """Metadata too, although filters look into it."""
    metadata = dict(zip(PLACES, VALUES, strict=True)) | {"all": VALUES}
    await put(saver, "1", metadata=metadata)
    for found in (await saver.get_tuple(at()), *await saver.list(None)):
        assert found.metadata.keys() == metadata.keys()
        assert [name for name in metadata if not same(metadata[name], found.metadata[name])] == []


async def test_what_looks_like_our_own_mark_is_data(saver: Any, put: Any, at: Any) -> None:
    """Metadata that looks like a serialized value is not taken for one."""
    metadata = {"a": {"__langgraph_serde__": ["null", ""]}, "lc": 1}
    await put(saver, "1", metadata=metadata)
    assert (await saver.get_tuple(at())).metadata == metadata


async def test_what_was_put_is_frozen(saver: Any, put: Any, at: Any) -> None:
    """Changes of the caller's objects after a put, or of what was returned, do not reach the store."""
    values, metadata = {"a": [1]}, {"m": [1]}
    stored = await put(saver, "1", values, metadata=metadata)
    await saver.put_writes(stored, [("w", writes := [1])], "task")
    for changed in (values["a"], metadata["m"], writes):
        changed.append("changed")
    for _ in range(2):
        found = await saver.get_tuple(at())
        assert found.checkpoint["channel_values"] == {"a": [1]}
        assert found.metadata == {"m": [1]}
        assert found.pending_writes == [("task", "w", [1])]
        for returned in (found.checkpoint["channel_values"]["a"], found.metadata["m"], found.pending_writes[0][2]):
            returned.append("changed")
        found.checkpoint["channel_versions"]["b"] = "changed"
        found.config["configurable"]["thread_id"] = "changed"


async def test_one_page_shares_nothing(saver: Any, put: Any, at: Any) -> None:
    """Two listed checkpoints that have an unchanged value in common get objects of their own."""
    await put(saver, "1", {"a": [1]})
    await saver.put(
        at("t", "1"),
        {**(await saver.get(at())), "id": "2"},
        {},
        {},
    )
    second, first = await saver.list(at())
    second.checkpoint["channel_values"]["a"].append("changed")
    assert first.checkpoint["channel_values"] == {"a": [1]}


async def test_the_other_fields_of_a_checkpoint(saver: Any, at: Any, checkpoint: Any) -> None:
    """All fields come back, also those that this version does not know."""
    made = checkpoint("1", a=1) | {
        "v": 4,
        "versions_seen": {"node": {"a": "1"}, "": {}},
        "updated_channels": ["a"],
        "of the future": (1,),
    }
    await saver.put(at(), made, {}, {"a": "1"})
    assert await saver.get(at()) == made


async def test_the_configs_scalars_become_metadata(saver: Any, at: Any, checkpoint: Any) -> None:
    """Scalars of the config's metadata and configurable are stored, the address and what is private not."""
    config = at() | {"metadata": {"who": "ann", "n": 1, "list": [1], "step": 9}}
    config["configurable"] |= {"run_id": "r", "__private": 1, "checkpoint_map": "x", "user": 7}
    await saver.put(config, checkpoint("1"), {"step": 0}, {})
    assert (await saver.get_tuple(at())).metadata == {"step": 0, "who": "ann", "n": 1, "run_id": "r", "user": 7}
    assert await saver.ids(at(), filter={"user": 7, "who": "ann"}) == ["1"]


@pytest.mark.parametrize(
    "thread",
    ["it's", 'say "hi"', "a;b--c", "%_*?", "nul\0inside", "\N{GRINNING FACE}", "a\nb", " ", "|:", "t" * 5000],
)
async def test_names_are_taken_literally(saver: Any, put: Any, at: Any, thread: str) -> None:
    """Threads, namespaces, checkpoints and tasks may have any text as their name."""
    await put(saver, "other", {"a": 0}, thread="other")
    stored = await put(saver, thread, {"a": 1}, thread=thread, ns=thread)
    await saver.put_writes(stored, [(thread, 1)], thread, thread)
    for config in (stored, at(thread, ns=thread)):
        found = await saver.get_tuple(config)
        assert found.config == stored
        assert found.checkpoint["channel_values"] == {"a": 1}
        assert found.pending_writes == [(thread, thread, 1)]
    assert await saver.ids(at(thread, ns=thread)) == [thread]
    assert await saver.ids(stored) == [thread]
    await saver.copy_thread(thread, "copy")
    assert (await saver.get_tuple(at("copy", ns=thread))).pending_writes == [(thread, thread, 1)]
    await saver.delete_thread(thread)
    assert await saver.ids(None) == [thread, "other"] if thread > "other" else ["other", thread]
