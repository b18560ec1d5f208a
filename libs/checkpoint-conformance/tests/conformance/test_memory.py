"""The kit on the in-memory saver."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from langgraph.checkpoint.conformance.suite import CheckpointerTests
from langgraph.checkpoint.memory import InMemorySaver


class TestInMemorySaver(CheckpointerTests):
    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[InMemorySaver, None]:
        yield InMemorySaver()
