"""The package as its users write it; checked by mypy and pyright, never run."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from typing_extensions import assert_type

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.initializer import RegisteredCheckpointer
from langgraph.checkpoint.conformance.report import CapabilityReport, ProgressCallbacks
from langgraph.checkpoint.conformance.spec import run_put_tests
from langgraph.checkpoint.conformance.spec.test_put import test_put_roundtrip
from langgraph.checkpoint.conformance.suite import CheckpointerTests


class Saver(BaseCheckpointSaver[int]):
    pass


@checkpointer_test(name="Saver", skip_capabilities={"prune"})
async def saver() -> AsyncGenerator[Saver, None]:
    yield Saver()


class TestSaver(CheckpointerTests):
    colours = ("async",)
    xfails = {"put.roundtrip": "reason"}  # noqa: RUF012  # as users write it

    @asynccontextmanager
    async def saver(self) -> AsyncGenerator[Saver, None]:
        yield Saver()

    second_saver = saver


async def use() -> None:
    """Each way in."""
    assert_type(saver, RegisteredCheckpointer)
    report = await validate(saver, capabilities={"put"}, progress=ProgressCallbacks.default())
    assert_type(report, CapabilityReport)
    assert_type(report.to_dict(), dict[str, Any])
    await test_put_roundtrip(Saver())
    assert_type(await run_put_tests(Saver()), tuple[int, int, list[str]])
