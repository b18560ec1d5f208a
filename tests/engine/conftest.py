"""The engine on each of our savers, in both colours.

A test takes `engine`, builds its graph, and awaits the engine's methods by the names that users know. What is
sync is called in another thread, so that every saver can be driven in both colours, `AsyncSqliteSaver` too.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


class Engine:
    """A place where threads are stored, and a way to run graphs on it."""

    def __init__(self, saver: str, colour: str, path: Path) -> None:
        self._saver, self._colour, self._path = saver, colour, path
        self._open = AsyncExitStack()
        self._memory = InMemorySaver()
        self.saver: BaseCheckpointSaver[Any]

    async def reopen(self) -> None:
        """Go on with a new saver on the same file, as a new process would; memory has nothing to reopen."""
        await self.close()
        self.saver = await self._open.enter_async_context(self.another())

    async def close(self) -> None:
        await self._open.aclose()

    @asynccontextmanager
    async def another(self) -> AsyncIterator[BaseCheckpointSaver[Any]]:
        """Give a second saver on the same threads."""
        if self._saver == "memory":
            yield self._memory
        elif self._saver == "sqlite":
            with SqliteSaver.from_conn_string(str(self._path)) as saver:
                yield saver
        else:
            async with AsyncSqliteSaver.from_conn_string(str(self._path)) as saver:
                yield saver

    async def invoke(self, app: Any, *args: Any, **options: Any) -> Any:
        return await self._call(app, "invoke", *args, **options)

    async def get_state(self, app: Any, *args: Any, **options: Any) -> Any:
        return await self._call(app, "get_state", *args, **options)

    async def update_state(self, app: Any, *args: Any, **options: Any) -> Any:
        return await self._call(app, "update_state", *args, **options)

    async def stream(self, app: Any, *args: Any, **options: Any) -> list[Any]:
        return await self._collect(app, "stream", *args, **options)

    async def history(self, app: Any, *args: Any, **options: Any) -> list[Any]:
        """Newest first."""
        return await self._collect(app, "get_state_history", *args, **options)

    async def stored(self, config: Any) -> list[Any]:
        """What the saver itself has for a thread, newest first."""
        return await self._collect(self.saver, "list", config)

    async def _call(self, owner: Any, name: str, *args: Any, **options: Any) -> Any:
        if self._colour == "async":
            return await getattr(owner, f"a{name}")(*args, **options)
        return await asyncio.to_thread(getattr(owner, name), *args, **options)

    async def _collect(self, owner: Any, name: str, *args: Any, **options: Any) -> list[Any]:
        if self._colour == "async":
            return [item async for item in getattr(owner, f"a{name}")(*args, **options)]
        return await asyncio.to_thread(lambda: list(getattr(owner, name)(*args, **options)))


@pytest.fixture(params=["sync", "async"])
def colour(request):
    return request.param


@pytest.fixture(params=["memory", "sqlite", "async sqlite"])
async def engine(request, colour, tmp_path):
    engine = Engine(request.param, colour, tmp_path / "threads.db")
    await engine.reopen()
    yield engine
    await engine.close()


@pytest.fixture
def interrupts(colour):
    """For tests whose nodes call `interrupt()` or tasks."""
    if colour == "async" and sys.version_info < (3, 11):
        pytest.skip("in async runs the engine's interrupt() and tasks need Python 3.11")


@pytest.fixture
def config():
    return {"configurable": {"thread_id": "t"}}


@pytest.fixture
def ran():
    """The names of the nodes that ran, in order; nodes append to it."""
    return []
