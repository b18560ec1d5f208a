"""What each method does, as decisions between statements. No connection, lock or thread is touched here."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig

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
    check_channels,
    check_ids,
    check_put,
    check_put_writes,
    check_strategy,
    latest_of_each_namespace,
    matches,
    merge_metadata,
    plan_removal,
    thread_text,
)
from langgraph.checkpoint.base.operations import begin, commit, execute, execute_many, fetch
from langgraph.checkpoint.errors import ConflictError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import _sql
from langgraph.checkpoint.sqlite._blobs import Blob, BlobMemory, blobs_of, new_id
from langgraph.checkpoint.sqlite._delta import read_delta_history
from langgraph.checkpoint.sqlite._metadata import dump_metadata
from langgraph.checkpoint.sqlite._retention import ThreadNodes
from langgraph.checkpoint.sqlite._rows import CheckpointRow, EncodedCheckpoint, Read, RowCodec, ids_in

_ATTEMPTS = 5
_BEHIND_ALL_TEXT = b""
"""As a blob it sorts behind every id."""


class SqliteOperations:
    """The operations of both SQLite savers."""

    def __init__(self, serde: SerializerProtocol, new_id: Callable[[], int] = new_id) -> None:
        self._new_id = new_id
        self._codec = RowCodec(serde)
        self._memory = BlobMemory()

    async def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read one checkpoint with what belongs to it."""
        key = CheckpointKey.from_config(config)
        if self._memory.knows(key):
            read = Read(await fetch(_sql.GET, key) if key.checkpoint_id else await fetch(_sql.LATEST, key[:2]))
            blobs = self._memory.recall(ids := _named_ids(read))
            if len(blobs) == len(ids):
                return self._first(read, blobs)
            self._memory.disown(key)
        query = fetch(_sql.GET_WITH_BLOBS, key) if key.checkpoint_id else fetch(_sql.LATEST_WITH_BLOBS, key[:2])
        read = Read(await query)
        if query.committed:
            self._memory.remember(read.blobs, key)
        return self._first(read, read.blobs)

    async def list_page(self, query: ListQuery, after: Cursor | None, rows: int) -> Page:
        """Read checkpoints with what belongs to them; those that do not match exactly are left out."""
        alone = await begin(write=False)
        read = Read(await self._page_rows(query, after, rows))
        newest_first = sorted(read.checkpoints, key=_cursor, reverse=True)
        end = _cursor(newest_first[-1]) if len(newest_first) == rows else None
        if query.filter:
            read.checkpoints = [
                row for row in newest_first if matches(self._codec.decode_metadata(row), query.filter)
            ]
        else:
            read.checkpoints = newest_first
        blobs = await self._blobs(read, alone)
        await commit()
        return Page(self._codec.decode(read, blobs), end, read.size)

    async def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store what is new of the values, and the row.

        Which of the other versions are stored is asked, not remembered: another process may have deleted them.
        """
        check_put(checkpoint, metadata, new_versions)
        encoded = self._codec.encode(
            CheckpointKey.from_config(config), checkpoint, merge_metadata(config, metadata), new_versions
        )
        await begin()
        ids, replaced = await self._stored(encoded)
        for blob in [*encoded.new.values(), *map(encoded.encode, encoded.unchanged - ids.keys())]:
            blob_id = self._new_id()
            while not await execute(_sql.PUT_BLOB, encoded.blob_row(blob_id, blob)):
                blob_id = self._new_id()
            ids[blob.channel] = blob_id
        await execute(_sql.PUT, encoded.row(ids.values()))
        if replaced:
            await execute(_sql.DELETE_UNREFERENCED_BLOBS, (encoded.key.thread_id,))
        if await commit():
            self._memory.remember({ids[channel]: blob for channel, blob in encoded.new.items()}, encoded.key)
        return encoded.key.config()

    async def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> None:
        """Store one row a write."""
        check_put_writes(writes, task_id, task_path)
        rows = self._codec.encode_writes(CheckpointKey.from_config(config), writes, task_id, task_path)
        if rows:
            await begin()
            await execute_many(_sql.PUT_WRITE, rows)

    async def delete_thread(self, thread_id: str) -> None:
        """Empty the three tables of the thread."""
        thread_id = thread_text(thread_id)
        await begin()
        await self._delete_all(thread_id)

    async def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the rows of the three tables inside the database."""
        source = thread_text(source_thread_id, "source_thread_id")
        target = thread_text(target_thread_id, "target_thread_id")
        await begin()
        if await fetch(_sql.HAS_CHECKPOINTS, (target,)):
            raise ConflictError(
                f"thread {target!r} has checkpoints already; copy to a new thread, or delete it first",
                key=target,
            )
        await execute(_sql.DELETE_BLOBS_OF_THREAD, (target,))  # of checkpoints that are gone
        await self._copy_blobs(source, target)
        await execute(_sql.COPY_CHECKPOINTS, (source, target))
        await execute(_sql.COPY_WRITES, (source, target))

    async def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Find the runs' checkpoints, then remove them thread by thread."""
        wanted = set(check_ids("run_ids", run_ids, thread_text))
        if not wanted:
            return
        await begin()
        by_thread: dict[str, set[int]] = {}
        for rowid, thread_id, metadata in await fetch(_sql.MAY_BE_OF_RUNS, (json.dumps(sorted(wanted)),)):
            run_id = self._codec.run_id(metadata)
            if isinstance(run_id, str) and run_id in wanted:
                by_thread.setdefault(thread_id, set()).add(rowid)
        for thread_id, rowids in by_thread.items():
            nodes = await self._nodes(thread_id)
            await self._remove(thread_id, nodes, nodes.places_of(rowids), relink=True)

    async def prune(self, thread_ids: Sequence[str], strategy: str) -> None:
        """Remove what is not kept, thread by thread."""
        strategy = check_strategy(strategy)
        threads = check_ids("thread_ids", thread_ids, thread_text)
        if not threads:
            return
        await begin()
        for thread_id in threads:
            if strategy == "delete":
                await self._delete_all(thread_id)
            else:
                nodes = await self._nodes(thread_id)
                wanted = nodes.places() - latest_of_each_namespace(nodes.nodes())
                await self._remove(thread_id, nodes, wanted, relink=False)

    async def get_delta_channel_history(
        self, config: RunnableConfig, channels: Sequence[str]
    ) -> dict[str, DeltaChannelHistory]:
        """Walk the ancestors without reading their values."""
        return await read_delta_history(self._codec, CheckpointKey.from_config(config), check_channels(channels))

    async def _page_rows(self, query: ListQuery, after: Cursor | None, rows: int) -> list[tuple[Any, ...]]:
        below = _smallest(after, query.before, query.checkpoint_id and query.checkpoint_id + "\0")
        params = {
            "below_id": _BEHIND_ALL_TEXT if below is None else below.checkpoint_id,
            "below_thread": "" if below is None else below.thread_id,
            "below_ns": "" if below is None else below.checkpoint_ns,
            "from_id": query.checkpoint_id or "",
            "thread_id": query.thread_id,
            "checkpoint_ns": query.checkpoint_ns,
            "filter": dump_metadata(query.filter, self._codec.serde),
            "rows": rows,
        }
        if query.thread_id is None:
            return await fetch(_sql.PAGE_OF_ALL, params)
        if query.checkpoint_ns is None:
            return await fetch(_sql.PAGE_OF_THREAD, params)
        return await fetch(_sql.PAGE_OF_NAMESPACE, params)

    def _first(self, read: Read, blobs: Mapping[int, Blob]) -> CheckpointTuple | None:
        return self._codec.decode(read, blobs)[0] if read.checkpoints else None

    async def _stored(self, encoded: EncodedCheckpoint) -> tuple[dict[str, int], bool]:
        """Return which blobs hold the unchanged channels, and whether the checkpoint is there already.

        A blob that the parent names exists, and is the right one where both sides of a fork count alike. Others
        are only looked for by their version if the caller left the value out.
        """
        before = {row[0]: ids_in(row[1]) for row in await fetch(_sql.NAMED_BEFORE, encoded.named_before())}
        named = before.get(encoded.parent_id) or ()
        remembered = self._memory.recall(named)
        if len(remembered) == len(named):
            parents = [(blob.channel, blob.version, blob_id) for blob_id, blob in remembered.items()]
        else:
            parents = await fetch(_sql.NAMED, (json.dumps(named),))
        ids = {
            channel: blob_id
            for channel, version, blob_id in parents
            if channel in encoded.old and encoded.versions[channel] == version
        }
        if left_out := encoded.old - encoded.unchanged - ids.keys():
            ids.update(await fetch(_sql.STORED, encoded.sought(left_out)))
        return ids, encoded.key.checkpoint_id in before

    async def _blobs(self, read: Read, alone: bool) -> dict[int, Blob]:
        """Return the blobs that checkpoints name; those that were read from committed rows are remembered."""
        ids = _named_ids(read)
        blobs = self._memory.recall(ids)
        if missing := set(ids) - blobs.keys():
            found = blobs_of(await fetch(_sql.BLOBS, (json.dumps(list(missing)),)))
            read.size += sum(len(blob.typed[1]) for blob in found.values())
            blobs.update(found)
            if alone:
                self._memory.remember(found)
        return blobs

    async def _copy_blobs(self, source: str, target: str) -> None:
        """Copy blobs to ids in a row; should another process have made one of them just now, to others."""
        for attempt in range(_ATTEMPTS):
            try:
                await execute(_sql.COPY_BLOBS, (source, target, self._new_id()))
            except sqlite3.IntegrityError:
                if attempt == _ATTEMPTS - 1:
                    raise
            else:
                return

    async def _nodes(self, thread_id: str) -> ThreadNodes:
        nodes = ThreadNodes(self._codec, await fetch(_sql.NODES, (thread_id,)))
        if nodes.with_deltas:
            nodes.add_stores(await fetch(_sql.STORES_OF_THREAD, (thread_id,)))
        return nodes

    async def _delete_all(self, thread_id: str) -> None:
        for statement in (
            _sql.DELETE_WRITES_OF_THREAD,
            _sql.DELETE_CHECKPOINTS_OF_THREAD,
            _sql.DELETE_BLOBS_OF_THREAD,
        ):
            await execute(statement, (thread_id,))

    async def _remove(
        self, thread_id: str, nodes: ThreadNodes, wanted: set[tuple[str, str]], *, relink: bool
    ) -> None:
        removal = plan_removal(nodes.nodes(), wanted, relink=relink)
        if not removal.removed:
            return
        gone = json.dumps(nodes.rowids(removal.removed))
        await execute(_sql.DELETE_WRITES, (gone,))
        await execute(_sql.DELETE_CHECKPOINTS, (gone,))
        parents = [(parent, nodes.rowid(place)) for place, parent in removal.relinked.items()]
        await execute_many(_sql.RELINK, parents)
        await execute(_sql.DELETE_UNREFERENCED_BLOBS, (thread_id,))


def _named_ids(read: Read) -> Sequence[int]:
    if len(read.checkpoints) == 1:
        return read.checkpoints[0].blob_ids or ()
    return list({blob_id for row in read.checkpoints for blob_id in row.blob_ids or ()})


def _cursor(row: CheckpointRow) -> Cursor:
    return Cursor(row.checkpoint_id, row.thread_id, row.checkpoint_ns)


def _smallest(after: Cursor | None, *ids: str | None) -> Cursor | None:
    bounds: Iterable[Cursor | None] = (after, *(Cursor(bound, "", "") if bound else None for bound in ids))
    return min((bound for bound in bounds if bound is not None), default=None)
