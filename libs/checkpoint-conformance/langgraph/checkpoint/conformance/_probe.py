"""One saver seen through one colour: a clause is written once and judges sync and async methods alike."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.conformance._threads import in_thread

Colour = Literal["sync", "async"]
COLOURS: tuple[Colour, ...] = ("sync", "async")

AnotherSaver = Callable[[], AbstractAsyncContextManager[BaseCheckpointSaver[Any]]]
"""Opens another saver on the same store."""


class NotOffered(Exception):  # noqa: N818  # no error: the clause does not apply
    """What a clause needs is not there to be judged, so it is skipped."""


class Probe:
    """Calls a saver's methods in one colour; sync ones in a thread, as savers with a loop of their own need.

    Args:
        saver: the saver to judge.
        colour: which of its methods to call.
        another: opens a second saver on the same store, for the clauses that need two.
    """

    def __init__(
        self, saver: BaseCheckpointSaver[Any], colour: Colour = "async", another: AnotherSaver | None = None
    ) -> None:
        self.saver = saver
        self.colour: Colour = colour
        self._another = another

    @asynccontextmanager
    async def another(self) -> AsyncGenerator[Probe, None]:
        """Open a second saver on the same store.

        Raises:
            NotOffered: nobody said how.
        """
        if self._another is None:
            raise NotOffered("no second saver on the same store is offered")
        async with self._another() as saver:
            yield Probe(saver, self.colour)

    async def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Call `put`."""
        stored: RunnableConfig = await self._call("put", config, checkpoint, metadata, new_versions)
        return stored

    async def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Call `put_writes`; with a `task_path` only if there is one: old savers have no such argument."""
        path = {"task_path": task_path} if task_path else {}
        await self._call("put_writes", config, writes, task_id, **path)

    async def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Call `get_tuple`."""
        found: CheckpointTuple | None = await self._call("get_tuple", config)
        return found

    async def iterate(
        self, config: RunnableConfig | None, **arguments: Any
    ) -> AsyncGenerator[CheckpointTuple, None]:
        """Step through `list`; close this to close the saver's iterator."""
        steps = _aiterate if self.colour == "async" else _iterate
        async with aclosing(steps(self.saver, config, arguments)) as found:
            async for item in found:
                yield item

    async def list(self, config: RunnableConfig | None, **arguments: Any) -> Sequence[CheckpointTuple]:
        """Return all that `list` yields; the arguments are its `filter`, `before` and `limit`."""
        if self.colour == "sync":
            return await in_thread(lambda: [*self.saver.list(config, **arguments)])
        return [item async for item in self.saver.alist(config, **arguments)]

    async def delete_thread(self, thread_id: str) -> None:
        """Call `delete_thread`."""
        await self._call("delete_thread", thread_id)

    async def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Call `delete_for_runs`."""
        await self._call("delete_for_runs", run_ids)

    async def copy_thread(self, source: str, target: str) -> None:
        """Call `copy_thread`."""
        await self._call("copy_thread", source, target)

    async def prune(self, thread_ids: Sequence[str], **arguments: Any) -> None:
        """Call `prune`."""
        await self._call("prune", thread_ids, **arguments)

    async def delta_history(self, config: RunnableConfig, *channels: str) -> Mapping[str, DeltaChannelHistory]:
        """Call `get_delta_channel_history`."""
        histories: Mapping[str, DeltaChannelHistory] = await self._call(
            "get_delta_channel_history", config=config, channels=channels
        )
        return histories

    async def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if self.colour == "sync":
            return await in_thread(partial(getattr(self.saver, method), *args, **kwargs))
        return await getattr(self.saver, f"a{method}")(*args, **kwargs)


async def _aiterate(
    saver: BaseCheckpointSaver[Any], config: RunnableConfig | None, arguments: dict[str, Any]
) -> AsyncGenerator[CheckpointTuple, None]:
    found = saver.alist(config, **arguments)
    try:
        async for item in found:
            yield item
    finally:
        if isinstance(found, AsyncGenerator):  # an iterator need not be one
            await found.aclose()


async def _iterate(
    saver: BaseCheckpointSaver[Any], config: RunnableConfig | None, arguments: dict[str, Any]
) -> AsyncGenerator[CheckpointTuple, None]:
    found = await in_thread(lambda: iter(saver.list(config, **arguments)))
    try:
        while (item := await in_thread(lambda: next(found, None))) is not None:
            yield item
    finally:
        if isinstance(found, Generator):
            await in_thread(found.close)
