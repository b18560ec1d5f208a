"""Forks whose sides count versions alike, versions of all kinds, and set-up that is undone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver


def made(id: str, values: dict[str, Any], versions: dict[str, Any]) -> Any:
    return {**empty_checkpoint(), "id": id, "channel_values": values, "channel_versions": versions}


@pytest.mark.parametrize("anew", [False, True], ids=["same saver", "another saver"])
async def test_each_side_of_a_fork_keeps_its_values(open_saver: Any, at: Any, anew: bool) -> None:
    """Also where both counted the channel to the same integer, and whatever a saver remembers."""
    saver = await open_saver()
    root = await saver.put(at(), made("1", {"x": "root"}, {"x": 1}), {}, {"x": 1})
    sides = {}
    for side in ("2a", "2b"):
        sides[side] = await saver.put(root, made(side, {"x": side}, {"x": 2}), {}, {"x": 2})
    if anew:
        saver = await open_saver()
    for side, config in sides.items():
        given = made(f"3{side}", {"x": side, "y": 1}, {"x": 2, "y": 1})
        left_out = made(f"4{side}", {"y": 2}, {"x": 2, "y": 2})
        for child, y in ((given, 1), (left_out, 2)):
            stored = await saver.put(config, child, {}, {"y": y})
            assert (await saver.get_tuple(stored)).checkpoint["channel_values"] == {"x": side, "y": y}


@pytest.mark.parametrize("version", [1, 1.0, 1.5, 2**70, "1", "nul \0 inside", "\x1f1", "\x1f", "snow ☃"])
async def test_a_value_is_found_by_a_version_of_any_kind(saver: Any, at: Any, version: Any) -> None:
    """Left out by a later checkpoint, also one without the first as its parent."""
    await saver.put(at(), made("1", {"x": "kept"}, {"x": version}), {}, {"x": version})
    await saver.put(at(), made("2", {}, {"x": version}), {}, {})
    found = (await saver.get_tuple(at())).checkpoint
    assert found["channel_values"] == {"x": "kept"}
    assert [type(found["channel_versions"]["x"]), found["channel_versions"]["x"]] == [type(version), version]


def test_setup_in_a_transaction_that_is_undone_is_done_again(path: Path, at: Any) -> None:
    """The tables went with the rollback."""
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        saver = SqliteSaver(connection)
        connection.execute("BEGIN")
        saver.put(at(), made("1", {}, {}), {}, {})
        connection.rollback()
        assert saver.get_tuple(at()) is None
        saver.put(at(), made("1", {"x": 1}, {"x": 1}), {}, {"x": 1})
        assert saver.get(at())["channel_values"] == {"x": 1}


def test_reading_what_is_not_there_is_not_remembered(open_sync: Any, at: Any) -> None:
    """A server that is asked for many unknown threads does not grow."""
    saver = open_sync()
    for number in range(100):
        assert saver.get_tuple(at(f"unknown-{number}")) is None
    assert not saver._operations._memory._known
