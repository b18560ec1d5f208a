"""The asynchronous saver: one psycopg connection, used by any number of tasks in turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.rows import DictRow, dict_row

from langgraph.checkpoint.base import CheckpointTuple, ListQuery, OperationSaver
from langgraph.checkpoint.base.operations import Operation, Started
from langgraph.checkpoint.errors import WrongThreadError
from langgraph.checkpoint.postgres._aunit import aprepare, arun
from langgraph.checkpoint.postgres._errors import PostgresStorageError, raise_translated
from langgraph.checkpoint.postgres._operations import PostgresOperations
from langgraph.checkpoint.postgres._saver import check_connection
from langgraph.checkpoint.serde.base import SerializerProtocol

T = TypeVar("T")

__all__ = ["AsyncPostgresSaver"]


class AsyncPostgresSaver(OperationSaver):
    """Stores checkpoints in a Postgres database, without blocking the event loop that it was made in.

    Synchronous methods work from other threads. A call that is cancelled is not waited for, but is stored as
    a whole or not at all.

    In a transaction that the caller has opened on `conn`, calls join it: they are stored for good when the
    caller commits.

    Args:
        conn: an open connection. Its row factory and its autocommit do not matter.
        pipe: a pipeline of the connection that the caller has entered; statements are sent through it.
        serde: what values are stored with; `JsonPlusSerializer` if omitted.

    Raises:
        InvalidTypeError: `conn` is not an asynchronous connection.
    """

    conn: psycopg.AsyncConnection[Any]
    lock: asyncio.Lock

    def __init__(
        self,
        conn: psycopg.AsyncConnection[Any],
        pipe: psycopg.AsyncPipeline | None = None,
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        check_connection(conn, psycopg.AsyncConnection)
        self.conn = conn
        self.pipe = pipe
        self.lock = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self.supports_pipeline = psycopg.capabilities.has_pipeline()
        self._running: set[asyncio.Task[Any]] = set()

    @classmethod
    @asynccontextmanager
    async def from_conn_string(
        cls, conn_string: str, *, pipeline: bool = False, serde: SerializerProtocol | None = None
    ) -> AsyncGenerator[AsyncPostgresSaver]:
        """Connect to a database, and close the connection at the end of the block.

        Call `setup()` once for each database.

        Args:
            conn_string: what libpq takes, such as `postgresql://user@host/database`.
            pipeline: send statements without waiting for the answers of those before.
            serde: what values are stored with; `JsonPlusSerializer` if omitted.
        """
        async with AsyncExitStack() as opened:
            try:
                conn = await psycopg.AsyncConnection[DictRow].connect(
                    conn_string, autocommit=True, prepare_threshold=0, row_factory=dict_row
                )
            except psycopg.Error as error:
                raise_translated(error)
            await opened.enter_async_context(conn)
            pipe = await opened.enter_async_context(conn.pipeline()) if pipeline else None
            saver = cls(conn, pipe, serde)
            opened.push_async_callback(saver._wait_for_all)
            yield saver

    async def setup(self) -> None:
        """Make the tables, or bring them up to date. To be called once for each database, at any time.

        Several processes may do so at once. In a transaction of the caller's, the tables are made with it.

        Raises:
            SchemaTooNewError: a newer version of this package has changed the tables.
        """
        await self._to_end(aprepare(self.conn, self.lock))

    _make_operations = PostgresOperations

    def _iterate(self, query: ListQuery) -> Iterator[CheckpointTuple]:
        self._refuse_own_loop()
        return super()._iterate(query)

    def _run(self, operation: Operation[T]) -> T:
        try:
            self._refuse_own_loop()
            if not self.loop.is_running():
                raise PostgresStorageError("the saver's event loop has ended; make a new saver", reason="closed")
            started = Started(operation)
        except BaseException:
            operation.close()
            raise
        return asyncio.run_coroutine_threadsafe(arun(started, self.conn, self.lock), self.loop).result()

    async def _arun(self, operation: Operation[T]) -> T:
        return await self._to_end(arun(Started(operation), self.conn, self.lock))

    async def _to_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for `work`, which goes on if the wait is cancelled: a rollback must not be cut short, too."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _wait_for_all(self) -> None:
        if self._running:
            await asyncio.wait(self._running)

    def _refuse_own_loop(self) -> None:
        if asyncio._get_running_loop() is self.loop:
            raise WrongThreadError(
                "a synchronous method of AsyncPostgresSaver was called on the saver's own event loop, which it "
                "would block for ever; await the async method (aget_tuple, alist, aput, ...), or use PostgresSaver"
            )
