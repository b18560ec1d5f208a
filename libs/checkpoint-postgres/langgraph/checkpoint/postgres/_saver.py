"""The synchronous saver: one psycopg connection, used by any number of threads in turns."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.rows import DictRow, dict_row

from langgraph.checkpoint.base import InvalidTypeError, OperationSaver
from langgraph.checkpoint.base.operations import Operation, Started
from langgraph.checkpoint.postgres._errors import raise_translated
from langgraph.checkpoint.postgres._operations import PostgresOperations
from langgraph.checkpoint.postgres._unit import prepare, run
from langgraph.checkpoint.serde.base import SerializerProtocol

T = TypeVar("T")


class PostgresSaver(OperationSaver):
    """Stores checkpoints in a Postgres database; any number of savers and processes may share it.

    Async methods work too, in a thread. For much async work there is `AsyncPostgresSaver`.

    In a transaction that the caller has opened on `conn`, calls join it: they are stored for good when the
    caller commits.

    Args:
        conn: an open connection. Its row factory and its autocommit do not matter.
        pipe: a pipeline of the connection that the caller has entered; statements are sent through it.
        serde: what values are stored with; `JsonPlusSerializer` if omitted.

    Raises:
        InvalidTypeError: `conn` is not a connection.
    """

    conn: psycopg.Connection[Any]
    lock: threading.Lock

    def __init__(
        self,
        conn: psycopg.Connection[Any],
        pipe: psycopg.Pipeline | None = None,
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        check_connection(conn, psycopg.Connection)
        self.conn = conn
        self.pipe = pipe
        self.lock = threading.Lock()
        self.supports_pipeline = psycopg.capabilities.has_pipeline()

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str, *, pipeline: bool = False) -> Generator[PostgresSaver]:
        """Connect to a database, and close the connection at the end of the block.

        Call `setup()` once for each database.

        Args:
            conn_string: what libpq takes, such as `postgresql://user@host/database`.
            pipeline: send statements without waiting for the answers of those before.
        """
        with ExitStack() as opened:
            try:
                conn = psycopg.Connection[DictRow].connect(
                    conn_string, autocommit=True, prepare_threshold=0, row_factory=dict_row
                )
            except psycopg.Error as error:
                raise_translated(error)
            opened.enter_context(conn)
            yield cls(conn, opened.enter_context(conn.pipeline()) if pipeline else None)

    def setup(self) -> None:
        """Make the tables, or bring them up to date. To be called once for each database, at any time.

        Several processes may do so at once. In a transaction of the caller's, the tables are made with it.

        Raises:
            SchemaTooNewError: a newer version of this package has changed the tables.
        """
        prepare(self.conn, self.lock)

    _make_operations = PostgresOperations

    def _run(self, operation: Operation[T]) -> T:
        return run(Started(operation), self.conn, self.lock)

    async def _arun(self, operation: Operation[T]) -> T:
        return await asyncio.to_thread(run, Started(operation), self.conn, self.lock)


def check_connection(conn: object, kind: type) -> None:
    """Refuse what is no connection of this colour.

    Raises:
        InvalidTypeError: it is something else, such as a pool.
    """
    if not isinstance(conn, kind):
        raise InvalidTypeError(
            f"conn must be a psycopg.{kind.__name__}, not {type(conn).__name__}; with a pool, make a saver on "
            "each connection that it gives",
            field="conn",
        )
