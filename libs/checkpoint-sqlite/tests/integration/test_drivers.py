"""How the drivers run an operation: threads, loops, cancellation, statements, and the caller's connection."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from langgraph.checkpoint.errors import StorageError, WrongThreadError
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


def sync_calls(saver: Any, at: Any, checkpoint: Any) -> list[Callable[[], Any]]:
    """All sync methods; `list` is called, not iterated."""
    return [
        lambda: saver.get(at()),
        lambda: saver.get_tuple(at()),
        lambda: next(iter(saver.list(at())), None),
        lambda: saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"}),
        lambda: saver.put_writes(at("t", "1"), [("w", 1)], "task"),
        lambda: saver.get_delta_channel_history(config=at(), channels=["a"]),
        lambda: saver.copy_thread("t", f"copy-{random.random()}"),
        lambda: saver.delete_for_runs(["r"]),
        lambda: saver.prune(["t"]),
        lambda: saver.delete_thread("t"),
    ]


class TestLoops:
    async def test_sync_methods_on_the_own_loop_are_refused(
        self, open_async: Any, at: Any, checkpoint: Any
    ) -> None:
        """They would wait for the loop that waits for them; the error comes at once."""
        saver = await open_async()
        for call in sync_calls(saver, at, checkpoint):
            with pytest.raises(WrongThreadError, match="await"):
                call()
        assert [item async for item in saver.alist(None)] == []

    async def test_list_is_refused_before_it_is_iterated(self, open_async: Any, at: Any) -> None:
        """Not when the first item is asked for, which may be in another thread."""
        saver = await open_async()
        with pytest.raises(WrongThreadError):
            saver.list(at())

    async def test_sync_methods_from_another_thread_work(self, open_async: Any, at: Any, checkpoint: Any) -> None:
        """All of them, while the loop is free."""
        saver = await open_async()
        for call in sync_calls(saver, at, checkpoint):
            await asyncio.to_thread(call)

    async def test_sync_methods_in_another_loop_work(self, open_async: Any, at: Any, checkpoint: Any) -> None:
        """A thread with an event loop of its own is another thread."""
        saver = await open_async()

        async def other() -> None:
            for call in sync_calls(saver, at, checkpoint):
                call()

        await asyncio.to_thread(lambda: asyncio.run(other()))

    def test_a_saver_whose_loop_has_ended(self, path: Path, at: Any) -> None:
        """Sync methods say so instead of waiting for ever."""

        async def make() -> AsyncSqliteSaver:
            async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
                return saver

        saver = asyncio.run(make())
        with pytest.raises(StorageError) as caught:
            saver.get_tuple(at())
        assert caught.value.reason == "closed"

    def test_an_async_saver_is_made_in_a_loop(self, path: Path) -> None:
        """Without a running loop there is none to answer sync calls on."""
        conn = aiosqlite.connect(path)
        with pytest.raises(RuntimeError, match="event loop"):
            AsyncSqliteSaver(conn)

    async def test_a_connection_that_was_not_awaited(self, path: Path, at: Any, checkpoint: Any) -> None:
        """It is opened on first use."""
        conn = aiosqlite.connect(path)
        saver = AsyncSqliteSaver(conn)
        await saver.aput(at(), checkpoint("1", a=1), {}, {"a": "1"})
        assert (await saver.aget(at()))["channel_values"] == {"a": 1}
        await conn.close()

    async def test_first_calls_at_once(self, open_saver: Any, put: Any) -> None:
        """Calls that all find the tables missing make them once."""
        saver = await open_saver()
        await asyncio.gather(*(put(saver, str(n), {"a": n}) for n in range(8)))
        assert len(await saver.ids(None)) == 8

    async def test_setup_may_be_called(self, saver: Any, put: Any, at: Any) -> None:
        """Before or after, any number of times."""
        for _ in range(2):
            done = saver.saver.setup()
            if done is not None:
                await done
            assert saver.saver.is_setup
        await put(saver, "1")
        assert await saver.ids(at()) == ["1"]


class TestCancellation:
    async def test_a_cancelled_put_is_whole_or_not_there(
        self, way: str, open_saver: Any, put: Any, at: Any
    ) -> None:
        """At whatever moment it comes; the saver stays usable."""
        seed = random.randrange(2**32)
        print("seed", seed)
        chance = random.Random(seed)
        saver = await open_saver()
        if not way.endswith("async"):
            saver.colour = "async"  # a sync call can not be cancelled
        cancelled = 0
        for n in range(150):
            values = {f"c{i}": [n] * 50 for i in range(20)}
            task = asyncio.create_task(put(saver, f"{n:04}", values))
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            await asyncio.wait([task], timeout=chance.random() * 0.001)
            cancelled += task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            if not task.cancelled():
                assert (await saver.get(at()))["id"] == f"{n:04}"
        assert cancelled > 5
        for item in await saver.list(at()):
            n = int(item.checkpoint["id"])
            assert item.checkpoint["channel_values"] == {f"c{i}": [n] * 50 for i in range(20)}
        await put(saver, "9999", {"a": 1})
        assert (await saver.get(at()))["channel_values"] == {"a": 1}

    async def test_cancelled_writes_are_whole_or_not_there(self, saver: Any, put: Any, at: Any) -> None:
        """A batch is one unit of work."""
        saver.colour = "async"
        await put(saver, "1")
        for n in range(60):
            task = asyncio.create_task(
                saver.put_writes(at("t", "1"), [(f"w{i}", n) for i in range(30)], f"task-{n:02}")
            )
            await asyncio.wait([task], timeout=random.random() * 0.001)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        writes: dict[str, int] = {}
        for task_id, _, _ in (await saver.get_tuple(at())).pending_writes:
            writes[task_id] = writes.get(task_id, 0) + 1
        assert set(writes.values()) <= {30}

    async def test_a_cancelled_setup(self, open_saver: Any, put: Any, at: Any) -> None:
        """Making the tables is one unit as well, which the next call finds done or does."""
        saver = await open_saver()
        saver.colour = "async"
        task = asyncio.create_task(saver.get_tuple(at()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await put(saver, "1", {"a": 1})
        assert (await saver.get(at()))["channel_values"] == {"a": 1}

    def test_an_interrupt_within_a_unit(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """Ctrl-C at any statement leaves no transaction open and no lock held."""
        saver = open_sync()
        saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        for stop_at in range(1, 12):
            with _interrupted(saver, stop_at):
                try:
                    saver.put(at("t", "1"), checkpoint("2", a=2, b=2), {}, {"a": "2", "b": "2"})
                except KeyboardInterrupt:
                    assert not saver.conn.in_transaction
                    assert not saver.lock.locked()
                    assert saver.get(at())["id"] == "1"
                else:
                    break
        assert 3 < stop_at < 11
        assert saver.get(at())["channel_values"] == {"a": 2, "b": 2}


@contextmanager
def _interrupted(saver: SqliteSaver, stop_at: int) -> Iterator[None]:
    """Raise `KeyboardInterrupt` before the n-th request of an operation is performed."""
    from langgraph.checkpoint.sqlite._unit import Unit

    original = Unit.perform
    performed = 0

    def perform(self: Unit, request: Any) -> Any:
        nonlocal performed
        performed += 1
        if performed == stop_at:
            raise KeyboardInterrupt
        return original(self, request)

    Unit.perform = perform  # type: ignore[method-assign]
    try:
        yield
    finally:
        Unit.perform = original  # type: ignore[method-assign]


class TestStatements:
    @pytest.fixture
    def traced(self, open_sync: Any, at: Any, checkpoint: Any) -> Any:
        """A saver with 300 checkpoints and a function that returns the statements of a call."""
        saver = open_sync()
        config = at()
        for n in range(300):
            made = checkpoint(f"{n:04}", every=n, same="s")
            made["channel_versions"] = {"every": f"{n:04}", "same": "1"}
            config = saver.put(config, made, {"n": n}, made["channel_versions"])
            saver.put_writes(config, [("w", n)], "task")
        other = SqliteSaver(saver.conn)
        other.setup()

        def statements(call: Callable[[SqliteSaver], Any]) -> list[str]:
            ran: list[str] = []
            saver.conn.set_trace_callback(ran.append)
            call(other)
            saver.conn.set_trace_callback(None)
            # not those that only begin, end, or ask whether the database has changed
            ignored = ("BEGIN", "COMMIT", "--", "PRAGMA", "SELECT data_version")
            return [sql for sql in ran if not sql.lstrip().startswith(ignored)]

        return statements

    def test_a_checkpoint_takes_a_few(self, traced: Any, at: Any) -> None:
        """The row with its writes and its blobs, however many; one statement for what was read lately."""
        for config in (at(), at("t", "0007")):
            assert 1 <= len(traced(lambda saver, config=config: saver.get_tuple(config))) <= 3
            again = traced(lambda saver, config=config: [saver.get_tuple(config) for _ in range(2)])
            assert len(again) <= 4

    def test_a_page_takes_as_many_whatever_its_rows(self, traced: Any, at: Any) -> None:
        """One row or ten: there is no statement for each."""
        few = traced(lambda saver: list(saver.list(at(), limit=1)))
        many = traced(lambda saver: list(saver.list(at(), before=at("t", "0200"), limit=10)))
        assert 1 <= len(many) <= len(few) + 1 <= 4

    def test_a_long_list_takes_a_few_pages(self, traced: Any, at: Any) -> None:
        """300 checkpoints come in less than ten pages."""
        assert len(traced(lambda saver: list(saver.list(at())))) < 20

    @pytest.mark.parametrize(
        "config",
        [None, {"configurable": {"thread_id": "t"}}, {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}],
        ids=["all", "thread", "namespace"],
    )
    def test_pages_use_indexes(self, traced: Any, database: sqlite3.Connection, config: Any) -> None:
        """No table is scanned without an index, and listing everything sorts nothing."""
        ran: list[str] = traced(lambda saver: list(saver.list(config, limit=5, filter={"n": 299})))
        plans = [row[3] for sql in ran for row in database.execute(f"EXPLAIN QUERY PLAN {sql}")]
        tables = ("checkpoints", "writes", "blobs", "w", "b", "c")
        scans = [plan for plan in plans if plan.startswith("SCAN") and plan.split()[1] in tables]
        assert [plan for plan in scans if "INDEX" not in plan] == []
        if config is None:
            assert [plan for plan in plans if "TEMP B-TREE" in plan] == []
        assert any("checkpoints" in plan and "INDEX" in plan for plan in plans)

    async def test_an_async_call_is_one_hop(self, open_async: Any, at: Any, checkpoint: Any) -> None:
        """However many statements it takes, the connection's thread is entered once."""
        saver = await open_async()
        await saver.setup()
        hops = 0
        execute = saver.conn._execute

        async def counted(*args: Any) -> Any:
            nonlocal hops
            hops += 1
            return await execute(*args)

        saver.conn._execute = counted
        for call in (
            lambda: saver.aput(at(), checkpoint("1", a=1, b=2), {}, {"a": "1", "b": "1"}),
            lambda: saver.aput_writes(at("t", "1"), [("w", 1), ("x", 2)], "task"),
            lambda: saver.aget_tuple(at()),
            lambda: saver.aget_delta_channel_history(config=at(), channels=["a"]),
            lambda: saver.acopy_thread("t", "copy"),
            lambda: saver.aprune(["t", "copy"]),
            lambda: saver.adelete_for_runs(["r"]),
            lambda: saver.adelete_thread("t"),
        ):
            hops = 0
            await call()
            assert hops == 1
        hops = 0
        assert len([item async for item in saver.alist(None)]) == 1
        assert hops == 1


class TestConnections:
    """What belongs to the caller is neither relied on nor changed."""

    @pytest.mark.parametrize("level", [None, "", "DEFERRED", "IMMEDIATE", "EXCLUSIVE"])
    def test_any_isolation_level(self, path: Path, at: Any, checkpoint: Any, level: str | None) -> None:
        """Each call is stored when it returns, and the setting stays."""
        with closing(sqlite3.connect(path, isolation_level=level, check_same_thread=False)) as conn:
            saver = SqliteSaver(conn)
            saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
            assert not conn.in_transaction
            assert conn.isolation_level == level
            with closing(sqlite3.connect(path)) as other:
                assert SqliteSaver(other).get(at())["channel_values"] == {"a": 1}
            saver.delete_thread("t")
            assert saver.get(at()) is None
            assert not conn.in_transaction

    @pytest.mark.parametrize("factory", [sqlite3.Row, lambda cursor, row: {"row": row}], ids=["Row", "dict"])
    def test_any_row_factory(self, path: Path, at: Any, checkpoint: Any, factory: Any) -> None:
        """Rows are read the same, and the caller's own statements keep their factory."""
        with closing(sqlite3.connect(path, check_same_thread=False)) as conn:
            conn.row_factory = factory
            saver = SqliteSaver(conn)
            saver.put(at(), checkpoint("1", a=1), {"n": 1}, {"a": "1"})
            saver.put_writes(at("t", "1"), [("w", 1)], "task")
            assert [item.pending_writes for item in saver.list(at(), filter={"n": 1})] == [[("task", "w", 1)]]
            saver.prune(["t"])
            assert saver.get(at())["channel_values"] == {"a": 1}
            assert conn.row_factory is factory
            assert not isinstance(conn.execute("SELECT 1").fetchone(), tuple)

    def test_foreign_keys_stay_on(self, path: Path, at: Any, checkpoint: Any) -> None:
        """Settings of the connection are the caller's."""
        with closing(sqlite3.connect(path, check_same_thread=False)) as conn:
            conn.execute("PRAGMA foreign_keys = ON")
            saver = SqliteSaver(conn)
            saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
            assert conn.execute("PRAGMA foreign_keys").fetchone() == (1,)

    def test_a_callers_transaction_is_joined(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """What is put within it is seen, and is gone with it."""
        saver, other = open_sync(), open_sync()
        saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        saver.conn.execute("BEGIN")
        saver.put(at("t", "1"), checkpoint("2", a=2), {}, {"a": "2"})
        saver.put_writes(at("t", "2"), [("w", 1)], "task")
        assert saver.conn.in_transaction
        assert saver.get(at())["channel_values"] == {"a": 2}
        assert other.get(at())["id"] == "1"
        saver.conn.rollback()
        assert saver.get(at())["channel_values"] == {"a": 1}
        following = checkpoint("3", a=2) | {"channel_versions": {"a": "2"}}
        saver.put(at("t", "1"), following, {}, {})  # what was rolled back is not taken for stored
        assert other.get(at())["channel_values"] == {"a": 2}

    def test_a_callers_transaction_is_committed_by_the_caller(
        self, open_sync: Any, at: Any, checkpoint: Any
    ) -> None:
        """Then all of it is there."""
        saver, other = open_sync(), open_sync()
        saver.setup()
        saver.conn.execute("BEGIN")
        for n in range(3):
            saver.put(at(), checkpoint(str(n), a=n), {}, {"a": str(n)})
        assert other.get(at()) is None
        saver.conn.commit()
        assert [item.checkpoint["channel_values"]["a"] for item in other.list(at())] == [2, 1, 0]

    def test_a_failure_within_a_callers_transaction(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """Only the call that failed is undone; the caller decides on the rest."""
        saver = open_sync()
        saver.setup()
        saver.conn.execute("BEGIN")
        saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        with _interrupted(saver, 3), pytest.raises(KeyboardInterrupt):
            saver.put(at(), checkpoint("2", a=2), {}, {"a": "2"})
        assert saver.conn.in_transaction
        saver.conn.commit()
        assert [item.checkpoint["id"] for item in saver.list(at())] == ["1"]

    def test_a_setup_within_a_callers_transaction(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """The tables are made there too, and again if they were rolled back."""
        saver = open_sync()
        saver.conn.execute("BEGIN")
        saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        saver.conn.commit()
        assert saver.get(at())["id"] == "1"

    def test_cursor(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """A cursor for the caller's own statements, committed at the end of the block."""
        saver, other = open_sync(), open_sync()
        with saver.cursor() as cursor:
            cursor.execute("CREATE TABLE mine (n INTEGER)")
            cursor.execute("INSERT INTO mine VALUES (1)")
            assert saver.lock.locked()
        assert not saver.conn.in_transaction
        assert other.conn.execute("SELECT n FROM mine").fetchall() == [(1,)]
        with saver.cursor(transaction=False) as cursor:
            cursor.execute("INSERT INTO mine VALUES (2)")
        assert saver.conn.in_transaction
        saver.conn.rollback()
        saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        assert other.get(at())["channel_values"] == {"a": 1}

    async def test_from_conn_string_in_memory(self, at: Any, checkpoint: Any) -> None:
        """`":memory:"` is a database of its own, in both savers."""
        with SqliteSaver.from_conn_string(":memory:") as one, SqliteSaver.from_conn_string(":memory:") as two:
            one.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
            assert one.get(at())["channel_values"] == {"a": 1}
            assert two.get(at()) is None
        async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
            await saver.aput(at(), checkpoint("1", a=1), {}, {"a": "1"})
            assert (await saver.aget(at()))["channel_values"] == {"a": 1}

    async def test_from_conn_string_closes(self, path: Path, at: Any) -> None:
        """The connection is closed at the end of the block, also after an error."""
        with pytest.raises(ZeroDivisionError), SqliteSaver.from_conn_string(str(path)) as saver:
            raise ZeroDivisionError
        with pytest.raises(StorageError, match="closed"):
            saver.get(at())
        with pytest.raises(ZeroDivisionError):
            async with AsyncSqliteSaver.from_conn_string(str(path)) as asaver:
                raise ZeroDivisionError
        with pytest.raises(StorageError, match="closed"):
            await asaver.aget(at())


class TestMemory:
    """What a saver remembers is never taken for what is there; whatever changes is seen at once."""

    async def test_after_each_kind_of_change(self, open_saver: Any, put: Any, at: Any) -> None:
        """Changes of this saver, of another on the file, by `get_tuple` and by `list`."""
        mine, others = await open_saver(), await open_saver()

        async def seen() -> list[Any]:
            answers = []
            for saver in (mine, others):
                for _ in range(2):
                    found = await saver.get_tuple(at("t", "1"))
                    latest = await saver.get_tuple(at())
                    listed = await saver.list(at())
                    answers.append(
                        (
                            found and (found.checkpoint["channel_values"], found.metadata, found.pending_writes),
                            latest and latest.checkpoint["id"],
                            [item.checkpoint["id"] for item in listed],
                        )
                    )
            assert all(answer == answers[0] for answer in answers)
            return list(answers[0])

        assert await seen() == [None, None, []]
        for number, saver in enumerate((mine, others)):
            await put(saver, "1", {"a": number}, metadata={"n": number})
            assert await seen() == [({"a": number}, {"n": number}, []), "1", ["1"]]
            await saver.put_writes(at("t", "1"), [("w", number)], f"task-{number}")
            assert (await seen())[0][2][-1] == (f"task-{number}", "w", number)
            await put(saver, "2", {"a": 5})
            assert (await seen())[1:] == ["2", ["2", "1"]]
            await saver.delete_thread("t")
            assert await seen() == [None, None, []]

    async def test_changes_of_the_file_by_hand(
        self, saver: Any, put: Any, at: Any, database: sqlite3.Connection
    ) -> None:
        """Another program's statements count as well."""
        await put(saver, "1", {"a": 1}, metadata={"n": 1})
        for n in range(2, 5):
            assert (await saver.get_tuple(at())).metadata == {"n": n - 1}
            database.execute("UPDATE checkpoints SET metadata = ?", (f'{{"n": {n}}}',))
        assert (await saver.get_tuple(at())).metadata == {"n": 4}
        database.execute("DELETE FROM checkpoints")
        assert await saver.get_tuple(at()) is None

    def test_changes_on_the_own_connection(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """The caller's statements, a second saver on the connection, a rollback, and tables that go."""
        saver = open_sync()
        twin = SqliteSaver(saver.conn)
        saver.put(at(), checkpoint("1", a=1), {"n": 1}, {"a": "1"})
        assert saver.get_tuple(at()).metadata == twin.get_tuple(at()).metadata == {"n": 1}
        twin.put(at(), checkpoint("1", a=2), {"n": 2}, {"a": "1"})
        assert saver.get_tuple(at()).metadata == twin.get_tuple(at()).metadata == {"n": 2}
        with saver.cursor() as cursor:
            cursor.execute("UPDATE checkpoints SET metadata = '{}'")
        assert saver.get_tuple(at()).metadata == twin.get_tuple(at()).metadata == {}
        saver.conn.execute("BEGIN")
        saver.put(at(), checkpoint("1", a=3), {"n": 3}, {"a": "1"})
        assert saver.get_tuple(at()).metadata == twin.get_tuple(at()).metadata == {"n": 3}
        saver.conn.rollback()
        assert saver.get_tuple(at()).metadata == twin.get_tuple(at()).metadata == {}
        saver.conn.execute("DELETE FROM checkpoints")
        saver.conn.commit()
        assert saver.get_tuple(at()) is twin.get_tuple(at()) is None

    async def test_answers_are_the_callers_own(self, saver: Any, put: Any, at: Any) -> None:
        """A repeated answer does not share objects with the one before."""
        await put(saver, "1", {"a": [1]})
        (await saver.get_tuple(at())).checkpoint["channel_values"]["a"].append("changed")
        assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": [1]}

    async def test_threads_that_look_alike(self, saver: Any, put: Any, at: Any) -> None:
        """Questions that differ in any part have different answers."""
        for thread, ns, number in (("1", "", "1"), ("1", "1", "2"), ("2", "", "3")):
            await put(saver, number, {"a": number}, thread=thread, ns=ns)
        for _ in range(2):
            assert (await saver.get(at("1")))["id"] == "1"
            assert (await saver.get(at(1, ns="1")))["id"] == "2"
            assert (await saver.get(at("2")))["id"] == "3"
            assert await saver.get(at("1", "2")) is None
            assert await saver.get(at("2", ns="1")) is None


class Hidden(JsonPlusSerializer):
    """Counts what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.dumped = 0

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        self.dumped += 1
        return super().dumps_typed(obj)


class TestSerializers:
    async def test_a_serializer_of_the_callers(self, open_saver: Any, put: Any, at: Any) -> None:
        """Everything goes through the one that was given."""
        serde = Hidden()
        saver = await open_saver(serde=serde)
        stored = await put(saver, "1", {"a": (1, 2)})
        await saver.put_writes(stored, [("w", 1)], "task")
        assert serde.dumped >= 3
        assert (await saver.get(at()))["channel_values"] == {"a": (1, 2)}

    async def test_from_conn_string_takes_a_serializer(self, path: Path, at: Any, checkpoint: Any) -> None:
        """On both savers."""
        serde = Hidden()
        with SqliteSaver.from_conn_string(str(path), serde=serde) as saver:
            saver.put(at(), checkpoint("1", a=1), {}, {"a": "1"})
        dumped = serde.dumped
        assert dumped
        async with AsyncSqliteSaver.from_conn_string(str(path), serde=serde) as asaver:
            await asaver.aput(at(), checkpoint("2", a=1), {}, {"a": "2"})
        assert serde.dumped > dumped

    async def test_an_encrypted_file_shows_no_value(
        self, open_saver: Any, put: Any, at: Any, path: Path, count_rows: Any
    ) -> None:
        """Values of channels, writes, and of metadata that JSON does not hold are encrypted, and come back."""
        serde = EncryptedSerializer.from_pycryptodome_aes(key=b"0123456789abcdef")
        saver = await open_saver(serde=serde)
        secret = "the secret of the sphinx"
        stored = await put(saver, "1", {"a": [secret], "b": secret.encode()}, metadata={"step": 1, "m": (secret,)})
        await saver.put_writes(stored, [("w", {"x": secret})], "task")
        found = await saver.get_tuple(at())
        assert found.checkpoint["channel_values"] == {"a": [secret], "b": secret.encode()}
        assert found.pending_writes == [("task", "w", {"x": secret})]
        assert found.metadata == {"step": 1, "m": (secret,)}
        assert await saver.ids(at(), filter={"step": 1}) == ["1"]
        assert count_rows()["blobs"] == 2
        await saver.close()
        kept = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
        assert len(kept) > 1000
        assert secret.encode() not in kept

    async def test_a_wrong_key_raises(self, open_saver: Any, put: Any, at: Any) -> None:
        """What can not be decrypted never comes back as something else."""
        from langgraph.checkpoint.errors import CheckpointError

        saver = await open_saver(serde=EncryptedSerializer.from_pycryptodome_aes(key=b"0123456789abcdef"))
        await put(saver, "1", {"a": 1})
        other = await open_saver(serde=EncryptedSerializer.from_pycryptodome_aes(key=b"fedcba9876543210"))
        with pytest.raises(CheckpointError):
            await other.get_tuple(at())

    async def test_an_allowlist_clone_shares_the_store(self, saver: Any, put: Any, at: Any) -> None:
        """The clone has a wider serializer and works on the same connection, in any order of first use."""
        clone = type(saver)(saver.saver.with_allowlist([("golden_types", "Point")]), saver.colour)
        assert clone.saver is not saver.saver
        assert clone.saver.serde is not saver.saver.serde
        await put(clone, "1", {"a": 1})
        assert (await saver.get(at()))["channel_values"] == {"a": 1}
        await put(saver, "2", {"a": 2})
        assert await clone.ids(at()) == ["2", "1"]
        assert saver.saver.with_allowlist([]) is saver.saver

    def test_a_clone_and_its_saver_in_threads(self, open_sync: Any, at: Any, checkpoint: Any) -> None:
        """They share the lock of the connection."""
        saver = open_sync()
        savers = [saver, saver.with_allowlist([("golden_types", "Point")])]
        failed: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for n in range(40):
                    made = checkpoint(f"{number}-{n}", a=n)
                    savers[number].put(at(f"t{number}"), made, {}, made["channel_versions"])
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert len(list(saver.list(None))) == 80


def test_a_restored_file_is_read_anew(
    open_sync: Any, at: Any, checkpoint: Any, path: Path, tmp_path: Path
) -> None:
    """SQLite's backup into the live file replaces what a saver remembers."""
    saver = open_sync()
    saver.put(at(), checkpoint("1", a="one"), {}, {"a": "1"})
    with closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
        saver.conn.backup(backup)
        saver.put(at(), checkpoint("2", a="lost"), {}, {"a": "2"})
        with closing(sqlite3.connect(path)) as live:
            backup.backup(live)
    open_sync().put(at(), checkpoint("2", a="new"), {}, {"a": "2"})
    assert saver.get(at())["channel_values"] == {"a": "new"}
