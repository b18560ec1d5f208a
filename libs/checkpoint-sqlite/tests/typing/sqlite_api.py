"""The package as its users write it; checked by mypy and pyright, never run."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator

import aiosqlite
from langchain_core.runnables import RunnableConfig
from typing_extensions import assert_type

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, empty_checkpoint
from langgraph.checkpoint.errors import CheckpointError
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver, SqliteStorageError
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


def use(config: RunnableConfig) -> None:
    """On a file, and on a connection of one's own."""
    with SqliteSaver.from_conn_string("threads.db", serde=JsonPlusSerializer()) as saver:
        assert_type(saver, SqliteSaver)
        stored = saver.put(config, empty_checkpoint(), {"source": "input"}, {})
        assert_type(stored, RunnableConfig)
        assert_type(saver.get_tuple(stored), CheckpointTuple | None)
        assert_type(saver.list(config, limit=1), Iterator[CheckpointTuple])
        with saver.cursor(transaction=False) as cursor:
            assert_type(cursor, sqlite3.Cursor)
        some: BaseCheckpointSaver[str] = saver
        some.prune(["t"])
    own = SqliteSaver(sqlite3.connect("threads.db", check_same_thread=False))
    assert_type(own.conn, sqlite3.Connection)
    assert_type(own.get_next_version(None, None), str)
    assert_type(own.with_allowlist([("my.module", "Point")]), SqliteSaver)


async def use_async(config: RunnableConfig) -> None:
    """The same, async."""
    async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
        assert_type(saver, AsyncSqliteSaver)
        assert_type(await saver.setup(), None)
        assert_type(await saver.aput(config, empty_checkpoint(), {"source": "input"}, {}), RunnableConfig)
        assert_type(saver.alist(config), AsyncIterator[CheckpointTuple])
        await saver.aprune(["t"], strategy="delete")
    assert_type(AsyncSqliteSaver(aiosqlite.connect("threads.db")).conn, aiosqlite.Connection)


def catch(saver: SqliteSaver) -> str:
    """What storing can raise."""
    try:
        saver.delete_thread("t")
    except SqliteStorageError as error:
        assert_type(error.reason, str)
        database_error: CheckpointError = error
        return str(database_error)
    return ""
