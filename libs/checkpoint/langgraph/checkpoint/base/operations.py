"""Requests, and the two drivers that perform them.

An *operation* is a coroutine that awaits only the requests below, so it decides but never touches a
connection:

    async def get_tuple(self, key):
        rows = await fetch(GET, key)
        return decode(rows) if rows else None

A driver runs it: it performs each request on its own connection and sends the answer back, or throws the
database's error into the operation, at the statement that met it. One operation is one unit of work. It starts
with `begin`; what it writes is all stored when the operation returns, or none of it if it raises. A lone query
needs no `begin`, and holds the connection no longer than it takes.

Values are encoded before `begin`. They are decoded after a lone query, or in `compute`, for which a unit that
only reads gives its connection back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from typing_extensions import LiteralString

T = TypeVar("T")
Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]
Operation = Coroutine["Request[Any]", Any, T]
"""What a driver runs: awaits requests, returns `T`."""


class Request(Generic[T]):
    """Something that only a driver can do; awaiting it gives the answer."""

    __slots__ = ()

    def __await__(self) -> Generator[Request[T], T, T]:
        return (yield self)


@dataclass(slots=True)
class Begin(Request[bool]):
    """Start a unit of work: as the only writer, or as a reader who sees one state throughout.

    The answer is whether it stands alone: not inside a transaction of the caller's, which may be undone.
    """

    write: bool = True


@dataclass(slots=True)
class Commit(Request[bool]):
    """End the unit of work, which otherwise ends with the operation.

    The answer is whether its writes are stored for good: not inside a transaction of the caller's.
    """


@dataclass(slots=True)
class Fetch(Request[list[Row]]):
    """Run a query and return all its rows."""

    sql: LiteralString
    params: Parameters = ()
    committed: bool | None = field(default=None, compare=False)
    """Set by a driver that knows: whether the rows are stored for good, not those of an open transaction."""


@dataclass(slots=True)
class Execute(Request[int]):
    """Run a statement and return how many rows it changed."""

    sql: LiteralString
    params: Sequence[Any] = ()


@dataclass(slots=True)
class ExecuteMany(Request[None]):
    """Run a statement once for each row of parameters."""

    sql: LiteralString
    rows: Iterable[Sequence[Any]]


@dataclass(slots=True)
class Compute(Request[T]):
    """Call `perform`, which must not touch the database."""

    perform: Callable[[], T]


def begin(*, write: bool = True) -> Begin:
    """Return the request to start a unit of work, until the operation ends."""
    return Begin(write)


def commit() -> Commit:
    """Return the request to end the unit of work."""
    return Commit()


def fetch(sql: LiteralString, params: Parameters = ()) -> Fetch:
    """Return the request for all rows of a query."""
    return Fetch(sql, params)


def execute(sql: LiteralString, params: Sequence[Any] = ()) -> Execute:
    """Return the request to run a statement."""
    return Execute(sql, params)


def execute_many(sql: LiteralString, rows: Iterable[Sequence[Any]]) -> ExecuteMany:
    """Return the request to run a statement for each row of parameters."""
    return ExecuteMany(sql, rows)


def compute(function: Callable[[], T]) -> Compute[T]:
    """Return the request to do work without the connection."""
    return Compute(function)


class Started(Generic[T]):
    """An operation, advanced on the caller's thread up to its first need of a connection.

    What is encoded by then is frozen, whoever drives the rest and whenever.

    Attributes:
        request: what the operation waits for; `None` once it has ended, with `result`.
    """

    __slots__ = ("_operation", "request", "result")
    request: Request[Any] | None
    result: T

    def __init__(self, operation: Operation[T]) -> None:
        self._operation = operation
        self.request = None
        try:
            request = operation.send(None)
            while isinstance(request, Compute):
                try:
                    answer = request.perform()
                except BaseException as error:
                    request = operation.throw(error)
                else:
                    request = operation.send(answer)
            self.request = request
        except StopIteration as end:
            self.result = end.value

    def drive(self, perform: Callable[[Request[Any]], Any]) -> T:
        """Perform the remaining requests and return the operation's result."""
        operation, request = self._operation, self.request
        try:
            while request is not None:
                try:
                    answer = perform(request)
                except BaseException as error:
                    request = operation.throw(error)
                else:
                    request = operation.send(answer)
        except StopIteration as end:
            self.result = end.value
        finally:
            operation.close()
        return self.result

    async def adrive(self, perform: Callable[[Request[Any]], Awaitable[Any]]) -> T:
        """Async version of `drive`."""
        operation, request = self._operation, self.request
        try:
            while request is not None:
                try:
                    answer = await perform(request)
                except BaseException as error:
                    request = operation.throw(error)
                else:
                    request = operation.send(answer)
        except StopIteration as end:
            self.result = end.value
        finally:
            operation.close()
        return self.result


def drive(operation: Operation[T], perform: Callable[[Request[Any]], Any]) -> T:
    """Run `operation` to its end, with `perform` for each request that needs a connection."""
    return Started(operation).drive(perform)


async def adrive(operation: Operation[T], perform: Callable[[Request[Any]], Awaitable[Any]]) -> T:
    """Async version of `drive`."""
    return await Started(operation).adrive(perform)
