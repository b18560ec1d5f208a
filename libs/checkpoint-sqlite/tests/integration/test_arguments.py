"""Arguments that can not be meant: a clear error, nothing stored, and the saver goes on."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest

from langgraph.checkpoint.errors import (
    ConflictError,
    InvalidConfigError,
    InvalidFilterError,
    InvalidTypeError,
)


@pytest.fixture
async def saver(open_saver: Any, put: Any, at: Any) -> AsyncIterator[Any]:
    """A saver with one checkpoint, which is there unchanged after the test, and which can still be put to."""
    saver = await open_saver()
    stored = await put(saver, "1", {"a": 1})
    await saver.put_writes(stored, [("w", 1)], "task")
    yield saver
    found = await saver.list(None)
    assert [item.checkpoint["channel_values"] for item in found] == [{"a": 1}]
    assert found[0].pending_writes == [("task", "w", 1)]
    await put(saver, "2", {"a": 2})
    assert await saver.ids(at()) == ["2", "1"]


CONFIGS = {
    "no configurable": {},
    "configurable is None": {"configurable": None},
    "no thread": {"configurable": {}},
    "thread is None": {"configurable": {"thread_id": None}},
    "thread is empty": {"configurable": {"thread_id": ""}},
    "thread is bytes": {"configurable": {"thread_id": b"t"}},
    "thread is a list": {"configurable": {"thread_id": ["t"]}},
    "thread is a dict": {"configurable": {"thread_id": {"t": 1}}},
    "thread is a bool": {"configurable": {"thread_id": True}},
    "thread has a lone surrogate": {"configurable": {"thread_id": "\ud800"}},
    "namespace is a number": {"configurable": {"thread_id": "t", "checkpoint_ns": 5}},
    "namespace is bytes": {"configurable": {"thread_id": "t", "checkpoint_ns": b""}},
    "id is a number": {"configurable": {"thread_id": "t", "checkpoint_id": 5}},
}
everywhere = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


@everywhere
async def test_reads_refuse_a_config_that_names_no_thread(saver: Any, config: Any) -> None:
    """`get_tuple`, `list` and `get_delta_channel_history` say which part of the config is wrong."""
    with pytest.raises(InvalidConfigError) as caught:
        await saver.get_tuple(config)
    assert caught.value.field in ("thread_id", "checkpoint_ns", "checkpoint_id")
    assert caught.value.field in str(caught.value)
    with pytest.raises(InvalidConfigError):
        await saver.get_delta_channel_history(config=config, channels=["a"])
    if config:  # an empty config lists all threads
        with pytest.raises(InvalidConfigError):
            await saver.list(config)


@everywhere
async def test_puts_refuse_a_config_that_names_no_thread(saver: Any, checkpoint: Any, config: Any) -> None:
    """`put` and `put_writes` store nothing then."""
    with pytest.raises(InvalidConfigError):
        await saver.put(config, checkpoint("9", a=9), {}, {"a": "9"})
    with pytest.raises(InvalidConfigError):
        await saver.put_writes(config, [("w", 2)], "task")


@pytest.mark.parametrize("thread", [None, "", b"t", ["t"], True, "\ud800"])
async def test_lifecycle_refuses_what_is_no_thread(saver: Any, thread: Any) -> None:
    """All operations on threads check the id as a config is checked."""
    for call in (
        lambda: saver.delete_thread(thread),
        lambda: saver.copy_thread(thread, "new"),
        lambda: saver.copy_thread("t", thread),
        lambda: saver.prune([thread], strategy="delete"),
    ):
        with pytest.raises(InvalidConfigError):
            await call()


@pytest.mark.parametrize("config", [None, 5, "t", ["t"]])
async def test_a_config_that_is_no_dict_is_refused(saver: Any, config: Any, checkpoint: Any) -> None:
    """It does not end in an `AttributeError`."""
    with pytest.raises(InvalidConfigError):
        await saver.get_tuple(config)
    with pytest.raises(InvalidConfigError):
        await saver.put(config, checkpoint("9"), {}, {})


@pytest.mark.parametrize("id", [None, "", 5, b"9", uuid.uuid4()])
async def test_a_checkpoint_needs_an_id_of_text(saver: Any, at: Any, checkpoint: Any, id: Any) -> None:
    """Without one it would be stored where nobody finds it."""
    with pytest.raises(InvalidConfigError) as caught:
        await saver.put(at(), checkpoint("9", a=9) | {"id": id}, {}, {"a": "9"})
    assert caught.value.field == "id"


async def test_a_checkpoint_without_id_is_refused(saver: Any, at: Any, checkpoint: Any) -> None:
    """A missing id is told like a wrong one."""
    made = checkpoint("9")
    del made["id"]
    with pytest.raises(InvalidConfigError, match="id"):
        await saver.put(at(), made, {}, {})


async def test_writes_need_the_checkpoint_of_their_task(saver: Any, at: Any) -> None:
    """Without an id they would belong to nothing."""
    with pytest.raises(InvalidConfigError) as caught:
        await saver.put_writes(at(), [("w", 2)], "task")
    assert caught.value.field == "checkpoint_id"


@pytest.mark.parametrize("limit", [-1, True, 1.0, "1"])
async def test_a_limit_is_an_integer_from_zero(saver: Any, at: Any, limit: Any) -> None:
    """Others are refused at the call of `list`, not at the first item."""
    with pytest.raises(InvalidConfigError) as caught:
        await saver.list(at(), limit=limit)
    assert caught.value.field == "limit"
    with pytest.raises(ValueError, match="limit"):
        saver.saver.alist(at(), limit=limit)


@pytest.mark.parametrize("filter", ["a", ["a"], 5, {5: 1}, {None: 1}, {b"a": 1}])
async def test_a_filter_is_a_dict_from_text(saver: Any, at: Any, filter: Any) -> None:
    """Others are refused with the key at fault."""
    with pytest.raises(InvalidFilterError) as caught:
        await saver.list(at(), filter=filter)
    assert caught.value.key == (str(next(iter(filter))) if isinstance(filter, dict) else "")


@pytest.mark.parametrize("ids", ["t", b"t", None, 5])
async def test_a_list_of_ids_is_not_a_single_text(saver: Any, ids: Any) -> None:
    """A text would be taken letter by letter, and a thread `t` deleted."""
    with pytest.raises(InvalidTypeError) as caught:
        await saver.prune(ids, strategy="delete")
    assert caught.value.field == "thread_ids"
    with pytest.raises(InvalidTypeError) as caught:
        await saver.delete_for_runs(ids)
    assert caught.value.field == "run_ids"


async def test_an_unknown_strategy_is_refused(saver: Any) -> None:
    """The error lists those that there are."""
    with pytest.raises(InvalidConfigError, match="'keep_latest' or 'delete', not 'all'") as caught:
        await saver.prune(["t"], strategy="all")
    assert caught.value.field == "strategy"


async def test_what_is_not_there_is_none(saver: Any, at: Any) -> None:
    """An unknown thread, namespace or id is no error for a read, and nothing is made by reading."""
    for config in (at("unknown"), at("t", "unknown"), at("t", ns="unknown"), at("t", "1", "unknown")):
        assert await saver.get_tuple(config) is None
        assert await saver.get(config) is None
        assert await saver.list(config) == []
        history = await saver.get_delta_channel_history(config=config, channels=["a"])
        assert history == {"a": {"writes": []}}


async def test_what_is_not_there_is_deleted(saver: Any) -> None:
    """Deleting, pruning and copying unknown threads and runs does nothing."""
    await saver.delete_thread("unknown")
    await saver.delete_for_runs(["unknown"])
    await saver.delete_for_runs([])
    await saver.prune(["unknown"])
    await saver.prune([])
    await saver.copy_thread("unknown", "new")


async def test_copying_to_a_thread_that_is_there_is_a_conflict(saver: Any) -> None:
    """Also onto itself; the error names the target."""
    with pytest.raises(ConflictError) as caught:
        await saver.copy_thread("t", "t")
    assert caught.value.key == "t"


@pytest.mark.parametrize("thread", [7, 1.5, uuid.UUID(int=7)])
async def test_numbers_and_uuids_are_their_text(open_saver: Any, put: Any, at: Any, thread: Any) -> None:
    """A thread is the same whether its id comes as a number or as text, in every method."""
    saver = await open_saver()
    stored = await put(saver, "1", {"a": 1}, thread=thread)
    assert stored["configurable"]["thread_id"] == str(thread)
    await saver.put_writes(at(thread, "1"), [("w", 1)], "task")
    for name in (thread, str(thread)):
        assert (await saver.get_tuple(at(name))).pending_writes == [("task", "w", 1)]
        assert await saver.ids(at(name)) == ["1"]
    await saver.copy_thread(thread, 8)
    assert await saver.ids(at("8")) == ["1"]
    await saver.prune([8], strategy="delete")
    await saver.delete_thread(thread)
    assert await saver.list(None) == []


async def test_a_missing_namespace_is_the_root(open_saver: Any, put: Any, at: Any) -> None:
    """Left out, `None` and `""` are the same for put and get."""
    saver = await open_saver()
    await put(saver, "1", {"a": 1})
    for address in ({"thread_id": "t"}, {"thread_id": "t", "checkpoint_ns": None}):
        assert (await saver.get_tuple({"configurable": address})).checkpoint["id"] == "1"
