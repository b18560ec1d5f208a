"""`setup()`: from nothing, from what releases have left, from many processes, in any kind of transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from langgraph.checkpoint.base import SchemaMissingError, SchemaTooNewError
from langgraph.checkpoint.postgres import PostgresSaver, _schema
from langgraph.checkpoint.postgres._errors import SCHEMA_VERSION
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

DUMP = Path(__file__).parent.parent / "golden" / "postgres" / "1.2.24.sql"

COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY 1, 2
"""
INDEXES = """
    SELECT c.relname, i.indisvalid, i.indisunique, i.indisprimary, pg_get_indexdef(i.indexrelid)
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1
"""


def catalog(database: str) -> list[Any]:
    """Return what there is of tables and indexes, and which migrations are noted."""
    with psycopg.connect(database) as conn:
        noted = conn.execute("SELECT v FROM checkpoint_migrations ORDER BY v").fetchall()
        return [conn.execute(COLUMNS).fetchall(), conn.execute(INDEXES).fetchall(), noted]


def apply_until(database: str, version: int) -> None:
    """Make the tables as they were at a version."""
    with psycopg.connect(database, autocommit=True) as conn:
        for migration in _schema.migrations()[: version + 1]:
            for statement in migration.statements:
                conn.execute(statement)
            conn.execute("INSERT INTO checkpoint_migrations VALUES (%s)", (migration.version,))


def set_up(database: str, **options: Any) -> None:
    with psycopg.connect(database, **options) as conn:
        PostgresSaver(conn).setup()


def test_versions_are_counted_from_zero_without_gap() -> None:
    """The numbers of the files are the versions, and the last one is what the code expects."""
    assert [migration.version for migration in _schema.migrations()] == list(range(SCHEMA_VERSION + 1))


def test_a_fresh_database_is_that_of_the_release(empty_database: str, database: str) -> None:
    """Tables, columns, defaults, keys and indexes are those of the release, with the same bookkeeping."""
    with psycopg.connect(empty_database) as conn:
        conn.execute(DUMP.read_bytes())
    assert catalog(database) == catalog(empty_database)


@pytest.mark.parametrize("version", range(SCHEMA_VERSION))
@pytest.mark.parametrize("autocommit", [True, False])
def test_an_older_schema_is_completed(
    version: int, autocommit: bool, empty_database: str, migrated_catalog: list[Any]
) -> None:
    """From each version on a database becomes like a fresh one."""
    apply_until(empty_database, version)
    set_up(empty_database, autocommit=autocommit)
    assert catalog(empty_database) == migrated_catalog


@pytest.fixture
def migrated_catalog(database: str) -> list[Any]:
    """Return the catalog of a fresh database."""
    return catalog(database)


async def test_the_async_saver_makes_the_same(empty_database: str, migrated_catalog: list[Any]) -> None:
    """Also from a schema whose indexes have to be made outside of a transaction."""
    apply_until(empty_database, 5)
    async with await psycopg.AsyncConnection.connect(empty_database) as conn:
        await AsyncPostgresSaver(conn).setup()
        assert not conn.autocommit
    assert catalog(empty_database) == migrated_catalog


def test_a_left_over_invalid_index_is_made_again(empty_database: str, migrated_catalog: list[Any]) -> None:
    """An index whose making was interrupted does not count as made."""
    apply_until(empty_database, 5)
    with psycopg.connect(empty_database, autocommit=True) as conn:
        conn.execute("CREATE INDEX checkpoints_thread_id_idx ON checkpoints (thread_id)")
        conn.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'checkpoints_thread_id_idx'::regclass"
        )
    set_up(empty_database, autocommit=True)
    assert catalog(empty_database) == migrated_catalog


@pytest.mark.parametrize("version", [-1, 5])
def test_many_at_once_take_turns(version: int, empty_database: str, migrated_catalog: list[Any]) -> None:
    """Eight sessions that set up the same database all return, and it is made once."""
    if version >= 0:
        apply_until(empty_database, version)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: set_up(empty_database, autocommit=n % 2 == 0), range(8)))
    assert catalog(empty_database) == migrated_catalog


@pytest.mark.parametrize("version", [-1, 5])
def test_setup_joins_the_callers_transaction(
    version: int, empty_database: str, migrated_catalog: list[Any]
) -> None:
    """The tables are there if the caller commits, and not if it rolls back."""
    if version >= 0:
        apply_until(empty_database, version)
    before = catalog(empty_database) if version >= 0 else None
    with psycopg.connect(empty_database, autocommit=True) as conn:
        with conn.transaction(force_rollback=True):
            PostgresSaver(conn).setup()
        if before:
            assert catalog(empty_database) == before
        with conn.transaction():
            PostgresSaver(conn).setup()
    assert catalog(empty_database) == migrated_catalog


def test_setup_again_writes_nothing(database: str, connection: psycopg.Connection[Any]) -> None:
    """A database that is up to date is only looked at."""
    before = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
    set_up(database, options="-c default_transaction_read_only=on")
    assert connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone() == before


def test_setup_through_a_pipeline(empty_database: str, migrated_catalog: list[Any]) -> None:
    """A connection in pipeline mode makes the same tables."""
    with PostgresSaver.from_conn_string(empty_database, pipeline=True) as saver:
        saver.setup()
    assert catalog(empty_database) == migrated_catalog


def test_a_newer_schema_is_refused(database: str, connection: psycopg.Connection[Any]) -> None:
    """Tables that a newer version has changed are not touched; the error names both versions."""
    connection.execute("INSERT INTO checkpoint_migrations VALUES (99)")
    with pytest.raises(SchemaTooNewError, match="99") as caught:
        set_up(database)
    assert (caught.value.found, caught.value.expected) == (99, SCHEMA_VERSION)


def test_without_tables_the_error_says_setup(empty_database: str, at: Callable[..., Any]) -> None:
    """A database that was never set up says what to do, and the connection goes on to work."""
    with psycopg.connect(empty_database) as conn:
        saver = PostgresSaver(conn)
        with pytest.raises(SchemaMissingError, match=r"setup\(\)"):
            saver.get_tuple(at())
        saver.setup()
        assert saver.get_tuple(at()) is None


async def test_a_cancelled_setup_goes_on(empty_database: str, migrated_catalog: list[Any]) -> None:
    """Who does not wait for it leaves nothing half done."""
    async with AsyncPostgresSaver.from_conn_string(empty_database) as saver:
        waiting = asyncio.ensure_future(saver.setup())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert catalog(empty_database) == migrated_catalog
