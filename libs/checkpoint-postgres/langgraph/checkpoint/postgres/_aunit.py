"""The asynchronous driver: what `_unit` does, with `await`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow, tuple_row

from langgraph.checkpoint.base.operations import Begin, Compute, Execute, ExecuteMany, Fetch, Request, Started
from langgraph.checkpoint.postgres import _schema
from langgraph.checkpoint.postgres._errors import raise_translated
from langgraph.checkpoint.postgres._unit import ONE_STATE, is_own_transaction

T = TypeVar("T")


class AsyncUnit:
    """One operation's hold on a connection, from the first request that needs it."""

    __slots__ = ("_connection", "_cursor", "_held", "_lock", "_writing")

    def __init__(self, connection: psycopg.AsyncConnection[Any], lock: asyncio.Lock) -> None:
        self._connection = connection
        self._lock = lock
        self._held = AsyncExitStack()
        self._cursor: psycopg.AsyncCursor[TupleRow] | None = None
        self._writing = False

    async def __aenter__(self) -> AsyncUnit:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._cursor = None
        try:
            await self._held.__aexit__(kind, error, traceback)
        except psycopg.Error as failed:
            if failed is error:
                raise
            raise_translated(failed)

    async def perform(self, request: Request[Any]) -> Any:
        """Answer a request; psycopg's errors become ours where they mean something to a caller."""
        try:
            return await _PERFORM[type(request)](self, request)
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise_translated(error)

    async def begin(self, request: Begin) -> bool:
        """Start the unit, and tell whether it stands alone."""
        await self._held.enter_async_context(self._lock)
        alone = self._connection.info.transaction_status == TransactionStatus.IDLE
        await self._held.enter_async_context(self._connection.transaction())
        self._cursor = await self._held.enter_async_context(_cursor(self._connection))
        self._writing = request.write
        if alone and not request.write:
            await self._cursor.execute(ONE_STATE)
        return alone

    async def compute(self, request: Compute[T]) -> T:
        """Do work without the connection, if the unit has only read."""
        if not self._writing:
            await self.__aexit__(None, None, None)
        return request.perform()

    async def fetch(self, request: Fetch) -> list[TupleRow]:
        """Run a query; a lone one is a transaction of its own."""
        if self._cursor is not None:
            return await (await self._cursor.execute(request.sql, request.params, binary=True)).fetchall()
        async with self._lock, AsyncExitStack() as held:
            if not is_own_transaction(self._connection):
                await held.enter_async_context(self._connection.transaction())
            cursor = await held.enter_async_context(_cursor(self._connection))
            return await (await cursor.execute(request.sql, request.params, binary=True)).fetchall()

    async def execute(self, request: Execute) -> int:
        """Run a statement."""
        return (await self._begun().execute(request.sql, request.params)).rowcount

    async def execute_many(self, request: ExecuteMany) -> None:
        """Run a statement for each row of parameters."""
        if rows := list(request.rows):
            await self._begun().executemany(request.sql, rows)

    def _begun(self) -> psycopg.AsyncCursor[TupleRow]:
        if self._cursor is None:
            raise RuntimeError("an operation has to begin() before it writes")
        return self._cursor


_PERFORM: dict[type[Request[Any]], Callable[[AsyncUnit, Any], Awaitable[Any]]] = {
    Begin: AsyncUnit.begin,
    Compute: AsyncUnit.compute,
    Execute: AsyncUnit.execute,
    ExecuteMany: AsyncUnit.execute_many,
    Fetch: AsyncUnit.fetch,
}


async def arun(started: Started[T], connection: psycopg.AsyncConnection[Any], lock: asyncio.Lock) -> T:
    """Drive an operation to its end as one unit of work."""
    async with AsyncUnit(connection, lock) as unit:
        return await started.adrive(unit.perform)


async def aprepare(connection: psycopg.AsyncConnection[Any], lock: asyncio.Lock) -> None:
    """Make the tables, or bring them up to date."""
    if await arun(Started(_schema.is_current()), connection, lock):
        return
    nested = connection.info.transaction_status != TransactionStatus.IDLE
    while not await arun(Started(_schema.take_turn(nested=nested)), connection, lock):  # noqa: ASYNC110  # the event is another process's
        await asyncio.sleep(_schema.POLL)
    try:
        while migration := await arun(Started(_schema.next_migration(nested=nested)), connection, lock):
            async with lock, _outside_transaction(connection) as cursor:
                for statement in migration.statements:
                    await cursor.execute(statement)
            await arun(Started(_schema.note(migration)), connection, lock)
    finally:
        if not nested:
            await arun(Started(_schema.end_turn()), connection, lock)


@asynccontextmanager
async def _outside_transaction(
    connection: psycopg.AsyncConnection[Any],
) -> AsyncGenerator[psycopg.AsyncCursor[TupleRow]]:
    autocommit = connection.autocommit
    if not autocommit:
        await connection.set_autocommit(True)
    try:
        async with _cursor(connection) as cursor:
            yield cursor
    except psycopg.Error as error:
        raise_translated(error)
    finally:
        if not autocommit:
            await connection.set_autocommit(False)


def _cursor(connection: psycopg.AsyncConnection[Any]) -> psycopg.AsyncCursor[TupleRow]:
    """Return a cursor that is as here expected, whatever the connection makes by itself."""
    return psycopg.AsyncCursor(connection, row_factory=tuple_row)
