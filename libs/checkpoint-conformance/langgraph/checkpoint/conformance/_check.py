"""Judging a saver by one case."""

from __future__ import annotations

import asyncio

from langgraph.checkpoint.conformance._expect import ClauseFailed
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import Case

PATIENCE = 30.0
"""Seconds that a clause may take. It needs milliseconds, so a saver that takes longer waits for itself."""


async def check(case: Case, probe: Probe, patience: float = PATIENCE) -> None:
    """Run a case.

    Raises:
        ClauseFailed: the saver breaks it, or does not answer. Other errors are the saver's own.
        NotOffered: it does not apply.
    """
    task = asyncio.ensure_future(case.clause(probe))
    try:
        await asyncio.wait({task}, timeout=patience)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=1)  # and no longer: it may be stuck for good
    if task.cancelled() or not task.done():
        raise ClauseFailed(f"{case.id} did not end within {patience:g} s; is the saver waiting for itself?")
    task.result()
