"""The synchronous saver: one connection, used by any number of threads in turns."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import TypeVar

from langgraph.checkpoint.base import OperationSaver
from langgraph.checkpoint.base.operations import Operation, Started
from langgraph.checkpoint.errors import InvalidConfigError, InvalidTypeError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite._errors import raise_translated
from langgraph.checkpoint.sqlite._operations import SqliteOperations
from langgraph.checkpoint.sqlite._unit import prepare, run

T = TypeVar("T")

BUSY_TIMEOUT = 30.0
"""Seconds that a connection opened here waits for another one that writes."""


class SqliteSaver(OperationSaver):
    """Stores checkpoints in an SQLite file; several threads, savers and processes may share the file.

    Async methods work too, in a thread. For much async work there is `AsyncSqliteSaver`.

    In a transaction that the caller has opened on `conn`, calls join it: they are stored for good when the
    caller commits.

    Args:
        conn: a connection made with `check_same_thread=False`. Its row factory does not matter.
        serde: what values are stored with; `JsonPlusSerializer` if omitted.

    Example:
        >>> from langgraph.checkpoint.base import empty_checkpoint
        >>> config = {"configurable": {"thread_id": "1"}}
        >>> with SqliteSaver.from_conn_string(":memory:") as saver:
        ...     stored = saver.put(config, empty_checkpoint(), {"source": "input"}, {})
        ...     saver.get_tuple(config).metadata
        {'source': 'input'}
    """

    conn: sqlite3.Connection
    is_setup: bool

    def __init__(self, conn: sqlite3.Connection, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        check_connection(conn, sqlite3.Connection, "sqlite3.connect(path, check_same_thread=False)")
        check_autocommit(conn)
        self.jsonplus_serde = JsonPlusSerializer()
        self.conn = conn
        self.is_setup = False
        self.lock = threading.Lock()

    @classmethod
    @contextmanager
    def from_conn_string(
        cls, conn_string: str, *, serde: SerializerProtocol | None = None
    ) -> Generator[SqliteSaver]:
        """Open a saver on a file, or on `":memory:"`, and close it at the end of the block.

        Every acknowledged call is on the disk (`synchronous=FULL`).
        """
        with closing(connect(conn_string)) as conn:
            yield cls(conn, serde=serde)

    def setup(self) -> None:
        """Make the tables, or bring them up to date. Done by itself on first use."""
        if not self.is_setup:
            self.is_setup = prepare(self.conn, self.lock)

    @contextmanager
    def cursor(self, transaction: bool = True) -> Generator[sqlite3.Cursor]:
        """Give a cursor of the connection, for the caller's own statements.

        Args:
            transaction: commit at the end of the block.
        """
        self.setup()
        with self.lock, closing(self.conn.cursor()) as cursor:
            try:
                yield cursor
            finally:
                if transaction:
                    self.conn.commit()

    _make_operations = SqliteOperations

    def _run(self, operation: Operation[T]) -> T:
        return self._finish(Started(operation))

    async def _arun(self, operation: Operation[T]) -> T:
        return await asyncio.to_thread(self._finish, Started(operation))

    def _finish(self, started: Started[T]) -> T:
        self.setup()
        return run(started, self.conn, self.lock)


def connect(conn_string: str) -> sqlite3.Connection:
    """Return a connection that waits for others and for the disk."""
    try:
        conn = sqlite3.connect(conn_string, timeout=BUSY_TIMEOUT, check_same_thread=False)
        try:
            conn.execute("PRAGMA synchronous = FULL")
        except BaseException:
            conn.close()
            raise
    except sqlite3.Error as error:
        raise_translated(error, conn_string)
    return conn


def check_connection(conn: object, wanted: type, made: str) -> None:
    """Refuse what is no connection, such as a path.

    Raises:
        InvalidTypeError: it is not a `wanted`.
    """
    if not isinstance(conn, wanted):
        raise InvalidTypeError(
            f"conn must be a connection, made with {made}, not {type(conn).__name__}: {conn!r:.80}; "
            "for a path there is from_conn_string()",
            field="conn",
        )


def check_autocommit(conn: sqlite3.Connection) -> None:
    """Refuse connections that are always in a transaction, as Python 3.12 can make them.

    Raises:
        InvalidConfigError: `conn` was made with `autocommit=False`.
    """
    if getattr(conn, "autocommit", None) is False:
        raise InvalidConfigError(
            "the connection was made with autocommit=False, so nothing would be stored until you commit; "
            "make it with autocommit=True, or leave the argument out",
            field="conn",
        )
