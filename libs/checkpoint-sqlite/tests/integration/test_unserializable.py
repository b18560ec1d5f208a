"""A value that can not be stored fails before anything is stored, and the error says where it sits."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from langgraph.checkpoint.errors import EncodeError

LOCK = threading.Lock()


async def test_in_a_channel(saver: Any, put: Any, at: Any, count_rows: Any) -> None:
    """The path goes down to the value; thread, checkpoint and channel are facts of the error."""
    with pytest.raises(EncodeError) as caught:
        await put(saver, "1", {"fine": 1, "messages": [{"client": LOCK}]}, ns="child")
    error = caught.value
    assert error.path == "channel_values['messages'][0]['client']"
    assert error.type_name == "_thread.lock"
    assert error.address == {
        "thread_id": "t",
        "checkpoint_ns": "child",
        "checkpoint_id": "1",
        "channel": "messages",
    }
    assert error.path in str(error)
    await put(saver, "2", {"fine": 1})
    assert await saver.ids(None) == ["2"]
    assert count_rows() == {"checkpoints": 1, "writes": 0, "blobs": 1}


async def test_in_an_unversioned_channel(saver: Any, at: Any, checkpoint: Any) -> None:
    """Values that are stored within the checkpoint have the same path."""
    made = checkpoint("1", inline={"x": LOCK}) | {"channel_versions": {}}
    with pytest.raises(EncodeError) as caught:
        await saver.put(at(), made, {}, {})
    assert "['inline']['x']" in caught.value.path
    assert await saver.get_tuple(at()) is None


async def test_in_an_unchanged_channel(saver: Any, at: Any, checkpoint: Any) -> None:
    """A channel without a new version that is not stored yet is encoded then, and fails as a whole."""
    made = checkpoint("1", good=1, bad=LOCK)
    with pytest.raises(EncodeError) as caught:
        await saver.put(at(), made, {}, {"good": "1"})
    assert caught.value.path == "channel_values['bad']"
    assert await saver.get_tuple(at()) is None


async def test_in_metadata(saver: Any, at: Any, checkpoint: Any) -> None:
    """Nothing of the checkpoint is stored."""
    with pytest.raises(EncodeError) as caught:
        await saver.put(at(), checkpoint("1", a=1), {"step": 1, "who": LOCK}, {"a": "1"})
    assert caught.value.path.startswith("metadata")
    assert caught.value.address["checkpoint_id"] == "1"
    assert await saver.get_tuple(at()) is None


async def test_in_a_write(saver: Any, put: Any, at: Any) -> None:
    """None of the batch is stored; the error names the task and the channel."""
    stored = await put(saver, "1")
    with pytest.raises(EncodeError) as caught:
        await saver.put_writes(stored, [("fine", 1), ("bad", [LOCK])], "task-7")
    assert caught.value.path == "writes[1][0]"
    assert caught.value.address == {
        "thread_id": "t",
        "checkpoint_ns": "",
        "checkpoint_id": "1",
        "channel": "bad",
        "task_id": "task-7",
    }
    assert (await saver.get_tuple(at())).pending_writes == []
    await saver.put_writes(stored, [("fine", 1), ("bad", [])], "task-7")
    assert (await saver.get_tuple(at())).pending_writes == [("task-7", "fine", 1), ("task-7", "bad", [])]


async def test_a_failed_replacement_leaves_the_first(saver: Any, put: Any, at: Any) -> None:
    """A second put of the same checkpoint that fails changes nothing of the first."""
    await put(saver, "1", {"a": 1})
    with pytest.raises(EncodeError):
        await put(saver, "1", {"a": 2, "b": LOCK})
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": 1}


async def test_the_value_is_not_in_the_text(saver: Any, put: Any) -> None:
    """An error may go into a log, so it never shows what was to be stored."""

    class Secret:
        def __repr__(self) -> str:
            return "hunter2"

    with pytest.raises(EncodeError) as caught:
        await put(saver, "1", {"a": [Secret()]})
    assert "hunter2" not in str(caught.value)
    assert "Secret" in str(caught.value)


async def test_deep_metadata(saver: Any, put: Any, at: Any) -> None:
    """Nesting is stored as deep as values may be nested, and refused beyond that, also in a filter."""
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    await put(saver, "1", metadata={"deep": deep})
    assert (await saver.get_tuple(at())).metadata == {"deep": deep}
    assert await saver.ids(at(), filter={"deep": deep}) == ["1"]
    assert await saver.ids(at(), filter={"deep": [deep]}) == []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(EncodeError):
        await put(saver, "2", metadata={"deep": deep})
    with pytest.raises(EncodeError):
        await saver.list(at(), filter={"deep": deep})
    assert await saver.ids(at()) == ["1"]


@pytest.mark.parametrize("key", [1, None, ("a",), "__langgraph_serde__"])
async def test_metadata_keys(saver: Any, put: Any, at: Any, key: Any) -> None:
    """A key that would come back as another one is refused, with the key."""
    with pytest.raises(EncodeError) as caught:
        await put(saver, "1", metadata={"a": 1, key: 2})
    assert caught.value.path == f"metadata[{key!r}]"
    assert await saver.get_tuple(at()) is None


async def test_names_with_lone_surrogates(saver: Any, put: Any, at: Any) -> None:
    """Text that no database can hold is refused as a name, wherever it comes."""
    name = "lone \ud800"
    stored = await put(saver, "1", {"a": 1})
    for call in (
        lambda: put(saver, name),
        lambda: put(saver, "2", {name: 1}),
        lambda: saver.put_writes(stored, [(name, 1)], "task"),
        lambda: saver.put_writes(stored, [("w", 1)], name),
        lambda: saver.put_writes(stored, [("w", 1)], "task", name),
    ):
        with pytest.raises(EncodeError, match="lone surrogate"):
            await call()
    assert await saver.ids(at()) == ["1"]
    assert (await saver.get_tuple(at())).pending_writes == []
