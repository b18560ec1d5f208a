"""A saver made of operations: the public surface, once for all backends and both colours.

A backend writes each operation once (see `operations`) and says in `_run` and `_arun` how its connection
performs them; nothing else differs between its savers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._pages import Cursor, Listing, Page
from langgraph.checkpoint.base._query import ListQuery
from langgraph.checkpoint.base._saver import BaseCheckpointSaver
from langgraph.checkpoint.base._types import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.base._versions import next_text_version
from langgraph.checkpoint.base.operations import Operation
from langgraph.checkpoint.serde.base import SerializerProtocol

T = TypeVar("T")


class Operations(Protocol):
    """What a backend writes; contracts are those of the methods of `BaseCheckpointSaver`."""

    def get_tuple(self, config: RunnableConfig) -> Operation[CheckpointTuple | None]:
        """Get a checkpoint with all that belongs to it."""
        ...

    def list_page(self, query: ListQuery, after: Cursor | None, rows: int) -> Operation[Page]:
        """Read at most `rows` checkpoints behind `after`; fewer may match."""
        ...

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> Operation[RunnableConfig]:
        """Store a checkpoint."""
        ...

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> Operation[None]:
        """Store what a task has written."""
        ...

    def delete_thread(self, thread_id: str) -> Operation[None]:
        """Remove all of a thread."""
        ...

    def delete_for_runs(self, run_ids: Sequence[str]) -> Operation[None]:
        """Remove the checkpoints of these runs."""
        ...

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> Operation[None]:
        """Copy all of a thread to another."""
        ...

    def prune(self, thread_ids: Sequence[str], strategy: str) -> Operation[None]:
        """Remove old checkpoints."""
        ...

    def get_delta_channel_history(
        self, config: RunnableConfig, channels: Sequence[str]
    ) -> Operation[dict[str, DeltaChannelHistory]]:
        """Return what delta channels are replayed from."""
        ...


class OperationSaver(BaseCheckpointSaver[str], ABC):
    """Runs the operations of a backend, in both colours."""

    _made: tuple[SerializerProtocol, Operations] | None = None

    @staticmethod
    @abstractmethod
    def _make_operations(serde: SerializerProtocol) -> Operations:
        """Return the backend's operations, with this serializer."""

    @property
    def _operations(self) -> Operations:
        made = self._made
        if made is None or made[0] is not self.serde:  # a clone by `with_allowlist` has another one
            made = self._made = (self.serde, self._make_operations(self.serde))
        return made[1]

    @abstractmethod
    def _run(self, operation: Operation[T]) -> T:
        """Run an operation as one unit of work."""

    @abstractmethod
    async def _arun(self, operation: Operation[T]) -> T:
        """Async version of `_run`."""

    def get_next_version(self, current: str | None, channel: None) -> str:  # stands on the base
        return next_text_version(current)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self._run(self._operations.get_tuple(config))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._arun(self._operations.get_tuple(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        return self._iterate(ListQuery.parse(config, filter, before, limit))

    def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        return self._aiterate(ListQuery.parse(config, filter, before, limit))

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return self._run(self._operations.put(config, checkpoint, metadata, new_versions))

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self._arun(self._operations.put(config, checkpoint, metadata, new_versions))

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self._run(self._operations.put_writes(config, writes, task_id, task_path))

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await self._arun(self._operations.put_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        self._run(self._operations.delete_thread(thread_id))

    async def adelete_thread(self, thread_id: str) -> None:
        await self._arun(self._operations.delete_thread(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self._run(self._operations.delete_for_runs(run_ids))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await self._arun(self._operations.delete_for_runs(run_ids))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        self._run(self._operations.copy_thread(source_thread_id, target_thread_id))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await self._arun(self._operations.copy_thread(source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        self._run(self._operations.prune(thread_ids, strategy))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await self._arun(self._operations.prune(thread_ids, strategy))

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return self._run(self._operations.get_delta_channel_history(config, channels))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return await self._arun(self._operations.get_delta_channel_history(config, channels))

    def _iterate(self, query: ListQuery) -> Iterator[CheckpointTuple]:
        listing = Listing(self._operations.list_page, query)
        while listing.more:
            yield from listing.take(self._run(listing.next_page()))

    async def _aiterate(self, query: ListQuery) -> AsyncIterator[CheckpointTuple]:
        listing = Listing(self._operations.list_page, query)
        while listing.more:
            for item in listing.take(await self._arun(listing.next_page())):
                yield item
