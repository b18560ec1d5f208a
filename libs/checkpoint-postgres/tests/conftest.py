"""A server, databases on it, and savers to test, each in both colours.

A test that asks for `saver` runs four times: with both savers, through the sync methods of each and through the
async ones. It is written once, as a coroutine, and calls `await saver.put(...)`.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

TESTS = Path(__file__).parent
if str(TESTS / "harness") not in sys.path:
    sys.path.insert(0, str(TESTS / "harness"))

from postgres_server import NoServerError, postgres_server  # noqa: E402

from langgraph.checkpoint.postgres import PostgresSaver  # noqa: E402
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: E402

WAYS = ("PostgresSaver-sync", "PostgresSaver-async", "AsyncPostgresSaver-sync", "AsyncPostgresSaver-async")


class Databases:
    """Makes databases on a server, and drops them at the end."""

    def __init__(self, conninfo: str) -> None:
        self._server = psycopg.connect(conninfo, autocommit=True)
        self._conninfo = conninfo
        self._numbers = itertools.count()
        self._made: list[str] = []

    def make(self, template: str | None = None) -> str:
        """Make a database, a copy of the one `template` is the connection string of, and return its own."""
        name = f"langgraph_test_{os.getpid()}_{next(self._numbers)}"
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(self._name(template) if template else "template0")
        )
        self._server.execute(made)
        self._made.append(name)
        return make_conninfo(self._conninfo, dbname=name)

    def drop(self, conninfo: str) -> None:
        """Drop a database, whoever is still connected."""
        name = self._name(conninfo)
        self._server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        self._made.remove(name)

    def close(self) -> None:
        """Drop what is left."""
        for name in list(self._made):
            self.drop(make_conninfo(self._conninfo, dbname=name))
        self._server.close()

    def _name(self, conninfo: str) -> str:
        return str(psycopg.conninfo.conninfo_to_dict(conninfo)["dbname"])


class Calls:
    """The methods of a saver in one colour; sync ones run in a thread, away from the saver's loop."""

    def __init__(self, saver: Any, colour: str) -> None:
        self.saver = saver
        self.colour = colour

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if self.colour == "async":
            return getattr(self.saver, f"a{name}")
        method = getattr(self.saver, name)
        return lambda *args, **kwargs: asyncio.to_thread(method, *args, **kwargs)

    async def list(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return all that is listed."""
        if self.colour == "async":
            return [item async for item in self.saver.alist(*args, **kwargs)]
        return await asyncio.to_thread(lambda: list(self.saver.list(*args, **kwargs)))

    async def ids(self, *args: Any, **kwargs: Any) -> list[str]:
        """Return the ids of all that is listed."""
        return [item.checkpoint["id"] for item in await self.list(*args, **kwargs)]


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Return what makes databases. Without a server tests are skipped; in CI they fail."""
    running = postgres_server()
    try:
        conninfo = running.__enter__()
    except NoServerError as reason:
        if os.environ.get("CI"):
            pytest.fail(str(reason))
        pytest.skip(str(reason))
    try:
        made = Databases(conninfo)
        try:
            yield made
        finally:
            made.close()
    finally:
        running.__exit__(None, None, None)


@pytest.fixture(scope="session")
def migrated(databases: Databases) -> str:
    """Return a database with tables, which others are copied from; nobody may be connected to it."""
    conninfo = databases.make()
    with PostgresSaver.from_conn_string(conninfo) as saver:
        saver.setup()
    return conninfo


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[str]:
    """Return a database without tables."""
    conninfo = databases.make()
    yield conninfo
    databases.drop(conninfo)


@pytest.fixture
def database(databases: Databases, migrated: str) -> Iterator[str]:
    """Return a database of the test's own, with empty tables."""
    conninfo = databases.make(migrated)
    yield conninfo
    databases.drop(conninfo)


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection[Any]]:
    """Return a connection to `database` beside the saver's, in autocommit."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Return which saver in which colour the test is about."""
    return str(request.param)


@pytest.fixture
async def open_saver(way: str, database: str) -> AsyncIterator[Callable[..., Awaitable[Calls]]]:
    """Return a coroutine function that opens a saver, with options for its connection or a serializer."""
    kind, colour = way.split("-")
    async with AsyncExitStack() as opened:

        async def open_one(*, serde: Any = None, **options: Any) -> Calls:
            if kind == "PostgresSaver":
                conn = opened.enter_context(psycopg.connect(database, **options))
                return Calls(PostgresSaver(conn, serde=serde), colour)
            aconn = await psycopg.AsyncConnection.connect(database, **options)
            await opened.enter_async_context(aconn)
            return Calls(AsyncPostgresSaver(aconn, serde=serde), colour)

        yield open_one


@pytest.fixture
async def saver(open_saver: Callable[..., Awaitable[Calls]]) -> Calls:
    """Return a saver on `database`."""
    return await open_saver(autocommit=True)


@pytest.fixture
def checkpoint() -> Callable[..., dict[str, Any]]:
    """Return a maker of checkpoints: `checkpoint("1", {"a": 5})` has a channel `a` of version `"1"`."""

    def make(id: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
        values = dict(values or {})
        return {
            "v": 4,
            "id": id,
            "ts": "2026-12-01T00:00:00+00:00",
            "channel_values": values,
            "channel_versions": dict.fromkeys(values, id),
            "versions_seen": {},
            "updated_channels": None,
        }

    return make


@pytest.fixture
def at() -> Callable[..., dict[str, Any]]:
    """Return a maker of configs: `at("thread", "1", ns="child")`."""

    def make(thread_id: Any = "t", checkpoint_id: str | None = None, ns: str = "") -> dict[str, Any]:
        address = {"thread_id": thread_id, "checkpoint_ns": ns}
        return {"configurable": address | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}

    return make


@pytest.fixture
def put(at: Any, checkpoint: Any) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Return a coroutine function that puts a checkpoint, all of whose channels are new."""

    async def put_one(saver: Calls, id: str, values: dict[str, Any] | None = None, **where: Any) -> dict[str, Any]:
        made = checkpoint(id, values)
        config = at(where.get("thread", "t"), where.get("parent"), where.get("ns", ""))
        versions = where.get("new_versions", made["channel_versions"])
        return await saver.put(config, made, where.get("metadata", {}), versions)

    return put_one


@pytest.fixture
def count_rows(connection: psycopg.Connection[Any]) -> Callable[[], dict[str, int]]:
    """Return a function that counts the rows of each table."""

    def count() -> dict[str, int]:
        counts: dict[str, int] = {}
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            statement = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
            ((counts[table],),) = connection.execute(statement).fetchall()
        return counts

    return count
