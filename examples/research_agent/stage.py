"""What the demo watches from outside: worker processes, the journal and the database.

The database is read through a saver of this process, so what is seen is what other processes can see.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent import Agent, build
from journal import Journal
from langchain_core.runnables import RunnableConfig
from story import ClaimError, Story
from worker import open_saver

from langgraph.types import StateSnapshot

PATIENCE = 60.0
THREAD: RunnableConfig = {"configurable": {"thread_id": "research"}}


@dataclass(slots=True)
class Stage:
    """The folder that the acts share, and the facts they establish."""

    folder: Path
    story: Story
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "research.db"

    @property
    def journal(self) -> Journal:
        """The side effects of the nodes."""
        return Journal(self.folder / "journal.jsonl")

    @contextlib.contextmanager
    def graph(self) -> Iterator[Agent]:
        """Open the agent in this process, through a saver of its own, to look at the thread."""
        with open_saver(self.database) as saver:
            yield build(saver)

    def state(self) -> StateSnapshot:
        """Read where the thread is."""
        with self.graph() as graph:
            return graph.get_state(THREAD)

    def stored(self) -> set[str]:
        """Read which files' summaries are stored as pending writes of the unfinished super-step."""
        with open_saver(self.database) as saver:
            saved = saver.get_tuple(THREAD)
        writes = (saved.pending_writes if saved else None) or []
        return {summary.module for _, channel, value in writes if channel == "summaries" for summary in value}

    def size(self) -> str:
        """Tell the size of the database with its log."""
        files = (self.database, self.database.with_name("research.db-wal"))
        return f"{sum(f.stat().st_size for f in files if f.exists()) / 1024:,.0f} KiB"

    @contextlib.contextmanager
    def worker(self, command: str, *options: str) -> Iterator[subprocess.Popen[str]]:
        """Start `worker.py` and end it with the block."""
        arguments = ["--db", str(self.database), "--folder", str(self.folder), *options]
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py")), command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def finish(self, process: subprocess.Popen[str]) -> None:
        """Wait for a worker that should end well."""
        output, _ = process.communicate(timeout=PATIENCE)
        if process.returncode:
            raise ClaimError(f"process {process.pid} ended with {process.returncode}:\n{output}")
        self.story.say(f"process {process.pid}: {output.strip()}")

    def wait(self, process: subprocess.Popen[str], reached: Callable[[], bool], what: str) -> None:
        """Wait until `reached()`, for as long as the worker lives."""
        deadline = time.monotonic() + PATIENCE
        while not reached():
            if process.poll() is not None:
                raise ClaimError(f"the worker ended before {what}:\n{process.communicate()[0]}")
            if time.monotonic() > deadline:
                raise ClaimError(f"{what}: not within {PATIENCE:.0f} seconds")
            time.sleep(0.05)
