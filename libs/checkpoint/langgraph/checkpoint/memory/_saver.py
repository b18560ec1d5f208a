"""The saver: each method checks its arguments, encodes, and leaves the rest to `Threads`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from itertools import islice
from types import TracebackType
from typing import Any

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    ListQuery,
    check_channels,
    check_ids,
    check_names_checkpoint,
    check_put,
    check_put_writes,
    check_strategy,
    merge_metadata,
    next_text_version,
    thread_text,
)
from langgraph.checkpoint.memory._index import Index
from langgraph.checkpoint.memory._stored import Namespaces, encode_checkpoint, encode_writes
from langgraph.checkpoint.memory._threads import Threads
from langgraph.checkpoint.serde.base import SerializerProtocol


class InMemorySaver(
    Threads,
    BaseCheckpointSaver[str],
    AbstractContextManager["InMemorySaver"],
    AbstractAsyncContextManager["InMemorySaver"],
):
    """Keeps checkpoints in this process's memory: for tests, and for programs that need not survive.

    Values are kept serialized, so this saver keeps the same contract as those that store on disk. It may
    be used from many threads and event loops; no method waits for anything but its lock.

    Args:
        serde: what values are stored with; `JsonPlusSerializer` if omitted.
        factory: makes the dicts `storage`, `writes` and `blobs`, in this order. Dicts other than
            `defaultdict` are entered as context managers, and left with the saver: see `PersistentDict`.

    Example:
        >>> saver = InMemorySaver()
        >>> saver.get({"configurable": {"thread_id": "1"}}) is None
        True
    """

    def __init__(
        self,
        *,
        serde: SerializerProtocol | None = None,
        factory: Callable[..., defaultdict[Any, Any]] = defaultdict,
    ) -> None:
        super().__init__(serde=serde)
        self.storage = factory(_namespaces)
        self.writes = factory(dict)
        self.blobs = factory()
        self._index = Index()
        self.stack = ExitStack()
        if factory is not defaultdict:
            _separate_files(self.storage, ("writes", self.writes), ("blobs", self.blobs))
            for held in (self.storage, self.writes, self.blobs):
                self.stack.enter_context(held)  # type: ignore[arg-type]  # `factory` promises one

    def __enter__(self) -> InMemorySaver:
        self.stack.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return self.stack.__exit__(exc_type, exc_value, traceback)

    async def __aenter__(self) -> InMemorySaver:
        return self.__enter__()

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> bool | None:
        return self.__exit__(exc_type, exc_value, traceback)

    def get_next_version(self, current: str | None, channel: None) -> str:
        return next_text_version(current)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self._read(CheckpointKey.from_config(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        return self._iterate(ListQuery.parse(config, filter, before, limit))

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        check_put(checkpoint, metadata, new_versions)
        parent = CheckpointKey.from_config(config)
        metadata = merge_metadata(config, metadata)
        encoded = encode_checkpoint(self.serde, parent, checkpoint, metadata, new_versions)
        self._store(encoded, checkpoint["channel_values"])
        return encoded.key.config()

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        key = CheckpointKey.from_config(config)
        check_names_checkpoint(key)
        check_put_writes(writes, task_id, task_path)
        encoded = encode_writes(self.serde, key, writes, task_id, task_path)
        if encoded:
            self._store_writes(key, encoded)

    def delete_thread(self, thread_id: str) -> None:
        self._remove_threads([thread_text(thread_id)])

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self._remove_runs(set(check_ids("run_ids", run_ids, thread_text)))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        self._copy_thread(
            thread_text(source_thread_id, "source_thread_id"), thread_text(target_thread_id, "target_thread_id")
        )

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        strategy = check_strategy(strategy)
        threads = check_ids("thread_ids", thread_ids, thread_text)
        if strategy == "delete":
            self._remove_threads(threads)
        else:
            self._keep_latest(threads)

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return self._history(CheckpointKey.from_config(config), check_channels(channels))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self.get_tuple(config)

    def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        return _async(self.list(config, filter=filter, before=before, limit=limit))

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self.put_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        self.delete_thread(thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        self.delete_for_runs(run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        self.copy_thread(source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        self.prune(thread_ids, strategy=strategy)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return self.get_delta_channel_history(config=config, channels=channels)

    def _iterate(self, query: ListQuery) -> Iterator[CheckpointTuple]:
        found = (self._read(key, query.filter) for key in self._newest_first(query))
        return islice((item for item in found if item), query.limit)


MemorySaver = InMemorySaver
"""The name that older programs use."""


def _namespaces() -> Namespaces:
    return defaultdict(dict)


async def _async(found: Iterator[CheckpointTuple]) -> AsyncIterator[CheckpointTuple]:
    for item in found:
        yield item


def _separate_files(storage: object, *others: tuple[str, object]) -> None:
    """Give dicts that share a file one each, or the last one written would replace the others."""
    filename: object = getattr(storage, "filename", None)
    for name, other in others:
        if filename is not None and getattr(other, "filename", None) == filename:
            other.filename = f"{filename}.{name}"  # type: ignore[attr-defined]  # it has one
