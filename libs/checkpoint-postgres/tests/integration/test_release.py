"""Both sides read each other's rows; needs an environment that has the released packages."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from langgraph.checkpoint.serde.types import _DeltaSnapshot

RELEASE = os.environ.get("LANGGRAPH_RELEASE_PYTHON")
pytestmark = pytest.mark.skipif(
    not RELEASE, reason="the released packages are not beside ours: run `make release`"
)
VALUES: dict[str, Any] = {
    "none": None,
    "true": True,
    "int": 2**53 + 1,
    "float": 0.5,
    "huge": 1e300,
    "infinite": float("inf"),
    "text": "grüße",
    "long": "x" * 1000,
    "NUL": "a\0b",
    "list": [1, {"a": None}],
    "bytes": b"\x00",
    "snapshot": _DeltaSnapshot([1, 2]),
}
READ = """
    found = saver.get_tuple(config)
    listed = list(saver.list(config))
    assert [item.config for item in listed] == [found.config]
    for name, value in values.items():
        for item in (found, listed[0]):
            assert item.checkpoint["channel_values"][name] == value, name
    assert found.checkpoint["channel_values"].keys() == values.keys()
    assert found.metadata == {"source": "loop", "step": 1, "counters_since_delta_snapshot": {"d": [1, 2]}}
    assert found.pending_writes == [("task", "list", [1]), ("task", "huge", 1e300)]
    seeds = saver.get_delta_channel_history(config=after, channels=["snapshot", "huge"])
    assert seeds["snapshot"] == {"writes": [], "seed": _DeltaSnapshot([1, 2])}, seeds
    assert seeds["huge"] == {"writes": [("task", "huge", 1e300)], "seed": 1e300}, seeds
    saver.setup()
"""
WRITE = """
    stored = saver.put(config, empty_checkpoint() | {
        "v": 4, "id": "1", "channel_values": values, "channel_versions": dict.fromkeys(values, "1")
    }, {"source": "loop", "step": 1}, dict.fromkeys(values, "1"))
    saver.put_writes(stored, [("list", [1]), ("__error__", "e")], "task", "path")
"""


@pytest.fixture
def release(database: str) -> Callable[..., None]:
    """Return a function that runs a script in the release's environment."""

    def run(script: str, values: dict[str, Any]) -> None:
        prelude = f"""
            from langgraph.checkpoint.base import empty_checkpoint
            from langgraph.checkpoint.postgres import PostgresSaver
            from langgraph.checkpoint.serde.types import _DeltaSnapshot
            inf = float("inf")
            values = {values!r}
            config = {{"configurable": {{"thread_id": "t", "checkpoint_ns": ""}}}}
            after = {{"configurable": {{"thread_id": "after", "checkpoint_ns": ""}}}}
            with PostgresSaver.from_conn_string({database!r}) as saver:
        """
        code = textwrap.dedent(prelude) + textwrap.indent(textwrap.dedent(script), "    ")
        done = subprocess.run([str(RELEASE), "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return run


async def test_the_release_reads_our_rows(saver: Any, put: Any, at: Any, checkpoint: Any, release: Any) -> None:
    """Values, metadata, writes and delta histories, also where the release could not have stored the value."""
    metadata = {"source": "loop", "step": 1, "counters_since_delta_snapshot": {"d": (1, 2)}}
    for thread in ("t", "after"):
        stored = await put(saver, "1", VALUES, thread=thread, metadata=metadata)
        await saver.put_writes(stored, [("list", [1]), ("huge", 1e300)], "task", "path")
    made = {**checkpoint("2"), "channel_versions": dict.fromkeys(VALUES, "2")}
    await saver.put(at("after", "1"), made, {}, made["channel_versions"])
    release(READ, VALUES)


async def test_we_read_the_releases_rows(saver: Any, put: Any, at: Any, release: Any) -> None:
    """During a rolling upgrade, rows of processes that still run the release are as good as ours."""
    storable = {name: value for name, value in VALUES.items() if name not in ("huge", "infinite", "NUL")}
    release(WRITE, storable)
    found = await saver.get_tuple(at())
    assert found.checkpoint["channel_values"] == storable
    assert found.metadata == {"source": "loop", "step": 1}
    assert found.pending_writes == [("task", "__error__", "e"), ("task", "list", [1])]
    assert await saver.ids(at(), filter={"step": 1}) == ["1"]
    await put(saver, "2", {"list": [2]}, parent="1")
    history = await saver.get_delta_channel_history(config=at(), channels=["snapshot", "list"])
    assert history["snapshot"] == {"writes": [], "seed": _DeltaSnapshot([1, 2])}
    assert history["list"] == {"writes": [("task", "list", [1])], "seed": [1, {"a": None}]}
    await saver.copy_thread("t", "copy")
    await saver.prune(["copy"])
    assert await saver.ids(at("copy")) == ["2"]
