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
