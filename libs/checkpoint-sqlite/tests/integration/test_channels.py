"""Channels by version: what is left out is found again, what has become empty stays empty."""

from __future__ import annotations

from typing import Any

import pytest

NAMES = [
    "a",
    "",
    "it's",
    'say "hi"',
    "a.b",
    "$",
    "[0]",
    "nul\0inside",
    "\N{GRINNING FACE}",
    "new\nline",
    "__start__",
]


@pytest.fixture
def step(at: Any, checkpoint: Any) -> Any:
    """A coroutine function that puts a checkpoint with these versions, values and new versions."""

    async def put_step(
        saver: Any,
        number: str,
        versions: dict[str, Any],
        values: dict[str, Any],
        new: dict[str, Any] | None = None,
        *,
        parent: str | None = None,
        ns: str = "",
    ) -> Any:
        made = checkpoint(number, values) | {"channel_versions": versions}
        return await saver.put(at("t", parent, ns), made, {}, versions if new is None else new)

    return put_step


@pytest.fixture
def values(at: Any) -> Any:
    """A coroutine function that returns the values of a checkpoint, by `get_tuple` and by `list`."""

    async def read(saver: Any, number: str, ns: str = "") -> Any:
        found = await saver.get(at("t", number, ns))
        (listed,) = await saver.list(at("t", number, ns))
        assert listed.checkpoint == found
        return found["channel_values"]

    return read


@pytest.mark.parametrize("name", NAMES)
async def test_any_name(saver: Any, step: Any, values: Any, name: str) -> None:
    """A channel may have any name; its values by version do not get mixed up with others."""
    await step(saver, "1", {name: "1", f"{name}x": "1"}, {name: "one", f"{name}x": "other"})
    await step(saver, "2", {name: "2", f"{name}x": "1"}, {name: "two", f"{name}x": "other"}, {name: "2"})
    assert await values(saver, "1") == {name: "one", f"{name}x": "other"}
    assert await values(saver, "2") == {name: "two", f"{name}x": "other"}


@pytest.mark.parametrize(
    "versions",
    [
        (1, 2, 3),
        (1.5, 2.5, 3.25),
        ("1", "2", "3"),
        ("", " ", "\N{GRINNING FACE}"),
        ("nul\0a", "nul\0b", "nul"),
        (2**63 - 1, -(2**63), 0),
        (2**70, 2**70 + 1, 2**70 + 2),
        (2**53, 2**53 + 1, float(2**53 + 2)),
        ("00000001.5", "00000002.5", "1.5"),
        (True, False, None),
    ],
    ids=str,
)
async def test_any_version(saver: Any, step: Any, values: Any, at: Any, versions: Any) -> None:
    """A version may be of any kind; each has its own value, and comes back with its type."""
    for number, version in enumerate(versions):
        await step(saver, str(number), {"a": version}, {"a": number})
    for number, version in enumerate(versions):
        assert await values(saver, str(number)) == {"a": number}
        (back,) = (await saver.get(at("t", str(number))))["channel_versions"].values()
        assert (type(back), back) == (type(version), version)


async def test_versions_of_different_kinds_are_different(saver: Any, step: Any, values: Any) -> None:
    """`1` is not `"1"`; the value of one is not found for the other."""
    await step(saver, "1", {"a": 1}, {"a": "number"})
    await step(saver, "2", {"a": "1"}, {"a": "text"})
    await step(saver, "3", {"a": 1}, {}, {})
    await step(saver, "4", {"a": "1"}, {}, {})
    assert [await values(saver, n) for n in "1234"] == [
        {"a": "number"},
        {"a": "text"},
        {"a": "number"},
        {"a": "text"},
    ]


@pytest.mark.parametrize("version", [1, "1", "00000001.25"])
async def test_what_is_left_out_is_found_again(saver: Any, step: Any, values: Any, version: Any) -> None:
    """A value that was stored with the version is part of every later checkpoint that names the version."""
    await step(saver, "1", {"a": version, "b": version}, {"a": [1], "b": [2]})
    await step(saver, "2", {"a": version, "c": 5}, {"c": 5}, {"c": 5}, parent="1")
    await step(saver, "3", {"a": version}, {}, {})  # without a parent that has it
    assert await values(saver, "2") == {"a": [1], "c": 5}
    assert await values(saver, "3") == {"a": [1]}


async def test_another_namespace_has_its_own_values(saver: Any, step: Any, values: Any) -> None:
    """The same channel and version in two namespaces are two values."""
    await step(saver, "1", {"a": "1"}, {"a": "root"})
    await step(saver, "1", {"a": "1"}, {"a": "child"}, ns="child")
    await step(saver, "2", {"a": "1"}, {}, {})
    await step(saver, "2", {"a": "1"}, {}, {}, ns="child")
    await step(saver, "2", {"a": "1"}, {}, {}, ns="other")
    assert await values(saver, "2") == {"a": "root"}
    assert await values(saver, "2", "child") == {"a": "child"}
    assert await values(saver, "2", "other") == {}


async def test_partial_new_versions(saver: Any, step: Any, values: Any) -> None:
    """A value that is not named as new, but not stored yet, is stored anyway."""
    await step(saver, "1", {"a": "1", "b": "1"}, {"a": 1, "b": 2}, {"a": "1"})
    assert await values(saver, "1") == {"a": 1, "b": 2}
    await step(saver, "2", {"a": "1", "b": "1"}, {"a": 1, "b": 2}, {})
    assert await values(saver, "2") == {"a": 1, "b": 2}


async def test_new_versions_of_what_has_no_version(saver: Any, step: Any, values: Any) -> None:
    """`new_versions` may name channels that the checkpoint does not; they have no value."""
    await step(saver, "1", {"a": "1"}, {"a": 1}, {"a": "1", "ghost": "9"})
    assert await values(saver, "1") == {"a": 1}


async def test_an_emptied_channel_stays_empty(saver: Any, step: Any, values: Any) -> None:
    """A new version without a value means empty, then and later; the older checkpoint keeps its value."""
    await step(saver, "1", {"a": "1", "b": "1"}, {"a": 1, "b": 1})
    await step(saver, "2", {"a": "2", "b": "1"}, {"b": 1}, {"a": "2"}, parent="1")
    await step(saver, "3", {"a": "2", "b": "1"}, {"b": 1}, {}, parent="2")
    assert await values(saver, "1") == {"a": 1, "b": 1}
    assert await values(saver, "2") == {"b": 1}
    assert await values(saver, "3") == {"b": 1}


async def test_none_is_a_value(saver: Any, step: Any, values: Any) -> None:
    """A channel that holds `None` is not empty."""
    await step(saver, "1", {"a": "1"}, {"a": None})
    await step(saver, "2", {"a": "1"}, {}, {})
    assert await values(saver, "1") == {"a": None}
    assert await values(saver, "2") == {"a": None}


async def test_values_without_version_survive(saver: Any, step: Any, values: Any) -> None:
    """They belong to their checkpoint alone."""
    await step(saver, "1", {"a": "1"}, {"a": 1, "free": [1]})
    await step(saver, "2", {"a": "1"}, {"a": 1}, {})
    assert await values(saver, "1") == {"a": 1, "free": [1]}
    assert await values(saver, "2") == {"a": 1}


async def test_the_same_checkpoint_again(saver: Any, step: Any, values: Any, count_rows: Any, at: Any) -> None:
    """A second put replaces the first, values of the same versions too, and leaves nothing of it behind."""
    await step(saver, "1", {"a": "1", "b": "1"}, {"a": "old", "b": "old"})
    await saver.put_writes(at("t", "1"), [("w", 1)], "task")
    await step(saver, "1", {"a": "1"}, {"a": "new"})
    assert await values(saver, "1") == {"a": "new"}
    assert (await saver.get_tuple(at())).pending_writes == [("task", "w", 1)]
    assert count_rows() == {"checkpoints": 1, "writes": 1, "blobs": 1}
    await step(saver, "1", {"a": "1"}, {"a": "new"})
    assert await values(saver, "1") == {"a": "new"}
    assert count_rows() == {"checkpoints": 1, "writes": 1, "blobs": 1}


async def test_one_version_with_two_values(saver: Any, step: Any, values: Any) -> None:
    """Two checkpoints that give one version different values keep what each was put with."""
    await step(saver, "1", {"a": 1}, {"a": "first"})
    await step(saver, "2", {"a": 1}, {"a": "second"})
    assert await values(saver, "1") == {"a": "first"}
    assert await values(saver, "2") == {"a": "second"}
    await step(saver, "3", {"a": 1}, {}, {}, parent="1")
    assert await values(saver, "3") == {"a": "first"}
    await step(saver, "4", {"a": 1}, {}, {}, parent="2")
    assert await values(saver, "4") == {"a": "second"}


async def test_replacing_a_parent_leaves_its_children(saver: Any, step: Any, values: Any) -> None:
    """A child whose unchanged value came with its parent keeps it when the parent is put again without it."""
    await step(saver, "1", {"a": "1", "b": "1"}, {"a": [1], "b": 1})
    await step(saver, "2", {"a": "1", "b": "2"}, {"a": [1], "b": 2}, {"b": "2"}, parent="1")
    await step(saver, "1", {"b": "3"}, {"b": 3})
    assert await values(saver, "1") == {"b": 3}
    assert await values(saver, "2") == {"a": [1], "b": 2}


async def test_no_channels_at_all(saver: Any, step: Any, values: Any, at: Any) -> None:
    """An empty checkpoint is stored and found."""
    stored = await step(saver, "1", {}, {})
    assert stored == at("t", "1")
    assert await values(saver, "1") == {}
    found = await saver.get_tuple(at())
    assert found.pending_writes == []
    assert found.parent_config is None


async def test_many_channels(saver: Any, step: Any, values: Any) -> None:
    """Thousands of channels fit into one checkpoint."""
    versions = {f"c{n}": "1" for n in range(3000)}
    await step(saver, "1", versions, dict.fromkeys(versions, 1))
    await step(saver, "2", versions, dict.fromkeys(versions, 1), {}, parent="1")
    assert await values(saver, "2") == dict.fromkeys(versions, 1)
