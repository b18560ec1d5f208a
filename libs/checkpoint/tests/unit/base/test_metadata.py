"""What is stored as metadata."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.base import (
    EXCLUDED_METADATA_KEYS,
    get_checkpoint_metadata,
    get_serializable_checkpoint_metadata,
    merge_metadata,
)

CONFIG: Any = {
    "configurable": {
        "thread_id": "t",
        "checkpoint_ns": "",
        "run_id": "second",
        "own": "a\0b",
        "number": 1.5,
        "flag": True,
        "nothing": None,
        "list": [1],
        "__engine": "x",
    },
    "metadata": {"run_id": "first", "step": 9, "langgraph_node": "n"},
}


def test_scalars_of_the_config_go_behind_the_metadata() -> None:
    """Nobody overwrites what is there; addresses, containers and the engine's own stay out."""
    merged = merge_metadata(CONFIG, {"step": 1})
    assert merged == {"step": 1, "run_id": "first", "own": "a\0b", "number": 1.5, "flag": True}
    assert list(merged)[:2] == ["step", "run_id"]


def test_the_input_is_left_alone() -> None:
    """A new dict is returned, also when nothing is added."""
    metadata: Any = {"parents": {}}
    merged = merge_metadata({}, metadata)
    assert merged == metadata
    assert merged is not metadata


def test_the_stripping_helper_strips_text() -> None:
    r"""`get_checkpoint_metadata` takes `\0` out, which the merge alone does not."""
    metadata: Any = {"text": "\0a\0", "nested": {"text": "\0"}}
    assert get_checkpoint_metadata(CONFIG, metadata)["own"] == "ab"  # type: ignore[typeddict-item]
    assert get_checkpoint_metadata({}, metadata) == {"text": "a", "nested": {"text": "\0"}}
    assert merge_metadata({}, metadata) == metadata


def test_writes_are_left_out_for_old_engines() -> None:
    """They kept them in metadata."""
    metadata: Any = {"writes": {"n": 1}, "step": 1}
    assert get_serializable_checkpoint_metadata({}, metadata) == {"step": 1}


def test_excluded_keys_are_the_releases() -> None:
    """The engine imports them."""
    assert {
        "thread_id",
        "checkpoint_id",
        "checkpoint_ns",
        "checkpoint_map",
        "langgraph_step",
        "langgraph_node",
        "langgraph_triggers",
        "langgraph_path",
        "langgraph_checkpoint_ns",
    } == EXCLUDED_METADATA_KEYS
