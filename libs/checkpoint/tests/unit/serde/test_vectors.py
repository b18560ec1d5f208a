"""The golden vectors: what the release wrote is read as well as it reads it, and our own round trip is exact."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

SERDE = JsonPlusSerializer(allowed_msgpack_modules=True)
WITHOUT_MEANING_ELSEWHERE = {"NotImplemented", "len"}


def test_release_bytes_are_read(vector: dict[str, Any], evaluate: Any) -> None:
    """What the release reads exactly from its own bytes, we read exactly; of the rest, no class is lost."""
    from sameness import same

    if "hex" not in vector:
        pytest.skip("the release can not write it")
    value = evaluate(vector["expr"])  # first, since the release finds `Box[int]` only where it was made before
    found = SERDE.loads_typed((vector["type"], bytes.fromhex(vector["hex"])))
    if vector["peer"] != "exact" and type(found) is not type(value):
        name = vector["peer"].removeprefix("changed: ")
        assert f"{type(found).__module__}.{type(found).__qualname__}" == name
    elif vector["peer"] == "exact":
        assert same(found, value)


def test_round_trip_is_exact(vector: dict[str, Any], evaluate: Any) -> None:
    """A value comes back as it was, exceptions as their `repr`; what is bound to its process is refused."""
    from sameness import same

    value = evaluate(vector["expr"])
    if vector["expr"] in WITHOUT_MEANING_ELSEWHERE:
        with pytest.raises(EncodeError, match="no stored form"):
            SERDE.dumps_typed(value)
        return
    expected = repr(value) if isinstance(value, BaseException) else value
    assert same(SERDE.loads_typed(SERDE.dumps_typed(value)), expected)


def test_round_trip_is_exact_inside(vector: dict[str, Any], evaluate: Any) -> None:
    """The same holds for a value inside a list, a tuple, a dict and a dataclass."""
    from golden_types import Point
    from sameness import same

    value = evaluate(vector["expr"])
    if vector["expr"] in WITHOUT_MEANING_ELSEWHERE or isinstance(value, BaseException):
        return
    nested = [{"a": (value, 1)}, Point(value, {2: value})]
    assert same(SERDE.loads_typed(SERDE.dumps_typed(nested)), nested)


def test_round_trip_as_key(vector: dict[str, Any], evaluate: Any) -> None:
    """A hashable value comes back as key of a dict and as member of a set, if it is stored at all."""
    from sameness import same

    value = evaluate(vector["expr"])
    try:
        nested = [{value: 1, "x": 2}, {value}]
    except TypeError:
        return
    if vector["expr"] in WITHOUT_MEANING_ELSEWHERE or isinstance(value, BaseException):
        return
    assert same(SERDE.loads_typed(SERDE.dumps_typed(nested)), nested)
