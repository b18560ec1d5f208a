"""Filters on metadata: any key, any value, compared by kind."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

KEYS = [
    "step",
    "",
    "it's",
    'say "hi"',
    "a.b",
    "$",
    "$.a",
    "[0]",
    "nul\0inside",
    "\N{GRINNING FACE}",
    "lone\ud800",
    "new\nline",
    "back\\slash",
    "' OR '1'='1",
    "x') OR 1=1 --",
    "%",
]


@pytest.mark.parametrize("key", KEYS)
async def test_any_key_can_be_filtered_by(saver: Any, put: Any, at: Any, key: str) -> None:
    """A key is a name, never part of a path or of SQL; a missing one matches nothing."""
    await put(saver, "1", metadata={key: "yes"})
    await put(saver, "2", metadata={key: "no", "other": "yes"})
    await put(saver, "3", metadata={"other": {key: "yes"}})
    await put(saver, "4", metadata={})
    assert (await saver.get_tuple(at("t", "1"))).metadata == {key: "yes"}
    assert await saver.ids(at(), filter={key: "yes"}) == ["1"]
    assert await saver.ids(None, filter={key: "no", "other": "yes"}) == ["2"]
    assert await saver.ids(at(), filter={"other": {key: "yes"}}) == ["3"]
    assert await saver.ids(at(), filter={key: None}) == []
    assert await saver.ids(at(), filter={f"{key}x": "yes"}) == []


KINDS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    2,
    "",
    "1",
    "2",
    "true",
    "null",
    1.5,
    -1,
    2**53 + 1,
    2**64,
    [],
    [1],
    ["1"],
    [True],
    {},
    {"a": 1},
    {"a": "1"},
    {"a": 1, "b": 2},
    {"a": None},
    b"1",
    "nul\0",
    "nul\0x",
    "' OR 1=1 --",
    math.inf,
]


async def test_only_equal_values_of_one_kind_match(saver: Any, put: Any, at: Any) -> None:
    """`2` is not `"2"`, `True` is not `1`, `None` is not a missing key, and containers are compared whole."""
    for number, kind in enumerate(KINDS):
        await put(saver, f"{number:02}", metadata={"k": kind})
    await put(saver, "missing", metadata={"other": 1})
    for number, kind in enumerate(KINDS):
        assert await saver.ids(at(), filter={"k": kind}) == [f"{number:02}"], kind


@pytest.mark.parametrize(
    ("stored", "wanted"),
    [
        (1, 1.0),
        (1.0, 1),
        (math.nan, math.nan),
        ((1, 2), (1, 2)),
        ([1], [1.0]),
        ({"a": 1}, {"a": 1.0}),
        (2**70, 2**70),
    ],
)
async def test_what_is_equal_matches(saver: Any, put: Any, at: Any, stored: Any, wanted: Any) -> None:
    """Numbers equal numbers, and NaN is found again."""
    await put(saver, "1", metadata={"k": stored})
    await put(saver, "2", metadata={"k": "else"})
    assert await saver.ids(at(), filter={"k": wanted}) == ["1"]


@pytest.mark.parametrize(("stored", "wanted"), [(2**53, 2**53 + 1), (2**64, 2**64 + 1), (0.1, 0.1 + 1e-16)])
async def test_what_is_nearly_equal_does_not_match(
    saver: Any, put: Any, at: Any, stored: Any, wanted: Any
) -> None:
    """Numbers are not compared as doubles."""
    await put(saver, "1", metadata={"k": stored})
    assert await saver.ids(at(), filter={"k": wanted}) == []
    assert await saver.ids(at(), filter={"k": stored}) == ["1"]


async def test_the_limit_counts_after_the_filter(saver: Any, put: Any, at: Any) -> None:
    """Pages go on until enough have matched, also where the last decision falls in Python."""
    for number in range(60):
        await put(saver, f"{number:02}", metadata={"k": [number % 7], "n": number % 2})
    assert await saver.ids(at(), filter={"k": [3]}, limit=4) == ["59", "52", "45", "38"]
    assert await saver.ids(at(), filter={"k": [3], "n": 1}, limit=3) == ["59", "45", "31"]
    assert len(await saver.ids(at(), filter={"k": [3]})) == 9
    assert await saver.ids(at(), filter={"k": [3]}, before=at("t", "45"), limit=2) == ["38", "31"]
    assert await saver.ids(None, filter={"k": [7]}, limit=5) == []


async def test_all_keys_of_a_filter_count(saver: Any, put: Any, at: Any) -> None:
    """A filter is a conjunction; an empty one restricts nothing."""
    for a, b in itertools.product(range(2), range(2)):
        await put(saver, f"{a}{b}", metadata={"a": a, "b": b})
    assert await saver.ids(at(), filter={"a": 1, "b": 0}) == ["10"]
    assert await saver.ids(at(), filter={}) == ["11", "10", "01", "00"]
    assert await saver.ids(at(), filter=None) == ["11", "10", "01", "00"]


async def test_injection_changes_nothing(saver: Any, put: Any, at: Any, count_rows: Any) -> None:
    """Keys and values that look like SQL are data, and the tables are still there."""
    attack = "'); DROP TABLE checkpoints; --"
    await put(saver, "1", {attack: attack}, metadata={attack: attack})
    before = count_rows()
    assert await saver.ids(at(), filter={attack: attack}) == ["1"]
    assert await saver.ids(at(), filter={attack: "' OR '1'='1"}) == []
    assert await saver.ids(at("' OR '1'='1")) == []
    await saver.delete_thread("t' OR '1'='1")
    await saver.delete_for_runs([attack])
    assert count_rows() == before
