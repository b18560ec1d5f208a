"""`loads_many`: many values in one go, each from its own bytes alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph.checkpoint.errors import DecodeError
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

SERDE = JsonPlusSerializer()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=20))
def test_many_values_are_those_that_come_one_by_one(values):
    """Also bytes and None, which have tags of their own, and false ones, which the marks look like."""
    stored = [SERDE.dumps_typed(value) for value in values]
    assert SERDE.loads_many(stored) == [SERDE.loads_typed(typed) for typed in stored]


@pytest.mark.parametrize(
    "damaged", [b"", b"\x92\x01", b"\x92\x01\x02\x03", b"\x01\x91", b"\x01\xc2", b"\x01\xc2\x05", b"\xc1"]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_damaged_value_does_not_shift_into_its_neighbours(damaged, place):
    """Bytes that are too many or too few are an error, though msgpack itself would take them."""
    stored = [("msgpack", b"\x01"), ("msgpack", b"\xa1a"), ("msgpack", b"\xc2")]
    stored[place] = ("msgpack", damaged)
    with pytest.raises(DecodeError, match="damaged"):
        SERDE.loads_many(stored)


def test_a_subclass_that_reads_in_its_own_way_is_asked_for_each_value():
    """Overriding `loads_typed` is enough."""

    class Shouting(JsonPlusSerializer):
        def loads_typed(self, data):
            return str(super().loads_typed(data)).upper()

    assert Shouting().loads_many([("msgpack", b"\xa1a"), ("null", b"")]) == ["A", "NONE"]
