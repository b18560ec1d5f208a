"""What is printed and counted, which is what the release's kit prints and counts."""

from __future__ import annotations

import json

import pytest

from langgraph.checkpoint.conformance.report import CapabilityReport, CapabilityResult, ProgressCallbacks

BASE = ("put", "put_writes", "get_tuple", "list", "delete_thread")
PASSED = CapabilityResult(detected=True, passed=True, tests_passed=1)
FAILED = CapabilityResult(detected=True, passed=False, tests_failed=2, failures=["test_a: x", "test_b: y"])
SKIPPED = CapabilityResult(detected=True, tests_skipped=1)
MISSING = CapabilityResult(tests_skipped=1)


def report(**results: CapabilityResult) -> CapabilityReport:
    return CapabilityReport("Example", results)


def base(**results: CapabilityResult) -> CapabilityReport:
    return report(**{**dict.fromkeys(BASE, PASSED), **results})


@pytest.mark.parametrize(
    ("found", "level", "passed_all", "passed_all_base"),
    [
        (report(), "FULL", True, False),
        (report(put=PASSED), "FULL", True, False),
        (base(), "FULL", True, True),
        (base(prune=PASSED), "FULL", True, True),
        (base(prune=MISSING), "FULL", True, True),
        (base(prune=FAILED), "BASE+PARTIAL", False, True),
        (base(prune=SKIPPED), "BASE+PARTIAL", False, True),
        (base(put=FAILED), "BASE", False, False),
        (base(put=SKIPPED), "BASE", False, False),
        (base(put=MISSING), "FULL", True, False),
        (report(put=FAILED), "NONE", False, False),
    ],
)
def test_level(found: CapabilityReport, level: str, passed_all: bool, passed_all_base: bool) -> None:
    """The level counts what was detected."""
    assert found.conformance_level() == level
    assert found.passed_all() is passed_all
    assert found.passed_all_base() is passed_all_base


def test_printed_report(capsys: pytest.CaptureFixture[str]) -> None:
    """Each capability has an icon and a remark, the last line the level and how many passed."""
    report(put=PASSED, put_writes=FAILED, get_tuple=SKIPPED, prune=MISSING).print_report()
    assert [line.rstrip() for line in capsys.readouterr().out.split("\n")] == [
        "",
        "  ====================================================",
        "    Checkpointer Validation: Example",
        "  ====================================================",
        "    BASE CAPABILITIES",
        "         delete_thread        (no tests)",
        "      ⏭  get_tuple            (skipped)",
        "         list                 (no tests)",
        "      ✅ put",
        "      ❌ put_writes           (2 failed)",
        "",
        "    EXTENDED CAPABILITIES",
        "         copy_thread          (no tests)",
        "         delete_for_runs      (no tests)",
        "         delta_channel_history (no tests)",
        "      ⊘  prune                (not implemented)",
        "",
        "    Result: BASE (1/3)",
        "  ====================================================",
        "",
        "",
    ]


def test_report_as_dict_is_json() -> None:
    """`to_dict` has the level and each result's fields."""
    found = json.loads(json.dumps(report(put=FAILED).to_dict()))
    assert found == {
        "checkpointer_name": "Example",
        "conformance_level": "NONE",
        "results": {
            "put": {
                "detected": True,
                "passed": False,
                "tests_passed": 0,
                "tests_failed": 2,
                "tests_skipped": 0,
                "failures": ["test_a: x", "test_b: y"],
            }
        },
    }


def play(progress: ProgressCallbacks) -> None:
    assert progress.on_capability_start
    assert progress.on_test_result
    progress.on_capability_start("put", True)
    progress.on_test_result("put", "test_a", True, None)
    progress.on_test_result("put", "test_b", False, "Traceback\n  line\nError: x\n")
    if progress.on_capability_end:
        progress.on_capability_end("put")
    progress.on_capability_start("prune", False)


def test_default_progress_is_a_line_for_each_capability(capsys: pytest.CaptureFixture[str]) -> None:
    """A dot for a test that passed, an F for one that failed."""
    play(ProgressCallbacks.default())
    assert capsys.readouterr().out == "  put: .F\n  ⊘ prune (not implemented)\n"


def test_verbose_progress_is_a_line_for_each_test(capsys: pytest.CaptureFixture[str]) -> None:
    """A failure comes with its traceback."""
    play(ProgressCallbacks.verbose())
    assert capsys.readouterr().out == (
        "  put:\n    ✓ test_a\n    ✗ test_b\n      Traceback\n        line\n      Error: x\n"
        "  ⊘ prune (not implemented)\n"
    )


def test_quiet_progress_is_silent() -> None:
    """There is nothing to call."""
    assert not any(vars(ProgressCallbacks.quiet()).values())
