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
        assert order.ids == sorted(checkpoints)


def test_a_list_keeps_what_was_in_it() -> None:
    """It grows at its end; an id in between makes a new one."""
    order = IdOrder(dict.fromkeys("bd"))
    held = order.ids
    order.add("e")
    assert held == ["b", "d", "e"]
    order.add("c")
    assert held == ["b", "d", "e"]
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
