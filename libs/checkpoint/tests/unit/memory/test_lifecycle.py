"""Deleting, pruning and copying threads in memory: what is left in the three dicts."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ConflictError,
    DecodeError,
    InvalidConfigError,
    InvalidTypeError,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot

COUNTERS = "counters_since_delta_snapshot"


def ids(saver: InMemorySaver, thread_id: str = "1") -> list[str]:
    """Return the ids of a thread, newest first."""
    return [found.checkpoint["id"] for found in saver.list({"configurable": {"thread_id": thread_id}})]


@pytest.fixture
def chain(saver: InMemorySaver, put: Any) -> Any:
    """Put `a`, `b`, `c`: `x` changes at each, `y` stays; each has a write, and a run of its name."""
    for parent, name in ((None, "a"), ("a", "b"), ("b", "c")):
        config = put(
            name,
            {"x": name, "y": 0},
            {"x": name, "y": "1"},
            parent=parent,
            metadata={"run_id": f"run-{name}"},
            new={"x": name} if parent else {"x": name, "y": "1"},
        )
        saver.put_writes(config, [("x", name)], "task")
    return put


def test_delete_thread_leaves_the_others(saver: InMemorySaver, chain: Any, config: Any) -> None:
    """All namespaces, writes and blobs go, also writes whose checkpoint never came."""
    chain("a", {"x": 1}, {"x": "1"}, ns="inner")
    chain("a", {"x": 1}, {"x": "1"}, thread_id="2")
    saver.put_writes(
        {"configurable": {"thread_id": "1", "checkpoint_ns": "", "checkpoint_id": "z"}}, [("x", 1)], "t"
    )
    saver.delete_thread("1")
    assert list(saver.storage) == ["2"]
    assert list(saver.blobs) == [("2", "", "x", "1")]
    assert not saver.writes
    saver.delete_thread("1")


def test_a_deleted_thread_can_be_used_again(saver: InMemorySaver, chain: Any) -> None:
    """Nothing of the old one shows."""
    saver.delete_thread("1")
    config = chain("0", {}, {"y": "1"}, new={})
    found = saver.get_tuple(config)
    assert found is not None
    assert found.checkpoint["channel_values"] == {}
    assert found.pending_writes == []


def test_delete_for_runs_relinks(saver: InMemorySaver, chain: Any, config: Any) -> None:
    """What follows gets the nearest remaining ancestor as parent; only unused blobs go."""
    saver.delete_for_runs(["run-b", "run-unknown"])
    found = saver.get_tuple(config())
    assert found is not None
    assert found.parent_config == config("1", "a")
    assert found.checkpoint["channel_values"] == {"x": "c", "y": 0}
    assert {key[3] for key in saver.blobs} == {"a", "c", "1"}
    assert {key[2] for key in saver.writes} == {"a", "c"}


def test_delete_for_runs_of_everything_leaves_nothing(saver: InMemorySaver, chain: Any) -> None:
    """Not even empty dicts."""
    saver.delete_for_runs(["run-a", "run-b", "run-c"])
    assert (saver.storage, saver.writes, saver.blobs) == ({}, {}, {})


def test_prune_keeps_the_latest_of_each_namespace(saver: InMemorySaver, chain: Any, config: Any) -> None:
    """With its writes and values, without parent."""
    chain("z", {"x": 1}, {"x": "1"}, ns="inner", parent="y")
    saver.prune(["1", "unknown"])
    assert ids(saver) == ["z", "c"]
    found = saver.get_tuple(config())
    assert found is not None
    assert found.parent_config is None
    assert found.checkpoint["channel_values"] == {"x": "c", "y": 0}
    assert found.pending_writes == [("task", "x", "c")]
    assert set(saver.blobs) == {("1", "", "x", "c"), ("1", "", "y", "1"), ("1", "inner", "x", "1")}
    assert list(saver.writes) == [("1", "", "c")]


def test_a_pruned_thread_goes_on(saver: InMemorySaver, chain: Any, config: Any) -> None:
    """The next checkpoint finds unchanged values."""
    saver.prune(["1"])
    chain("d", {}, {"x": "c", "y": "1"}, parent="c", new={})
    assert saver.get(config())["channel_values"] == {"x": "c", "y": 0}  # type: ignore[index]


def test_prune_delete_removes_the_threads(saver: InMemorySaver, chain: Any) -> None:
    """All of those named."""
    chain("a", thread_id="2")
    saver.prune(["1"], strategy="delete")
    assert list(saver.storage) == ["2"]
    assert not saver.blobs


def test_arguments_are_checked(saver: InMemorySaver, chain: Any) -> None:
    """An unknown strategy, or a text where a list is wanted."""
    with pytest.raises(InvalidConfigError):
        saver.prune(["1"], strategy="oldest")
    with pytest.raises(InvalidTypeError):
        saver.prune("1")
    with pytest.raises(InvalidTypeError):
        saver.delete_for_runs("run-a")
    assert ids(saver) == ["c", "b", "a"]


def test_copy_thread_is_a_thread_of_its_own(saver: InMemorySaver, chain: Any, config: Any) -> None:
    """All is there, and the source can go."""
    chain("z", {"x": 1}, {"x": "1"}, ns="inner")
    expected = [found._replace(config={}, parent_config=None) for found in saver.list(config("1"))]
    saver.copy_thread("1", "2")
    saver.delete_thread("1")
    assert [found._replace(config={}, parent_config=None) for found in saver.list(config("2"))] == expected
    assert ids(saver, "2") == ["z", "c", "b", "a"]
    assert saver.get_tuple(config("2")).parent_config == config("2", "b")  # type: ignore[union-attr]
    assert {key[0] for key in (*saver.blobs, *saver.writes)} == {"2"}


def test_copy_thread_refuses_a_used_target(saver: InMemorySaver, chain: Any) -> None:
    """It changes nothing, also when source and target are the same."""
    chain("a", thread_id="2")
    for target in ("1", "2"):
        with pytest.raises(ConflictError) as caught:
            saver.copy_thread("1", target)
        assert caught.value.key == target
    assert ids(saver, "2") == ["a"]


def test_damage_in_one_thread_leaves_all_as_they_were(saver: InMemorySaver, chain: Any) -> None:
    """A prune of several threads is one unit of work."""
    chain("a", thread_id="2")
    chain("b", thread_id="2", parent="a")
    _, metadata, parent = saver.storage["2"][""]["a"]
    saver.storage["2"][""]["a"] = (("msgpack", b"\xc1"), metadata, parent)
    with pytest.raises(DecodeError):
        saver.prune(["1", "2"])
    assert ids(saver) == ["c", "b", "a"]


class TestDeltaChannels:
    """Channels of which most checkpoints only have writes."""

    @pytest.fixture
    def deltas(self, saver: InMemorySaver, put: Any) -> InMemorySaver:
        """Put 1 (plain), 2 (a snapshot of `d`), 3, 4 and 5 (writes only)."""
        parent = None
        for step in range(1, 6):
            values = {"d": _DeltaSnapshot([step])} if step == 2 else {}
            metadata = {} if step <= 2 else {COUNTERS: {"d": (step - 2, step - 2)}}
            config = put(str(step), values, {"d": str(step)}, parent=parent, metadata=metadata)
            saver.put_writes(config, [("d", step), ("e", step)], "t2", "p1")
            saver.put_writes(config, [("d", -step)], "t1", "p2")
            parent = str(step)
        return saver

    def test_history_is_that_of_the_base(self, deltas: InMemorySaver, config: Any) -> None:
        """The base's walk decodes every ancestor, this one only what counts."""
        for at in (config(), config("1", "4"), config("1", "2"), config("1", "1"), config("1", "none")):
            history = deltas.get_delta_channel_history(config=at, channels=["d", "e", "f"])
            base: Any = BaseCheckpointSaver.get_delta_channel_history(deltas, config=at, channels=["d", "e", "f"])
            assert history == base
        history = deltas.get_delta_channel_history(config=config(), channels=["d"])
        assert history["d"].get("seed") == _DeltaSnapshot([2])
        assert [value for *_, value in history["d"]["writes"]] == [2, -2, 3, -3, 4, -4]

    async def test_async_history_is_the_same(self, deltas: InMemorySaver, config: Any) -> None:
        """And none is asked for none."""
        assert await deltas.aget_delta_channel_history(
            config=config(), channels=["d"]
        ) == deltas.get_delta_channel_history(config=config(), channels=["d"])
        assert deltas.get_delta_channel_history(config=config(), channels=[]) == {}

    def test_values_that_do_not_count_are_not_decoded(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """Damage elsewhere does not matter."""
        put("1", {"other": 1, "d": 5}, {"other": "1", "d": "1"})
        put("2", {"other": 1}, {"other": "1", "d": "2"}, parent="1")
        saver.blobs["1", "", "other", "1"] = ("msgpack", b"\xc1")
        assert saver.get_delta_channel_history(config=config(), channels=["d"])["d"].get("seed") == 5

    def test_a_seed_without_version_counts(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """It stays with its checkpoint."""
        put("1", {"d": [1]})
        put("2", parent="1")
        assert saver.get_delta_channel_history(config=config(), channels=["d"])["d"].get("seed") == [1]

    def test_parents_that_form_a_ring_end_the_walk(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """Such a thread is damaged, but can be read."""
        put("1", parent="2")
        saver.put_writes(put("2", parent="1"), [("d", 1)], "t")
        assert saver.get_delta_channel_history(config=config(), channels=["d"])["d"]["writes"] == [("t", "d", 1)]

    def test_prune_keeps_the_ancestors_back_to_the_snapshot(self, deltas: InMemorySaver, config: Any) -> None:
        """The history stays the same."""
        before = deltas.get_delta_channel_history(config=config(), channels=["d"])
        deltas.prune(["1"])
        assert ids(deltas) == ["5", "4", "3", "2"]
        assert deltas.get_delta_channel_history(config=config(), channels=["d"]) == before

    def test_delete_for_runs_keeps_them_too(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """A checkpoint that a remaining one replays from stays."""
        put("1", {"d": 1}, {"d": "1"}, metadata={"run_id": "r"})
        put("2", {}, {"d": "2"}, parent="1", metadata={COUNTERS: {"d": (1, 1)}})
        saver.delete_for_runs(["r"])
        assert ids(saver) == ["2", "1"]


async def test_async_methods_do_the_same(saver: InMemorySaver, checkpoint: Any, config: Any) -> None:
    """Each has its twin."""
    put_at = await saver.aput(config(), checkpoint("a", {"x": 1}, {"x": "1"}), {"run_id": "r"}, {"x": "1"})
    await saver.aput_writes(put_at, [("x", 1)], "task")
    assert await saver.aget_tuple(config()) == saver.get_tuple(config())
    assert [found async for found in saver.alist(config(), limit=1)] == list(saver.list(config()))
    await saver.acopy_thread("1", "2")
    assert ids(saver, "2") == ["a"]
    await saver.adelete_for_runs(["r"])
    assert not saver.storage
    await saver.aput(config("3"), checkpoint("a"), {}, {})
    await saver.aprune(["3"], strategy="delete")
    await saver.aput(config("4"), checkpoint("a"), {}, {})
    await saver.adelete_thread("4")
    assert not saver.storage
