"""What `put` and its kin refuse, on a saver."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.base import InvalidConfigError, InvalidTypeError, empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver

AT = {"configurable": {"thread_id": "t", "checkpoint_id": "1"}}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in empty_checkpoint().items() if key != name}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((None, {}, {}), "checkpoint"),
        ((empty_checkpoint(), None, {}), "metadata"),
        ((empty_checkpoint(), {}, None), "new_versions"),
        ((empty_checkpoint(), {}, ["a"]), "new_versions"),
        ((without("channel_values"), {}, {}), "channel_values"),
        ((without("v"), {}, {}), "v"),
        (({**empty_checkpoint(), "channel_values": [1]}, {}, {}), "checkpoint['channel_values']"),
        (({**empty_checkpoint(), "channel_values": {1: 2}}, {}, {}), "a channel in checkpoint['channel_values']"),
        ((empty_checkpoint(), {}, {1: 2}), "a channel in new_versions"),
    ],
)
def test_put_names_the_argument_at_fault(arguments: Any, field: str) -> None:
    """And stores nothing."""
    saver = InMemorySaver()
    with pytest.raises(InvalidConfigError) as caught:
        saver.put(AT, *arguments)
    assert caught.value.field == field
    assert list(saver.list(None)) == []


@pytest.mark.parametrize(
    ("writes", "task_id", "task_path", "field"),
    [
        ([("a", 1)], None, "", "task_id"),
        ([("a", 1)], "t", None, "task_path"),
        ("ab", "t", "", "writes"),
        (None, "t", "", "writes"),
        (["ab", ("a", 1)], "t", "", "writes[0]"),
        ([("a", 1), ("b",)], "t", "", "writes[1]"),
        ([(None, 1)], "t", "", "the channel of writes[0]"),
    ],
)
def test_put_writes_names_the_argument_at_fault(writes: Any, task_id: Any, task_path: Any, field: str) -> None:
    """Which is no text, or no pair."""
    with pytest.raises(InvalidTypeError) as caught:
        InMemorySaver().put_writes(AT, writes, task_id, task_path)
    assert caught.value.field == field


@pytest.mark.parametrize("channels", ["ab", None, [1]])
def test_channels_are_a_list_of_texts(channels: Any) -> None:
    """A single text would be taken letter by letter."""
    with pytest.raises(InvalidTypeError, match="channel"):
        InMemorySaver().get_delta_channel_history(config=AT, channels=channels)


def test_an_id_in_a_list_is_not_sought_in_the_config() -> None:
    """The advice fits the argument."""
    with pytest.raises(InvalidConfigError, match=r"^run_ids is missing, or None$"):
        InMemorySaver().delete_for_runs([None])  # type: ignore[list-item]
