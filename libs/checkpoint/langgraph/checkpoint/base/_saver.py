"""The contract of a saver.

Everything that a caller may rely on stands here, once; savers only say what they promise beyond it.
"""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._delta import walk_delta_history
from langgraph.checkpoint.base._types import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    V,
)
from langgraph.checkpoint.base.operations import adrive, drive
from langgraph.checkpoint.errors import UnsupportedOperationError
from langgraph.checkpoint.serde.base import SerializerProtocol, maybe_add_typed_methods
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

_Saver = TypeVar("_Saver", bound="BaseCheckpointSaver[Any]")


class BaseCheckpointSaver(Generic[V]):
    """Stores the checkpoints of threads, so that a run can stop and go on, be looked at, rewound and forked.

    **Address.** A config names a checkpoint: `{"configurable": {"thread_id", "checkpoint_ns",
    "checkpoint_id"}}`. Thread ids that are numbers or UUIDs are the same as their text. A missing namespace
    is the root `""`; levels are joined by `|`, a level and its task id by `:`. Without an id the greatest id
    (as text) is meant.

    **Isolation.** What was put is frozen at that moment, what is returned is the caller's own. Two savers
    on one database see each other's committed work. Reads never create anything.

    **Units of work.** Each call is stored as a whole or not at all, and stored for good when it returns; an
    async call that is cancelled is not waited for, but never half done.

    **Errors.** All methods raise `InvalidConfigError` for a config that names no usable thread, and what
    `langgraph.checkpoint.errors` lists. A saver that lacks an operation raises `UnsupportedOperationError`.

    Every method has an async twin with `a` before its name and the same contract.

    Args:
        serde: what values are stored with; `JsonPlusSerializer` if omitted. One with `dumps` and `loads`
            alone is accepted.
    """

    serde: SerializerProtocol = JsonPlusSerializer()

    def __init__(self, *, serde: SerializerProtocol | None = None) -> None:
        self.serde = maybe_add_typed_methods(serde or self.serde)

    @property
    def config_specs(self) -> list[Any]:
        """Return what the saver reads from a config beyond its address: nothing."""
        return []

    def get(self, config: RunnableConfig) -> Checkpoint | None:
        """Return the checkpoint that `config` names, without metadata and writes."""
        found = self.get_tuple(config)
        return found.checkpoint if found else None

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the checkpoint that `config` names with all that belongs to it; `None` if there is none.

        Its `config` names it in full; `parent_config` is `None` for a first checkpoint; `pending_writes` are
        ordered by task path, task id and index. Formats before 4 are upgraded: sends that their parent's
        tasks queued move to where the engine looks for them.

        Raises:
            DecodeError: the stored row is damaged; the error names it.
        """
        raise self._unsupported("get_tuple")

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # the contract's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Iterate over checkpoints, newest (greatest id) first.

        Nothing is locked while the caller looks at an item: threads may be written meanwhile.

        Args:
            config: names the thread, and if given the namespace and the id; `None` lists all threads. A
                config without namespace lists all namespaces of the thread.
            filter: metadata that must be there with an equal value of the same kind: `2` is not `"2"`, `True`
                is not `1`, and a key that a checkpoint lacks matches nothing.
            before: list only ids smaller than the one that this config names.
            limit: list at most so many, counted after the filter; `None` is all, `0` none.

        Raises:
            InvalidConfigError: `limit` is negative.
            InvalidFilterError: `filter` is not a dict from text.
        """
        raise self._unsupported("list")

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint and return the config that names it.

        A second put to the same address replaces the first. Writes that were put for it stay, whichever came
        first. A channel that is named in `channel_versions` with a version that the thread has stored
        before, and whose value is left out, is found again when the checkpoint is read.

        Args:
            config: names thread and namespace; its checkpoint id becomes the parent.
            checkpoint: what to store.
            metadata: stored with it, together with the scalars in the config's metadata and configurable.
            new_versions: the channels that changed since the parent, with their new versions. One that has no
                value in the checkpoint has become empty.

        Raises:
            EncodeError: a value can not be stored. Nothing is stored then.
        """
        raise self._unsupported("put")

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a task has written, before the checkpoint that its step ends with exists.

        Repeating it is harmless: an ordinary write keeps the first value of its place in the task's batch. A
        special one (error, scheduled, interrupt, resume) replaces what its slot held.

        Args:
            config: names the checkpoint that the task started from.
            writes: `(channel, value)` in order.
            task_id: the task.
            task_path: where the task sits in the graph; pending writes are ordered by it.

        Raises:
            EncodeError: a value can not be stored. Nothing is stored then.
        """
        raise self._unsupported("put_writes")

    def delete_thread(self, thread_id: str) -> None:
        """Remove all of a thread: every namespace, checkpoint, write and blob. An unknown one is no error."""
        raise self._unsupported("delete_thread")

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints whose metadata carries one of the `run_id`s, with their writes.

        Checkpoints that followed a removed one get its nearest remaining ancestor as their parent. A
        checkpoint that a remaining one replays a delta channel from stays.
        """
        raise self._unsupported("delete_for_runs")

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all of a thread to another: same ids, parents, metadata and writes in all namespaces.

        An unknown source copies nothing.

        Raises:
            ConflictError: the target has checkpoints already.
        """
        raise self._unsupported("copy_thread")

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Remove old checkpoints.

        What a kept checkpoint needs stays: its writes, its values, and, for delta channels, the ancestors
        back to their snapshot. The parent of a kept checkpoint becomes `None` if it went.

        Args:
            thread_ids: the threads; unknown ones are no error.
            strategy: `"keep_latest"` keeps the latest checkpoint of each namespace, `"delete"` nothing.

        Raises:
            InvalidConfigError: an unknown strategy.
            InvalidTypeError: `thread_ids` is a single text.
        """
        raise self._unsupported("prune")

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what the values of delta channels are replayed from, as of the checkpoint `config` names.

        A channel's seed is the value in the nearest ancestor that stored one. Its writes are those of that
        ancestor and of all between it and the checkpoint, oldest first; the checkpoint's own pending writes
        do not count. A channel that no ancestor stored has all ancestors' writes and no seed.
        """
        return drive(walk_delta_history(config, channels), lambda request: self.get_tuple(request.config))  # type: ignore[attr-defined]  # the walk has one request

    async def aget(self, config: RunnableConfig) -> Checkpoint | None:
        """Async version of `get`."""
        found = await self.aget_tuple(config)
        return found.checkpoint if found else None

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Async version of `get_tuple`."""
        raise self._unsupported("aget_tuple")

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Async version of `list`."""
        raise self._unsupported("alist")
        yield  # makes this an async generator

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Async version of `put`."""
        raise self._unsupported("aput")

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Async version of `put_writes`."""
        raise self._unsupported("aput_writes")

    async def adelete_thread(self, thread_id: str) -> None:
        """Async version of `delete_thread`."""
        raise self._unsupported("adelete_thread")

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Async version of `delete_for_runs`."""
        raise self._unsupported("adelete_for_runs")

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Async version of `copy_thread`."""
        raise self._unsupported("acopy_thread")

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Async version of `prune`."""
        raise self._unsupported("aprune")

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Async version of `get_delta_channel_history`."""
        return await adrive(
            walk_delta_history(config, channels),
            lambda request: self.aget_tuple(request.config),  # type: ignore[attr-defined]  # the walk has one request
        )

    def get_next_version(self, current: V | None, channel: None) -> V:
        """Return the version that follows `current`; the first if that is `None`.

        Versions of a channel grow. Savers whose threads can be forked add a random part, which keeps the
        two sides apart.

        Args:
            current: the channel's version.
            channel: unused, kept for old callers.

        Raises:
            UnsupportedOperationError: `current` is text; this base class counts with numbers.
        """
        if isinstance(current, str):
            raise UnsupportedOperationError(
                f"{type(self).__name__} counts versions with numbers, but the current version is text: "
                f"{current!r}; override get_next_version",
                operation="get_next_version",
            )
        return cast("V", 1 if current is None else current + 1)

    def with_allowlist(self: _Saver, extra_allowlist: Collection[tuple[str, ...]]) -> _Saver:
        """Return a copy of this saver whose serializer also admits the types `(module, name)`.

        The copy shares everything else with this saver. Returns the saver itself if nothing changes.
        """
        serde = _with_msgpack_allowlist(self.serde, extra_allowlist)
        if serde is self.serde:
            return self
        clone = copy.copy(self)
        clone.serde = serde
        return clone

    def _unsupported(self, operation: str) -> UnsupportedOperationError:
        return UnsupportedOperationError(
            f"{type(self).__name__} does not implement {operation}", operation=operation
        )


def _with_msgpack_allowlist(
    serde: SerializerProtocol, extra_allowlist: Collection[tuple[str, ...]]
) -> SerializerProtocol:
    """Return `serde`, or a copy of it that also admits these types; wrappers are looked through."""
    if isinstance(serde, JsonPlusSerializer):
        return serde.with_msgpack_allowlist(extra_allowlist) if extra_allowlist else serde
    inner = getattr(serde, "serde", None)
    if inner is None:
        return serde
    widened = _with_msgpack_allowlist(inner, extra_allowlist)
    if widened is inner:
        return serde
    clone = copy.copy(serde)
    clone.serde = widened  # type: ignore[attr-defined]  # it has one, see above
    return clone
