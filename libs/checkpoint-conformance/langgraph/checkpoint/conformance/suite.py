"""The clauses as pytest tests, one for each clause and colour.

Needs the extra `[pytest]`, but no async plugin.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar

import pytest

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance._check import check
from langgraph.checkpoint.conformance._clauses import cases
from langgraph.checkpoint.conformance._probe import COLOURS, Colour, NotOffered, Probe
from langgraph.checkpoint.conformance._registry import Case
from langgraph.checkpoint.conformance.capabilities import Capability

__all__ = ["CheckpointerTests"]


class CheckpointerTests:
    """Base class for the tests of a saver; the subclass says how to open one.

    ```python
    class TestMySaver(CheckpointerTests):
        xfails = {"list.while_writing": "holds its cursor, see issue 12"}

        @asynccontextmanager
        async def saver(self):
            async with MySaver.connect(...) as saver:
                yield saver
    ```

    Each test opens a saver and runs in an event loop of its own. Fixtures are used as in any test class: an
    autouse fixture can set what `saver` reads from `self`.

    Attributes:
        colours: which methods to judge.
        skip_capabilities: operations that the saver does not offer.
        xfails: clauses that the saver is known to break, with the reason, by id (`put.roundtrip`) or by id
            and colour (`put.roundtrip-sync`). They are strict: one that passes fails the test.
    """

    colours: ClassVar[Collection[str]] = COLOURS
    skip_capabilities: ClassVar[Collection[str]] = ()
    xfails: ClassVar[Mapping[str, str]] = {}

    def saver(self) -> AbstractAsyncContextManager[BaseCheckpointSaver[Any]]:
        """Open a saver, on an empty store or on one that other tests use too."""
        raise NotImplementedError(f"{type(self).__name__} must define saver()")

    def second_saver(self) -> AbstractAsyncContextManager[BaseCheckpointSaver[Any]]:
        """Open another saver on the same store; clauses that need it are skipped if this is not defined."""
        raise NotOffered(f"{type(self).__name__} does not define second_saver()")

    def test_clause(self, case: Case, colour: Colour) -> None:
        """Run a clause; its docstring says what a saver must do."""
        try:
            asyncio.run(self._check(case, colour))
        except NotOffered as reason:
            pytest.skip(str(reason))

    async def _check(self, case: Case, colour: Colour) -> None:
        async with self.saver() as saver:
            await check(case, Probe(saver, colour, self.second_saver))

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        """Make a test of each clause and colour."""
        if "case" not in metafunc.fixturenames:
            return
        chosen = [
            (f"{case.id}-{colour}", case, colour)
            for case in cases()
            if case.capability not in cls.skip_capabilities
            for colour in COLOURS
            if colour in cls.colours
        ]
        tests = {name for test_id, case, _ in chosen for name in (test_id, case.id)}
        cls._refuse_unknown("colours", cls.colours, COLOURS)
        cls._refuse_unknown("skip_capabilities", cls.skip_capabilities, Capability)
        cls._refuse_unknown("xfails", cls.xfails, tests)
        metafunc.parametrize(
            ("case", "colour"),
            [
                pytest.param(case, colour, id=test_id, marks=cls._marks(test_id, case))
                for test_id, case, colour in chosen
            ],
        )

    @classmethod
    def _refuse_unknown(cls, attribute: str, named: Iterable[str], known: Iterable[str]) -> None:
        if unknown := set(named).difference(known):
            raise pytest.UsageError(f"{cls.__name__}.{attribute} names what is not there: {sorted(unknown)}")

    @classmethod
    def _marks(cls, id: str, case: Case) -> list[pytest.MarkDecorator]:
        reason = cls.xfails.get(id) or cls.xfails.get(case.id)
        return [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
