"""A side effect that survives a SIGKILL: which node really ran, for what, in which process.

The demo's claims about tasks that did not run again rest on this file, not on the saver that is being shown.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    pid: int
    event: str
    node: str
    item: str


@dataclass(frozen=True, slots=True)
class Journal:
    """A file that processes and threads append to, a line at a time."""

    path: Path

    def note(self, event: str, node: str, item: str = "") -> None:
        """Append one entry, as one `write` so that lines of parallel nodes never mix."""
        line = json.dumps(asdict(Entry(os.getpid(), event, node, item))) + "\n"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)

    def entries(self) -> list[Entry]:
        """Read everything noted so far."""
        if not self.path.exists():
            return []
        return [Entry(**json.loads(line)) for line in self.path.read_text().splitlines()]

    def items(self, event: str, node: str, *, pid: int | None = None) -> list[str]:
        """List the items for which `node` noted `event`, in order; those of one process if `pid` is given."""
        return [
            entry.item
            for entry in self.entries()
            if (entry.event, entry.node) == (event, node) and pid in (None, entry.pid)
        ]
