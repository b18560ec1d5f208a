"""The driver: how one operation is performed on an SQLite connection.

A unit holds the connection from `begin` to the end of the operation, or, if it only reads, to its first
`compute`. Writers begin IMMEDIATE, so that they never find, half way, that they may not write. In a transaction
that the caller has opened on this connection, the unit is a savepoint, and is committed with it.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from langgraph.checkpoint.base.operations import (
    Begin,
    Commit,
    Compute,
    Execute,
    ExecuteMany,
    Fetch,
    Request,
    Started,
)
from langgraph.checkpoint.sqlite._errors import is_busy, raise_translated
from langgraph.checkpoint.sqlite._schema import upgrade, use_wal

T = TypeVar("T")

_PATIENCE = 60.0
"""Seconds that a unit waits to become the writer. SQLite's queue is not fair, so it is well above a commit."""
_PAUSE = 0.005
"""Seconds between two attempts, for connections whose own busy timeout is zero."""


class Unit:
    """One operation's hold on a connection."""

    __slots__ = ("_connection", "_cursor", "_lock", "_nested", "_writing")

    def __init__(self, connection: sqlite3.Connection, lock: threading.Lock) -> None:
        self._connection = connection
        self._lock = lock
        self._cursor: sqlite3.Cursor | None = None
        self._nested = False
        self._writing = False

    def perform(self, request: Request[Any]) -> Any:
        """Answer a request; SQLite's errors become ours where they mean something to a caller."""
        try:
            return self._performers[type(request)](self, request)
        except (sqlite3.Error, ValueError) as error:
            raise_translated(error)

    def end(self) -> None:
        """Commit, and give the connection back."""
        try:
            self._finish("RELEASE langgraph" if self._nested else "COMMIT")
        except (sqlite3.Error, ValueError) as error:
            raise_translated(error)

    def abort(self) -> None:
        """Undo what was done, and give the connection back."""
        if self._cursor is None:
            return
        if not self._connection.in_transaction:
            self._release()  # SQLite has rolled back by itself, as it does when the disk is full
        elif self._nested:
            self._finish("ROLLBACK TO langgraph", "RELEASE langgraph")
        else:
            self._finish("ROLLBACK")

    def _begin(self, request: Begin) -> bool:
        self._open(write=request.write)
        return not self._nested

    def _commit(self, request: Commit) -> bool:
        self.end()
        return not self._nested

    def _compute(self, request: Compute[T]) -> T:
        if not self._writing:
            self.end()
        return request.perform()

    def _fetch(self, request: Fetch) -> list[Any]:
        if self._cursor is not None:
            return self._cursor.execute(request.sql, request.params).fetchall()
        with self._lock:  # a lone query is its own transaction
            cursor = self._connection.cursor()
            cursor.row_factory = None  # whatever the caller's connection has
            request.committed = not self._connection.in_transaction
            return cursor.execute(request.sql, request.params).fetchall()

    def _execute(self, request: Execute) -> int:
        return self._begun().execute(request.sql, request.params).rowcount

    def _execute_many(self, request: ExecuteMany) -> None:
        self._begun().executemany(request.sql, request.rows)

    def _begun(self) -> sqlite3.Cursor:
        if self._cursor is None:
            raise RuntimeError("an operation has to begin() before it writes")
        return self._cursor

    def _open(self, *, write: bool) -> sqlite3.Cursor:
        self._lock.acquire()
        self._nested = True  # until known: nothing of the caller's is rolled back
        try:
            cursor = self._connection.cursor()
            cursor.row_factory = None
            self._nested = self._connection.in_transaction
            if self._nested:
                cursor.execute("SAVEPOINT langgraph")
            elif write:
                _begin_immediate(cursor)
            else:
                cursor.execute("BEGIN")
        except BaseException:
            if not self._nested and self._connection.in_transaction:
                self._connection.rollback()  # interrupted between BEGIN and here
            self._lock.release()
            raise
        self._writing = write
        self._cursor = cursor
        return cursor

    def _finish(self, *statements: str) -> None:
        if self._cursor is None:
            return
        try:
            for statement in statements:
                self._cursor.execute(statement)
        except BaseException:
            if not self._nested and self._connection.in_transaction:
                self._cursor.execute("ROLLBACK")  # a failed commit, such as on a full disk, stays open
            raise
        finally:
            self._release()

    def _release(self) -> None:
        assert self._cursor is not None
        self._cursor.close()
        self._cursor, self._writing = None, False
        self._lock.release()

    _performers: ClassVar[dict[type[Request[Any]], Callable[[Unit, Any], Any]]] = {
        Begin: _begin,
        Commit: _commit,
        Compute: _compute,
        Execute: _execute,
        ExecuteMany: _execute_many,
        Fetch: _fetch,
    }


def run(started: Started[T], connection: sqlite3.Connection, lock: threading.Lock) -> T:
    """Drive an operation to its end as one unit of work."""
    unit = Unit(connection, lock)
    try:
        result = started.drive(unit.perform)
        unit.end()
    except BaseException:
        unit.abort()
        raise
    return result


def prepare(connection: sqlite3.Connection, lock: threading.Lock) -> bool:
    """Make the tables, or bring them up to date, as one unit of work.

    Returns:
        Whether they are there for good: not if a transaction of the caller's may undo it.
    """
    try:
        with lock:
            use_wal(connection)
    except sqlite3.Error as error:
        raise_translated(error)
    run(Started(upgrade()), connection, lock)
    return not connection.in_transaction


def _begin_immediate(cursor: sqlite3.Cursor) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return
