"""The synchronous driver: how one operation is performed on a psycopg connection.

A unit holds the connection from `begin` to the end of the operation, or, if it only reads, to its first
`compute`. In a transaction that the caller has opened on this connection, the unit is a savepoint, and is
committed with it. Neither the connection's row factory nor its autocommit matters, and neither is changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, TypeVar

import psycopg
from psycopg.pq import PipelineStatus, TransactionStatus
from psycopg.rows import TupleRow, tuple_row

from langgraph.checkpoint.base.operations import Begin, Compute, Execute, ExecuteMany, Fetch, Request, Started
from langgraph.checkpoint.postgres import _schema
from langgraph.checkpoint.postgres._errors import raise_translated

T = TypeVar("T")

ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
"""Lets the statements of a unit that only reads see one state of the database."""


class Unit:
    """One operation's hold on a connection, from the first request that needs it."""

    __slots__ = ("_connection", "_cursor", "_held", "_lock", "_writing")

    def __init__(self, connection: psycopg.Connection[Any], lock: threading.Lock) -> None:
        self._connection = connection
        self._lock = lock
        self._held = ExitStack()
        self._cursor: psycopg.Cursor[TupleRow] | None = None
        self._writing = False

    def __enter__(self) -> Unit:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._cursor = None
        try:
            self._held.__exit__(kind, error, traceback)
        except psycopg.Error as failed:
            if failed is error:
                raise
            raise_translated(failed)

    def perform(self, request: Request[Any]) -> Any:
        """Answer a request; psycopg's errors become ours where they mean something to a caller."""
        try:
            return _PERFORM[type(request)](self, request)
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise_translated(error)

    def begin(self, request: Begin) -> bool:
        """Start the unit, and tell whether it stands alone."""
        self._held.enter_context(self._lock)
        alone = self._connection.info.transaction_status == TransactionStatus.IDLE
        self._held.enter_context(self._connection.transaction())
        self._cursor = self._held.enter_context(_cursor(self._connection))
        self._writing = request.write
        if alone and not request.write:
            self._cursor.execute(ONE_STATE)
        return alone

    def compute(self, request: Compute[T]) -> T:
        """Do work without the connection, if the unit has only read."""
        if not self._writing:
            self.__exit__(None, None, None)
        return request.perform()

    def fetch(self, request: Fetch) -> list[TupleRow]:
        """Run a query; a lone one is a transaction of its own."""
        if self._cursor is not None:
            return self._cursor.execute(request.sql, request.params, binary=True).fetchall()
        with self._lock, ExitStack() as held:
            if not is_own_transaction(self._connection):
                held.enter_context(self._connection.transaction())
            cursor = held.enter_context(_cursor(self._connection))
            return cursor.execute(request.sql, request.params, binary=True).fetchall()

    def execute(self, request: Execute) -> int:
        """Run a statement."""
        return self._begun().execute(request.sql, request.params).rowcount

    def execute_many(self, request: ExecuteMany) -> None:
        """Run a statement for each row of parameters."""
        if rows := list(request.rows):
            self._begun().executemany(request.sql, rows)

    def _begun(self) -> psycopg.Cursor[TupleRow]:
        if self._cursor is None:
            raise RuntimeError("an operation has to begin() before it writes")
        return self._cursor


_PERFORM: dict[type[Request[Any]], Callable[[Unit, Any], Any]] = {
    Begin: Unit.begin,
    Compute: Unit.compute,
    Execute: Unit.execute,
    ExecuteMany: Unit.execute_many,
    Fetch: Unit.fetch,
}


def run(started: Started[T], connection: psycopg.Connection[Any], lock: threading.Lock) -> T:
    """Drive an operation to its end as one unit of work."""
    with Unit(connection, lock) as unit:
        return started.drive(unit.perform)


def prepare(connection: psycopg.Connection[Any], lock: threading.Lock) -> None:
    """Make the tables, or bring them up to date."""
    if run(Started(_schema.is_current()), connection, lock):
        return
    nested = connection.info.transaction_status != TransactionStatus.IDLE
    while not run(Started(_schema.take_turn(nested=nested)), connection, lock):
        time.sleep(_schema.POLL)
    try:
        while migration := run(Started(_schema.next_migration(nested=nested)), connection, lock):
            with lock, _outside_transaction(connection) as cursor:
                for statement in migration.statements:
                    cursor.execute(statement)
            run(Started(_schema.note(migration)), connection, lock)
    finally:
        if not nested:
            run(Started(_schema.end_turn()), connection, lock)


def is_own_transaction(connection: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> bool:
    """Tell whether a lone query leaves no transaction behind: it is one by itself, or part of the caller's."""
    if connection.info.transaction_status != TransactionStatus.IDLE:
        return True
    return connection.autocommit and connection.pgconn.pipeline_status == PipelineStatus.OFF


@contextmanager
def _outside_transaction(connection: psycopg.Connection[Any]) -> Generator[psycopg.Cursor[TupleRow]]:
    autocommit = connection.autocommit
    if not autocommit:
        connection.autocommit = True
    try:
        with _cursor(connection) as cursor:
            yield cursor
    except psycopg.Error as error:
        raise_translated(error)
    finally:
        if not autocommit:
            connection.autocommit = False


def _cursor(connection: psycopg.Connection[Any]) -> psycopg.Cursor[TupleRow]:
    """Return a cursor that is as here expected, whatever the connection makes by itself."""
    return psycopg.Cursor(connection, row_factory=tuple_row)
