"""`CheckpointerTests` as a backend author meets it: a test file of its own, run by pytest."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

FILE = """
from contextlib import asynccontextmanager

import pytest
from langgraph.checkpoint.conformance.suite import CheckpointerTests
from langgraph.checkpoint.memory import InMemorySaver

class Saver(InMemorySaver):
    async def adelete_thread(self, thread_id):
        pass

class TestSaver(CheckpointerTests):
    {attributes}

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path):
        self.path = tmp_path

    @asynccontextmanager
    async def saver(self):
        assert self.path.exists()
        yield Saver()
"""


def run(pytester: pytest.Pytester, *arguments: str, attributes: str = "pass") -> pytest.RunResult:
    pytester.makepyfile(FILE.format(attributes=attributes))
    return pytester.runpytest("-p", "no:randomly", "-p", "no:asyncio", "-k", "delete_thread", *arguments)


def test_there_is_a_test_for_each_clause_and_colour(pytester: pytest.Pytester) -> None:
    """Each colour is judged by itself: here the sync methods pass, the async ones fail with a sentence."""
    result = run(pytester, "-v")
    result.stdout.fnmatch_lines(
        [
            "*TestSaver::test_clause?delete_thread.removes_checkpoints-sync? PASSED*",
            "*TestSaver::test_clause?delete_thread.removes_checkpoints-async? FAILED*",
            "*ClauseFailed: expected nothing at *",
        ]
    )


def test_known_failures_are_expected_strictly(pytester: pytest.Pytester) -> None:
    """An xfail by clause covers both colours, so the colour that passes fails; by colour it fits."""
    by_clause = 'xfails = {"delete_thread.removes_writes": "issue 1"}'
    result = run(pytester, "-k", "delete_thread and removes_writes", attributes=by_clause)
    result.assert_outcomes(failed=1, xfailed=1)
    by_colour = 'xfails = {"delete_thread.removes_writes-async": "issue 1"}'
    result = run(pytester, "-k", "delete_thread and removes_writes", attributes=by_colour)
    result.assert_outcomes(passed=1, xfailed=1)


@pytest.mark.parametrize(
    ("attribute", "named"),
    [("xfails", '{"gone": "issue 2"}'), ("colours", '("gone",)'), ("skip_capabilities", '["gone"]')],
)
def test_a_name_for_nothing_is_an_error(pytester: pytest.Pytester, attribute: str, named: str) -> None:
    """A clause that was renamed is noticed, and so is a typo."""
    result = run(pytester, attributes=f"{attribute} = {named}")
    assert result.ret != 0
    result.stdout.fnmatch_lines([f"*TestSaver.{attribute} names what is not there: ?'gone'?*"])


def test_colours_and_capabilities_can_be_left_out(pytester: pytest.Pytester) -> None:
    """A saver of one colour, or without an operation, says so once."""
    run(pytester, attributes='colours = ("sync",)').assert_outcomes(passed=7)
    skipping = 'skip_capabilities = ("delete_thread",)'
    assert run(pytester, attributes=skipping).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_clauses_that_need_a_second_saver_are_skipped(pytester: pytest.Pytester) -> None:
    """The reason says what to define."""
    result = run(pytester, "-k", "another_saver", "-rs")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["*TestSaver does not define second_saver()*"])


def test_the_package_works_without_pytest() -> None:
    """Only the suite needs pytest and only the extra installs it."""
    code = (
        "import sys; sys.modules['pytest'] = None; import langgraph.checkpoint.conformance.spec;"
        "from langgraph.checkpoint.conformance import validate"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
