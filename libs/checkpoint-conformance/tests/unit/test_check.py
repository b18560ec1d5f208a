"""How a case ends: passed, failed, not applicable, out of time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import pytest

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance._check import check
from langgraph.checkpoint.conformance._expect import ClauseFailed, expect, expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import NotOffered, Probe
from langgraph.checkpoint.conformance._registry import Case, case
from langgraph.checkpoint.conformance._threads import in_thread
from langgraph.checkpoint.conformance.capabilities import Capability

PROBE = Probe(BaseCheckpointSaver[int]())


def case_of(clause: Callable[[Probe], Awaitable[None]]) -> Case:
    return Case("put.example", Capability.PUT, "put_example", "An example.", clause)


async def test_a_clause_that_returns_has_passed() -> None:
    """Nothing is raised, and the clause got the probe."""
    seen: list[Probe] = []

    async def clause(probe: Probe) -> None:
        seen.append(probe)

    await check(case_of(clause), PROBE)
    assert seen == [PROBE]


async def test_errors_pass_through() -> None:
    """The saver's own error is what the caller sees, also if it is a timeout."""
    for error in (ClauseFailed("no"), NotOffered("none"), KeyError("x"), TimeoutError("database")):

        async def clause(_: Probe, error: Exception = error) -> None:
            raise error

        with pytest.raises(type(error)) as raised:
            await check(case_of(clause), PROBE)
        assert raised.value is error


async def test_a_clause_that_never_ends_has_failed() -> None:
    """A saver that waits for itself fails its clause, and the clause gets to clean up."""
    cleaned: list[bool] = []

    async def clause(_: Probe) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)

    with pytest.raises(ClauseFailed, match=r"put\.example did not end within 0\.01 s"):
        await check(case_of(clause), PROBE, patience=0.01)
    assert cleaned == [True]


async def test_a_sync_call_that_never_ends_has_failed() -> None:
    """A thread that is stuck does not keep the check, the loop or the interpreter."""
    release = threading.Event()

    async def clause(_: Probe) -> None:
        await in_thread(release.wait)

    with pytest.raises(ClauseFailed):
        await check(case_of(clause), PROBE, patience=0.01)
    release.set()


async def test_in_thread_brings_results_errors_and_context() -> None:
    """A call in a thread is like a call, but in another thread."""
    variable = ContextVar("variable", default="unset")
    variable.set("set")
    assert await in_thread(variable.get) == "set"
    assert await in_thread(threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 / 0)


async def test_a_probe_calls_the_colour_it_was_made_for() -> None:
    """Neither colour falls back to the other, so each is judged by itself."""

    class Sync(BaseCheckpointSaver[int]):
        def get_tuple(self, config: Any) -> None:
            return None

        def list(self, *args: Any, **kwargs: Any) -> Any:
            return iter(())

    config: Any = {"configurable": {"thread_id": "t"}}
    probe = Probe(Sync(), "sync")
    assert await probe.get_tuple(config) is None
    assert await probe.list(config) == []
    assert [item async for item in probe.iterate(config)] == []
    with pytest.raises(NotImplementedError):
        await Probe(Sync(), "async").get_tuple(config)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (1, True),
        (1, 1.0),
        ([1], (1,)),
        ({"a": [1]}, {"a": [True]}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ([1, 2], [1]),
        ("1", 1),
    ],
)
def test_equal_means_equal_in_type_too(found: Any, expected: Any) -> None:
    """A value that changed its type on the way is told, with both values."""
    with pytest.raises(ClauseFailed) as failed:
        expect_equal("value", found, expected)
    assert str(failed.value) == f"value: expected {expected!r}, found {found!r}"
    expect_equal("value", found, found)


def test_expect_fails_with_its_sentence() -> None:
    """The text is what the report shows."""
    expect([1], "not shown")
    with pytest.raises(ClauseFailed, match=r"^shown$"):
        expect([], "shown")


def test_expect_error_wants_one_of_its_kinds() -> None:
    """No error, another error and a missing operation all fail, the last as itself."""
    with expect_error("put", KeyError, ValueError):
        raise ValueError
    with (
        pytest.raises(ClauseFailed, match=r"put: expected KeyError or ValueError, but nothing was raised"),
        expect_error("put", KeyError, ValueError),
    ):
        pass
    with (
        pytest.raises(ClauseFailed, match=r"put: expected KeyError, but OSError\('x'\) was raised"),
        expect_error("put", KeyError),
    ):
        raise OSError("x")
    with pytest.raises(NotImplementedError), expect_error("put", Exception):
        raise NotImplementedError


def test_a_clause_needs_a_text_and_a_name() -> None:
    """Without docstring, or named after another operation, or twice, a clause is refused."""

    async def put_without_text(probe: Probe) -> None: ...

    async def get_other(probe: Probe) -> None:
        """Text."""

    async def put_roundtrip(probe: Probe) -> None:
        """Text."""

    for clause in (put_without_text, get_other, put_roundtrip):
        with pytest.raises(TypeError, match=clause.__name__.replace("put_r", "put.r")):
            case(Capability.PUT)(clause)
