"""The kit on both savers, each on a file that two savers share."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from langgraph.checkpoint.conformance.suite import CheckpointerTests
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


class TestSqliteSaver(CheckpointerTests):
    @pytest.fixture(autouse=True)
    def _path(self, path: Path) -> None:
        self.path = str(path)

    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[SqliteSaver, None]:
        with SqliteSaver.from_conn_string(self.path) as saver:
            yield saver

    second_saver = saver


class TestAsyncSqliteSaver(CheckpointerTests):
    @pytest.fixture(autouse=True)
    def _path(self, path: Path) -> None:
        self.path = str(path)

    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[AsyncSqliteSaver, None]:
        async with AsyncSqliteSaver.from_conn_string(self.path) as saver:
            yield saver

    second_saver = saver


class TestSqliteSaverInMemory(CheckpointerTests):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[SqliteSaver, None]:
        with SqliteSaver.from_conn_string(":memory:") as saver:
            yield saver
