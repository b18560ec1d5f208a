"""The kit is right about a saver that keeps the contract, and about savers that break a part of it.

`Model` is the contract in the fewest words: dicts, and a copy of everything on the way in and out. Each mutant
changes one decision; the clauses that notice are written down beside it, all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple, cast

import pytest
from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.conformance._check import check
from langgraph.checkpoint.conformance._clauses import cases
from langgraph.checkpoint.conformance._probe import COLOURS, Colour, Probe

SENDS = "__pregel_tasks"
Key = tuple[str, str, str]


class Stored(NamedTuple):
    checkpoint: dict[str, Any]
    metadata: dict[str, Any]
    parent_id: str | None


class Model(BaseCheckpointSaver[str]):
    """Keeps the whole contract, without regard to speed."""

    def __init__(self, shared: Model | None = None) -> None:
        super().__init__()
        self.stored: dict[Key, Stored] = shared.stored if shared else {}
        self.writes: dict[Key, dict[tuple[str, int], tuple[str, str, Any]]] = shared.writes if shared else {}
        self.values: dict[tuple[str, str, str, Any], Any] = shared.values if shared else {}

    # decisions, which mutants change

    def copy(self, value: Any) -> Any:
        return deepcopy(value)

    def key(self, config: RunnableConfig) -> tuple[str, str, str | None]:
        place = config["configurable"]
        return str(place["thread_id"]), place.get("checkpoint_ns") or "", place.get("checkpoint_id") or None

    def keeps(self, idx: int) -> bool:
        """Tell whether a write to a slot that is taken is ignored."""
        return idx >= 0

    def write_order(self, slot: tuple[str, int], path: str) -> Any:
        return path, *slot

    def order(self, keys: list[Key]) -> list[Key]:
        return sorted(keys, key=lambda key: key[2], reverse=True)

    def matches(self, metadata: Mapping[str, Any], filter: Mapping[str, Any]) -> bool:
        return all(key in metadata and same(metadata[key], value) for key, value in filter.items())

    def is_before(self, checkpoint_id: str, before: str) -> bool:
        return checkpoint_id < before

    def goes_with(self, thread_id: str, other: str) -> bool:
        """Tell whether deleting `thread_id` deletes the thread `other`."""
        return thread_id == other

    def replays(self, stored: Stored) -> bool:
        return bool(stored.metadata.get("counters_since_delta_snapshot"))

    # the contract

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> RunnableConfig:
        thread_id, ns, parent_id = self.key(config)
        key = (thread_id, ns, str(checkpoint["id"]))
        checkpoint, metadata = self.copy((dict(checkpoint), dict(metadata)))
        values = checkpoint.pop("channel_values")
        for source in (config.get("metadata") or {}, config["configurable"]):
            for name, value in source.items():
                address = name in ("thread_id", "checkpoint_ns", "checkpoint_id") or "langgraph" in name
                if isinstance(value, str | int | float) and not address and name[:2] != "__":
                    metadata.setdefault(name, value)
        for channel, version in new_versions.items():
            self.values.pop((thread_id, ns, channel, version), None)
            if channel in values:
                self.values[thread_id, ns, channel, version] = values[channel]
        self.stored[key] = Stored(checkpoint, metadata, parent_id)
        return place(key)

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        key = cast("Key", self.key(config))
        slots = self.writes.setdefault(key, {})
        for number, (channel, value) in enumerate(self.copy(list(writes))):
            idx = WRITES_IDX_MAP.get(channel, number)
            if not (self.keeps(idx) and (task_id, idx) in slots):
                slots[task_id, idx] = (task_path, channel, value)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread_id, ns, checkpoint_id = self.key(config)
        found = [key for key in self.stored if key[:2] == (thread_id, ns)]
        if checkpoint_id:
            found = [key for key in found if key[2] == checkpoint_id]
        return self.load(max(found)) if found else None

    def load(self, key: Key) -> CheckpointTuple:
        checkpoint, metadata, parent_id = self.copy(tuple(self.stored[key]))
        parent = (key[0], key[1], parent_id) if parent_id else None
        places = {channel: (*key[:2], channel, v) for channel, v in checkpoint["channel_versions"].items()}
        checkpoint["channel_values"] = self.copy(
            {channel: self.values[place] for channel, place in places.items() if place in self.values}
        )
        if checkpoint["v"] < 4 and parent:
            checkpoint["channel_values"][SENDS] = [w[2] for w in self.pending(parent) if w[1] == SENDS]
            checkpoint["channel_versions"][SENDS] = self.get_next_version(None, None)
        return CheckpointTuple(
            place(key), checkpoint, metadata, place(parent) if parent else None, self.pending(key)
        )

    def pending(self, key: Key) -> list[Any]:
        slots = self.writes.get(key, {})
        ordered = sorted(slots, key=lambda slot: self.write_order(slot, slots[slot][0]))
        return [(slot[0], *self.copy(slots[slot][1:])) for slot in ordered]

    def list(
        self, config: Any, *, filter: Any = None, before: Any = None, limit: int | None = None
    ) -> Iterator[CheckpointTuple]:
        if limit is not None and limit < 0:
            raise ValueError("limit")
        found = list(self.stored)
        if config:
            thread_id, ns, checkpoint_id = self.key(config)
            anywhere = config["configurable"].get("checkpoint_ns") is None
            found = [key for key in found if key[0] == thread_id and (anywhere or key[1] == ns)]
            found = [key for key in found if checkpoint_id in (None, key[2])]
        if before and (bound := self.key(before)[2]):
            found = [key for key in found if self.is_before(key[2], bound)]
        found = [key for key in self.order(found) if self.matches(self.stored[key].metadata, filter or {})]
        yield from (self.load(key) for key in found[:limit])

    def delete_thread(self, thread_id: str) -> None:
        for rows in (self.stored, self.writes, self.values):
            for key in [key for key in rows if self.goes_with(str(thread_id), key[0])]:
                del cast("dict[Any, Any]", rows)[key]

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self.remove({k for k, s in self.stored.items() if s.metadata.get("run_id") in run_ids}, relink=True)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        if strategy not in ("keep_latest", "delete") or isinstance(thread_ids, str):
            raise ValueError(f"{strategy}, {thread_ids}")
        wanted = {key for key in self.stored if key[0] in thread_ids}
        kept = {} if strategy == "delete" else {key[:2]: key for key in sorted(wanted)}
        self.remove(wanted - set(kept.values()), relink=False)

    def remove(self, wanted: set[Key], *, relink: bool) -> None:
        for key in [key for key in self.stored if key not in wanted]:
            while self.replays(self.stored[key]) and (parent := self.parent(key)):
                wanted.discard(key := parent)
        for key in self.stored.keys() - wanted:
            parent = self.parent(key)
            while parent in wanted:
                parent = self.parent(parent) if relink else None
            self.stored[key] = self.stored[key]._replace(parent_id=parent[2] if parent else None)
        for key in wanted:
            del self.stored[key]
            self.writes.pop(key, None)

    def parent(self, key: Key) -> Key | None:
        parent_id = self.stored[key].parent_id
        parent = (key[0], key[1], parent_id or "")
        return parent if parent in self.stored else None

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        if any(key[0] == target_thread_id for key in self.stored):
            raise ValueError("target")
        for rows in (self.stored, self.writes, self.values):
            for key in [key for key in rows if key[0] == source_thread_id]:
                cast("dict[Any, Any]", rows)[(target_thread_id, *key[1:])] = self.copy(
                    cast("dict[Any, Any]", rows)[key]
                )

    def get_next_version(self, current: Any, channel: None) -> str:
        return f"{int(current or 0) + 1:032}"

    async def aput(self, *args: Any, **kwargs: Any) -> RunnableConfig:
        return self.put(*args, **kwargs)

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        self.put_writes(*args, **kwargs)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self.get_tuple(config)

    async def alist(self, *args: Any, **kwargs: Any) -> AsyncIterator[CheckpointTuple]:
        for found in self.list(*args, **kwargs):
            yield found

    async def adelete_thread(self, thread_id: str) -> None:
        self.delete_thread(thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        self.delete_for_runs(run_ids)

    async def acopy_thread(self, *args: Any) -> None:
        self.copy_thread(*args)

    async def aprune(self, *args: Any, **kwargs: Any) -> None:
        self.prune(*args, **kwargs)


def place(key: Key) -> RunnableConfig:
    return {"configurable": dict(zip(("thread_id", "checkpoint_ns", "checkpoint_id"), key, strict=True))}


def same(stored: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return (
            isinstance(stored, dict)
            and stored.keys() == wanted.keys()
            and all(same(stored[key], wanted[key]) for key in wanted)
        )
    if isinstance(wanted, list):
        return isinstance(stored, list) and len(stored) == len(wanted) and all(map(same, stored, wanted))
    return type(stored) is type(wanted) and bool(stored == wanted)


@asynccontextmanager
async def opened(saver: Model) -> AsyncGenerator[Model, None]:
    yield saver


async def broken(saver: type[Model], colour: Colour) -> set[str]:
    """Return the ids of the clauses that a saver breaks."""
    found: set[str] = set()
    for case in cases():
        one = saver()
        try:
            await check(case, Probe(one, colour, partial(opened, saver(one))))
        except Exception:
            found.add(case.id)
    return found


class IgnoresNamespace(Model):
    def key(self, config: RunnableConfig) -> tuple[str, str, str | None]:
        thread_id, _, checkpoint_id = super().key(config)
        return thread_id, "", checkpoint_id


class KeepsThreadIdAsGiven(Model):
    def key(self, config: RunnableConfig) -> tuple[str, str, str | None]:
        return config["configurable"]["thread_id"], *super().key(config)[1:]


class OldestFirst(Model):
    def order(self, keys: list[Key]) -> list[Key]:
        return super().order(keys)[::-1]


class OverwritesOrdinaryWrites(Model):
    def keeps(self, idx: int) -> bool:
        return False


class KeepsFirstSpecialWrite(Model):
    def keeps(self, idx: int) -> bool:
        return True


class ForgetsTaskPath(Model):
    def write_order(self, slot: tuple[str, int], path: str) -> Any:
        return slot


class StoresReferences(Model):
    def copy(self, value: Any) -> Any:
        return value


class IgnoresBefore(Model):
    def is_before(self, checkpoint_id: str, before: str) -> bool:
        return True


class TakesBeforeAsInclusive(Model):
    def is_before(self, checkpoint_id: str, before: str) -> bool:
        return checkpoint_id <= before


class DropsNestedMetadata(Model):
    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> RunnableConfig:
        flat = {key: value for key, value in metadata.items() if not isinstance(value, dict | list)}
        return super().put(config, checkpoint, flat, new_versions)


class ComparesFiltersLoosely(Model):
    def matches(self, metadata: Mapping[str, Any], filter: Mapping[str, Any]) -> bool:
        return all(metadata.get(key) == value for key, value in filter.items())


class DeletesThreadsByPrefix(Model):
    def goes_with(self, thread_id: str, other: str) -> bool:
        return other.startswith(thread_id)


class PrunesDeltaAncestors(Model):
    def replays(self, stored: Stored) -> bool:
        return False


class CreatesWhatItReads(Model):
    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        if not super().get_tuple(config):
            thread_id, ns, checkpoint_id = self.key(config)
            empty = {"v": 4, "id": checkpoint_id or "0", "channel_values": {}, "channel_versions": {}}
            self.put(place((thread_id, ns, "")), empty, {}, {})
        return super().get_tuple(config)


NOTICED: dict[type[Model], str] = {
    Model: "",
    IgnoresNamespace: """
        delete_for_runs.across_namespaces
        delta_channel_history.respects_namespace
        get_tuple.config_structure
        get_tuple.default_namespace
        get_tuple.respects_namespace
        list.before
        list.by_namespace
        list.multiple_namespaces
        prune.keep_latest_across_namespaces
        put.channels_by_namespace
        put.child_namespace
        put.returns_config
        put_writes.across_namespaces
    """,
    KeepsThreadIdAsGiven: """
        put.int_thread_id
        put_writes.same_address
    """,
    OldestFirst: """
        copy_thread.preserves_ordering
        delete_for_runs.relinks_parents
        get_tuple.queued_sends_upgraded
        list.all_threads
        list.before
        list.before_without_id
        list.by_namespace
        list.by_thread
        list.combined_thread_and_filter
        list.includes_pending_writes
        list.limit
        list.limit_counts_after_filter
        list.limit_plus_before
        list.metadata_filter_multiple_keys
        list.metadata_filter_single_key
        list.multiple_namespaces
        list.ordering
        list.while_writing
        put.replaces
    """,
    OverwritesOrdinaryWrites: """
        copy_thread.preserves_writes
        put_writes.keeps_first
        put_writes.mixed_batch
    """,
    KeepsFirstSpecialWrite: """
        put_writes.mixed_batch
        put_writes.special_replaces
    """,
    ForgetsTaskPath: """
        copy_thread.preserves_writes
        delta_channel_history.order
        get_tuple.queued_sends_upgraded
        list.includes_pending_writes
        prune.keep_latest_preserves_writes
        put_writes.ordered
    """,
    StoresReferences: """
        get_tuple.is_callers_own
        list.is_callers_own
        put.frozen
        put.unstorable_stores_nothing
        put_writes.frozen
        put_writes.unstorable_stores_nothing
    """,
    IgnoresBefore: """
        list.before
        list.combined_thread_and_filter
        list.limit_plus_before
    """,
    TakesBeforeAsInclusive: """
        list.before
        list.combined_thread_and_filter
        list.limit_plus_before
    """,
    DropsNestedMetadata: """
        delete_for_runs.keeps_delta_history
        get_tuple.is_callers_own
        list.is_callers_own
        list.metadata_filter_nested
        prune.keeps_delta_history
        put.frozen
        put.preserves_metadata
    """,
    ComparesFiltersLoosely: """
        list.metadata_filter_bool_or_number
        list.metadata_filter_nested
        list.metadata_filter_unknown_key
    """,
    DeletesThreadsByPrefix: "delete_thread.preserves_other_threads",
    PrunesDeltaAncestors: """
        delete_for_runs.keeps_delta_history
        prune.keeps_delta_history
    """,
    CreatesWhatItReads: """
        copy_thread.nonexistent_source
        delete_for_runs.across_namespaces
        delete_for_runs.multiple
        delete_for_runs.single
        delete_thread.int_thread_id
        delete_thread.nonexistent_noop
        delete_thread.removes_all_namespaces
        delete_thread.removes_checkpoints
        get_tuple.creates_nothing
        get_tuple.nonexistent_checkpoint_id
        get_tuple.nonexistent_returns_none
        get_tuple.respects_namespace
        prune.delete_all
        put.child_namespace
        put.multiple_threads_isolated
        put.unstorable_stores_nothing
    """,
}


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("saver", NOTICED, ids=lambda saver: saver.__name__)
def test_exactly_these_clauses_notice(saver: type[Model], colour: Colour) -> None:
    """The model breaks nothing, a mutant the clauses on what it changes and no others."""
    assert asyncio.run(broken(saver, colour)) == set(NOTICED[saver].split())
