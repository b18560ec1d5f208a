"""Savers to test, each in both colours, and makers of what is put into them.

A test that asks for `saver` or `open_saver` runs four times: with both savers, through the sync methods of each
and through the async ones. It is written once, as a coroutine, and calls `await saver.put(...)`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

WAYS = ("SqliteSaver-sync", "SqliteSaver-async", "AsyncSqliteSaver-sync", "AsyncSqliteSaver-async")


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

    async def close(self) -> None:
        """Close the saver's connection."""
        closed = self.saver.conn.close()
        if closed is not None:
            await closed


def _open_sync(conn: sqlite3.Connection | str | Path, serde: Any) -> tuple[SqliteSaver, sqlite3.Connection]:
    if not isinstance(conn, sqlite3.Connection):
        conn = sqlite3.connect(conn, check_same_thread=False)
    return SqliteSaver(conn, serde=serde), conn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database may be made."""
    return tmp_path / "checkpoints.db"


@pytest.fixture
def open_sync(path: Path) -> Iterator[Callable[..., SqliteSaver]]:
    """Return a function that opens a `SqliteSaver` on a path or connection, `path` if omitted."""
    with ExitStack() as stack:

        def open_one(conn: Any = path, *, serde: Any = None) -> SqliteSaver:
            saver, opened = _open_sync(conn, serde)
            stack.enter_context(closing(opened))
            return saver

        yield open_one


@pytest.fixture
async def open_async(path: Path) -> AsyncIterator[Callable[..., Awaitable[AsyncSqliteSaver]]]:
    """Return a coroutine function that opens an `AsyncSqliteSaver` on a path, `path` if omitted."""
    async with AsyncExitStack() as stack:

        async def open_one(conn: Any = path, *, serde: Any = None, **options: Any) -> AsyncSqliteSaver:
            opened = aiosqlite.connect(conn, **options)
            stack.push_async_callback(opened.close)
            return AsyncSqliteSaver(await opened, serde=serde)

        yield open_one


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Return which saver in which colour the test is about."""
    return request.param


@pytest.fixture
def open_saver(
    way: str,
    open_sync: Callable[..., SqliteSaver],
    open_async: Callable[..., Awaitable[AsyncSqliteSaver]],
) -> Callable[..., Awaitable[Calls]]:
    """Return a coroutine function that opens a saver, seen through the colour of this run."""
    kind, colour = way.split("-")

    async def open_one(*args: Any, **kwargs: Any) -> Calls:
        opened = open_sync(*args, **kwargs) if kind == "SqliteSaver" else await open_async(*args, **kwargs)
        return Calls(opened, colour)

    return open_one


@pytest.fixture
async def saver(open_saver: Callable[..., Awaitable[Calls]]) -> Calls:
    """Return a saver on a new file at `path`."""
    return await open_saver()


@pytest.fixture
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection of its own to the file at `path`, in autocommit."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        yield connection


@pytest.fixture
def checkpoint() -> Callable[..., dict[str, Any]]:
    """Return a maker of checkpoints: `checkpoint("1", a=5)` has a channel `a` of version `"1"`."""

    def make(id: str, values: dict[str, Any] | None = None, **named: Any) -> dict[str, Any]:
        values = {**(values or {}), **named}
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
def count_rows(database: sqlite3.Connection) -> Callable[[], dict[str, int]]:
    """Return a function that counts the rows of each table that savers fill."""

    def count() -> dict[str, int]:
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("checkpoints", "writes", "blobs")
        }

    return count
