"""`InMemoryStore`: items, isolation, listing, batches.

What the release does was tried out; where ours differs on purpose, the test says so:

| case | release | ours |
| --- | --- | --- |
| value changed after `put`, or after `get` | the store's changes too | isolated |
| namespace emptied by `delete`, or only read | still (or now) listed | not listed |
| raw operation with a bad namespace | stored | `InvalidNamespaceError` |
| negative limit, offset or depth | cuts at the other end | `ValueError` |
| filter `1` on `True`, and back | matches | does not |
| ordering operator on null or text | `TypeError`, `ValueError` | no match; text with text by code point |
| unknown operator in a store without items | not noticed | `ValueError` |
| query that embeds to zero | score NaN and a warning | score 0 |
| overwritten with `index=False` or without the field | found by its old text | not scored |
| one batch with the same text twice | `ValueError` | both embedded |
"""

import doctest
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import pytest

import langgraph.store.memory._store as module
from langgraph.checkpoint.errors import InvalidConfigError, InvalidFilterError
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

N = ("n",)


def addresses(items: Iterable[SearchItem]) -> list[tuple[tuple[str, ...], str]]:
    return [(item.namespace, item.key) for item in items]


def test_the_documented_example_works() -> None:
    """The docstring is run."""
    assert doctest.testmod(module).failed == 0


async def test_an_item_is_read_as_it_was_put_in_both_colours() -> None:
    """Value, address, and times that are aware of their zone."""
    store = InMemoryStore()
    await store.aput(N, "k", {"a": 1})
    item = store.get(N, "k")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (N, "k", {"a": 1})
    assert item.created_at == item.updated_at
    assert item.created_at.tzinfo is not None
    assert await store.aget(N, "k") == item


def test_a_second_put_replaces_the_value_and_keeps_the_time_of_creation() -> None:
    """Nothing of the old value stays."""
    store = InMemoryStore()
    store.put(N, "k", {"a": 1})
    first = store.get(N, "k")
    store.put(N, "k", {"b": 2})
    second = store.get(N, "k")
    assert first is not None
    assert second is not None
    assert second.value == {"b": 2}
    assert second.created_at == first.created_at
    assert second.updated_at >= first.updated_at


@pytest.mark.parametrize("remove", [lambda s: s.delete(N, "k"), lambda s: s.put(N, "k", None)])
def test_a_removed_item_is_gone_with_its_namespace(remove: Any) -> None:
    """`delete`, and `put` of `None`; doing it again is no error, and reading creates nothing."""
    store = InMemoryStore()
    store.put(N, "k", {})
    remove(store)
    remove(store)
    store.get(("other",), "k")
    assert store.get(N, "k") is None
    assert store.search(()) == []
    assert store.list_namespaces() == []


def test_a_stored_value_is_isolated_from_its_giver_and_its_readers() -> None:
    """Changing what was put or what was read changes nothing in the store, at any depth."""
    store = InMemoryStore()
    given: dict[str, Any] = {"list": [{"a": 1}]}
    store.put(N, "k", given)
    given["list"][0]["a"] = 2
    for read in (store.get(N, "k"), *store.search(N)):
        assert read is not None
        assert read.value == {"list": [{"a": 1}]}
        read.value["list"].append("mine")
    again = store.get(N, "k")
    assert again is not None
    assert again.value == {"list": [{"a": 1}]}


def test_an_object_that_has_no_copy_is_kept_itself() -> None:
    """A lock in a value does not make the put fail, as in the release; what is around it is isolated."""
    store, lock = InMemoryStore(), threading.Lock()
    store.put(N, "k", {"lock": lock, "other": []})
    item = store.get(N, "k")
    assert item is not None
    assert item.value["lock"] is lock


def test_a_mapping_is_stored_as_a_dict() -> None:
    """Whatever mapping is put, a dict is read; also by a raw operation."""
    store = InMemoryStore()
    store.batch([PutOp(N, "k", OrderedDict(a=1))])
    item = store.get(N, "k")
    assert item is not None
    assert type(item.value) is dict


def test_items_come_by_first_namespace_then_first_key() -> None:
    """An overwritten item keeps its place; a removed one that comes back is last."""
    store = InMemoryStore()
    for namespace, key in [(("b",), "2"), (("a",), "z"), (("a", "c"), "1"), (("b",), "1"), (("ab",), "1")]:
        store.put(namespace, key, {})
    store.put(("b",), "2", {})
    b2, a, ac, b1, ab = (("b",), "2"), (("a",), "z"), (("a", "c"), "1"), (("b",), "1"), (("ab",), "1")
    assert addresses(store.search(())) == [b2, b1, a, ac, ab]
    store.delete(*b2)
    store.put(*b2, {})
    assert addresses(store.search(())) == [b1, b2, a, ac, ab]
    assert addresses(store.search(("a",))) == [a, ac]
    assert addresses(store.search((), offset=1, limit=2)) == [b2, a]
    assert store.search((), limit=0) == []
    assert [item.score for item in store.search((), query="no index")] == [None] * 5


VALUES: dict[str, Any] = {
    "one": {"x": 1},
    "float": {"x": 1.0, "y": 2.5},
    "true": {"x": True},
    "text": {"x": "1"},
    "word": {"x": "word"},
    "null": {"x": None},
    "none": {},
    "deep": {"x": {"m": 1, "o": {"p": [1, 2]}}},
    "list": {"x": [1, {"q": 2}]},
    "great": {"x": 2**60 + 1},
    "$ref": {"$ref": 1},
}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, list(VALUES)),
        ({"x": 1}, ["one", "float"]),
        ({"x": True}, ["true"]),
        ({"x": "1"}, ["text"]),
        ({"x": None}, ["null", "none", "$ref"]),
        ({"x": 1, "y": 2.5}, ["float"]),
        ({"$ref": 1}, ["$ref"]),
        ({"x.m": 1}, []),
        ({"x": {}}, ["deep"]),
        ({"x": {"m": 1}}, ["deep"]),
        ({"x": {"m": True}}, []),
        ({"x": {"m": {"$gt": 0}}}, ["deep"]),
        ({"x": {"o": {"p": [1, 2]}}}, ["deep"]),
        ({"x": {"o": {"p": [1]}}}, []),
        ({"x": {"zz": None}}, ["deep"]),
        ({"x": (1, {"q": 2})}, ["list"]),
        ({"x": [1, {"q": {"$gt": 1}}]}, ["list"]),
        ({"x": {"$eq": 1}}, ["one", "float"]),
        ({"x": {"$eq": {"m": 1}}}, []),
        ({"x": {"$eq": {"m": 1, "o": {"p": [1, 2]}}}}, ["deep"]),
        ({"x": {"$ne": 1}}, [key for key in VALUES if key not in ("one", "float")]),
        ({"x": {"$ne": None}}, [key for key in VALUES if key not in ("null", "none", "$ref")]),
        ({"x": {"$gt": 0}}, ["one", "float", "true", "text", "great"]),
        ({"x": {"$gte": 1, "$lt": 2}}, ["one", "float", "true", "text"]),
        ({"x": {"$gt": 2**60}}, ["great"]),
        ({"x": {"$lte": "1"}}, ["one", "float", "true", "text"]),
        ({"x": {"$gt": "w"}}, ["word"]),
        ({"x": {"$lt": None}}, []),
    ],
)
def test_a_filter_admits(wanted: dict[str, Any], found: list[str]) -> None:
    """Literals by type, dicts by what they contain, lists by element, operators all at once."""
    store = InMemoryStore()
    for key, value in VALUES.items():
        store.put(N, key, value)
    assert [item.key for item in store.search(N, filter=wanted, limit=100)] == found


@pytest.mark.parametrize("condition", [{"$in": [1]}, {"$eq": 1, "b": 2}])
def test_an_unknown_operator_is_refused_and_nothing_of_the_batch_is_done(condition: Any) -> None:
    """Though there is nothing to compare with yet."""
    store = InMemoryStore()
    with pytest.raises(InvalidFilterError, match="Unsupported operator") as caught:
        store.batch([PutOp(N, "k", {}), SearchOp(N, {"x": condition})])
    assert caught.value.key in ("$in", "b")
    assert store.search(()) == []


NAMESPACES = [("b", "x", "1"), ("a",), ("a", "b", "c"), ("a", "b", "d"), ("b", "y"), ("a", "b")]


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        ({}, sorted(NAMESPACES)),
        ({"max_depth": 1}, [("a",), ("b",)]),
        ({"max_depth": 2}, [("a",), ("a", "b"), ("b", "x"), ("b", "y")]),
        ({"max_depth": 2, "offset": 1, "limit": 2}, [("a", "b"), ("b", "x")]),
        ({"max_depth": 0}, [()]),
        ({"prefix": ("a", "b")}, [("a", "b"), ("a", "b", "c"), ("a", "b", "d")]),
        ({"prefix": ("*", "b")}, [("a", "b"), ("a", "b", "c"), ("a", "b", "d")]),
        ({"prefix": ("a", "*", "*")}, [("a", "b", "c"), ("a", "b", "d")]),
        ({"suffix": ("b",)}, [("a", "b")]),
        ({"suffix": ("x", "*")}, [("b", "x", "1")]),
        ({"prefix": ("b",), "suffix": ("y",)}, [("b", "y")]),
        ({"suffix": ("1",), "max_depth": 2}, [("b", "x")]),
        ({"prefix": (), "suffix": ()}, sorted(NAMESPACES)),
        ({"offset": 100}, []),
        ({"limit": 0}, []),
    ],
)
def test_namespaces_are_listed(asked: dict[str, Any], listed: list[tuple[str, ...]]) -> None:
    """Matched in full, then cut, each once, sorted, one page of them."""
    store = InMemoryStore()
    for namespace in NAMESPACES:
        store.put(namespace, "k", {})
    assert store.list_namespaces(**asked) == listed


def test_reads_of_a_batch_see_the_store_before_it_and_the_last_put_counts() -> None:
    """Wherever in the batch they stand, as in the release."""
    store = InMemoryStore()
    store.put(N, "old", {"v": 0})
    ops: list[Op] = [
        PutOp(N, "k", {"v": 1}),
        GetOp(N, "k"),
        PutOp(N, "k", {"v": 2}),
        PutOp(N, "old", None),
        SearchOp(N),
        ListNamespacesOp(),
    ]
    results = store.batch(op for op in ops)
    assert results[:4] == [None] * 4
    assert addresses(results[4]) == [(N, "old")]  # type: ignore[arg-type]
    assert results[5] == [N]
    assert addresses(store.search(())) == [(N, "k")]
    assert store.batch([]) == []


@pytest.mark.parametrize(
    "op",
    [
        SearchOp(N, limit=-1),
        SearchOp(N, offset=-1),
        ListNamespacesOp(limit=-1),
        ListNamespacesOp(offset=-1),
        ListNamespacesOp(max_depth=-1),
        ListNamespacesOp((MatchCondition("infix", ("a",)),)),  # type: ignore[arg-type]
        "get",
    ],
)
async def test_what_makes_no_sense_is_refused(op: Any) -> None:
    """A number below zero, an unknown match, or something that is no operation; nothing of the batch is done."""
    store = InMemoryStore()
    store.put(N, "k", {})
    with pytest.raises(InvalidConfigError):
        await store.abatch([PutOp(N, "new", {}), op])
    assert store.get(N, "new") is None


def test_a_raw_operation_with_a_bad_namespace_is_refused() -> None:
    """What the methods check, a batch checks as well."""
    with pytest.raises(InvalidNamespaceError):
        InMemoryStore().batch([PutOp(("a.b",), "k", {})])


def test_many_threads_lose_nothing() -> None:
    """Each of several threads finds what it put while the others put, read and list."""
    store, failures = InMemoryStore(), []

    def work(name: str) -> None:
        try:
            for number in range(100):
                store.put((name, str(number % 7)), str(number), {"n": number})
                store.search((), limit=5)
                store.list_namespaces()
                if number % 3 == 0:
                    store.delete((name, str(number % 7)), str(number))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(str(one),)) for one in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.search((), limit=10_000)) == 8 * 66
