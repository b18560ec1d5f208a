"""How `validate` gets a saver: an async generator function under a name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

LifespanFactory = Callable[[], AsyncGenerator[None, None]]
"""Sets up before the first saver is made, and tears down after the last."""


async def _noop_lifespan() -> AsyncGenerator[None, None]:
    yield


@dataclass
class RegisteredCheckpointer:
    """A saver to judge.

    Attributes:
        name: stands in the report.
        factory: yields a saver; called anew for each capability.
        skip_capabilities: not to be judged.
        lifespan: spans all savers.
    """

    name: str
    factory: Callable[[], AsyncGenerator[BaseCheckpointSaver[Any], None]]
    skip_capabilities: set[str] = field(default_factory=set[str])
    lifespan: LifespanFactory = _noop_lifespan

    @asynccontextmanager
    async def create(self) -> AsyncGenerator[BaseCheckpointSaver[Any], None]:
        """Open a new saver."""
        async with asynccontextmanager(self.factory)() as saver:
            yield saver

    @asynccontextmanager
    async def enter_lifespan(self) -> AsyncGenerator[None, None]:
        """Enter what spans all savers."""
        async with asynccontextmanager(self.lifespan)():
            yield


def checkpointer_test(
    name: str, *, skip_capabilities: set[str] | None = None, lifespan: LifespanFactory | None = None
) -> Callable[[Any], RegisteredCheckpointer]:
    """Make an async generator function that yields a saver into what `validate` takes."""

    def register(factory: Any) -> RegisteredCheckpointer:
        return RegisteredCheckpointer(name, factory, skip_capabilities or set(), lifespan or _noop_lifespan)

    return register
