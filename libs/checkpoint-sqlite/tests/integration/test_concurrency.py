"""Threads, processes and savers on one file."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

WORKER = Path(__file__).parent / "worker.py"


@pytest.fixture
def processes(path: Path) -> Callable[[str, int], str]:
    """A function that runs a job in real processes at once and returns what went wrong."""

    def run(job: str, number: int) -> str:
        command = [sys.executable, str(WORKER), job, str(path), str(number)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return f"{ended.stdout}{ended.stderr}{ended.returncode or ''}"

    return run


def test_threads_share_a_saver(open_sync: Any, at: Any, checkpoint: Any) -> None:
    """Eight threads put, write, get and list through one saver; each finds all of its own."""
    saver = open_sync()

    def work(thread: str) -> None:
        config = at(thread)
        for step in range(30):
            name = f"{step:03}"
            config = saver.put(config, made := checkpoint(name, a=[thread, step]), {}, made["channel_versions"])
            saver.put_writes(config, [("w", step)], "task")
            found = saver.get_tuple(at(thread))
            assert found.checkpoint["channel_values"] == {"a": [thread, step]}
            assert found.pending_writes == [("task", "w", step)]
            assert len(list(saver.list(at(thread)))) == step + 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [f"thread-{n}" for n in range(8)]))
    assert len(list(saver.list(None))) == 8 * 30


async def test_tasks_share_a_saver(saver: Any, put: Any, at: Any) -> None:
    """Calls that run at once on one saver do not disturb each other."""

    async def work(thread: str) -> None:
        for step in range(20):
            stored = await put(saver, f"{step:03}", {"a": [thread, step]}, thread=thread)
            await saver.put_writes(stored, [("w", step)], "task")
            found = await saver.get_tuple(at(thread))
            assert found.checkpoint["channel_values"] == {"a": [thread, step]}
            assert found.pending_writes == [("task", "w", step)]

    await asyncio.gather(*(work(f"thread-{n}") for n in range(8)))
    assert len(await saver.list(None)) == 8 * 20


def test_processes_share_a_new_file(processes: Any, open_sync: Any, at: Any) -> None:
    """Four processes fill a file that none of them set up; none meets an error, all is there."""
    assert processes("many", 4) == ""
    saver = open_sync()
    for number in range(4):
        listed = list(saver.list(at(f"thread-{number}")))
        assert [item.metadata["step"] for item in listed] == list(range(199, -1, -1))
        assert [item.pending_writes for item in listed] == [
            [("task", "a", step), ("task", "b", [step])] for step in range(199, -1, -1)
        ]


def test_processes_race_for_setup(processes: Any, open_sync: Any) -> None:
    """Eight processes open a new file at once: the tables are made once, and each can work."""
    assert processes("setup", 8) == ""
    saver = open_sync()
    assert len(list(saver.list(None))) == 8
    versions = saver.conn.execute("SELECT v FROM checkpoint_migrations ORDER BY v").fetchall()
    assert [v for (v,) in versions] == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("writer_is_the_same", [True, False])
def test_a_writer_finishes_while_list_is_open(
    open_sync: Any, at: Any, checkpoint: Any, writer_is_the_same: bool
) -> None:
    """An open iteration holds no lock; it is complete and shows nothing twice."""
    saver = open_sync()
    other = saver if writer_is_the_same else open_sync()
    for n in range(50):
        saver.put(at(), made := checkpoint(f"{n:03}", a=n), {}, made["channel_versions"])
    seen = []
    for item in saver.list(at()):
        seen.append(item.checkpoint["id"])
        name = f"9{len(seen):02}"
        other.put(at(), made := checkpoint(name, a=name), {}, made["channel_versions"])
        assert other.get_tuple(at()).checkpoint["id"] == name
    assert seen == [f"{n:03}" for n in range(49, -1, -1)]


async def test_a_writer_finishes_while_alist_is_open(open_sync: Any, open_async: Any, put: Any, at: Any) -> None:
    """The same holds for `alist`, whoever writes."""
    from_sync, saver = open_sync(), await open_async()
    for n in range(50):
        await saver.aput(at(), {**_bare(f"{n:03}")}, {}, {})
    seen = []
    async for item in saver.alist(at()):
        seen.append(item.checkpoint["id"])
        from_sync.put(at(), _bare(f"8{len(seen):02}"), {}, {})
        await saver.aput(at(), _bare(f"9{len(seen):02}"), {}, {})
    assert seen == [f"{n:03}" for n in range(49, -1, -1)]
    assert len([item async for item in saver.alist(at())]) == 150


def test_deleting_while_list_is_open(open_sync: Any, at: Any) -> None:
    """A thread that is deleted meanwhile ends the iteration, without an error."""
    saver, other = open_sync(), open_sync()
    for n in range(50):
        saver.put(at(), _bare(f"{n:03}"), {}, {})
    listing = saver.list(at())
    first = next(listing)
    other.delete_thread("t")
    rest = list(listing)
    assert first.checkpoint["id"] == "049"
    assert len(rest) < 49


async def test_two_savers_write_alternately(open_saver: Any, put: Any, at: Any) -> None:
    """Each sees at once what the other has committed, values and writes."""
    savers = [await open_saver(), await open_saver()]
    parent = None
    for n in range(20):
        mine, others = savers[n % 2], savers[(n + 1) % 2]
        stored = await put(mine, f"{n:03}", {"a": n, "same": "s"}, parent=parent)
        await mine.put_writes(stored, [("w", n)], "task")
        found = await others.get_tuple(at())
        assert found.checkpoint["channel_values"] == {"a": n, "same": "s"}
        assert found.pending_writes == [("task", "w", n)]
        parent = f"{n:03}"
    assert await savers[0].ids(at()) == await savers[1].ids(at())


async def test_what_another_saver_deleted_is_stored_again(
    open_saver: Any, put: Any, at: Any, checkpoint: Any
) -> None:
    """Values that a saver remembers as stored are not taken for stored after another saver deleted them."""
    mine, others = await open_saver(), await open_saver()
    stored = await put(mine, "1", {"a": [1], "b": [2]})
    await mine.get_tuple(stored)
    await others.delete_thread("t")
    following = checkpoint("2", a=[1], b=[3]) | {"channel_versions": {"a": "1", "b": "2"}}
    await mine.put(stored, following, {}, {"b": "2"})
    for saver in (mine, others):
        assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"a": [1], "b": [3]}


async def test_a_deleted_and_refilled_file_is_read_anew(open_saver: Any, put: Any, at: Any) -> None:
    """What a saver remembers never stands in for what another saver put at the same place since."""
    mine, others = await open_saver(), await open_saver()
    await put(mine, "1", {"a": "old"})
    await mine.get_tuple(at())
    await others.delete_thread("t")
    assert await mine.get_tuple(at()) is None
    await put(others, "1", {"a": "new"})
    assert (await mine.get_tuple(at())).checkpoint["channel_values"] == {"a": "new"}


def _bare(name: str) -> dict[str, Any]:
    return {
        "v": 4,
        "id": name,
        "ts": "",
        "channel_values": {},
        "channel_versions": {},
        "versions_seen": {},
        "updated_channels": None,
    }
