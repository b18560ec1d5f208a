"""Databases of five released versions, read in place."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import golden_graph
import pytest

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

HERE = Path(__file__).parent
VERSIONS = ["0.2.60", "0.3.34", "0.6.11", "1.1.6", "1.2.24"]
OLD_COLUMNS = {
    "checkpoints": "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata",
    "writes": "thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value",
}


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def file(version: str, tmp_path: Path) -> Path:
    return Path(shutil.copy(HERE / "sqlite" / f"{version}.db", tmp_path))


@pytest.fixture(params=["SqliteSaver", "AsyncSqliteSaver"])
def saver(request: pytest.FixtureRequest, file: Path) -> Iterator[Any]:
    """A saver whose sync methods the engine may call; the async one lives in the loop of another thread."""
    if request.param == "SqliteSaver":
        with SqliteSaver.from_conn_string(str(file)) as saver:
            yield saver
        return
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    context = AsyncSqliteSaver.from_conn_string(str(file))
    yield asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result()
    asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def expected(version: str) -> Callable[[str], Any]:
    return lambda part="": json.loads((HERE / "expected" / f"sqlite-{version}{part}.json").read_text())


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def schema(file: Path) -> dict[str, set[tuple[Any, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        objects = connection.execute("SELECT type, name, tbl_name FROM sqlite_master").fetchall()
        tables = [name for kind, name, _ in objects if kind == "table"]
        indexes = [name for kind, name, _ in objects if kind == "index"]
        return {
            "objects": set(objects),
            **{
                t: {row[1:] for row in connection.execute("SELECT * FROM pragma_table_info(?)", (t,))}
                for t in tables
            },
            # without the columns' numbers, since those that were added later stand last
            **{
                i: {row[:1] + row[2:] for row in connection.execute("SELECT * FROM pragma_index_xinfo(?)", (i,))}
                for i in indexes
            },
        }


def old_rows(file: Path) -> dict[str, set[tuple[Any, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        return {
            table: set(connection.execute(f"SELECT {columns} FROM {table}"))
            for table, columns in OLD_COLUMNS.items()
        }


def test_history_is_what_the_release_reads(saver: Any, expected: Any) -> None:
    """The engine sees the same history of every thread as on the release's saver."""
    assert as_json(golden_graph.describe(saver)) == expected()["history"]


def test_list_of_all_threads_is_what_the_release_lists(saver: Any, expected: Any) -> None:
    """Channels, versions, parents and writes of every row are the release's."""
    assert as_json(golden_graph.raw(saver)) == expected()["raw"]


def test_each_listed_row_is_also_got_by_id(saver: Any) -> None:
    """A row of the old layout is the same whether it comes from a page or alone."""
    listed = list(saver.list(None))
    assert len(listed) > 30
    for found in listed:
        got = saver.get_tuple(found.config)
        assert golden_graph.plain(got.checkpoint) == golden_graph.plain(found.checkpoint)
        assert got.metadata == found.metadata
        assert got.parent_config == found.parent_config
        assert [write[:2] for write in got.pending_writes] == [write[:2] for write in found.pending_writes]


def test_unfinished_runs_go_on(saver: Any, expected: Any) -> None:
    """Interrupted, failed and nested runs finish as they do on the release, no finished node runs again."""
    assert as_json(golden_graph.finish(saver)) == expected("-finished")


def test_old_rows_stay_as_they_are(saver: Any, file: Path, version: str, expected: Any) -> None:
    """New rows join the old ones, whose bytes do not change and which read as before."""
    before = old_rows(HERE / "sqlite" / f"{version}.db")
    golden_graph.finish(saver)
    after = old_rows(file)
    assert before["checkpoints"] < after["checkpoints"]
    assert before["writes"] < after["writes"]

    old_ids = {row["checkpoint_id"] for row in expected()["raw"]}
    still = [row for row in as_json(golden_graph.raw(saver)) if row["checkpoint_id"] in old_ids]
    names = ("thread_id", "checkpoint_ns", "checkpoint_id", "parent_id", "v", "channels", "versions", "seen")
    assert [[row[name] for name in names] for row in still] == [
        [row[name] for name in names] for row in expected()["raw"]
    ]


def test_an_upgraded_database_equals_a_fresh_one(file: Path, tmp_path: Path) -> None:
    """Tables, columns and indexes are the same, wherever the file began."""
    fresh = tmp_path / "fresh.db"
    for path in (file, fresh):
        with SqliteSaver.from_conn_string(str(path)) as saver:
            saver.setup()
    assert schema(file) == schema(fresh)


def test_a_second_opening_changes_nothing(file: Path) -> None:
    """Setup of an upgraded file writes nothing."""
    with SqliteSaver.from_conn_string(str(file)) as saver:
        saver.setup()
    before = file.read_bytes()
    with SqliteSaver.from_conn_string(str(file)) as saver:
        saver.setup()
        assert saver.conn.total_changes == 0
    assert file.read_bytes() == before


def test_a_copied_thread_of_old_rows_reads_the_same(saver: Any) -> None:
    """`copy_thread` takes rows of the old layout along, and they finish like the original."""
    saver.copy_thread("interrupted", "copy")
    source = [golden_graph.plain(t.checkpoint) for t in saver.list({"configurable": {"thread_id": "interrupted"}})]
    copied = [golden_graph.plain(t.checkpoint) for t in saver.list({"configurable": {"thread_id": "copy"}})]
    assert source == copied != []
    app = golden_graph.interrupted(saver)
    resumed = app.invoke(golden_graph.Command(resume="yes"), golden_graph.config("copy"))
    assert resumed["said"] == "yes"
    assert len(list(saver.list({"configurable": {"thread_id": "interrupted"}}))) == len(source)


def test_delta_history_of_old_rows_is_the_default_walks(saver: Any) -> None:
    """Values of the old layout, which stand in the row, seed a replay like those in blobs."""
    from langgraph.checkpoint.base import BaseCheckpointSaver

    golden_graph.finish(saver)
    channels = ["messages", "turns", "log", "squares", "missing"]
    compared = 0
    for found in list(saver.list(None)):
        ours = saver.get_delta_channel_history(config=found.config, channels=channels)
        default = BaseCheckpointSaver.get_delta_channel_history(saver, config=found.config, channels=channels)
        assert golden_graph.plain(ours) == golden_graph.plain(default)
        compared += any("seed" in history for history in ours.values())
    assert compared > 20


def test_lifecycle_works_on_old_rows(saver: Any, file: Path) -> None:
    """Old and mixed threads are pruned and deleted without a trace."""
    golden_graph.finish(saver)
    saver.prune(["chat", "nested"])
    assert len(list(saver.list({"configurable": {"thread_id": "chat"}}))) == 1
    assert golden_graph.chat(saver).get_state(golden_graph.config("chat")).values["turns"] == 3
    for thread in golden_graph.GRAPHS:
        saver.delete_thread(thread)
    assert old_rows(file) == {"checkpoints": set(), "writes": set()}
