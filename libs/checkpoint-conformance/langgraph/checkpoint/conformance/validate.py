"""Judging a saver outside pytest."""

from __future__ import annotations

from langgraph.checkpoint.conformance._clauses import cases
from langgraph.checkpoint.conformance._detect import offers
from langgraph.checkpoint.conformance._judge import judge
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.initializer import RegisteredCheckpointer
from langgraph.checkpoint.conformance.report import (
    CapabilityReport,
    CapabilityResult,
    ProgressCallbacks,
)


async def validate(
    registered: RegisteredCheckpointer,
    *,
    capabilities: set[str] | None = None,
    progress: ProgressCallbacks | None = None,
) -> CapabilityReport:
    """Judge a saver's async methods, by each capability with a saver of its own.

    What a saver offers is found out by calling it.

    Args:
        registered: the saver, from `@checkpointer_test`.
        capabilities: judge only these; all if omitted.
        progress: called on the way.

    Raises:
        ValueError: there is no such capability.
    """
    wanted = frozenset(Capability) if capabilities is None else frozenset(map(Capability, capabilities))
    wanted -= {Capability(name) for name in registered.skip_capabilities}
    report = CapabilityReport(registered.name)
    async with registered.enter_lifespan():
        for capability in Capability:
            report.results[capability.value] = await _validate(
                registered, capability, capability in wanted, progress or ProgressCallbacks.quiet()
            )
    return report


async def _validate(
    registered: RegisteredCheckpointer, capability: Capability, wanted: bool, progress: ProgressCallbacks
) -> CapabilityResult:
    if wanted:
        async with registered.create() as saver:
            probe = Probe(saver)
            if await offers(probe, capability):
                _tell_start(progress, capability, True)
                result = await judge(cases(capability), probe, progress.on_test_result)
                if progress.on_capability_end:
                    progress.on_capability_end(capability.value)
                return result
    _tell_start(progress, capability, False)
    return CapabilityResult(tests_skipped=1)


def _tell_start(progress: ProgressCallbacks, capability: Capability, detected: bool) -> None:
    if progress.on_capability_start:
        progress.on_capability_start(capability.value, detected)
