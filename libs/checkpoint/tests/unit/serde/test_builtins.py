"""Nested builtins by Hypothesis, and the corners that msgpack would round off."""

from __future__ import annotations

import math
import pickle
from collections import Counter, OrderedDict, defaultdict, deque
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

SERDE = JsonPlusSerializer(allowed_msgpack_modules=None)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary(max_size=300)
    | st.complex_numbers()
    | st.datetimes(timezones=st.none() | st.timezones())
    | st.dates()
    | st.timedeltas()
    | st.uuids()
    | st.decimals(allow_nan=False)
    | st.fractions()
)
keys = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=4
)
values = st.recursive(
    scalars | st.binary(max_size=300).map(bytearray),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.dictionaries(st.text(), inner, max_size=4).map(OrderedDict)
        | st.lists(inner, max_size=4).map(lambda items: deque(items, maxlen=5))
        | st.sets(keys, max_size=4)
    ),
    max_leaves=20,
)


def round_trip(value: Any) -> Any:
    return SERDE.loads_typed(SERDE.dumps_typed(value))


@given(values)
def test_nested_builtins_come_back(value: Any) -> None:
    """Any nest of builtins comes back with its types, in strict mode too."""
    from sameness import same

    assert same(round_trip(value), value)


@given(values)
def test_plain_values_are_written_as_the_release_does(value: Any) -> None:
    """What ormsgpack alone reads back unchanged is written as ormsgpack alone writes it."""
    from sameness import same

    tag, stored = SERDE.dumps_typed(value)
    try:
        alone = ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS)
        plain = same(ormsgpack.unpackb(alone, option=ormsgpack.OPT_NON_STR_KEYS), value)
    except (TypeError, ValueError):
        return
    if plain and tag == "msgpack":
        assert stored == alone


@pytest.mark.parametrize(
    "value",
    [
        10**5000,
        -(10**5000),
        {"a": 2**64, 2**70: 1},
        defaultdict(int, a=1),
        defaultdict(None, {1: 2}),
        Counter({(1, 2): 3}),
        timezone(timedelta(hours=1), "CET"),
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1), "CET")),
        datetime(2024, 1, 1, fold=1),
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(seconds=3723))),
        (),
        ((),),
        {(): 1},
        {frozenset({(1,), frozenset()}): {b"x", "x"}},
        ...,
        [memoryview(b"abc"), bytearray(b""), b""],
        {"\ud800": "\udfff", "x": ["\ud800"]},
        list[int].__origin__,
    ],
    ids=lambda value: repr(value)[:40] if not isinstance(value, int) else "long int",
)
def test_corner_comes_back(value: Any) -> None:
    """Values that msgpack has no form for, or another one, come back all the same."""
    from sameness import same

    assert same(round_trip([value])[0], value)


def test_not_a_number_and_minus_zero_are_exact() -> None:
    """The floats that are not equal to themselves, or to something else, keep their bits."""
    found = round_trip([math.nan, -0.0, math.inf])
    assert math.isnan(found[0])
    assert math.copysign(1, found[1]) == -1
    assert found[2] == math.inf


def test_bytearray_among_much_else_is_found() -> None:
    """A `bytearray` that ormsgpack would write as `bytes` comes back as one, however deep it sits."""
    value = {"rows": [{"at": [i * 1.1, {"raw": b"x" * 200}]} for i in range(100)]}
    value["rows"][70]["at"][1]["raw"] = bytearray(70_000)
    found = round_trip(value)
    assert type(found["rows"][70]["at"][1]["raw"]) is bytearray
    assert found == value


def test_stored_bytes_are_not_the_callers() -> None:
    """Changing a `bytearray` after it was dumped does not change what was stored."""
    raw = bytearray(b"abc")
    tag, stored = SERDE.dumps_typed(raw)
    raw[0] = 0
    assert (tag, stored) == ("bytearray", b"abc")


def test_pickle_is_the_last_resort_and_only_if_asked() -> None:
    """A function is pickled with `pickle_fallback`, and a pickle loads only with it."""
    trusting = JsonPlusSerializer(pickle_fallback=True)
    tag, stored = trusting.dumps_typed({"f": len})
    assert (tag, trusting.loads_typed((tag, stored))) == ("pickle", {"f": len})
    with pytest.raises(NotImplementedError, match="pickle"):
        SERDE.loads_typed(("pickle", pickle.dumps(1)))


def test_many_threads_share_one_serializer(evaluate: Any) -> None:
    """Threads that meet new classes at the same time do not disturb each other."""
    from golden_types import Address, Color, Point
    from sameness import same

    serde = JsonPlusSerializer(allowed_msgpack_modules=True)
    value = [Point(Color.RED, (1, {2})), Address(street="s"), {(1, 2): evaluate("Dog()")}]

    def work(_: int) -> bool:
        from langgraph.checkpoint.serde import _registry

        _registry._table.pop(Point, None)
        _registry.WRITERS.pop(Address, None)
        return all(same(serde.loads_typed(serde.dumps_typed(value)), value) for _ in range(50))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))
