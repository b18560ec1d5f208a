"""What the file or the disk refuses: our errors with a reason, nothing half done, and on with it afterwards."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from langgraph.checkpoint.errors import (
    CheckpointError,
    InvalidConfigError,
    InvalidTypeError,
    StorageError,
    WrongThreadError,
)
from langgraph.checkpoint.sqlite import SqliteSaver, SqliteStorageError, _schema, _unit
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@pytest.fixture
def open_uri(way: str, open_sync: Any, open_async: Any, open_saver: Any, path: Path) -> Callable[..., Any]:
    """A coroutine function that opens a saver on `path` with URI parameters."""

    async def open_one(parameters: str) -> Any:
        uri = f"{path.as_uri()}?{parameters}"
        if way.startswith("Async"):
            return await open_saver(uri, uri=True)
        return await open_saver(sqlite3.connect(uri, uri=True, check_same_thread=False))

    return open_one


async def execute(saver: Any, sql: str) -> Any:
    """Run a statement on the saver's own connection and return its first row."""
    cursor = saver.saver.conn.execute(sql)
    if isinstance(cursor, sqlite3.Cursor):
        return cursor.fetchone()
    async with cursor as opened:
        return await opened.fetchone()


@pytest.fixture
def diary(path: Path) -> bytes:
    """What a file at `path` holds that is no database."""
    path.write_bytes(text := b"dear diary, " * 1000)
    return text


@pytest.mark.parametrize("parameters", ["mode=ro", "mode=ro&immutable=1"])
async def test_a_read_only_file_is_read(
    open_uri: Any, open_saver: Any, put: Any, at: Any, checkpoint: Any, parameters: str
) -> None:
    """Reading works; each call that writes says that the file is read-only."""
    saver = await open_saver()
    stored = await put(saver, "1", {"a": 1}, metadata={"run_id": "r"})
    await saver.close()
    saver = await open_uri(parameters)
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": 1}
    assert await saver.ids(None) == ["1"]
    for call in (
        lambda: put(saver, "2", {"a": 2}),
        lambda: saver.put_writes(stored, [("w", 1)], "task"),
        lambda: saver.delete_thread("t"),
        lambda: saver.copy_thread("t", "u"),
        lambda: saver.delete_for_runs(["r"]),
        lambda: saver.prune(["t"], strategy="delete"),
    ):
        with pytest.raises(StorageError) as caught:
            await call()
        assert caught.value.reason == "read_only"
        assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
    assert await saver.ids(at()) == ["1"]


async def test_a_read_only_file_without_tables(open_uri: Any, database: sqlite3.Connection, at: Any) -> None:
    """They can not be made, and the error says so."""
    database.execute("PRAGMA user_version = 1")
    saver = await open_uri("mode=ro")
    with pytest.raises(StorageError) as caught:
        await saver.get_tuple(at())
    assert caught.value.reason == "read_only"


async def test_a_full_disk_stores_nothing(saver: Any, put: Any, at: Any, count_rows: Any) -> None:
    """A put that does not fit leaves no trace; when there is room it is repeated with success."""
    stored = await put(saver, "1", {"a": 1})
    (pages,) = await execute(saver, "PRAGMA page_count")
    await execute(saver, f"PRAGMA max_page_count = {pages + 2}")
    before = count_rows()
    with pytest.raises(StorageError) as caught:
        await put(saver, "2", {"a": 2, "big": "x" * 100_000}, parent="1")
    assert caught.value.reason == "full"
    with pytest.raises(StorageError):
        await saver.put_writes(stored, [("small", 1), ("big", "x" * 100_000)], "task")
    assert count_rows() == before
    assert (await saver.get_tuple(at())).pending_writes == []
    await execute(saver, "PRAGMA max_page_count = 1000000")
    await put(saver, "2", {"a": 2, "big": "x" * 100_000}, parent="1")
    assert (await saver.get_tuple(at())).checkpoint["channel_values"]["big"] == "x" * 100_000


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    mount = tmp_path / "tiny"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mount)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    yield mount
    subprocess.run(["umount", "-l", str(mount)], check=True)


async def test_a_really_full_disk(open_saver: Any, put: Any, at: Any, tiny_disk: Path) -> None:
    """What was acknowledged before the disk was full stays readable, and deleting makes room."""
    saver = await open_saver(tiny_disk / "checkpoints.db")
    stored = []

    async def fill() -> None:
        for n in range(100):
            await put(saver, f"{n:03}", {"a": [n] * 30_000}, thread=f"t{n}")
            stored.append(n)

    with pytest.raises(StorageError) as caught:
        await fill()
    assert caught.value.reason in ("full", "unavailable")
    assert stored
    for n in stored:
        assert (await saver.get_tuple(at(f"t{n}"))).checkpoint["channel_values"] == {"a": [n] * 30_000}
    assert await saver.get_tuple(at(f"t{len(stored)}")) is None
    await saver.close()


async def test_a_closed_connection(saver: Any, put: Any, at: Any) -> None:
    """Every call says that the connection is closed."""
    stored = await put(saver, "1", {"a": 1})
    await saver.close()
    for call in (
        lambda: saver.get_tuple(at()),
        lambda: saver.list(None),
        lambda: put(saver, "2"),
        lambda: saver.put_writes(stored, [("w", 1)], "task"),
        lambda: saver.delete_thread("t"),
    ):
        with pytest.raises(StorageError, match="closed") as caught:
            await call()
        assert caught.value.reason == "closed"


async def test_a_connection_closed_before_first_use(saver: Any, at: Any) -> None:
    """Also when the tables were not looked at yet."""
    await saver.close()
    with pytest.raises(StorageError) as caught:
        await saver.get_tuple(at())
    assert caught.value.reason == "closed"


async def test_a_file_that_is_no_database(open_saver: Any, path: Path, diary: bytes, at: Any) -> None:
    """It is refused, and not touched."""
    saver = await open_saver()
    with pytest.raises(StorageError) as caught:
        await saver.get_tuple(at())
    assert caught.value.reason == "not_a_database"
    assert path.read_bytes() == diary  # noqa: ASYNC240


@pytest.mark.parametrize("place", [".", "no/such/folder/file.db"])
async def test_a_path_that_can_not_be_opened(tmp_path: Path, place: str) -> None:
    """A directory, or a file in a folder that is not there, is refused by both savers."""
    where = str(tmp_path / place)
    with pytest.raises(SqliteStorageError) as caught, SqliteSaver.from_conn_string(where):
        pass
    assert caught.value.reason == "unavailable"
    with pytest.raises(SqliteStorageError) as caught:
        async with AsyncSqliteSaver.from_conn_string(where):
            pass
    assert caught.value.reason == "unavailable"


async def test_a_file_that_is_no_database_by_conn_string(path: Path, diary: bytes, at: Any) -> None:
    """Both savers say so at the latest when they are used."""
    with pytest.raises(SqliteStorageError) as caught, SqliteSaver.from_conn_string(str(path)) as saver:
        saver.get_tuple(at())
    assert caught.value.reason == "not_a_database"
    with pytest.raises(SqliteStorageError) as caught:
        async with AsyncSqliteSaver.from_conn_string(str(path)) as asaver:
            await asaver.aget_tuple(at())
    assert caught.value.reason == "not_a_database"


async def test_a_database_that_stays_locked(
    saver: Any, put: Any, at: Any, database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer who waits too long gives up with an error, readers do not wait at all, and then it goes on."""
    await put(saver, "1", {"a": 1})
    await execute(saver, "PRAGMA busy_timeout = 1")
    monkeypatch.setattr(_unit, "_PATIENCE", 0.02)
    database.execute("BEGIN IMMEDIATE")
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": 1}
    assert await saver.ids(None) == ["1"]
    with pytest.raises(StorageError) as caught:
        await put(saver, "2", {"a": 2})
    assert caught.value.reason == "busy"
    database.execute("ROLLBACK")
    await put(saver, "3", {"a": 3})
    assert await saver.ids(at()) == ["3", "1"]


async def test_a_database_locked_at_setup(
    saver: Any, put: Any, at: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setup gives up as well, and is done by the next call."""
    monkeypatch.setattr(_unit, "_PATIENCE", 0.02)
    monkeypatch.setattr(_schema, "_WAL_PATIENCE", 0.02)
    await execute(saver, "PRAGMA busy_timeout = 1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError) as caught:
        await saver.get_tuple(at())
    assert caught.value.reason == "busy"
    other.execute("ROLLBACK")
    other.close()
    await put(saver, "1", {"a": 1})
    assert await saver.ids(at()) == ["1"]


async def test_a_writer_waits_for_another(saver: Any, put: Any, database: sqlite3.Connection) -> None:
    """A short transaction of somebody else is waited for, also by a connection without busy timeout."""
    await put(saver, "1")
    await execute(saver, "PRAGMA busy_timeout = 0")
    database.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(put(saver, "2"))
    assert (await asyncio.wait([waiting], timeout=0.05)) == (set(), {waiting})
    database.execute("COMMIT")
    await waiting
    assert await saver.ids(None) == ["2", "1"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`autocommit` came with Python 3.12")
async def test_a_connection_without_autocommit_is_refused(path: Path, at: Any) -> None:
    """Nothing would be stored until the caller commits, which no call of a saver would show."""
    conn = sqlite3.connect(path, autocommit=False)
    with pytest.raises(InvalidConfigError, match="autocommit"):
        SqliteSaver(conn)
    conn.close()
    async with aiosqlite.connect(path, autocommit=False) as aconn:
        with pytest.raises(InvalidConfigError, match="autocommit"):
            await AsyncSqliteSaver(aconn).aget_tuple(at())


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`autocommit` came with Python 3.12")
async def test_a_connection_in_autocommit_works(path: Path, at: Any, checkpoint: Any) -> None:
    """With `autocommit=True` each call is still one unit of work."""
    conn = sqlite3.connect(path, autocommit=True)
    saver = SqliteSaver(conn)
    saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
    assert saver.get_tuple(at()).checkpoint["channel_values"] == {"a": 1}
    with saver.cursor() as cursor:
        cursor.execute("DELETE FROM checkpoints")
    assert saver.get_tuple(at()) is None
    conn.close()


async def test_every_storage_error_is_also_sqlites(saver: Any, at: Any) -> None:
    """Programs that catch `sqlite3.OperationalError` go on to work."""
    await saver.close()
    with pytest.raises(sqlite3.OperationalError) as caught:
        await saver.get_tuple(at())
    assert isinstance(caught.value, CheckpointError)


def test_what_is_no_connection_is_refused(path: Path) -> None:
    """A path, or a connection of the other kind."""
    with pytest.raises(InvalidTypeError, match="from_conn_string"):
        SqliteSaver(str(path))  # type: ignore[arg-type]


async def test_a_connection_of_the_other_kind_is_refused(path: Path) -> None:
    """It is named, with what to do."""
    with closing(sqlite3.connect(path)) as connection, pytest.raises(InvalidTypeError, match="aiosqlite"):
        AsyncSqliteSaver(connection)  # type: ignore[arg-type]


async def test_a_connection_of_another_thread_is_explained(path: Path, at: Any) -> None:
    """The engine would meet it in the middle of a run."""
    with closing(sqlite3.connect(path)) as connection:
        saver = SqliteSaver(connection)
        assert saver.get_tuple(at()) is None
        with pytest.raises(WrongThreadError, match="check_same_thread=False"):
            await saver.aget_tuple(at())


@pytest.mark.parametrize("bad", ["missing/state.db", "text"])
def test_a_file_that_can_not_be_opened_is_named(tmp_path: Path, bad: str) -> None:
    """A typo in a path is seen at once."""
    (tmp_path / "text").write_text("this is no database, but long enough to be looked at" * 30)
    with (
        pytest.raises(SqliteStorageError, match=bad.partition("/")[0]),
        SqliteSaver.from_conn_string(str(tmp_path / bad)) as saver,
    ):
        saver.setup()
