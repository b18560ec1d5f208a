"""The tables: made on first use, and brought up to date in files of the release and of our older versions.

Migrations are numbered files, applied in order in one unit of work together with their bookkeeping rows, so
any number of processes may come at once, and a killed one leaves nothing half done.
"""

from __future__ import annotations

import re
import sqlite3
import time
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, cast

from typing_extensions import LiteralString

from langgraph.checkpoint.base.operations import begin, execute, fetch
from langgraph.checkpoint.errors import SchemaTooNewError
from langgraph.checkpoint.sqlite._errors import is_busy

_MAKE_BOOKKEEPING: Final = "CREATE TABLE IF NOT EXISTS checkpoint_migrations (v INTEGER PRIMARY KEY)"
_HAS_BOOKKEEPING: Final = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'checkpoint_migrations'"
_VERSION: Final = "SELECT coalesce(max(v), 0) FROM checkpoint_migrations"
_NOTE: Final = "INSERT INTO checkpoint_migrations (v) VALUES (?)"
_HAS_COLUMN: Final = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"

_WAL_PATIENCE = 60.0
"""Seconds; SQLite does not wait by itself for the moment alone that changing the journal needs."""


class Migration(NamedTuple):
    """One numbered file."""

    version: int
    statements: tuple[LiteralString, ...]
    unless_column: tuple[str, ...]
    """Table and column that make it unnecessary; empty if nothing does."""


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations in order."""
    folder = files("langgraph.checkpoint.sqlite") / "migrations"
    named = sorted((file.name, file.read_text()) for file in folder.iterdir() if file.name.endswith(".sql"))
    return tuple(_parse(name, text) for name, text in named)


async def upgrade() -> None:
    """Bring the tables up to date; writes nothing if they are.

    Raises:
        SchemaTooNewError: a newer version of this package has been here.
    """
    if await _version() == migrations()[-1].version:
        return
    await begin()
    await execute(_MAKE_BOOKKEEPING)
    done = await _version()
    for migration in migrations():
        if migration.version > done:
            if not (migration.unless_column and await fetch(_HAS_COLUMN, migration.unless_column)):
                for statement in migration.statements:
                    await execute(statement)
            await execute(_NOTE, (migration.version,))


def use_wal(connection: sqlite3.Connection) -> None:
    """Let readers go on while somebody writes; the file remembers it. A read-only file stays as it is."""
    if connection.in_transaction:
        return
    deadline = time.monotonic() + _WAL_PATIENCE
    while True:
        try:
            (mode,) = connection.cursor().execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                connection.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if "readonly" in str(error):
                return
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


async def _version() -> int:
    if not await fetch(_HAS_BOOKKEEPING):
        return 0
    found: int = (await fetch(_VERSION))[0][0]
    expected = migrations()[-1].version
    if found > expected:
        raise SchemaTooNewError(
            f"the database has schema {found}, but this version of langgraph-checkpoint-sqlite knows {expected}; "
            "upgrade the package",
            found=found,
            expected=expected,
        )
    return found


def _parse(name: str, text: str) -> Migration:
    unless = re.search(r"^-- if-no-column: (\w+) (\w+)$", text, re.MULTILINE)
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    statements = tuple(statement.strip() for statement in code.split(";") if statement.strip())
    return Migration(
        int(name[:4]),
        cast("tuple[LiteralString, ...]", statements),  # files of the package are as good as literals
        unless.groups() if unless else (),
    )
