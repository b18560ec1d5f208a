"""Deleting, copying and pruning: what goes, what stays, and that nothing is left over in any table."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from langgraph.checkpoint.errors import ConflictError


@pytest.fixture
def orphans(database: sqlite3.Connection) -> Callable[[], dict[str, int]]:
    """A function that counts writes and blobs that belong to no checkpoint, and blobs that are missing."""
    of = "o.thread_id = c.thread_id AND o.checkpoint_ns = c.checkpoint_ns"

    def count() -> dict[str, int]:
        return {
            "writes": _one(
                database,
                f"SELECT count(*) FROM writes o WHERE NOT EXISTS (SELECT 1 FROM checkpoints c WHERE {of} "
                "AND o.checkpoint_id = c.checkpoint_id)",
            ),
            "blobs": _one(
                database,
                "SELECT count(*) FROM blobs WHERE id NOT IN "
                "(SELECT i.value FROM checkpoints c, json_each(c.blob_ids) i)",
            ),
            "missing": _one(
                database,
                "SELECT count(*) FROM checkpoints c, json_each(c.blob_ids) i "
                "WHERE i.value NOT IN (SELECT id FROM blobs)",
            ),
        }

    return count


NONE = {"writes": 0, "blobs": 0, "missing": 0}


def _one(database: sqlite3.Connection, sql: str) -> int:
    return database.execute(sql).fetchone()[0]


@pytest.fixture
async def saver(open_saver: Any, at: Any, checkpoint: Any) -> Any:
    """A saver with a line of five checkpoints in each namespace of two threads; runs 0, 0, 1, 1, 2."""
    saver = await open_saver()
    for thread in ("t", "u"):
        for ns in ("", "child"):
            config = at(thread, ns=ns)
            for n in range(5):
                made = checkpoint(str(n), every=n, same=["x"])
                made["channel_versions"] = {"every": str(n), "same": "0"}
                new = {"every": str(n)} if n else made["channel_versions"]
                config = await saver.put(config, made, {"run_id": f"run-{thread}-{n // 2}", "step": n}, new)
                await saver.put_writes(config, [("w", n)], "task", "path")
    return saver


async def parents(saver: Any, config: Any) -> dict[str, str | None]:
    return {
        item.checkpoint["id"]: item.parent_config and item.parent_config["configurable"]["checkpoint_id"]
        for item in await saver.list(config)
    }


async def unchanged(saver: Any, config: Any) -> bool:
    """Tell whether all five checkpoints are there with all that was put."""
    listed = await saver.list(config)
    return [
        (item.checkpoint["channel_values"], item.metadata["step"], item.pending_writes) for item in listed
    ] == [({"every": n, "same": ["x"]}, n, [("task", "w", n)]) for n in (4, 3, 2, 1, 0)]


async def test_delete_thread(saver: Any, at: Any, count_rows: Any, orphans: Any) -> None:
    """Every namespace of the thread goes, no other thread is touched."""
    await saver.delete_thread("t")
    assert await saver.list({"configurable": {"thread_id": "t"}}) == []
    assert await saver.get_tuple(at("t", "4")) is None
    assert await unchanged(saver, at("u"))
    assert await unchanged(saver, at("u", ns="child"))
    assert orphans() == NONE
    await saver.delete_thread("u")
    assert count_rows() == {"checkpoints": 0, "writes": 0, "blobs": 0}


async def test_a_deleted_thread_begins_anew(saver: Any, put: Any, at: Any) -> None:
    """Nothing of the old thread is found in a new one of its name, not by version either."""
    await saver.delete_thread("t")
    await put(saver, "9", {"a": 1}, parent="4")
    await saver.put(
        at("t", "9"), {**(await saver.get(at())), "id": "91"} | {"channel_versions": {"same": "0"}}, {}, {}
    )
    assert (await saver.get(at("t", "91")))["channel_values"] == {"a": 1}
    assert (await saver.get_tuple(at("t", "9"))).pending_writes == []


async def test_delete_for_runs(saver: Any, at: Any, orphans: Any) -> None:
    """The runs' checkpoints go in every namespace, children get the nearest ancestor that is left."""
    await saver.delete_for_runs(["run-t-1", "unknown"])
    for ns in ("", "child"):
        assert await parents(saver, at("t", ns=ns)) == {"4": "1", "1": "0", "0": None}
        assert await unchanged(saver, at("u", ns=ns))
    assert (await saver.get_tuple(at("t", "4"))).checkpoint["channel_values"] == {"every": 4, "same": ["x"]}
    assert (await saver.get_tuple(at("t", "4"))).pending_writes == [("task", "w", 4)]
    assert orphans() == NONE


async def test_delete_for_the_first_runs(saver: Any, at: Any, orphans: Any) -> None:
    """A child without any ancestor left becomes a first checkpoint and keeps the values it shares with them."""
    await saver.delete_for_runs(["run-t-0", "run-t-1"])
    assert await parents(saver, at("t")) == {"4": None}
    assert (await saver.get(at("t")))["channel_values"] == {"every": 4, "same": ["x"]}
    assert orphans() == NONE


async def test_delete_for_runs_of_many_threads(saver: Any, count_rows: Any) -> None:
    """One call takes runs of any number of threads."""
    await saver.delete_for_runs([f"run-{thread}-{n}" for thread in "tu" for n in range(3)])
    assert count_rows() == {"checkpoints": 0, "writes": 0, "blobs": 0}


@pytest.mark.parametrize("run", ["it's", "nul\0a", "\N{GRINNING FACE}", "%", "1", '"'])
async def test_run_ids_are_taken_literally(saver: Any, put: Any, at: Any, run: str) -> None:
    """Any text names a run, and only that text."""
    await put(saver, "5", thread="v", metadata={"run_id": run})
    await put(saver, "6", thread="v", metadata={"run_id": f"{run}0"})
    await put(saver, "7", thread="v", metadata={"run_id": 1 if run == "1" else None})
    await saver.delete_for_runs([run])
    assert await saver.ids(at("v")) == ["7", "6"]


async def test_copy_thread(saver: Any, at: Any, orphans: Any) -> None:
    """Ids, parents, values, metadata and writes of all namespaces are the same in the copy."""
    await saver.copy_thread("t", "copy")
    for ns in ("", "child"):
        assert await unchanged(saver, at("copy", ns=ns))
        assert await unchanged(saver, at("t", ns=ns))
        assert await parents(saver, at("copy", ns=ns)) == {"4": "3", "3": "2", "2": "1", "1": "0", "0": None}
    found = await saver.get_tuple(at("copy"))
    assert found.parent_config == at("copy", "3")
    assert found.config == at("copy", "4")
    assert orphans() == NONE


async def test_a_copy_is_independent(saver: Any, put: Any, at: Any, orphans: Any) -> None:
    """What happens to the source afterwards does not reach the copy, nor the other way round."""
    await saver.copy_thread("t", "copy")
    await saver.delete_thread("t")
    assert await unchanged(saver, at("copy"))
    await saver.copy_thread("copy", "t")
    await saver.prune(["copy"])
    assert await unchanged(saver, at("t"))
    following = {**(await saver.get(at("copy"))), "id": "5"}
    await saver.put(at("copy", "4"), following, {}, {})
    assert (await saver.get(at("copy")))["channel_values"] == {"every": 4, "same": ["x"]}
    assert await saver.ids(at("t")) == ["4", "3", "2", "1", "0"]
    assert orphans() == NONE


async def test_copy_to_a_thread_that_is_there(saver: Any, at: Any, count_rows: Any) -> None:
    """It is refused, and nothing is changed."""
    before = count_rows()
    with pytest.raises(ConflictError):
        await saver.copy_thread("t", "u")
    assert count_rows() == before
    assert await unchanged(saver, at("u"))


async def test_prune_to_the_latest(saver: Any, at: Any, orphans: Any, count_rows: Any) -> None:
    """The latest of each namespace stays with its values and writes, and has no parent."""
    await saver.prune(["t"])
    for ns in ("", "child"):
        assert await parents(saver, at("t", ns=ns)) == {"4": None}
        found = await saver.get_tuple(at("t", ns=ns))
        assert found.checkpoint["channel_values"] == {"every": 4, "same": ["x"]}
        assert found.pending_writes == [("task", "w", 4)]
        assert await unchanged(saver, at("u", ns=ns))
    assert orphans() == NONE
    await saver.prune(["t", "u", "t"], strategy="keep_latest")
    assert count_rows() == {"checkpoints": 4, "writes": 4, "blobs": 8}


async def test_prune_everything(saver: Any, at: Any, orphans: Any, count_rows: Any) -> None:
    """`delete` leaves nothing of the threads named."""
    await saver.prune(["t"], strategy="delete")
    assert await saver.list({"configurable": {"thread_id": "t"}}) == []
    assert await unchanged(saver, at("u"))
    assert orphans() == NONE
    await saver.prune(["u"], strategy="delete")
    assert count_rows() == {"checkpoints": 0, "writes": 0, "blobs": 0}


async def test_a_fork_keeps_its_parents(saver: Any, put: Any, at: Any, orphans: Any) -> None:
    """When a run goes, both sides of a fork get the ancestor that is left."""
    await put(saver, "9", {"every": 9}, parent="2", metadata={"run_id": "fork"})
    await saver.delete_for_runs(["run-t-1"])
    assert await parents(saver, at("t")) == {"9": "1", "4": "1", "1": "0", "0": None}
    await saver.delete_for_runs(["fork"])
    assert await parents(saver, at("t")) == {"4": "1", "1": "0", "0": None}
    assert orphans() == NONE


async def test_a_thread_goes_on_after_each(saver: Any, at: Any) -> None:
    """A pruned, copied or thinned thread takes new checkpoints that find its unchanged values."""
    await saver.copy_thread("t", "copy")
    await saver.prune(["t"])
    await saver.delete_for_runs(["run-u-2"])
    for thread, parent in (("t", "4"), ("copy", "4"), ("u", "3")):
        latest = await saver.get(at(thread))
        following = {**latest, "id": "7", "channel_values": {}}
        await saver.put(at(thread, parent), following, {}, {})
        assert (await saver.get(at(thread)))["channel_values"] == {"every": int(parent), "same": ["x"]}
