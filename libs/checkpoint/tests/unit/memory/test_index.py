"""What the saver knows beside its dicts."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from langgraph.checkpoint.memory._index import IdOrder, Index, KeysByThread

ids = st.text("abc", min_size=1, max_size=3)


@given(st.lists(ids))
def test_ids_stay_in_order_whatever_the_order_of_puts(put: list[str]) -> None:
    """The order is that of a fresh sort at any time."""
    checkpoints: dict[str, int] = {}
    order = IdOrder(checkpoints)
    for one in put:
        if one not in checkpoints:
            order.add(one)
        checkpoints[one] = 1
        assert order.is_of(checkpoints)
        assert list(order.newest_first(None)) == sorted(checkpoints, reverse=True)


@given(st.sets(ids), ids)
def test_before_is_exclusive(held: set[str], before: str) -> None:
    """Only smaller ids come."""
    order = IdOrder(dict.fromkeys(held))
    assert list(order.newest_first(before)) == sorted((one for one in held if one < before), reverse=True)


def test_an_iterator_shows_what_was_there_when_it_was_made() -> None:
    """Whether ids come behind it or in between."""
    order = IdOrder(dict.fromkeys("bd"))
    iterators = [order.newest_first(None)]
    order.add("e")
    iterators.append(order.newest_first(None))
    order.add("c")
    assert [list(found) for found in iterators] == [["d", "b"], ["e", "d", "b"]]
    assert order.ids == ["b", "c", "d", "e"]


def test_keys_are_found_again_after_foreign_changes() -> None:
    """A changed number of keys shows that somebody else was there."""
    held = {("1", "a"): 0, ("2", "b"): 0}
    keys: KeysByThread[tuple[str, str]] = KeysByThread()
    assert keys.of("1", held) == [("1", "a")]
    held["1", "c"] = 0
    keys.add("1", [("1", "c")])
    del held["1", "a"]
    assert keys.of("1", held) == [("1", "c")]
    keys.remove("1", held, [("1", "c")])
    keys.remove_thread("2", held)
    assert held == {}
    assert keys.of("1", held) == []


def test_a_deep_copy_is_an_empty_index() -> None:
    """A lock can not be copied, and the rest is found again."""
    index = Index()
    index.order("1", "", {"a": 1})
    twin = copy.deepcopy(index)
    assert twin.lock is not index.lock
    assert twin.order("1", "", {"b": 1}).ids == ["b"]
