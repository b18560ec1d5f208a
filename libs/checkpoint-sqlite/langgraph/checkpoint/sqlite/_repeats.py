"""Queries asked again while nothing has changed: whoever watches a thread asks the same, again and again.

SQLite tells whether a database has changed: `data_version` moves with other connections' commits, the
connection's own `total_changes` with its own, `schema_version` with the tables. As long as all three
stand still, the rows of a query are those of the last time.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from langgraph.checkpoint.base.operations import Fetch

_STAMP = "SELECT data_version, schema_version FROM pragma_data_version, pragma_schema_version"
_QUERIES = 32
_LARGEST = 256 << 10
"""Bytes; larger results are not kept."""

Stamp = tuple[int, int, int]


class Repeats:
    """The rows of the last few queries of one connection, and the state of the database they are of."""

    def __init__(self) -> None:
        self._stamp: Stamp | None = None
        self._rows: dict[tuple[str, Any], list[Any]] = {}

    def fetch(self, connection: sqlite3.Connection, cursor: sqlite3.Cursor, request: Fetch) -> list[Any]:
        """Return the rows of a query that stands alone, outside all transactions."""
        # before the query: what is committed in between is then taken for a change, never overlooked
        stamp = (*cursor.execute(_STAMP).fetchone(), connection.total_changes)
        if stamp != self._stamp:
            self._stamp = stamp
            self._rows = {}
        asked = (request.sql, request.params)
        rows = self._rows.get(asked)
        if rows is None:
            rows = cursor.execute(*asked).fetchall()
            if len(self._rows) < _QUERIES and _size(rows) <= _LARGEST:
                self._rows[asked] = rows
        return rows


def _size(rows: list[Any]) -> int:
    return sum(len(value) for row in rows for value in row if type(value) is bytes)
