"""Each call is one unit of work, whatever the connection is like and whatever goes wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row, namedtuple_row

from langgraph.checkpoint.base import EncodeError, InvalidTypeError, StorageError, WrongThreadError
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

NOTHING = {"checkpoints": 0, "checkpoint_blobs": 0, "checkpoint_writes": 0}


@pytest.fixture
def refuse_checkpoints(connection: psycopg.Connection[Any]) -> None:
    """Make the server refuse rows of checkpoint_blobs, which are put after the checkpoint's own."""
    connection.execute("ALTER TABLE checkpoint_blobs ADD CONSTRAINT refused CHECK (channel <> 'refused')")
    connection.execute("ALTER TABLE checkpoint_writes ADD CONSTRAINT refused CHECK (channel <> 'refused')")


@pytest.mark.parametrize("autocommit", [True, False])
@pytest.mark.parametrize("row_factory", [dict_row, namedtuple_row])
async def test_the_connection_stays_as_it_was(
    open_saver: Any, put: Any, at: Any, autocommit: bool, row_factory: Any, count_rows: Callable[[], Any]
) -> None:
    """Row factory and autocommit do not matter, are not changed, and no transaction stays open."""
    saver = await open_saver(autocommit=autocommit, row_factory=row_factory)
    conn = saver.saver.conn
    await put(saver, "1", {"a": [1]})
    await saver.put_writes(at("t", "1"), [("a", 2)], "task")
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": [1]}
    assert await saver.ids(at()) == ["1"]
    await saver.get_delta_channel_history(config=at(), channels=["a"])
    assert conn.info.transaction_status == TransactionStatus.IDLE
    assert (conn.autocommit, conn.row_factory) == (autocommit, row_factory)
    assert count_rows() == {"checkpoints": 1, "checkpoint_blobs": 1, "checkpoint_writes": 1}


@pytest.mark.parametrize("autocommit", [True, False])
@pytest.mark.usefixtures("refuse_checkpoints")
async def test_a_failed_unit_leaves_nothing(
    open_saver: Any, put: Any, at: Any, autocommit: bool, count_rows: Callable[[], Any]
) -> None:
    """What the server refuses half way is not stored in part, and the connection goes on to work."""
    saver = await open_saver(autocommit=autocommit)
    with pytest.raises(psycopg.errors.CheckViolation):
        await put(saver, "1", {"a": [1], "refused": [2]})
    with pytest.raises(psycopg.errors.CheckViolation):
        await saver.put_writes(at("t", "1"), [("a", 1), ("refused", 2)], "task")
    assert count_rows() == NOTHING
    await put(saver, "1", {"a": [1]})
    assert await saver.ids(at()) == ["1"]


async def test_calls_join_the_callers_transaction(database: str, put: Any, at: Any, checkpoint: Any) -> None:
    """They are undone with it, and a call that fails in it undoes itself alone."""
    with psycopg.connect(database, autocommit=True) as conn:
        saver = PostgresSaver(conn)
        made = checkpoint("1", {"a": [1]})
        with conn.transaction(force_rollback=True):
            saver.put(at(), made, {}, made["channel_versions"])
            assert saver.get_tuple(at()) is not None
        assert saver.get_tuple(at()) is None
        with conn.transaction():
            saver.put(at(), made, {}, made["channel_versions"])
            with pytest.raises(EncodeError):
                saver.put_writes(at("t", "1"), [("nul\0", 1)], "task")
            saver.put_writes(at("t", "1"), [("a", 1)], "task")
    with psycopg.connect(database) as conn:
        found = PostgresSaver(conn).get_tuple(at())
        assert found is not None
        assert found.pending_writes == [("task", "a", 1)]


async def test_savers_that_race_lose_nothing(database: str, at: Any, checkpoint: Any) -> None:
    """Threads and tasks on one connection take turns; connections do not wait for each other."""
    async with (
        AsyncPostgresSaver.from_conn_string(database) as one,
        AsyncPostgresSaver.from_conn_string(database) as two,
    ):

        async def put(saver: AsyncPostgresSaver, number: int) -> None:
            made = checkpoint(f"{number:03}", {"a": [number], "b": {"n": number}})
            config = await saver.aput(at(number % 3), made, {}, made["channel_versions"])
            await saver.aput_writes(config, [("a", number)], "task")

        await asyncio.gather(*(put((one, two)[n % 2], n) for n in range(60)))
        found = [item async for item in one.alist(None)]
    assert len(found) == 60
    for item in found:
        number = int(item.checkpoint["id"])
        assert item.checkpoint["channel_values"] == {"a": [number], "b": {"n": number}}
        assert item.pending_writes == [("task", "a", number)]


async def test_a_cancelled_put_is_whole_or_nothing(
    database: str, at: Any, checkpoint: Any, connection: psycopg.Connection[Any]
) -> None:
    """Cancelled while it waits for the server, again and again, it is stored in the end, and as a whole."""
    async with AsyncPostgresSaver.from_conn_string(database) as saver:
        made = checkpoint("1", {"a": [1], "b": [2]})
        with connection.transaction():
            connection.execute("LOCK TABLE checkpoint_blobs IN EXCLUSIVE MODE")
            waiting = asyncio.ensure_future(saver.aput(at(), made, {}, made["channel_versions"]))
            await _until_somebody_waits(connection)
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            assert waiting.cancelled()
        assert (await saver.aget_tuple(at())).checkpoint["channel_values"] == {"a": [1], "b": [2]}  # type: ignore[union-attr]


async def _until_somebody_waits(connection: psycopg.Connection[Any]) -> None:
    while not connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchall():  # noqa: ASYNC110  # the server's event
        await asyncio.sleep(0.01)


async def test_a_prune_and_a_put_that_rests_on_what_goes(
    database: str, at: Any, put: Any, checkpoint: Any, connection: psycopg.Connection[Any]
) -> None:
    """A fork from a checkpoint that is just being pruned gets its unchanged values all the same."""
    async with AsyncPostgresSaver.from_conn_string(database) as saver:
        old, new = checkpoint("1", {"a": ["old"]}), checkpoint("2", {"a": ["new"]})
        await saver.aput(at(), old, {}, old["channel_versions"])
        await saver.aput(at("t", "1"), new, {}, new["channel_versions"])
        fork = {**checkpoint("3", {"a": ["old"]}), "channel_versions": {"a": "1"}}
        connection.execute("BEGIN")
        connection.execute("LOCK TABLE checkpoints IN SHARE ROW EXCLUSIVE MODE")  # as a prune begins
        waiting = asyncio.ensure_future(saver.aput(at("t", "1"), fork, {}, {}))
        with psycopg.connect(database, autocommit=True) as beside:
            await _until_somebody_waits(beside)
        connection.execute("DELETE FROM checkpoints WHERE checkpoint_id = '1'")
        connection.execute("DELETE FROM checkpoint_blobs WHERE version = '1'")
        connection.execute("COMMIT")
        await waiting
        assert (await saver.aget_tuple(at("t", "3"))).checkpoint["channel_values"] == {"a": ["old"]}  # type: ignore[union-attr]


async def test_sync_calls_on_the_own_loop_are_refused(database: str, at: Any) -> None:
    """They would block for ever, so they raise at once; from another thread they work."""
    async with AsyncPostgresSaver.from_conn_string(database) as saver:
        with pytest.raises(WrongThreadError):
            saver.get_tuple(at())
        with pytest.raises(WrongThreadError):
            list(saver.list(None))
        assert await asyncio.to_thread(saver.get_tuple, at()) is None
    with pytest.raises(StorageError, match="closed"):
        await saver.aget_tuple(at())


def test_a_saver_whose_loop_has_ended_says_so(database: str, at: Any) -> None:
    """A sync call then does not hang."""

    async def make() -> AsyncPostgresSaver:
        async with AsyncPostgresSaver.from_conn_string(database) as saver:
            return saver

    with pytest.raises(StorageError) as caught:
        asyncio.run(make()).get_tuple(at())
    assert caught.value.reason == "closed"


def test_threads_share_a_saver(database: str, at: Any, checkpoint: Any) -> None:
    """Calls from several threads on one connection do not mix."""
    with PostgresSaver.from_conn_string(database) as saver:
        failed: list[BaseException] = []

        def work(thread: int) -> None:
            try:
                for number in range(10):
                    made = checkpoint(f"{number}", {"a": [thread, number]})
                    saver.put(at(thread), made, {}, made["channel_versions"])
                    found = saver.get_tuple(at(thread))
                    assert found is not None
                    assert found.checkpoint["channel_values"] == {"a": [thread, number]}
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed


async def test_what_is_no_connection_is_refused(database: str) -> None:
    """A connection string, or a connection of the other colour, is an error at once."""
    with psycopg.connect(database) as conn:
        for kind, wrong in ((PostgresSaver, database), (AsyncPostgresSaver, conn)):
            with pytest.raises(InvalidTypeError, match="psycopg"):
                kind(wrong)  # type: ignore[arg-type]


async def test_a_lost_connection_is_an_error_of_ours(
    saver: Any, put: Any, at: Any, connection: psycopg.Connection[Any]
) -> None:
    """It says what to do, and is psycopg's still."""
    await put(saver, "1")
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with pytest.raises(psycopg.OperationalError) as caught:
        await saver.get_tuple(at())
    assert isinstance(caught.value, StorageError)
    assert caught.value.reason == "unavailable"


async def test_a_read_only_connection_reads(open_saver: Any, put: Any, at: Any) -> None:
    """Reading works, and writing says why it does not."""
    saver = await open_saver(options="-c default_transaction_read_only=on")
    assert await saver.get_tuple(at()) is None
    assert await saver.get_delta_channel_history(config=at(), channels=["a"]) == {"a": {"writes": []}}
    with pytest.raises(StorageError) as caught:
        await put(saver, "1")
    assert caught.value.reason == "read_only"


async def test_names_with_nul_are_refused(saver: Any, put: Any, at: Any, count_rows: Callable[[], Any]) -> None:
    """Postgres stores no NUL in text: addresses that have one are config errors, other names can not be stored."""
    for config in (at("a\0"), at("t", ns="a\0"), at("t", "a\0")):
        with pytest.raises(ValueError, match="NUL"):
            await saver.get_tuple(config)
        with pytest.raises(ValueError, match="NUL"):
            await saver.list(config)
    for lifecycle in (saver.delete_thread("a\0"), saver.prune(["a\0"]), saver.copy_thread("a", "b\0")):
        with pytest.raises(ValueError, match="NUL"):
            await lifecycle
    for values in ({"a\0": 1}, {"a\0": [1]}, {"\ud800": 1}, {"\ud800": [1]}):
        with pytest.raises(EncodeError):
            await put(saver, "1", values)
    with pytest.raises(EncodeError):
        await put(saver, "1", metadata={"a\0": 1})
    with pytest.raises(EncodeError):
        await saver.put_writes(at("t", "1"), [("a", 1)], "task\0")
    assert count_rows() == NOTHING
