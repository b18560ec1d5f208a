"""`validate`, capabilities, and the release's functions, on savers made for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest

import langgraph.checkpoint.conformance.spec as spec
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance._clauses import cases
from langgraph.checkpoint.conformance._expect import ClauseFailed
from langgraph.checkpoint.conformance.capabilities import (
    ALL_CAPABILITIES,
    BASE_CAPABILITIES,
    EXTENDED_CAPABILITIES,
    Capability,
    DetectedCapabilities,
)
from langgraph.checkpoint.conformance.report import ProgressCallbacks
from langgraph.checkpoint.memory import InMemorySaver


class Forgetful(InMemorySaver):
    """Loses writes, refuses to prune although it overrides it, and fails to copy."""

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        pass

    async def aprune(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    async def acopy_thread(self, *args: Any, **kwargs: Any) -> None:
        raise OSError("disk")


@checkpointer_test(name="Forgetful", skip_capabilities={"put"})
async def forgetful() -> AsyncGenerator[BaseCheckpointSaver[Any], None]:
    yield Forgetful()


async def test_a_report_says_what_failed_and_what_is_missing() -> None:
    """An override that refuses is missing, one that fails has failed, and skipping is as missing."""
    results = (await validate(forgetful)).results
    assert list(results) == [capability.value for capability in Capability]
    for name in ("put", "prune"):
        assert (results[name].detected, results[name].passed, results[name].tests_skipped) == (False, None, 1)
    for name in ("put_writes", "copy_thread"):
        assert (results[name].detected, results[name].passed) == (True, False)
    assert results["copy_thread"].failures[0] == "test_copy_thread_basic: disk"
    assert results["put_writes"].failures[0] == (
        "test_put_writes_basic: writes: expected [('task', 'a', 'value')], found []"
    )
    assert results["delete_thread"].passed
    assert results["delete_thread"].tests_passed == len(cases(Capability.DELETE_THREAD))


async def test_only_the_capabilities_asked_for_are_judged() -> None:
    """The others are reported as not detected; an unknown one is an error."""
    results = (await validate(forgetful, capabilities={"delete_thread", "put"})).results
    assert [name for name, result in results.items() if result.detected] == ["delete_thread"]
    with pytest.raises(ValueError, match="'nope' is not a valid Capability"):
        await validate(forgetful, capabilities={"nope"})


async def test_lifespan_savers_and_progress_come_in_order() -> None:
    """One lifespan spans all; each capability has a saver of its own; callbacks tell how it goes."""
    told: list[Any] = []

    async def lifespan() -> AsyncGenerator[None, None]:
        told.append("begin")
        yield
        told.append("end")

    @checkpointer_test(name="Told", lifespan=lifespan)
    async def saver() -> AsyncGenerator[BaseCheckpointSaver[Any], None]:
        told.append("open")
        yield InMemorySaver()
        told.append("close")

    progress = ProgressCallbacks(
        on_capability_start=lambda name, detected: told.append((name, detected)),
        on_test_result=lambda name, test, passed, error: told.append((test, passed, error)),
        on_capability_end=lambda name: told.append(name),
    )
    await validate(saver, capabilities={"delete_thread"}, progress=progress)
    tests = [(f"test_{case.name}", True, None) for case in cases(Capability.DELETE_THREAD)]
    judged = ["open", ("delete_thread", True), *tests, "delete_thread", "close"]
    others = [(c.value, False) for c in Capability]
    at = others.index(("delete_thread", False))
    assert told == ["begin", *others[:at], *judged, *others[at + 1 :], "end"]


def test_capabilities_by_class_are_overrides_of_either_colour() -> None:
    """`from_instance` looks at the class alone."""

    class Sync(BaseCheckpointSaver[int]):
        def put(self, *args: Any, **kwargs: Any) -> Any: ...

    class Async(Sync):
        async def aprune(self, *args: Any, **kwargs: Any) -> None: ...

    assert DetectedCapabilities.from_instance(Sync()).detected == {Capability.PUT}
    found = DetectedCapabilities.from_instance(Async())
    assert found.detected == {Capability.PUT, Capability.PRUNE}
    assert found.missing == ALL_CAPABILITIES - found.detected
    assert BASE_CAPABILITIES | EXTENDED_CAPABILITIES == ALL_CAPABILITIES


async def test_functions_of_the_release_take_a_saver() -> None:
    """One clause, or all of a capability, judge the async methods of a saver."""
    await spec.test_put.test_put_roundtrip(InMemorySaver())
    with pytest.raises(ClauseFailed):
        await spec.test_put_writes.test_put_writes_basic(Forgetful())
    results: list[tuple[str, str, bool, str | None]] = []
    passed, failed, failures = await spec.run_put_writes_tests(
        Forgetful(), on_test_result=lambda *result: results.append(result)
    )
    assert passed + failed == len(results) == len(cases(Capability.PUT_WRITES))
    assert failed == len(failures) > 0
    (error,) = [error for _, test, _, error in results if test == "test_put_writes_basic"]
    assert error
    assert "ClauseFailed" in error


def test_functions_of_the_release_are_clauses_under_their_names() -> None:
    """Each is registered once, and has the clause as docstring."""
    texts = {f"test_{case.name}": case.text for case in cases()}
    found = 0
    for module in (spec.test_put, spec.test_put_writes, spec.test_get_tuple, spec.test_list, spec.test_prune):
        for name, function in vars(module).items():
            if name.startswith("test_"):
                assert (function.__name__, function.__doc__) == (name, texts[name])
                found += 1
    assert found == 17 + 10 + 10 + 16 + 8
