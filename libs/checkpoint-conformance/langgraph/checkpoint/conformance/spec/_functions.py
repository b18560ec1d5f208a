"""A clause, and a capability's worth of clauses, as functions of a saver."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance._clauses import cases
from langgraph.checkpoint.conformance._judge import judge
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import Clause
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.report import OnTestResult


class Runner(Protocol):
    """Runs all clauses on a capability; returns how many passed and failed, and a line for each failure."""

    async def __call__(
        self, saver: BaseCheckpointSaver[Any], on_test_result: OnTestResult | None = None
    ) -> tuple[int, int, list[str]]:
        """Judge the async methods of `saver`."""
        ...


def spec(clause: Clause) -> Callable[[BaseCheckpointSaver[Any]], Awaitable[None]]:
    """Return `clause` as a function of a saver."""

    async def test(saver: BaseCheckpointSaver[Any]) -> None:
        await clause(Probe(saver))

    test.__name__ = test.__qualname__ = f"test_{clause.__name__}"
    test.__doc__ = clause.__doc__
    return test


def runner(capability: Capability) -> Runner:
    """Return what runs all clauses on `capability`."""

    async def run(
        saver: BaseCheckpointSaver[Any], on_test_result: OnTestResult | None = None
    ) -> tuple[int, int, list[str]]:
        result = await judge(cases(capability), Probe(saver), on_test_result)
        return result.tests_passed, result.tests_failed, result.failures

    run.__name__ = run.__qualname__ = f"run_{capability.value}_tests"
    return run
