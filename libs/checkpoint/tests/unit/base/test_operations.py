"""Operations by hand, and the drivers that run them."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from langgraph.checkpoint.base.operations import (
    Begin,
    Commit,
    Compute,
    Execute,
    ExecuteMany,
    Fetch,
    Started,
    adrive,
    begin,
    commit,
    compute,
    drive,
    execute,
    execute_many,
    fetch,
)


async def rename(old: str, new: str) -> int:
    """Rename rows, if there are any; a refusal of the database becomes an error of ours."""
    await begin()
    rows = await fetch("SELECT id FROM t WHERE name = ?", (old,))
    if not rows:
        return 0
    try:
        return await execute("UPDATE t SET name = ? WHERE name = ?", (new, old))
    except sqlite3.IntegrityError as error:
        raise LookupError(new) from error


@pytest.fixture(autouse=True)
def no_forgotten_coroutines() -> Iterator[None]:
    """Fail a test that leaves a coroutine which was never awaited."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
        gc.collect()


class Database:
    """Performs requests from a script: answers by request, errors are raised."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[Any] = []

    def perform(self, request: Any) -> Any:
        self.asked.append(request)
        answer = self.answers.get(type(request).__name__.lower())
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def aperform(self, request: Any) -> Any:
        await asyncio.sleep(0)
        return self.perform(request)

    def run(self, operation: Any, colour: str) -> Any:
        """Drive `operation` in one colour."""
        if colour == "sync":
            return drive(operation, self.perform)
        return asyncio.run(adrive(operation, self.aperform))


both = pytest.mark.parametrize("colour", ["sync", "async"])


def test_an_operation_needs_no_database() -> None:
    """It is stepped by hand: requests come out, answers go in."""
    operation = rename("a", "b")
    assert operation.send(None) == Begin()
    assert operation.send(None) == Fetch("SELECT id FROM t WHERE name = ?", ("a",))
    assert operation.send([(1,)]) == Execute("UPDATE t SET name = ? WHERE name = ?", ("b", "a"))
    with pytest.raises(StopIteration) as end:
        operation.send(1)
    assert end.value.value == 1


def test_an_error_is_translated_beside_its_statement() -> None:
    """It is thrown in where it happened."""
    operation = rename("a", "b")
    operation.send(None)
    operation.send(None)
    operation.send([(1,)])
    with pytest.raises(LookupError) as caught:
        operation.throw(sqlite3.IntegrityError())
    assert isinstance(caught.value.__cause__, sqlite3.IntegrityError)


def test_requests_are_values() -> None:
    """Equal if they ask for the same; the functions make them."""
    assert begin(write=False) == Begin(False) != Begin()
    assert commit() == Commit()
    assert fetch("q") == Fetch("q", ())
    assert execute("q", (1,)) == Execute("q", (1,)) != Execute("q", (2,))
    assert execute_many("q", [(1,)]) == ExecuteMany("q", [(1,)])
    assert compute(int) == Compute(int)


@both
def test_drivers_send_answers_and_return_the_result(colour: str) -> None:
    """Each request once, in order."""
    database = Database(fetch=[(1,)], execute=7)
    assert database.run(rename("a", "b"), colour) == 7
    assert [type(request) for request in database.asked] == [Begin, Fetch, Execute]


@both
def test_drivers_throw_errors_into_the_operation(colour: str) -> None:
    """What it makes of them is what the caller sees."""
    database = Database(fetch=[(1,)], execute=sqlite3.IntegrityError("taken"))
    with pytest.raises(LookupError) as caught:
        database.run(rename("a", "b"), colour)
    assert str(caught.value.__cause__) == "taken"


@both
def test_an_error_that_nobody_handles_passes_through(colour: str) -> None:
    """The very same."""
    error = sqlite3.OperationalError("disk")
    with pytest.raises(sqlite3.OperationalError) as caught:
        Database(begin=error).run(rename("a", "b"), colour)
    assert caught.value is error


@both
def test_an_operation_may_recover_from_an_error(colour: str) -> None:
    """It goes on with its next request."""

    async def try_twice() -> Any:
        try:
            await fetch("first")
        except sqlite3.OperationalError:
            return await execute("second")

    assert Database(fetch=sqlite3.OperationalError(), execute=3).run(try_twice(), colour) == 3


@both
def test_the_operation_is_closed_on_every_way_out(colour: str) -> None:
    """Also when it swallows what ends the driver, and is left with a request."""
    ended: list[str] = []

    async def stubborn() -> None:
        try:
            try:
                await fetch("first")
            except KeyboardInterrupt:
                await fetch("second")
        finally:
            ended.append("closed")

    class Interrupted(Database):
        def perform(self, request: Any) -> Any:
            super().perform(request)
            raise KeyboardInterrupt

    database = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        database.run(stubborn(), colour)
    assert ended == ["closed"]
    assert len(database.asked) == 2


@both
def test_the_operation_is_closed_when_it_awaits_what_no_driver_knows(colour: str) -> None:
    """The driver's refusal goes through it."""
    ended: list[str] = []

    async def lost() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("closed")

    class Strict(Database):
        def perform(self, request: Any) -> Any:
            raise TypeError(type(request).__name__)

    async def run() -> None:
        if colour == "sync":
            Strict().run(lost(), colour)
        else:
            await adrive(lost(), Strict().aperform)

    with pytest.raises(TypeError, match="Future"):
        asyncio.run(run())
    assert ended == ["closed"]


async def test_cancelling_reaches_the_operation() -> None:
    """It can clean up, and ends cancelled."""
    waiting, ended = asyncio.Event(), []

    async def operation() -> None:
        try:
            await fetch("slow")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def perform(request: Any) -> Any:
        waiting.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(adrive(operation(), perform))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["cancelled"]


class TestStarted:
    """The part that runs on the caller's thread, before anybody needs a connection."""

    def test_it_stops_at_the_first_request(self) -> None:
        """What came before has happened, what follows has not."""
        log: list[str] = []

        async def operation() -> str:
            log.append("encoded")
            log.append(await compute(lambda: "computed"))
            await begin()
            log.append("stored")
            return "done"

        started = Started(operation())
        assert log == ["encoded", "computed"]
        assert started.request == Begin()
        assert started.drive(Database().perform) == "done"
        assert log[2:] == ["stored"]

    def test_one_without_requests_has_ended(self) -> None:
        """Its result is there."""

        async def operation() -> int:
            return await compute(lambda: 5)

        started = Started(operation())
        assert started.request is None
        assert started.result == 5
        assert started.drive(Database().perform) == 5

    def test_errors_of_compute_are_thrown_into_the_operation(self) -> None:
        """As those of the database."""

        async def operation() -> str:
            try:
                await compute(lambda: 1 // 0)
            except ZeroDivisionError:
                return "handled"
            return "missed"

        assert Started(operation()).result == "handled"

        async def careless() -> int:
            return await compute(lambda: 1 // 0)

        with pytest.raises(ZeroDivisionError):
            Started(careless())

    def test_errors_before_the_first_request_are_the_callers(self) -> None:
        """Arguments are checked before anything is touched."""

        async def operation() -> None:
            await compute(lambda: None)
            raise LookupError("argument")

        with pytest.raises(LookupError):
            Started(operation())

    @both
    def test_compute_between_requests_is_the_drivers(self, colour: str) -> None:
        """It may give its connection back first."""

        async def operation() -> Any:
            await fetch("q")
            return await compute(lambda: 1)

        database = Database(compute="performed")
        assert database.run(operation(), colour) == "performed"
        assert [type(request) for request in database.asked] == [Fetch, Compute]
