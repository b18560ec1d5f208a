"""`list`: order, bounds and namespaces. And the writes that belong to a checkpoint."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.base import ERROR, INTERRUPT, RESUME, SCHEDULED


@pytest.fixture
async def saver(open_saver: Any, put: Any) -> Any:
    """A saver with 5 checkpoints in two namespaces of two threads each; every second id is shared."""
    saver = await open_saver()
    for number in (3, 1, 5, 2, 4):
        for thread in ("t", "u"):
            for ns in ("", "child"):
                own = "" if number % 2 else f"{thread}{ns}"
                await put(saver, f"{number}{own}", {"n": number}, thread=thread, ns=ns, metadata={"n": number})
    return saver


def places(items: Any) -> list[tuple[str, str, str]]:
    return [
        (c["checkpoint_id"], c["thread_id"], c["checkpoint_ns"])
        for c in (item.config["configurable"] for item in items)
    ]


async def test_all_threads(saver: Any) -> None:
    """Without a config, or with an empty one, everything is listed, newest id first."""
    for config in (None, {}):
        listed = places(await saver.list(config))
        assert len(listed) == len(set(listed)) == 20
        assert listed == sorted(listed, reverse=True)


async def test_all_namespaces_of_a_thread(saver: Any) -> None:
    """A config without namespace lists all of the thread's, one with `""` only the root."""
    listed = places(await saver.list({"configurable": {"thread_id": "t"}}))
    assert listed == sorted(listed, reverse=True)
    assert {(thread, ns) for _, thread, ns in listed} == {("t", ""), ("t", "child")}
    assert len(listed) == 10


async def test_one_namespace(saver: Any, at: Any) -> None:
    """Only that namespace of that thread."""
    assert places(await saver.list(at("t", ns=""))) == [
        ("5", "t", ""),
        ("4t", "t", ""),
        ("3", "t", ""),
        ("2t", "t", ""),
        ("1", "t", ""),
    ]
    assert await saver.ids(at("u", ns="child")) == ["5", "4uchild", "3", "2uchild", "1"]


async def test_by_id(saver: Any, at: Any) -> None:
    """A config with an id lists that checkpoint, in each namespace that it asks for."""
    assert places(await saver.list(at("t", "3"))) == [("3", "t", "")]
    both = {"configurable": {"thread_id": "t", "checkpoint_id": "3"}}
    assert places(await saver.list(both)) == [("3", "t", "child"), ("3", "t", "")]
    assert await saver.list(at("t", "3"), before=at("t", "3")) == []
    assert await saver.ids(at("t", "3"), before=at("t", "4")) == ["3"]


async def test_before(saver: Any, at: Any) -> None:
    """Only smaller ids, whether the bound exists or not; a bound without an id is none."""
    assert await saver.ids(at(), before=at("t", "3")) == ["2t", "1"]
    assert await saver.ids(at(), before=at("t", "2u")) == ["2t", "1"]
    assert await saver.ids(at(), before=at("t", "0")) == []
    assert len(await saver.ids(at(), before=at("t"))) == 5
    assert places(await saver.list(None, before=at("t", "2"))) == places(await saver.list(None))[-4:]


async def test_limit(saver: Any, at: Any) -> None:
    """At most so many; zero is none, `None` is all."""
    for config in (None, at(), {"configurable": {"thread_id": "t"}}):
        everything = places(await saver.list(config))
        for limit in (0, 1, 3, 1000):
            assert places(await saver.list(config, limit=limit)) == everything[:limit]
        assert places(await saver.list(config, limit=None)) == everything


async def test_everything_together(saver: Any, at: Any) -> None:
    """Bounds, filter and limit are combined."""
    thread = {"configurable": {"thread_id": "t"}}
    listed = await saver.list(thread, before=at("t", "5"), filter={"n": 3}, limit=1)
    assert places(listed) == [("3", "t", "child")]
    assert await saver.list(thread, before=at("t", "3"), filter={"n": 3}) == []


async def test_a_long_history_is_complete(saver: Any, put: Any, at: Any) -> None:
    """Pages join without gap or repetition, whatever is in them."""
    for number in range(250):
        await put(saver, f"{number:04}", {"n": number}, thread="long", ns="ab"[number % 2])
    both = {"configurable": {"thread_id": "long"}}
    assert await saver.ids(both) == [f"{number:04}" for number in range(249, -1, -1)]
    assert await saver.ids(at("long", ns="a")) == [f"{number:04}" for number in range(248, -1, -2)]
    assert len(await saver.list(None)) == 270


async def test_large_values_make_pages_small(saver: Any, put: Any, at: Any) -> None:
    """A history whose checkpoints are large is complete as well."""
    for number in range(30):
        await put(saver, f"{number:02}", {"big": bytes(1 << 20)}, thread="big")
    listed = await saver.list(at("big"))
    assert [len(item.checkpoint["channel_values"]["big"]) for item in listed] == [1 << 20] * 30


async def test_latest_is_the_greatest_id(saver: Any, put: Any, at: Any) -> None:
    """Not the one that was put last."""
    assert (await saver.get_tuple(at())).checkpoint["id"] == "5"
    await put(saver, "0")
    assert (await saver.get_tuple(at())).checkpoint["id"] == "5"


async def test_writes_are_in_order(saver: Any, at: Any) -> None:
    """By task path, then task, then place in the batch, whatever came first."""
    for task, path in (("b", "x"), ("a", "y"), ("a2", "x"), ("c", "")):
        await saver.put_writes(at("t", "3"), [("one", 1), ("two", 2)], task, path)
    found = await saver.get_tuple(at("t", "3"))
    assert [write[:2] for write in found.pending_writes] == [
        (task, channel) for task in ("c", "a2", "b", "a") for channel in ("one", "two")
    ]
    (listed,) = await saver.list(at("t", "3"))
    assert listed.pending_writes == found.pending_writes


async def test_an_ordinary_write_keeps_its_first_value(saver: Any, at: Any) -> None:
    """Repeating a batch is harmless; a longer one adds what is new."""
    await saver.put_writes(at("t", "3"), [("a", 1), ("b", 1)], "task")
    await saver.put_writes(at("t", "3"), [("a", 2), ("b", 2), ("c", 2)], "task")
    found = await saver.get_tuple(at("t", "3"))
    assert found.pending_writes == [("task", "a", 1), ("task", "b", 1), ("task", "c", 2)]


@pytest.mark.parametrize("channel", [ERROR, SCHEDULED, INTERRUPT, RESUME])
async def test_a_special_write_replaces_its_slot(saver: Any, at: Any, channel: str) -> None:
    """Also in a batch with ordinary ones, each by its own rule."""
    await saver.put_writes(at("t", "3"), [("a", 1), (channel, "old")], "task")
    await saver.put_writes(at("t", "3"), [("a", 2), (channel, "new")], "task")
    await saver.put_writes(at("t", "3"), [(channel, "other task")], "task2")
    found = await saver.get_tuple(at("t", "3"))
    assert found.pending_writes == [
        ("task", channel, "new"),
        ("task", "a", 1),
        ("task2", channel, "other task"),
    ]


async def test_writes_may_come_before_their_checkpoint(saver: Any, put: Any, at: Any) -> None:
    """They wait for it, and stay when it is put again."""
    await saver.put_writes(at("t", "9"), [("w", 1)], "task")
    assert await saver.get_tuple(at("t", "9")) is None
    for _ in range(2):
        await put(saver, "9")
        assert (await saver.get_tuple(at("t", "9"))).pending_writes == [("task", "w", 1)]


async def test_an_empty_batch(saver: Any, at: Any) -> None:
    """No writes are no error and no row."""
    await saver.put_writes(at("t", "3"), [], "task")
    assert (await saver.get_tuple(at("t", "3"))).pending_writes == []
