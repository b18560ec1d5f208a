"""Databases of releases from 0.2.60 on are read in place: nothing is lost, and what was cut short is finished."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden_graph
import psycopg
import pytest

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres import PostgresSaver

SENDS = "__pregel_tasks"
GOLDEN = Path(__file__).parent
VERSIONS = sorted(file.stem for file in (GOLDEN / "postgres").glob("*.sql"))


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Return a version of the engine that has left a database."""
    return str(request.param)


@pytest.fixture
def saver(version: str, empty_database: str) -> Iterator[PostgresSaver]:
    """Return a saver on what that version has left."""
    dump = (GOLDEN / "postgres" / f"{version}.sql").read_text()
    with psycopg.connect(empty_database) as connection:
        connection.execute("\n".join(line for line in dump.splitlines() if not line.startswith("\\")))  # type: ignore[arg-type]  # a file of ours
    with PostgresSaver.from_conn_string(empty_database) as saver:
        saver.setup()
        yield saver


def _expected(name: str) -> Any:
    return json.loads((GOLDEN / "expected" / f"postgres-{name}.json").read_text())


def test_history_is_what_the_engine_saw(version: str, saver: PostgresSaver) -> None:
    """The engine gets the history of every thread, with values, tasks and interrupts."""
    assert golden_graph.describe(saver) == _expected(version)["history"]


def test_rows_are_all_there(version: str, saver: PostgresSaver) -> None:
    """Each checkpoint has its channels, versions and writes.

    In formats before 4 the release forgets the queued sends when it lists all threads, and only then.
    """
    found = golden_graph.raw(saver)
    for row, expected in zip(found, _expected(version)["raw"], strict=True):
        if row["v"] < 4 and SENDS in row["channels"] and SENDS not in expected["channels"]:
            row["channels"].remove(SENDS)
            row["versions"].remove(SENDS)
    assert found == _expected(version)["raw"]


def test_each_listed_row_is_also_got_by_id(saver: PostgresSaver) -> None:
    """A row is the same whether it comes from a page or alone."""
    listed = list(saver.list(None))
    assert len(listed) > 30
    for found in listed:
        got = saver.get_tuple(found.config)
        assert got is not None
        assert golden_graph.plain(got.checkpoint) == golden_graph.plain(found.checkpoint)
        assert golden_graph.plain(got[2:]) == golden_graph.plain(found[2:])


def test_delta_history_is_the_default_walks(saver: PostgresSaver) -> None:
    """Values in blobs and in documents seed a replay as the walk by `get_tuple` finds them."""
    channels = ["messages", "turns", "log", "squares", "missing"]
    compared = 0
    for found in list(saver.list(None)):
        ours = saver.get_delta_channel_history(config=found.config, channels=channels)
        default = BaseCheckpointSaver.get_delta_channel_history(saver, config=found.config, channels=channels)
        assert golden_graph.plain(ours) == golden_graph.plain(default)
        compared += any("seed" in history for history in ours.values())
    assert compared > 15


def test_unfinished_runs_are_finished(version: str, saver: PostgresSaver) -> None:
    """Runs that were interrupted or failed go on where they were, and no finished node runs again."""
    assert golden_graph.finish(saver) == _expected(f"{version}-finished")
