"""What each method does, as decisions between statements. No connection, lock or thread is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from typing_extensions import LiteralString

from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointKey,
    CheckpointMetadata,
    CheckpointTuple,
    Cursor,
    DeltaChannelHistory,
    ListQuery,
    Page,
    Place,
    check_channels,
    check_ids,
    check_put,
    check_put_writes,
    check_strategy,
    matches,
    merge_metadata,
    plan_removal,
    thread_text,
)
from langgraph.checkpoint.base.operations import begin, execute, execute_many, fetch
from langgraph.checkpoint.errors import ConflictError
from langgraph.checkpoint.postgres import _sql
from langgraph.checkpoint.postgres._delta import read_delta_history
from langgraph.checkpoint.postgres._errors import refuse_nul
from langgraph.checkpoint.postgres._filter import prefilter
from langgraph.checkpoint.postgres._retention import latest_places, read_nodes
from langgraph.checkpoint.postgres._rows import CheckpointRow, Read, RowCodec
from langgraph.checkpoint.serde.base import SerializerProtocol


class PostgresOperations:
    """The operations of both Postgres savers."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self._codec = RowCodec(serde)

    async def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read one checkpoint with what belongs to it."""
        key = _key(config)
        rows = await fetch(_sql.GET, key) if key.checkpoint_id else await fetch(_sql.LATEST, key[:2])
        if not rows:
            return None
        read = Read(rows)
        return self._codec.decode(read.checkpoints[0], read)

    async def list_page(self, query: ListQuery, after: Cursor | None, rows: int) -> Page:
        """Read checkpoints with what belongs to them; those that do not match exactly are left out."""
        conditions, params = _restrictions(query, after)
        read = Read(await fetch(_sql.page(conditions), {**params, "rows": rows}))
        if not read.checkpoints:
            return Page([], None, 0)
        items = [
            self._codec.decode(row, read)
            for row in read.checkpoints
            if not query.filter or matches(self._codec.decode_metadata(row), query.filter)
        ]
        end = _cursor(read.checkpoints[-1]) if len(read.checkpoints) == rows else None
        return Page(items, end, read.size)

    async def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store the row and what is new of the values.

        Which of the other versions are stored is asked, not remembered: another process may have deleted them.
        """
        check_put(checkpoint, metadata, new_versions)
        encoded = self._codec.encode(_key(config), checkpoint, merge_metadata(config, metadata), new_versions)
        while missing := await fetch(_sql.PUT, encoded.params()):
            encoded.add(channel for (channel,) in missing)
        return encoded.key.config()

    async def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> None:
        """Store one row a write."""
        check_put_writes(writes, task_id, task_path)
        params = self._codec.encode_writes(_key(config), writes, task_id, task_path)
        if writes:
            await fetch(_sql.PUT_WRITES, params)

    async def delete_thread(self, thread_id: str) -> None:
        """Empty the three tables of the thread."""
        thread_id = _thread(thread_id)
        await begin()
        await execute(_sql.LOCK)
        await self._delete_all(thread_id)

    async def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the rows of the three tables inside the database."""
        source = _thread(source_thread_id, "source_thread_id")
        target = _thread(target_thread_id, "target_thread_id")
        await begin()
        await execute(_sql.LOCK)
        if await fetch(_sql.HAS_CHECKPOINTS, (target,)):
            raise ConflictError(
                f"thread {target!r} has checkpoints already; copy to a new thread, or delete it first",
                key=target,
            )
        for statement in (_sql.COPY_BLOBS, _sql.COPY_CHECKPOINTS, _sql.COPY_WRITES):
            await execute(statement, (target, source))

    async def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Find the runs' checkpoints, then remove them thread by thread."""
        wanted = check_ids("run_ids", run_ids, _thread)
        if not wanted:
            return
        await begin()
        await execute(_sql.LOCK)
        by_thread: dict[str, set[Place]] = {}
        for thread_id, checkpoint_ns, checkpoint_id in await fetch(_sql.OF_RUNS, (wanted,)):
            by_thread.setdefault(thread_id, set()).add((checkpoint_ns, checkpoint_id))
        for thread_id, places in sorted(by_thread.items()):
            await self._remove(thread_id, places, relink=True)

    async def prune(self, thread_ids: Sequence[str], strategy: str) -> None:
        """Remove what is not kept, thread by thread."""
        strategy = check_strategy(strategy)
        threads = check_ids("thread_ids", thread_ids, _thread)
        if not threads:
            return
        await begin()
        await execute(_sql.LOCK)
        for thread_id in threads:
            if strategy == "delete":
                await self._delete_all(thread_id)
            else:
                await self._remove(thread_id, None, relink=False)

    async def get_delta_channel_history(
        self, config: RunnableConfig, channels: Sequence[str]
    ) -> dict[str, DeltaChannelHistory]:
        """Walk the ancestors without reading their values."""
        return await read_delta_history(self._codec, _key(config), check_channels(channels))

    async def _delete_all(self, thread_id: str) -> None:
        for statement in (
            _sql.DELETE_WRITES_OF_THREAD,
            _sql.DELETE_CHECKPOINTS_OF_THREAD,
            _sql.DELETE_BLOBS_OF_THREAD,
        ):
            await execute(statement, (thread_id,))

    async def _remove(self, thread_id: str, wanted: set[Place] | None, *, relink: bool) -> None:
        """Remove the wanted checkpoints of a thread; all but the latest ones if none are named."""
        nodes = await read_nodes(thread_id)
        if wanted is None:
            wanted = {node.place for node in nodes} - latest_places(nodes)
        removal = plan_removal(nodes, wanted, relink=relink)
        if not removal.removed:
            return
        gone = ([place[0] for place in removal.removed], [place[1] for place in removal.removed], thread_id)
        await execute(_sql.DELETE_WRITES, gone)
        await execute(_sql.DELETE_CHECKPOINTS, gone)
        await execute_many(_sql.RELINK, [(to, thread_id, *place) for place, to in removal.relinked.items()])
        await execute(_sql.DELETE_UNREFERENCED_BLOBS, (thread_id, thread_id))


def _restrictions(query: ListQuery, after: Cursor | None) -> tuple[list[LiteralString], dict[str, Any]]:
    """Return the conditions that apply, and their parameters."""
    params: dict[str, Any] = {
        "thread_id": query.thread_id,
        "checkpoint_ns": query.checkpoint_ns,
        "checkpoint_id": query.checkpoint_id,
        "before": query.before,
    }
    conditions: list[LiteralString] = []
    for name, condition in _CONDITIONS:
        if params[name] is not None:
            conditions.append(condition)
            refuse_nul(name, params[name])
    if after is not None:
        conditions.append(_sql.AFTER)
        params |= {
            "after_id": after.checkpoint_id,
            "after_thread": after.thread_id,
            "after_ns": after.checkpoint_ns,
        }
    if query.filter:
        conditions.append(_sql.MAY_MATCH)
        params |= prefilter(query.filter)
    return conditions, params


_CONDITIONS: Iterable[tuple[str, LiteralString]] = (
    ("thread_id", _sql.OF_THREAD),
    ("checkpoint_ns", _sql.OF_NAMESPACE),
    ("checkpoint_id", _sql.OF_ID),
    ("before", _sql.BEFORE),
)


def _cursor(row: CheckpointRow) -> Cursor:
    return Cursor(row.checkpoint_id, row.thread_id, row.checkpoint_ns)


def _key(config: RunnableConfig) -> CheckpointKey:
    key = CheckpointKey.from_config(config)
    for field, text in key.address().items():
        refuse_nul(field, text)
    return key


def _thread(thread_id: object, field: str = "thread_id") -> str:
    return refuse_nul(field, thread_text(thread_id, field))
