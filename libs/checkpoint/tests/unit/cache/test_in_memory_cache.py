"""`InMemoryCache`: entries that are the caller's own, and end in time."""

import threading
from typing import Any

import pytest

import langgraph.cache.memory._cache as module
from langgraph.cache.base import BaseCache, FullKey
from langgraph.cache.memory import InMemoryCache
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

A: FullKey = (("a",), "k")
B: FullKey = (("a", "b"), "k")
ROOT: FullKey = ((), "k")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until its one element is changed."""
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return now


async def test_what_was_set_is_got_in_both_colours() -> None:
    """A `None` is a value; what is not there is left out."""
    cache: InMemoryCache[Any] = InMemoryCache()
    cache.set({A: ({"x": 1}, None), ROOT: (None, 60)})
    await cache.aset({B: ("b", None)})
    expected = {A: {"x": 1}, B: "b", ROOT: None}
    assert cache.get([A, B, ROOT, (("z",), "k")]) == expected
    assert await cache.aget([A, B, ROOT]) == expected
    assert cache.get([]) == {}


def test_a_value_is_the_caller_s_own() -> None:
    """Changing what was set or got changes nothing in the cache."""
    cache: InMemoryCache[Any] = InMemoryCache()
    given = [1]
    cache.set({A: (given, None)})
    given.append(2)
    cache.get([A])[A].append(3)
    assert cache.get([A]) == {A: [1]}


def test_an_entry_ends_when_its_time_is_over(clock: list[float]) -> None:
    """At that second and not before; setting it anew counts from then; zero is over at once."""
    cache: InMemoryCache[int] = InMemoryCache()
    cache.set({A: (1, 10), B: (2, None), ROOT: (3, 0)})
    clock[0] += 9
    cache.set({(("n",), "k"): (4, 10)})
    assert cache.get([A, B, ROOT]) == {A: 1, B: 2}
    cache.set({A: (5, 10)})
    clock[0] += 9
    assert cache.get([A, B]) == {A: 5, B: 2}
    clock[0] += 1
    assert cache.get([A, B]) == {B: 2}


def test_an_ended_entry_is_dropped_though_nobody_asks_for_it(clock: list[float]) -> None:
    """A cache that is only written to does not grow for ever."""
    cache: InMemoryCache[int] = InMemoryCache()
    for number in range(100):
        cache.set({(("n",), str(number)): (number, 10)})
        clock[0] += 1
    assert len(cache._cache[("n",)]) == 10


@pytest.mark.parametrize(
    ("namespaces", "left"),
    [([("a",)], {B, ROOT}), ([()], {A, B}), ([("z",)], {A, B, ROOT}), ([], {A, B, ROOT}), (None, set())],
)
async def test_clearing_removes_just_the_namespaces_named(namespaces: Any, left: set[FullKey]) -> None:
    """Not those below them; `None` means all, an empty list none."""
    for clear in ("clear", "aclear"):
        cache: InMemoryCache[int] = InMemoryCache()
        cache.set({A: (1, None), B: (2, None), ROOT: (3, None)})
        done = getattr(cache, clear)(namespaces)
        if clear == "aclear":
            await done
        assert set(cache.get([A, B, ROOT])) == left


def test_a_value_that_can_not_be_serialized_fails_the_whole_call() -> None:
    """Nothing of it is kept."""
    cache: InMemoryCache[Any] = InMemoryCache()
    with pytest.raises(TypeError):
        cache.set({A: (1, None), B: (threading.Lock(), None)})
    assert cache.get([A]) == {}


def test_the_serializer_is_the_one_given_or_the_class_s() -> None:
    """By default a `JsonPlusSerializer` that does not pickle."""
    serde = JsonPlusSerializer()
    assert InMemoryCache(serde=serde).serde is serde
    assert InMemoryCache().serde is BaseCache.serde
    assert isinstance(BaseCache.serde, JsonPlusSerializer)
    assert BaseCache.serde.pickle_fallback is False


def test_many_threads_can_use_it(clock: list[float]) -> None:
    """Setting, getting, ending and clearing at once breaks nothing."""
    cache: InMemoryCache[int] = InMemoryCache()
    failures: list[Exception] = []

    def work(name: str) -> None:
        try:
            for number in range(200):
                key: FullKey = ((name,), str(number % 5))
                cache.set({key: (number, 1 + number % 3)})
                assert cache.get([key]) == {key: number}
                clock[0] += 0.001
                if number % 10 == 0:
                    cache.clear([(name,)])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(str(one),)) for one in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
