"""The makers of checkpoints, configs and metadata."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.conformance.test_utils import (
    assert_checkpoint_equal,
    assert_tuple_equal,
    generate_checkpoint,
    generate_config,
    generate_metadata,
    put_test_checkpoint,
    put_test_checkpoints,
)
from langgraph.checkpoint.memory import InMemorySaver


def test_generated_ids_grow_and_threads_differ() -> None:
    """Each checkpoint is later than the one before; each thread is new unless named."""
    made = [generate_checkpoint()["id"] for _ in range(100)]
    assert sorted(set(made)) == made
    assert generate_config() != generate_config()
    assert generate_config("t", checkpoint_ns="n", checkpoint_id="c") == {
        "configurable": {"thread_id": "t", "checkpoint_ns": "n", "checkpoint_id": "c"}
    }
    assert generate_metadata("input", -1, run_id="r") == {
        "source": "input",
        "step": -1,
        "parents": {},
        "run_id": "r",
    }


async def test_put_checkpoints_make_a_line_in_each_namespace() -> None:
    """Threads are numbered; each checkpoint follows the one before in its namespace."""
    saver = InMemorySaver()
    stored = await put_test_checkpoints(
        saver, n_threads=2, n_checkpoints=2, namespaces=["", "n"], channel_values={"a": 1}
    )
    places = [(c["configurable"]["thread_id"], c["configurable"]["checkpoint_ns"]) for c in stored]
    assert places == [(t, n) for t in ("thread-0", "thread-1") for n in ("", "n") for _ in range(2)]
    first, second = [await saver.aget_tuple(config) for config in stored[:2]]
    assert first
    assert second
    assert first.parent_config is None
    assert second.parent_config == stored[0]
    assert second.checkpoint["channel_values"] == {"a": 1}


async def test_put_checkpoint_takes_the_parents_id_only() -> None:
    """Thread and namespace are as told, whatever the parent's."""
    saver = InMemorySaver()
    parent = await put_test_checkpoint(saver, thread_id="other", checkpoint_ns="n")
    found = await saver.aget_tuple(await put_test_checkpoint(saver, thread_id="t", parent_config=parent))
    assert found
    assert found.parent_config
    assert found.parent_config["configurable"] == {
        "thread_id": "t",
        "checkpoint_ns": "",
        "checkpoint_id": parent["configurable"]["checkpoint_id"],
    }


def test_checkpoints_are_compared_by_what_is_stored() -> None:
    """Format, id, versions and, unless told otherwise, values count; the time does not."""
    one = generate_checkpoint(channel_values={"a": 1})
    assert_checkpoint_equal(one, {**one, "ts": "later", "updated_channels": ["a"]})
    assert_checkpoint_equal(one, {**one, "channel_values": {}}, check_channel_values=False)
    changes: list[tuple[str, Any]] = [
        ("v", 3),
        ("id", "x"),
        ("channel_versions", {"a": 1}),
        ("versions_seen", {"n": {}}),
        ("channel_values", {}),
    ]
    for field, value in changes:
        with pytest.raises(AssertionError, match=f"{field} mismatch"):
            assert_checkpoint_equal(one, {**one, field: value})  # type: ignore[misc]  # a key that varies


def test_tuples_are_compared_with_their_surroundings() -> None:
    """Address, parent, metadata that is expected, and writes in any order count."""
    writes = [("t1", "a", 1), ("t2", "b", 2)]
    one = CheckpointTuple(
        generate_config("t", checkpoint_id="c"), generate_checkpoint(), generate_metadata(more=1), None, writes
    )
    assert_tuple_equal(one, one._replace(metadata=generate_metadata(), pending_writes=writes[::-1]))
    assert_tuple_equal(one, one._replace(pending_writes=None), check_writes=False)
    differences: list[dict[str, Any]] = [
        {"config": generate_config("u", checkpoint_id="c")},
        {"parent_config": generate_config("t", checkpoint_id="b")},
        {"metadata": generate_metadata(step=9)},
        {"pending_writes": []},
    ]
    for change in differences:
        with pytest.raises(AssertionError, match="mismatch"):
            assert_tuple_equal(one, one._replace(**change))
