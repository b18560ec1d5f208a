"""Judging a saver by the clauses on one capability."""

from __future__ import annotations

import traceback
from collections.abc import Iterable

from langgraph.checkpoint.conformance._check import check
from langgraph.checkpoint.conformance._probe import NotOffered, Probe
from langgraph.checkpoint.conformance._registry import Case
from langgraph.checkpoint.conformance.report import CapabilityResult, OnTestResult


async def judge(
    cases: Iterable[Case], probe: Probe, on_test_result: OnTestResult | None = None
) -> CapabilityResult:
    """Run the cases one after the other; those that do not apply are skipped."""
    result = CapabilityResult(detected=True)
    for case in cases:
        name, error = f"test_{case.name}", None
        try:
            await check(case, probe)
        except NotOffered:
            result.tests_skipped += 1
            continue
        except Exception as raised:
            error = raised
            result.tests_failed += 1
            result.failures.append(f"{name}: {raised}")
        else:
            result.tests_passed += 1
        if on_test_result:
            text = "".join(traceback.format_exception(error)) if error else None
            on_test_result(case.capability.value, name, error is None, text)
    result.passed = result.tests_failed == 0
    return result
