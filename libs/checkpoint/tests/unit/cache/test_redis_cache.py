"""`RedisCache` on a small Redis of our own, in the release's format."""

import logging
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from langgraph.cache.base import FullKey
from langgraph.cache.redis import RedisCache

A: FullKey = (("a",), "k")
B: FullKey = (("a", "b"), "k")


class Redis:
    """As much of a Redis client as the cache uses; it answers, or it is down."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}
        self.seconds: dict[str, int] = {}
        self.down = False
        self.threads: set[int] = set()

    def _reach(self) -> None:
        self.threads.add(threading.get_ident())
        if self.down:
            raise ConnectionError("down")

    def mget(self, keys: list[str]) -> list[bytes | None]:
        self._reach()
        return [self.stored.get(key) for key in keys]

    def keys(self, pattern: str) -> list[str]:
        self._reach()
        return [key for key in self.stored if _glob(pattern).fullmatch(key)]

    def delete(self, *keys: str) -> None:
        self._reach()
        for key in keys:
            self.stored.pop(key, None)

    def pipeline(self) -> "Pipeline":
        return Pipeline(self)


class Scanning(Redis):
    """A client that can walk the keys without stopping the server, and must be asked to."""

    def scan_iter(self, match: str) -> Iterator[str]:
        yield from super().keys(match)

    def keys(self, pattern: str) -> list[str]:
        raise AssertionError("KEYS stops the server")


class Pipeline:
    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.queued: list[tuple[str, int | None, bytes | None]] = []

    def set(self, key: str, value: bytes) -> None:
        self.queued.append((key, None, value))

    def setex(self, key: str, seconds: int, value: bytes) -> None:
        assert seconds > 0, "invalid expire time"
        self.queued.append((key, seconds, value))

    def delete(self, key: str) -> None:
        self.queued.append((key, None, None))

    def execute(self) -> None:
        self.redis._reach()
        for key, seconds, value in self.queued:
            if value is None:
                self.redis.stored.pop(key, None)
            else:
                self.redis.stored[key] = value
                self.redis.seconds[key] = seconds or 0


def _glob(pattern: str) -> re.Pattern[str]:
    parts = re.findall(r"\\.|.", pattern)
    return re.compile("".join(".*" if part == "*" else re.escape(part[-1]) for part in parts))


@pytest.fixture(params=[Redis, Scanning])
def redis(request: pytest.FixtureRequest) -> Redis:
    return request.param()  # type: ignore[no-any-return]


@pytest.fixture
def cache(redis: Redis) -> RedisCache[Any]:
    return RedisCache(redis)


def test_entries_are_stored_in_the_release_s_form(cache: RedisCache[Any], redis: Redis) -> None:
    """These bytes were written by the release."""
    cache.set({B: ({"x": 1}, None), ((), "k2"): ("v", 60), (("a:b",), "k:3"): (b"raw", 5), A: (None, 1)})
    assert redis.stored == {
        "langgraph:cache:a:b:k": b"msgpack:\x81\xa1x\x01",
        "langgraph:cache:k2": b"msgpack:\xa1v",
        "langgraph:cache:a:b:k:3": b"bytes:raw",
        "langgraph:cache:a:k": b"null:",
    }
    assert redis.seconds == {
        "langgraph:cache:a:b:k": 0,
        "langgraph:cache:k2": 60,
        "langgraph:cache:a:b:k:3": 5,
        "langgraph:cache:a:k": 1,
    }


async def test_what_was_set_is_got_in_both_colours(cache: RedisCache[Any], redis: Redis) -> None:
    """The asynchronous methods talk to Redis from another thread."""
    cache.set({A: (None, None), B: ([1], 60)})
    assert cache.get([A, B, (("z",), "k")]) == {A: None, B: [1]}
    redis.threads.clear()
    await cache.aset({A: (2, None)})
    assert await cache.aget([A, B]) == {A: 2, B: [1]}
    await cache.aclear()
    assert threading.get_ident() not in redis.threads
    assert redis.stored == {}


def test_nothing_asked_is_nothing_done(cache: RedisCache[Any], redis: Redis) -> None:
    """Redis refuses an empty MGET."""
    redis.down = True
    assert cache.get([]) == {}
    cache.set({})
    cache.clear([])
    assert redis.threads == set()


@pytest.mark.parametrize("seconds", [0, -5])
def test_an_entry_without_time_is_removed(cache: RedisCache[Any], redis: Redis, seconds: int) -> None:
    """Redis would refuse it, and with it all others of the call."""
    cache.set({A: (1, None)})
    cache.set({A: (2, seconds), B: (3, None)})
    assert cache.get([A, B]) == {B: 3}


def test_the_prefix_is_the_caller_s(redis: Redis) -> None:
    """Two caches in one Redis do not see each other, nor clear each other."""
    one, other = RedisCache[int](redis, prefix="one*:"), RedisCache[int](redis, prefix="one2:")
    one.set({A: (1, None)})
    other.set({A: (2, None)})
    one.clear()
    assert one.get([A]) == {}
    assert other.get([A]) == {A: 2}


@pytest.mark.parametrize(
    ("namespaces", "left"),
    [
        ([("a",)], ["ab", "a*"]),
        ([("a", "b")], ["a", "ab", "a*"]),
        ([("a*",)], ["a", "a:b", "ab"]),
        ([("z",), ("ab",)], ["a", "a:b", "a*"]),
        ([()], []),
        (None, []),
    ],
)
def test_clearing_removes_namespaces_and_those_below(
    cache: RedisCache[Any], namespaces: Any, left: list[str]
) -> None:
    """Their keys do not tell the two apart. A star in a label is a star, not a pattern as in the release."""
    keys: list[FullKey] = [(("a",), "k"), (("a", "b"), "k"), (("ab",), "k"), (("a*",), "k")]
    cache.set(dict.fromkeys(keys, (1, None)))
    cache.clear(namespaces)
    assert [":".join(namespace) for namespace, _ in cache.get(keys)] == left


def test_more_entries_than_fit_one_command_are_removed(cache: RedisCache[Any], redis: Redis) -> None:
    """In several commands."""
    cache.set({(("n",), str(number)): (number, None) for number in range(2500)})
    cache.clear([("n",)])
    assert redis.stored == {}


@pytest.mark.parametrize("stored", [b"garbage", b"msgpack:\xc1", b"nope:xx", "null:", b""])
def test_an_entry_that_can_not_be_read_is_not_there(
    cache: RedisCache[Any], redis: Redis, caplog: pytest.LogCaptureFixture, stored: Any
) -> None:
    """The others are, and the log says so."""
    cache.set({B: (1, None)})
    redis.stored["langgraph:cache:a:k"] = stored
    with caplog.at_level(logging.WARNING, logger="langgraph.cache.redis"):
        assert cache.get([A, B]) == {B: 1}
    assert "could not be read" in caplog.text


async def test_a_redis_that_is_down_makes_nothing_fail(
    cache: RedisCache[Any], redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Reading finds nothing, writing and clearing do nothing, and the log says so."""
    redis.down = True
    with caplog.at_level(logging.WARNING, logger="langgraph.cache.redis"):
        cache.set({A: (1, None)})
        await cache.aset({A: (1, None)})
        assert cache.get([A]) == {}
        assert await cache.aget([A]) == {}
        cache.clear()
        await cache.aclear([("a",)])
    assert len(caplog.records) == 6
    redis.down = False
    assert redis.stored == {}


def test_a_value_that_can_not_be_serialized_raises(cache: RedisCache[Any], redis: Redis) -> None:
    """That is the caller's mistake and not Redis's; nothing of the call is stored."""
    with pytest.raises(TypeError):
        cache.set({A: (1, None), B: (threading.Lock(), None)})
    assert redis.stored == {}
