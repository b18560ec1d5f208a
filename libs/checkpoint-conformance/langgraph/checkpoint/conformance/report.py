"""What `validate` found, how it is printed, and what is told on the way."""
# ruff: noqa: T201  # printing is its job

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from langgraph.checkpoint.conformance.capabilities import (
    BASE_CAPABILITIES,
    EXTENDED_CAPABILITIES,
    Capability,
)

OnCapabilityStart = Callable[[str, bool], None]
"""Called with a capability and whether it is judged."""
OnTestResult = Callable[[str, str, bool, str | None], None]
"""Called with capability, test, whether it passed, and else the traceback."""
OnCapabilityEnd = Callable[[str], None]
"""Called with a capability that has been judged."""

_RULE = "=" * 52


class ProgressCallbacks:
    """Called by `validate` as it goes."""

    def __init__(
        self,
        *,
        on_capability_start: OnCapabilityStart | None = None,
        on_test_result: OnTestResult | None = None,
        on_capability_end: OnCapabilityEnd | None = None,
    ) -> None:
        self.on_capability_start = on_capability_start
        self.on_test_result = on_test_result
        self.on_capability_end = on_capability_end

    @classmethod
    def default(cls) -> ProgressCallbacks:
        """Print a line for each capability, a dot or an F for each test."""
        return cls(
            on_capability_start=lambda name, detected: _print_start(name, detected, " "),
            on_test_result=lambda _, __, passed, ___: print("." if passed else "F", end="", flush=True),
            on_capability_end=lambda _: print(),
        )

    @classmethod
    def verbose(cls) -> ProgressCallbacks:
        """Print a line for each test, and the traceback if it failed."""
        return cls(
            on_capability_start=lambda name, detected: _print_start(name, detected, "\n"),
            on_test_result=_print_result,
        )

    @classmethod
    def quiet(cls) -> ProgressCallbacks:
        """Print nothing."""
        return cls()


def _print_start(name: str, detected: bool, end: str) -> None:
    if detected:
        print(f"  {name}:", end=end, flush=True)
    else:
        print(f"  ⊘ {name} (not implemented)")


def _print_result(_: str, test: str, passed: bool, error: str | None) -> None:
    print(f"    {'✓' if passed else '✗'} {test}")
    if error:
        print(textwrap.indent(error.rstrip(), " " * 6))


@dataclass
class CapabilityResult:
    """What was found on one capability."""

    detected: bool = False
    passed: bool | None = None
    tests_passed: int = 0
    tests_failed: int = 0
    tests_skipped: int = 0
    failures: list[str] = field(default_factory=list[str])

    def line(self) -> tuple[str, str]:
        """Return the icon and the remark in the printed report."""
        if not self.detected:
            return "⊘ ", "(not implemented)"
        if self.passed is None:
            return "⏭ ", "(skipped)"
        return ("✅", "") if self.passed else ("❌", f"({self.tests_failed} failed)")


@dataclass
class CapabilityReport:
    """What was found on a saver, by capability."""

    checkpointer_name: str
    results: dict[str, CapabilityResult] = field(default_factory=dict[str, CapabilityResult])

    def passed_all_base(self) -> bool:
        """Tell whether every base capability was judged and passed."""
        return all(self._passed(capability) for capability in BASE_CAPABILITIES)

    def passed_all(self) -> bool:
        """Tell whether every capability that was detected passed."""
        return all(result.passed is True for result in self._detected())

    def conformance_level(self) -> str:
        """Return `FULL`, `BASE+PARTIAL`, `BASE` or `NONE`; what was not detected does not count."""
        if self.passed_all():
            return "FULL"
        if self.passed_all_base():
            return "BASE+PARTIAL"
        return "BASE" if self._any_base_passed() else "NONE"

    def print_report(self) -> None:
        """Print a line for each capability, and the level."""
        print(f"\n  {_RULE}\n    Checkpointer Validation: {self.checkpointer_name}\n  {_RULE}")
        for title, capabilities in (("BASE", BASE_CAPABILITIES), ("EXTENDED", EXTENDED_CAPABILITIES)):
            print(f"    {title} CAPABILITIES")
            for name in sorted(capability.value for capability in capabilities):
                icon, remark = self.results[name].line() if name in self.results else ("  ", "(no tests)")
                print(f"      {icon} {name:20} {remark}")
            print()
        detected = self._detected()
        passed = sum(result.passed is True for result in detected)
        print(f"    Result: {self.conformance_level()} ({passed}/{len(detected)})\n  {_RULE}\n")

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON can hold it."""
        return {
            "checkpointer_name": self.checkpointer_name,
            "conformance_level": self.conformance_level(),
            "results": {name: asdict(result) for name, result in self.results.items()},
        }

    def _any_base_passed(self) -> bool:
        return any(self._passed(capability) for capability in BASE_CAPABILITIES)

    def _passed(self, capability: Capability) -> bool:
        result = self.results.get(capability.value)
        return result is not None and result.passed is True

    def _detected(self) -> list[CapabilityResult]:
        return [result for result in self.results.values() if result.detected]
