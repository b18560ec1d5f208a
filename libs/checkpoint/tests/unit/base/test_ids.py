"""Ids sort as they were made, and tell their step."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator

import pytest

from langgraph.checkpoint.base import empty_checkpoint, uuid6
from langgraph.checkpoint.base import id as ids
from langgraph.checkpoint.base.id import UUID


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Replace the clock by the last number of a list, as nanoseconds since 1970."""
    now = [time.time_ns()]
    monkeypatch.setattr(time, "time_ns", lambda: now[-1])
    monkeypatch.setattr(ids, "_last_v6_timestamp", None)
    return now


def test_ids_are_version_6_uuids() -> None:
    """Version, variant and step are where the RFC has them."""
    made = uuid6(node=5, clock_seq=3)
    assert (made.version, made.variant, made.clock_seq, made.node) == (6, uuid.RFC_4122, 3, 5)
    assert uuid.UUID(str(made)) == made


def test_the_time_can_be_read_back(clock: list[int]) -> None:
    """In 100-nanosecond intervals since 1582."""
    assert uuid6().time == clock[0] // 100 + 0x01B21DD213814000


def test_ids_grow_when_the_clock_stands_still_or_goes_back(clock: list[int]) -> None:
    """As text too; the step does not matter."""
    made = [str(uuid6(clock_seq=step)) for step in (5, 4, 3)]
    clock.append(clock[0] - 3_600_000_000_000)
    made += [str(uuid6(clock_seq=step)) for step in (2, -2, 0)]
    clock.append(clock[0] + 1_000_000)
    made.append(str(uuid6(clock_seq=-1)))
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_from_many_threads_differ_and_grow_in_each() -> None:
    """Also with the same node and step, so by time alone."""
    made: list[list[str]] = [[] for _ in range(4)]
    start = threading.Barrier(4)

    def make(mine: list[str]) -> None:
        start.wait()
        mine.extend(str(uuid6(node=1, clock_seq=1)) for _ in range(500))

    threads = [threading.Thread(target=make, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine == sorted(mine) for mine in made)
    assert len({one for mine in made for one in mine}) == 2000


@pytest.mark.parametrize(("step", "bits"), [(0, 0), (7, 7), (-1, 0x3FFF), (-2, 0x3FFE), (1 << 14, 0)])
def test_the_step_wraps_in_14_bits(step: int, bits: int) -> None:
    """Negative steps are the greatest numbers."""
    assert uuid6(clock_seq=step).clock_seq == bits


def test_an_empty_checkpoint_has_step_minus_2() -> None:
    """As the release makes them."""
    assert UUID(empty_checkpoint()["id"]).clock_seq == 0x3FFE


def test_other_versions_keep_their_meaning() -> None:
    """Version 7 counts milliseconds, version 1 is the standard library's, 8 has its fraction."""
    milliseconds = 1_700_000_000_000
    assert UUID(int=milliseconds << 80, version=7).time == milliseconds
    plain = uuid.uuid1()
    assert UUID(str(plain)).time == plain.time
    assert UUID(int=0xABC << 64 | 0x7F << 54, version=8).subsec == 0xABC << 8 | 0x7F
    with pytest.raises(ValueError, match="128-bit"):
        UUID(int=1 << 128, version=6)
