"""Which checkpoints may go."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph.checkpoint.base import (
    InvalidConfigError,
    InvalidTypeError,
    Node,
    check_ids,
    check_strategy,
    latest_of_each_namespace,
    plan_removal,
    thread_text,
)


def chain(ids: str, **replayed: str) -> list[Node]:
    """Return nodes in a line; `replayed` names delta channels of an id, all others store them."""
    return [
        Node("", one, parent, frozenset(replayed.get(one, "")), frozenset("de") - frozenset(replayed.get(one, "")))
        for parent, one in zip((None, *ids), ids, strict=False)
    ]


def places(ids: str) -> set[tuple[str, str]]:
    """Return places in the root namespace."""
    return {("", one) for one in ids}


def test_the_latest_of_each_namespace() -> None:
    """By id, whatever the order of nodes."""
    nodes = [Node("", "b", None), Node("", "a", None), Node("n", "a", None), Node("n", "c", None)]
    assert latest_of_each_namespace(nodes) == {("", "b"), ("n", "c")}
    assert latest_of_each_namespace([]) == set()


def test_relinking_finds_the_nearest_remaining_ancestor() -> None:
    """Or none."""
    removal = plan_removal(chain("abcde"), places("bc"), relink=True)
    assert removal.removed == [("", "b"), ("", "c")]
    assert removal.relinked == {("", "d"): "a"}
    assert plan_removal(chain("abc"), places("ab"), relink=True).relinked == {("", "c"): None}


def test_without_relinking_the_parent_becomes_none() -> None:
    """As pruning wants it."""
    assert plan_removal(chain("abc"), places("b"), relink=False).relinked == {("", "c"): None}


def test_a_parent_that_is_long_gone_stays_as_it_is() -> None:
    """Only parents that go now are touched."""
    removal = plan_removal([Node("", "b", "a"), Node("", "c", "b")], places("c"), relink=True)
    assert removal.relinked == {}


def test_a_parent_is_in_the_same_namespace() -> None:
    """The same id elsewhere is somebody else."""
    nodes = [Node("", "a", None), Node("n", "a", None), Node("n", "b", "a")]
    assert plan_removal(nodes, {("", "a")}, relink=True).relinked == {}


def test_ancestors_back_to_the_snapshot_stay() -> None:
    """For each channel its own."""
    nodes = chain("abcde", c="d", d="de", e="d")
    removal = plan_removal(nodes, places("abcd"), relink=False)
    assert removal.removed == [("", "a")]
    assert removal.relinked == {("", "b"): None}


def test_what_a_needed_ancestor_needs_stays_too() -> None:
    """It could be read and forked as before."""
    nodes = chain("abcd", b="e", c="e", d="d")
    # d replays channel d from c; c replays channel e from b and a
    assert plan_removal(nodes, places("abc"), relink=False).removed == []


def test_without_a_snapshot_all_ancestors_stay() -> None:
    """Their writes are the value."""
    assert plan_removal(chain("abc", a="d", b="d", c="d"), places("ab"), relink=False).removed == []


def test_removing_everything_needs_nothing() -> None:
    """Nobody replays any more."""
    assert len(plan_removal(chain("abc", b="d", c="d"), places("abc"), relink=True).removed) == 3


def test_rings_end() -> None:
    """In a damaged database parents may form one."""
    nodes = [Node("", "a", "b", frozenset("d")), Node("", "b", "a", frozenset("d")), Node("", "c", "b")]
    removal = plan_removal(nodes, places("ab"), relink=True)
    assert removal.removed == [("", "a"), ("", "b")]
    assert removal.relinked == {("", "c"): None}
    assert plan_removal(nodes, places("b"), relink=True).removed == []


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[Node], set[tuple[str, str]]]:
    """Draw nodes, each with an earlier one as parent, and some of their places."""
    nodes: list[Node] = []
    for number in range(draw(st.integers(1, 12))):
        parent = draw(st.sampled_from([None, *(node.checkpoint_id for node in nodes)]))
        stored = draw(st.frozensets(st.sampled_from("de")))
        nodes.append(Node("", f"{number:02}", parent, frozenset("de") - stored, stored))
    return nodes, draw(st.sets(st.sampled_from([node.place for node in nodes])))


@given(trees(), st.booleans())
def test_what_remains_replays_as_before(drawn: Any, relink: bool) -> None:
    """Each remaining node finds the same ancestors on the way to its seeds."""
    nodes, wanted = drawn
    removal = plan_removal(nodes, wanted, relink=relink)
    assert set(removal.removed) <= wanted
    after = {
        node.checkpoint_id: node._replace(parent_id=removal.relinked.get(node.place, node.parent_id))
        for node in nodes
        if node.place not in removal.removed
    }
    before = {node.checkpoint_id: node for node in nodes}

    def way(held: dict[str, Node], start: str) -> list[str]:
        found: list[str] = []
        open_channels, at = set(held[start].replayed), held[start].parent_id
        while open_channels and at is not None:
            found.append(at)
            open_channels -= held[at].stored
            at = held[at].parent_id
        return found

    for one in after:
        assert way(after, one) == way(before, one)
        assert after[one].parent_id is None or after[one].parent_id in after


def test_strategies() -> None:
    """There are two."""
    assert check_strategy("keep_latest") == "keep_latest"
    with pytest.raises(InvalidConfigError) as caught:
        check_strategy("keep_all")
    assert caught.value.field == "strategy"


def test_ids_are_a_list_of_different_texts() -> None:
    """A single text would be taken letter by letter."""
    ids: Any = ("a", 1, "a")
    assert check_ids("thread_ids", ids, thread_text) == ["a", "1"]
    for wrong in ("ab", b"ab", 5, None):
        with pytest.raises(InvalidTypeError) as caught:
            check_ids("thread_ids", wrong, thread_text)  # type: ignore[arg-type]
        assert caught.value.field == "thread_ids"
    with pytest.raises(InvalidConfigError):
        check_ids("thread_ids", ["a", ""], thread_text)
