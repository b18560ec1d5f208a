"""Items, operations and namespaces as values."""

import copy
import pickle
from datetime import datetime, timezone
from typing import Any, get_type_hints

import pytest

import langgraph.store.base as base
from langgraph.checkpoint.errors import CheckpointError
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

NOON = datetime(2026, 12, 1, 12, tzinfo=timezone.utc)


def item(**changes: Any) -> Item:
    fields: dict[str, Any] = {
        "value": {"a": 1},
        "key": "k",
        "namespace": ("n",),
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Item(**{**fields, **changes})


@pytest.mark.parametrize("name", ["Item", "SearchItem", "GetOp", "PutOp", "SearchOp", "BaseStore"])
def test_a_class_is_known_by_the_public_module(name: str) -> None:
    """Serialized values and allowlists name `langgraph.store.base`, wherever the class is defined."""
    assert getattr(base, name).__module__ == "langgraph.store.base"


@pytest.mark.parametrize("kind", [GetOp, PutOp, SearchOp, ListNamespacesOp, MatchCondition])
def test_annotations_resolve_by_the_public_module(kind: type) -> None:
    """A tool that reads type hints finds them."""
    assert set(get_type_hints(kind)) == set(kind._fields)  # type: ignore[attr-defined]


def test_times_given_as_text_are_parsed() -> None:
    """ISO text, also with a Z, becomes a datetime; a namespace given as a list becomes a tuple."""
    parsed = item(created_at="2026-12-01T12:00:00Z", updated_at="2026-12-01T12:00:00+00:00", namespace=["n"])
    assert parsed == item()


@pytest.mark.parametrize(
    "change",
    [
        {"value": {"a": 2}},
        {"key": "l"},
        {"namespace": ("m",)},
        {"created_at": datetime(2000, 1, 1, tzinfo=timezone.utc)},
        {"updated_at": datetime(2000, 1, 1, tzinfo=timezone.utc)},
    ],
)
def test_items_are_equal_only_if_all_fields_are(change: dict[str, Any]) -> None:
    """Any field makes a difference; the hash is of the address."""
    assert item() == item()
    assert hash(item()) == hash(item(value={}))
    assert item() != item(**change)
    assert item() != "item"


def test_a_score_takes_no_part_in_equality() -> None:
    """An item found by a search equals the item read by its key."""
    assert SearchItem(("n",), "k", {"a": 1}, NOON, NOON, 0.5) == item()


def test_an_item_as_a_dict_is_json() -> None:
    """The namespace is a list and times are text; a found item carries its score."""
    expected = {
        "namespace": ["n"],
        "key": "k",
        "value": {"a": 1},
        "created_at": "2026-12-01T12:00:00+00:00",
        "updated_at": "2026-12-01T12:00:00+00:00",
    }
    found = SearchItem(("n",), "k", {"a": 1}, NOON, NOON, 0.5)
    assert item().dict() == expected
    assert found.dict() == {**expected, "score": 0.5}
    assert "score=0.5" in repr(found)


@pytest.mark.parametrize("value", [item(), GetOp(("a",), "k"), base.NOT_PROVIDED, InvalidNamespaceError("no")])
def test_values_survive_pickling_and_copying(value: object) -> None:
    """They can be sent to another process."""
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert type(twin) is type(value)
        assert str(twin) == str(value)


def test_not_provided_is_false_and_says_so() -> None:
    """The sentinel can be tested as a condition."""
    assert not base.NOT_PROVIDED
    assert repr(base.NOT_PROVIDED) == "NOT_GIVEN"


BAD_LABELS = [("",), ("a.b",), ("a\0",), (1,), ("good", "")]


@pytest.mark.parametrize("namespace", BAD_LABELS)
@pytest.mark.parametrize(
    "make",
    [
        lambda namespace: PutOp(namespace, "k", {}),
        lambda namespace: GetOp(namespace, "k"),
        lambda namespace: SearchOp(namespace),
        lambda namespace: ListNamespacesOp((MatchCondition("suffix", namespace),)),
    ],
)
def test_an_operation_with_a_bad_label_is_refused(make: Any, namespace: Any) -> None:
    """The error names the label and is a `ValueError`."""
    with pytest.raises(InvalidNamespaceError, match=r"label") as caught:
        validate_op_namespace(make(namespace))
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, CheckpointError)


@pytest.mark.parametrize("namespace", [(), ("langgraph",), ("*",), (" ",), ("é",)])
def test_an_operation_may_have_a_reserved_or_empty_namespace(namespace: tuple[str, ...]) -> None:
    """Only `put` refuses them, so that their owners can use raw operations."""
    assert validate_op_namespace(PutOp(namespace, "k", {})) is None  # type: ignore[func-returns-value]
