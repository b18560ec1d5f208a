"""The tables: made and brought up to date by `setup()`, in databases of the release too.

Migrations are numbered files that never change. Each is applied together with its bookkeeping row in one
transaction, except those marked `-- outside-transaction`, whose statements can be repeated. Processes that come
at once take turns by an advisory lock. They poll for it: a session that waits inside Postgres would hold up
`CREATE INDEX CONCURRENTLY` in the session that it waits for, for ever.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, cast

from typing_extensions import LiteralString

from langgraph.checkpoint.base.operations import begin, execute, fetch
from langgraph.checkpoint.errors import SchemaTooNewError

_HAS_BOOKKEEPING: Final = "SELECT to_regclass('checkpoint_migrations') IS NOT NULL"
_VERSION: Final = "SELECT coalesce(max(v), -1) FROM checkpoint_migrations"
_NOTE: Final = "INSERT INTO checkpoint_migrations (v) VALUES (%s) ON CONFLICT DO NOTHING"

# The lock's number is that of these tables in this database; any number does that nobody else uses.
_LOCK: Final = "SELECT pg_try_advisory_lock(hashtext('langgraph.checkpoint_migrations'))"
_LOCK_UNTIL_COMMIT: Final = "SELECT pg_try_advisory_xact_lock(hashtext('langgraph.checkpoint_migrations'))"
_UNLOCK: Final = "SELECT pg_advisory_unlock(hashtext('langgraph.checkpoint_migrations'))"

POLL: Final = 0.05
"""Seconds between two attempts at the lock."""


class Migration(NamedTuple):
    """One numbered file."""

    version: int
    statements: tuple[LiteralString, ...]
    is_outside_transaction: bool


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations in order."""
    folder = files("langgraph.checkpoint.postgres") / "migrations"
    named = sorted((file.name, file.read_text()) for file in folder.iterdir() if file.name.endswith(".sql"))
    return tuple(_parse(name, text) for name, text in named)


async def is_current() -> bool:
    """Tell whether nothing is to be done.

    Raises:
        SchemaTooNewError: a newer version of this package has been here.
    """
    return await _version() == migrations()[-1].version


async def take_turn(*, nested: bool) -> bool:
    """Try to become the one who migrates; `nested` in a transaction of the caller's, until that ends."""
    return bool((await fetch(_LOCK_UNTIL_COMMIT if nested else _LOCK))[0][0])


async def end_turn() -> None:
    """Let the next one come."""
    await fetch(_UNLOCK)


async def next_migration(*, nested: bool) -> Migration | None:
    """Apply all that a transaction can hold; return the first that has to be applied outside, if any.

    In a fresh database, and in a transaction of the caller's, all can: nobody waits for the tables.
    """
    done = await _version()
    fresh = done < 0
    await begin()
    for migration in migrations():
        if migration.version > done:
            if migration.is_outside_transaction and not (fresh or nested):
                return migration
            for statement in migration.statements:
                await execute(cast("LiteralString", statement.replace(" CONCURRENTLY", "")))
            await execute(_NOTE, (migration.version,))
    return None


async def note(migration: Migration) -> None:
    """Note that a migration was applied outside a transaction."""
    await begin()
    await execute(_NOTE, (migration.version,))


async def _version() -> int:
    if not (await fetch(_HAS_BOOKKEEPING))[0][0]:
        return -1
    found: int = (await fetch(_VERSION))[0][0]
    expected = migrations()[-1].version
    if found > expected:
        raise SchemaTooNewError(
            f"the database has schema {found}, but this version of langgraph-checkpoint-postgres knows "
            f"{expected}; upgrade the package",
            found=found,
            expected=expected,
        )
    return found


def _parse(name: str, text: str) -> Migration:
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    statements = tuple(statement.strip() for statement in code.split(";") if statement.strip())
    # files that are part of the package are as good as literals
    return Migration(
        int(name[:4]), cast("tuple[LiteralString, ...]", statements), "-- outside-transaction" in text
    )
