"""The asynchronous saver: one aiosqlite connection, one hop into its thread for each call."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TypeVar, cast

import aiosqlite

from langgraph.checkpoint.base import CheckpointTuple, ListQuery, OperationSaver
from langgraph.checkpoint.base.operations import Operation, Started
from langgraph.checkpoint.errors import WrongThreadError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite._errors import SqliteStorageError, raise_translated
from langgraph.checkpoint.sqlite._operations import SqliteOperations
from langgraph.checkpoint.sqlite._saver import BUSY_TIMEOUT, check_autocommit, check_connection
from langgraph.checkpoint.sqlite._unit import prepare, run

T = TypeVar("T")
_RunInThread = Callable[[Callable[[], T]], Awaitable[T]]

__all__ = ["AsyncSqliteSaver"]


class AsyncSqliteSaver(OperationSaver):
    """Stores checkpoints in an SQLite file, without blocking the event loop that it was made in.

    Synchronous methods work from other threads. A call that is cancelled is not waited for, but is stored as
    a whole or not at all.

    Args:
        conn: a connection, which is opened if it is not yet.
        serde: what values are stored with; `JsonPlusSerializer` if omitted.
    """

    conn: aiosqlite.Connection
    is_setup: bool

    def __init__(self, conn: aiosqlite.Connection, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        check_connection(conn, aiosqlite.Connection, "aiosqlite.connect(path)")
        self.jsonplus_serde = JsonPlusSerializer()
        self.conn = conn
        self.loop = asyncio.get_running_loop()
        self.lock = asyncio.Lock()
        self.is_setup = False
        self._unit_lock = threading.Lock()

    @classmethod
    @asynccontextmanager
    async def from_conn_string(
        cls, conn_string: str, *, serde: SerializerProtocol | None = None
    ) -> AsyncGenerator[AsyncSqliteSaver]:
        """Open a saver on a file, or on `":memory:"`, and close it at the end of the block.

        Every acknowledged call is on the disk (`synchronous=FULL`).
        """
        conn = aiosqlite.connect(conn_string, timeout=BUSY_TIMEOUT)
        try:
            await _connect(conn)
            await conn.execute("PRAGMA synchronous = FULL")
        except (sqlite3.Error, ValueError) as error:
            await conn.close()
            raise_translated(error, conn_string)
        try:
            yield cls(conn, serde=serde)
        finally:
            await conn.close()

    async def setup(self) -> None:
        """Make the tables, or bring them up to date. Done by itself on first use."""
        async with self.lock:
            if not self.is_setup:
                await _ensure_connected(self.conn)
                self.is_setup = await self._in_thread(self._prepare)

    _make_operations = SqliteOperations

    def _iterate(self, query: ListQuery) -> Iterator[CheckpointTuple]:
        self._refuse_own_loop()
        return super()._iterate(query)

    def _run(self, operation: Operation[T]) -> T:
        try:
            self._refuse_own_loop()
            if not self.loop.is_running():
                raise SqliteStorageError("the saver's event loop has ended; make a new saver", reason="closed")
            started = Started(operation)
        except BaseException:
            operation.close()
            raise
        return asyncio.run_coroutine_threadsafe(self._finish(started), self.loop).result()

    async def _arun(self, operation: Operation[T]) -> T:
        return await self._finish(Started(operation))

    async def _finish(self, started: Started[T]) -> T:
        if not self.is_setup:
            await self.setup()
        return await self._in_thread(lambda conn: run(started, conn, self._unit_lock))

    async def _in_thread(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Call `function` in the connection's thread; cancelling does not stop it there.

        aiosqlite has no public way to run more than one statement in one hop.
        """
        conn = self.conn
        try:
            run_in_thread = cast("_RunInThread[T]", conn._execute)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
            return await run_in_thread(lambda: function(conn._conn))  # pyright: ignore[reportPrivateUsage]
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            raise_translated(error)

    def _prepare(self, conn: sqlite3.Connection) -> bool:
        check_autocommit(conn)
        return prepare(conn, self._unit_lock)

    def _refuse_own_loop(self) -> None:
        if asyncio._get_running_loop() is self.loop:
            raise WrongThreadError(
                "a synchronous method of AsyncSqliteSaver was called on the saver's own event loop, which it "
                "would block for ever; await the async method (aget_tuple, alist, aput, ...), or use SqliteSaver"
            )


async def _ensure_connected(conn: aiosqlite.Connection) -> None:
    """Open a connection that was made but never awaited."""
    if _thread_of(conn).ident is None:
        await _connect(conn)


async def _connect(conn: aiosqlite.Connection) -> None:
    """Open a connection; if that fails, wait for its thread, which might outlive the event loop and fail on it."""
    try:
        await conn
    except BaseException:
        await asyncio.to_thread(_thread_of(conn).join)
        raise


def _thread_of(conn: aiosqlite.Connection) -> threading.Thread:
    return getattr(conn, "_thread", conn)  # type: ignore[arg-type]  # before 0.22 the connection was a thread itself
