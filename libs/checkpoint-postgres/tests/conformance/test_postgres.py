"""The kit on both Postgres savers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from langgraph.checkpoint.conformance.suite import CheckpointerTests
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver


@pytest.fixture(scope="module")
def shared_database(databases: Any, migrated: str) -> Iterator[str]:
    """Return a database for all clauses: each uses threads of its own."""
    conninfo = databases.make(migrated)
    yield conninfo
    databases.drop(conninfo)


class _OnSharedDatabase(CheckpointerTests):
    conninfo: str

    @pytest.fixture(autouse=True)
    def _connected(self, shared_database: str) -> None:
        self.conninfo = shared_database


class TestPostgresSaver(_OnSharedDatabase):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[PostgresSaver, None]:
        with psycopg.connect(self.conninfo, autocommit=True) as conn:
            yield PostgresSaver(conn)

    second_saver = saver


class TestPostgresSaverWithoutAutocommit(_OnSharedDatabase):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[PostgresSaver, None]:
        with psycopg.connect(self.conninfo) as conn:
            yield PostgresSaver(conn)

    second_saver = saver


class TestAsyncPostgresSaver(_OnSharedDatabase):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[AsyncPostgresSaver, None]:
        async with AsyncPostgresSaver.from_conn_string(self.conninfo) as saver:
            yield saver

    second_saver = saver


class TestAsyncPostgresSaverPipelined(_OnSharedDatabase):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[AsyncPostgresSaver, None]:
        async with AsyncPostgresSaver.from_conn_string(self.conninfo, pipeline=True) as saver:
            yield saver

    second_saver = saver
