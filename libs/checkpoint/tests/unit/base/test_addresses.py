"""Configs become keys once, at the door."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from langgraph.checkpoint.base import (
    CheckpointKey,
    InvalidConfigError,
    InvalidFilterError,
    InvalidTypeError,
    ListQuery,
    get_checkpoint_id,
    matches,
    thread_text,
)

ID = uuid.UUID(int=5)


def config(**configurable: Any) -> Any:
    """Return a config."""
    return {"configurable": configurable}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        (config(thread_id="a"), ("a", "", None)),
        (config(thread_id=1), ("1", "", None)),
        (config(thread_id=1.5), ("1.5", "", None)),
        (config(thread_id=ID), (str(ID), "", None)),
        (config(thread_id="a", checkpoint_ns=None, checkpoint_id=None), ("a", "", None)),
        (config(thread_id="a", checkpoint_ns="", checkpoint_id=""), ("a", "", None)),
        (config(thread_id="a", checkpoint_ns="n|m:1", checkpoint_id="i"), ("a", "n|m:1", "i")),
        (config(thread_id="ä", checkpoint_id=ID), ("ä", "", str(ID))),
        (MappingProxyType(config(thread_id="a")), ("a", "", None)),
    ],
)
def test_a_config_becomes_a_key(given: Any, key: tuple[Any, ...]) -> None:
    """Thread ids as text, the root as default namespace, no id for the latest."""
    found = CheckpointKey.from_config(given)
    assert found == key
    assert all(type(part) in (str, type(None)) for part in found)


@pytest.mark.parametrize(
    ("given", "field", "kind"),
    [
        ({}, "thread_id", InvalidConfigError),
        (None, "thread_id", InvalidConfigError),
        ({"configurable": None}, "thread_id", InvalidConfigError),
        (config(), "thread_id", InvalidConfigError),
        (config(thread_id=None), "thread_id", InvalidConfigError),
        (config(thread_id=""), "thread_id", InvalidConfigError),
        (config(thread_id=True), "thread_id", InvalidTypeError),
        (config(thread_id=b"a"), "thread_id", InvalidTypeError),
        (config(thread_id=["a"]), "thread_id", InvalidTypeError),
        (config(thread_id="\ud800"), "thread_id", InvalidConfigError),
        (config(thread_id="a", checkpoint_ns=1), "checkpoint_ns", InvalidTypeError),
        (config(thread_id="a", checkpoint_id=("i",)), "checkpoint_id", InvalidTypeError),
        (config(thread_id="a", checkpoint_id="\udfff"), "checkpoint_id", InvalidConfigError),
    ],
)
def test_an_unusable_config_is_an_error(given: Any, field: str, kind: type[InvalidConfigError]) -> None:
    """It names the field, and is the `KeyError` and `ValueError` that callers catch."""
    with pytest.raises(kind) as caught:
        CheckpointKey.from_config(given)
    assert caught.value.field == field
    assert isinstance(caught.value, (ValueError, KeyError))
    assert field in str(caught.value)
    assert type(caught.value) is kind


def test_a_key_names_itself() -> None:
    """As config, in full, and as address, without what is not known."""
    key = CheckpointKey("a", "n", "i")
    assert key.config() == config(thread_id="a", checkpoint_ns="n", checkpoint_id="i")
    assert CheckpointKey.from_config(key.config()) == key
    assert key.address() == {"thread_id": "a", "checkpoint_ns": "n", "checkpoint_id": "i"}
    assert CheckpointKey("a").address() == {"thread_id": "a", "checkpoint_ns": ""}


def test_thread_text_names_the_argument() -> None:
    """Other methods have other names for it."""
    with pytest.raises(InvalidConfigError) as caught:
        thread_text(None, "target_thread_id")
    assert caught.value.field == "target_thread_id"


def test_get_checkpoint_id() -> None:
    """An old helper, that checks nothing."""
    assert get_checkpoint_id(config(checkpoint_id="i")) == "i"
    assert get_checkpoint_id(config()) is None


class TestListQuery:
    """The arguments of `list`."""

    @pytest.mark.parametrize(
        ("arguments", "query"),
        [
            ((None,), ListQuery()),
            (({},), ListQuery()),
            ((config(thread_id=1),), ListQuery("1")),
            ((config(thread_id="a", checkpoint_ns=None),), ListQuery("a")),
            ((config(thread_id="a", checkpoint_ns=""),), ListQuery("a", "")),
            ((config(thread_id="a", checkpoint_ns="n", checkpoint_id="i"),), ListQuery("a", "n", "i")),
            (
                (None, {"step": 1}, config(checkpoint_id="i"), 3),
                ListQuery(before="i", filter={"step": 1}, limit=3),
            ),
            ((None, None, config(thread_id="a", checkpoint_ns="n")), ListQuery()),
            ((None, {}, None, 0), ListQuery(limit=0)),
        ],
    )
    def test_parse(self, arguments: tuple[Any, ...], query: ListQuery) -> None:
        """What is missing does not restrict; a root namespace does."""
        assert ListQuery.parse(*arguments) == query

    @pytest.mark.parametrize("limit", [-1, True, 1.0, "1"])
    def test_limits_that_are_none(self, limit: Any) -> None:
        """Only integers from 0 are."""
        with pytest.raises(InvalidConfigError) as caught:
            ListQuery.parse(None, limit=limit)
        assert caught.value.field == "limit"

    @pytest.mark.parametrize("filter", [["step"], "step", {1: 2}])
    def test_filters_that_are_none(self, filter: Any) -> None:
        """Only dicts from text are."""
        with pytest.raises(InvalidFilterError):
            ListQuery.parse(None, filter)

    def test_a_config_without_thread_is_an_error(self) -> None:
        """It may not list all threads by accident."""
        with pytest.raises(InvalidConfigError):
            ListQuery.parse(config(checkpoint_ns=""))

    def test_the_filter_is_the_callers_own(self) -> None:
        """Changing it while the list is read changes nothing."""
        wanted = {"step": 1}
        query = ListQuery.parse(None, wanted)
        wanted["step"] = 2
        assert query.filter == {"step": 1}


NAN = float("nan")


@pytest.mark.parametrize(
    ("stored", "wanted", "same"),
    [
        (2, 2, True),
        (2, 2.0, True),
        (2, "2", False),
        ("2", 2, False),
        (1, True, False),
        (True, 1, False),
        (0, False, False),
        (True, True, True),
        (None, None, True),
        (None, False, False),
        (0, None, False),
        ("", None, False),
        (NAN, NAN, True),
        (NAN, 1.0, False),
        (10**30, 10**30, True),
        (2**53, float(2**53), True),
        ("a", "A", False),
        ([1, 2], [1, 2], True),
        ((1, 2), [1, 2], True),
        ([1], [True], False),
        ([1, 2], [1], False),
        ([1], 1, False),
        ("ab", ["a", "b"], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": {"b": [1]}}, {"a": {"b": [1]}}, True),
        ({}, {}, True),
        (1, {}, False),
    ],
)
def test_matches_compares_values_of_one_kind(stored: Any, wanted: Any, same: bool) -> None:
    """Numbers with numbers, the rest each with its own."""
    assert matches({"key": stored, "more": 1}, {"key": wanted}) is same


def test_matches_needs_every_key() -> None:
    """A missing one is not the same as `None`; no filter matches all."""
    metadata: Mapping[str, Any] = {"a": 1, "b": None}
    assert matches(metadata, {})
    assert matches(metadata, {"a": 1, "b": None})
    assert not matches(metadata, {"a": 1, "c": None})
