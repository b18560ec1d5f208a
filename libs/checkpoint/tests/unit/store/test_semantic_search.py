"""`InMemoryStore` with an index."""

from collections.abc import Sequence
from typing import Any

import pytest

import langgraph.store.memory._vectors as vectors
from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.store.base import Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

N = ("n",)


class Counting:
    """Embeds a text as how often it has each of three letters, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        return [[float(text.count(letter)) for letter in "abc"] for text in texts]


@pytest.fixture(params=["numpy", "plain"], autouse=True)
def arithmetic(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with numpy and without."""
    if request.param == "plain":
        monkeypatch.setattr(vectors, "np", None)


@pytest.fixture
def embed() -> Counting:
    return Counting()


@pytest.fixture
def store(embed: Counting) -> InMemoryStore:
    """A store with one item for each way to be indexed."""
    store = InMemoryStore(index={"dims": 3, "embed": embed, "fields": ["t", "l[*].x"]})
    store.put(N, "a", {"t": "a"})
    store.put(N, "b", {"t": "b"})
    store.put(N, "several", {"t": "ab", "l": [{"x": "c"}, {"x": "aa"}]})
    store.put(N, "no field", {"z": "a"})
    store.put(N, "not indexed", {"t": "a"}, index=False)
    store.put(N, "own field", {"z": "aab", "t": "c"}, index=["z"])
    store.put(N, "zero", {"t": "zzz"})
    embed.asked.clear()
    return store


def scores(store: InMemoryStore, **asked: Any) -> list[tuple[str, Any]]:
    found = store.search((), **asked)
    return [(item.key, None if item.score is None else pytest.approx(item.score)) for item in found]


def test_the_most_alike_come_first(store: InMemoryStore) -> None:
    """The best text of an item counts; equal ones keep their order; those without a vector are last."""
    assert scores(store, query="a") == [
        ("a", 1.0),
        ("several", 1.0),
        ("own field", 2 / 5**0.5),
        ("b", 0.0),
        ("zero", 0.0),
        ("no field", None),
        ("not indexed", None),
    ]


def test_a_page_and_a_filter_apply_to_the_ranking(store: InMemoryStore) -> None:
    """First the filter, then the order, then the page."""
    assert scores(store, query="a", offset=1, limit=2) == [("several", 1.0), ("own field", 2 / 5**0.5)]
    assert scores(store, query="a", filter={"t": "b"}) == [("b", 0.0)]


@pytest.mark.parametrize("query", ["", None])
def test_without_a_query_nothing_is_embedded_or_scored(
    store: InMemoryStore, embed: Counting, query: str | None
) -> None:
    """An empty query is none."""
    assert scores(store, query=query, limit=2) == [("a", None), ("b", None)]
    assert embed.asked == []


def test_a_query_that_is_like_nothing_scores_zero(store: InMemoryStore) -> None:
    """The release divides by zero: NaN, and a warning."""
    assert {item.score for item in store.search((), query="zzz")} == {0.0, None}


@pytest.mark.parametrize(
    ("value", "index"), [({"t": "a"}, False), ({"q": "a"}, None), ({"t": "a"}, []), (None, None)]
)
def test_an_overwritten_item_is_not_found_by_its_old_text(store: InMemoryStore, value: Any, index: Any) -> None:
    """Whether it is not indexed now, or has no such field, or is gone. The release keeps the old vectors."""
    store.put(N, "b", value, index)
    assert ("b", 1.0) not in scores(store, query="b")


def test_a_batch_embeds_each_text_once(store: InMemoryStore, embed: Counting) -> None:
    """Queries one by one, the texts of the puts that count in one go. The release fails on equal texts."""
    ops: list[Op] = [
        PutOp(N, "1", {"t": "a"}),
        PutOp(N, "2", {"t": "a"}),
        PutOp(N, "3", {"t": "forgotten"}),
        PutOp(N, "3", {"t": "c"}),
        PutOp(N, "4", None),
        SearchOp((), query="q"),
        SearchOp((), query="q"),
        SearchOp((), query="r"),
    ]
    store.batch(ops)
    assert embed.asked == [["q"], ["r"], ["a", "c"]]
    assert scores(store, query="c", limit=1) == [("several", 1.0)]


def test_by_default_the_whole_value_is_embedded(embed: Counting) -> None:
    """As JSON."""
    store = InMemoryStore(index={"dims": 3, "embed": embed})
    store.put(N, "k", {"t": "é", "a": 1})
    assert embed.asked == [['{"a": 1, "t": "é"}']]


async def test_coroutine_embeddings_serve_the_asynchronous_methods(embed: Counting) -> None:
    """The synchronous ones say why they can not."""

    async def aembed(texts: Sequence[str]) -> list[list[float]]:
        return embed(texts)

    store = InMemoryStore(index={"dims": 3, "embed": aembed})
    await store.aput(N, "k", {"t": "a"})
    assert [(item.key, item.score) for item in await store.asearch((), query="a")] == [("k", 1.0)]
    with pytest.raises(ValueError, match="asynchronous methods"):
        store.put(N, "k", {"t": "a"})


def failing(texts: Sequence[str]) -> list[list[float]]:
    raise ConnectionError("the model is down")


def losing(texts: Sequence[str]) -> list[list[float]]:
    return []


@pytest.mark.parametrize(("embed", "error"), [(failing, ConnectionError), (losing, InvalidConfigError)])
def test_an_item_that_can_not_be_embedded_is_not_stored(embed: Any, error: type[Exception]) -> None:
    """The error reaches the caller, and nothing is half done."""
    store = InMemoryStore(index={"dims": 3, "embed": embed})
    with pytest.raises(error):
        store.put(N, "k", {"t": "a"})
    assert store.get(N, "k") is None


def test_vectors_of_different_lengths_are_an_error() -> None:
    """It says how long each is."""
    store = InMemoryStore(index={"dims": 3, "embed": lambda texts: [[1.0] * len(texts[0]) for _ in texts]})
    store.put(N, "k", {"t": "long"})
    with pytest.raises(InvalidConfigError, match="1 numbers and a stored one 13"):
        store.search((), query="q")
