"""What the released package makes of our files; needs an environment that has it."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RELEASE = os.environ.get("LANGGRAPH_RELEASE_PYTHON")
pytestmark = pytest.mark.skipif(
    not RELEASE, reason="the released packages are not beside ours: run `make release`"
)

READ = """
    with SqliteSaver.from_conn_string(path) as saver:
        for read in (saver.get_tuple, lambda config: list(saver.list(config)), lambda _: list(saver.list(None))):
            try:
                print("read", read(config))
            except Exception as error:
                print("refused", type(error).__name__, error)
"""
WRITE = """
    with SqliteSaver.from_conn_string(path) as saver:
        stored = saver.put(config, empty_checkpoint() | {
            "id": "2", "channel_values": {"a": (1, 2)}, "channel_versions": {"a": "2"}
        }, {"step": 7}, {"a": "2"})
        saver.put_writes(stored, [("b", 3)], "task")
"""


@pytest.fixture
def release(path: Path) -> Callable[[str], str]:
    """A function that runs a script in the release's environment and returns what it printed."""
    prelude = f"""
        from langgraph.checkpoint.base import empty_checkpoint
        from langgraph.checkpoint.sqlite import SqliteSaver
        path = {str(path)!r}
        config = {{"configurable": {{"thread_id": "t", "checkpoint_ns": ""}}}}
    """

    def run(script: str) -> str:
        code = textwrap.dedent(prelude) + textwrap.dedent(script)
        return subprocess.run([str(RELEASE), "-c", code], check=True, capture_output=True, text=True).stdout

    return run


async def test_the_release_refuses_our_rows(saver: Any, put: Any, release: Any) -> None:
    """It raises wherever it meets a row of ours, so it never takes a state without its values for the state."""
    await put(saver, "1", {"a": 1})
    lines = release(READ).splitlines()
    assert [line.split()[0] for line in lines] == ["refused"] * 3
    assert all("blobs:" in line for line in lines)


async def test_the_release_refuses_rows_without_values(saver: Any, put: Any, release: Any) -> None:
    """A row whose channels are all empty is marked as well."""
    await put(saver, "1")
    assert [line.split()[0] for line in release(READ).splitlines()] == ["refused"] * 3


async def test_what_the_release_writes_into_our_file_is_read(saver: Any, put: Any, at: Any, release: Any) -> None:
    """During a rolling upgrade, rows of processes that still run the release are as good as ours."""
    await put(saver, "1", {"a": 1})
    release(WRITE)
    found = await saver.get_tuple(at())
    assert found.checkpoint["channel_values"] == {"a": [1, 2]}  # the release's own loss
    assert found.metadata == {"step": 7}
    assert found.pending_writes == [("task", "b", 3)]
    assert await saver.ids(at()) == ["2", "1"]
    await put(saver, "3", {"a": 5, "b": 6}, parent="2")
    assert (await saver.get_tuple(at())).parent_config == at("t", "2")
