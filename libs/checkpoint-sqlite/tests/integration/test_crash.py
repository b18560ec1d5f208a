"""A process is killed at any moment: what it acknowledged is there, the rest is there as a whole or not at all."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROUNDS = 50
WORKER = Path(__file__).parent / "worker.py"


@pytest.fixture
def worker(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(WORKER), "loop", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        yield process
        process.stdin.close()
        assert process.wait(30) == 0


def killed_round(worker: subprocess.Popen[str], chance: random.Random) -> list[list[str]]:
    """Let a child put, kill it, and return the lines that it printed."""
    worker.stdin.write("go\n")
    lines: list[list[str]] = []
    pid = 0
    acknowledged = -1  # the first line is about what it found
    wanted = chance.choice([0, 1, 2, 5, 20, 60])
    for line in worker.stdout:
        words = line.split()
        if words == ["dead"]:
            return lines
        if words[0] == "pid":
            pid = int(words[1])
        else:
            lines.append(words)
            acknowledged += 1
        if pid and acknowledged >= wanted:
            threading.Timer(chance.random() * 0.004, os.kill, (pid, signal.SIGKILL)).start()
            wanted = sys.maxsize
    raise AssertionError("the worker ended")


def value_of(version: str) -> list[str]:
    return [version] * 300


def test_what_was_acknowledged_survives_a_kill(
    worker: Any, path: Path, open_sync: Any, database: sqlite3.Connection
) -> None:
    """Fifty processes in turn are killed on one file; nothing acknowledged is lost, nothing is half there."""
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    put: set[str] = set()
    written: set[str] = set()
    for turn in range(ROUNDS):
        found, *acknowledged = killed_round(worker, chance)
        newest = max(put, default="-")
        assert found[0] == "found", (turn, found)
        assert found[1] >= newest, (turn, found, newest)
        put |= {name for what, name in acknowledged if what == "put"}
        written |= {name for what, name in acknowledged if what == "writes"}
        assert database.execute("PRAGMA quick_check").fetchall() == [("ok",)], turn
    assert len(put) > ROUNDS
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    seen: dict[str, Any] = {item.checkpoint["id"]: item for item in open_sync().list(None)}
    assert put <= seen.keys()
    for name, item in seen.items():
        number = int(name[4:])
        seldom = f"{name[:4]}{number - number % 5:06}"
        assert item.checkpoint["channel_values"] == {"every": value_of(name), "seldom": value_of(seldom)}
        assert item.metadata == {"step": number}
        assert item.pending_writes in ([], [("task", "a", value_of(name)), ("task", "b", number)])
        assert item.parent_config is None or item.parent_config["configurable"]["checkpoint_id"] in seen
    assert written <= {name for name, item in seen.items() if item.pending_writes}
