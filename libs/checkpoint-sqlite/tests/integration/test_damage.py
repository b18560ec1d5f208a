"""Damaged rows: the error names the place, and what is not damaged can still be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.errors import CheckpointError, DecodeError, InvalidTypeError, SchemaTooNewError

DAMAGE: dict[str, tuple[str, str, dict[str, str]]] = {
    "checkpoint cut": ("UPDATE checkpoints SET checkpoint = x'85' WHERE checkpoint_id = '2'", "checkpoint", {}),
    "checkpoint empty": ("UPDATE checkpoints SET checkpoint = x'' WHERE checkpoint_id = '2'", "checkpoint", {}),
    "checkpoint of another kind": (
        "UPDATE checkpoints SET checkpoint = x'05' WHERE checkpoint_id = '2'",
        "checkpoint",
        {},
    ),
    "checkpoint without values": (
        "UPDATE checkpoints SET checkpoint = x'80' WHERE checkpoint_id = '2'",
        "checkpoint",
        {},
    ),
    "unknown tag": (
        "UPDATE checkpoints SET type = 'blobs:unheard' WHERE checkpoint_id = '2'",
        "checkpoint",
        {},
    ),
    "blob cut": (
        "UPDATE blobs SET value = x'c1' WHERE channel = 'b' AND version = '2'",
        "channel_values['b']",
        {"channel": "b"},
    ),
    "blob with unknown tag": (
        "UPDATE blobs SET type = 'unheard' WHERE channel = 'b' AND version = '2'",
        "channel_values['b']",
        {"channel": "b"},
    ),
    "blob missing": ("DELETE FROM blobs WHERE channel = 'b' AND version = '2'", "channel_values", {}),
    "blob list cut": (
        "UPDATE checkpoints SET blob_ids = '[' WHERE checkpoint_id = '2'",
        "blob_ids",
        {},
    ),
    "blob list of another kind": (
        "UPDATE checkpoints SET blob_ids = '5' WHERE checkpoint_id = '2'",
        "blob_ids",
        {},
    ),
    "write cut": (
        "UPDATE writes SET value = x'c1' WHERE checkpoint_id = '2'",
        "pending_writes",
        {"channel": "w", "task_id": "task"},
    ),
    "write with unknown tag": (
        "UPDATE writes SET type = 'unheard' WHERE checkpoint_id = '2'",
        "pending_writes",
        {"channel": "w", "task_id": "task"},
    ),
    "metadata cut": ("UPDATE checkpoints SET metadata = '{' WHERE checkpoint_id = '2'", "metadata", {}),
    "metadata of another kind": (
        "UPDATE checkpoints SET metadata = '[]' WHERE checkpoint_id = '2'",
        "metadata",
        {},
    ),
}


@pytest.fixture
def break_it(database: sqlite3.Connection, open_saver: Any, put: Any, at: Any) -> Callable[..., Any]:
    """Store three checkpoints, damage the second and return a saver that has not seen it before."""

    async def run(statement: str) -> Any:
        saver = await open_saver()
        for name in ("1", "2", "3"):
            stored = await put(saver, name, {"a": int(name), "b": [name]})
            await saver.put_writes(stored, [("w", name)], "task")
        await saver.close()
        assert database.execute(statement).rowcount > 0
        return await open_saver()

    return run


@pytest.mark.parametrize(("statement", "place", "where"), DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_damaged_row_is_named(break_it: Any, at: Any, statement: str, place: str, where: Any) -> None:
    """Reading it raises an error with the address; the checkpoints beside it are read."""
    saver = await break_it(statement)
    for read in (lambda: saver.get_tuple(at("t", "2")), lambda: saver.list(at()), lambda: saver.list(None)):
        with pytest.raises(DecodeError) as caught:
            await read()
        assert caught.value.path.startswith(place)
        address = {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "2", **where}
        assert address.items() <= caught.value.address.items()
    for name in ("1", "3"):
        found = await saver.get_tuple(at("t", name))
        assert found.checkpoint["channel_values"] == {"a": int(name), "b": [name]}
        assert found.pending_writes == [("task", "w", name)]
    assert await saver.ids(at(), before=at("t", "2")) == ["1"]


@pytest.mark.parametrize("statement", [row[0] for row in DAMAGE.values()], ids=DAMAGE.keys())
async def test_a_damaged_row_can_be_deleted(break_it: Any, at: Any, count_rows: Any, statement: str) -> None:
    """What can not be read does not stand in the way of getting rid of it."""
    saver = await break_it(statement)
    await saver.prune(["t"])
    assert await saver.ids(at()) == ["3"]
    assert count_rows() == {"checkpoints": 1, "writes": 1, "blobs": 2}
    await saver.delete_thread("t")
    assert count_rows() == {"checkpoints": 0, "writes": 0, "blobs": 0}


async def test_parents_that_form_a_ring_end(break_it: Any, at: Any) -> None:
    """Walks along parents end, whatever the rows say."""
    saver = await break_it("UPDATE checkpoints SET parent_checkpoint_id = (4 - checkpoint_id) || ''")
    history = await saver.get_delta_channel_history(config=at(), channels=["w", "b"])
    assert history["b"] == {"writes": [], "seed": ["1"]}
    assert [write[2] for write in history["w"]["writes"]] in (["1"], ["3", "1"])
    await saver.prune(["t"])
    assert await saver.ids(at()) == ["3"]


async def test_a_newer_schema_is_refused(break_it: Any, at: Any, database: sqlite3.Connection) -> None:
    """The error says what was found and what this version knows; the file is left alone."""
    saver = await break_it("INSERT INTO checkpoint_migrations SELECT max(v) + 5 FROM checkpoint_migrations")
    (found,) = database.execute("SELECT max(v) FROM checkpoint_migrations").fetchone()
    for _ in range(2):
        with pytest.raises(SchemaTooNewError) as caught:
            await saver.get_tuple(at())
        assert (caught.value.found, caught.value.expected) == (found, found - 5)
        assert isinstance(caught.value, CheckpointError)
    database.execute("DELETE FROM checkpoint_migrations WHERE v = ?", (found,))
    assert (await saver.get_tuple(at())).checkpoint["id"] == "3"


async def test_damaged_sends_of_an_old_format_are_named(break_it: Any, at: Any, checkpoint: Any) -> None:
    """Sends that the parent queued are values of the checkpoint that looks for them."""
    saver = await break_it("UPDATE writes SET channel = '__pregel_tasks', value = x'c1' WHERE checkpoint_id = '2'")
    await saver.put(at("t", "2"), checkpoint("4") | {"v": 3}, {}, {})
    with pytest.raises(DecodeError) as caught:
        await saver.get_tuple(at())
    assert caught.value.address["checkpoint_id"] == "4"
    assert (await saver.get_tuple(at("t", "3"))).checkpoint["id"] == "3"


async def test_a_thread_with_a_damaged_parent_goes_on(
    saver: Any, put: Any, at: Any, database: sqlite3.Connection
) -> None:
    """What the parent named is found by its version; the damaged row is named when it is read."""
    await put(saver, "1", {"a": "kept"})
    (version,) = database.execute("SELECT version FROM blobs").fetchone()
    database.execute("UPDATE checkpoints SET blob_ids = '['")
    database.commit()
    checkpoint = {
        **empty_checkpoint(),
        "id": "2",
        "channel_values": {"a": "kept"},
        "channel_versions": {"a": version},
    }
    await saver.put(at("t", "1"), checkpoint, {}, {})
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": "kept"}
    with pytest.raises(DecodeError, match="blobs is damaged"):
        await saver.get_tuple(at("t", "1"))


async def test_our_errors_are_not_taken_for_the_drivers(saver: Any) -> None:
    """Though their text may hold words of SQLite's."""
    with pytest.raises(InvalidTypeError, match="database is locked"):
        await saver.put({"configurable": {"thread_id": ["database is locked"]}}, empty_checkpoint(), {}, {})
