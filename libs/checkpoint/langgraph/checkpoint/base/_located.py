"""Errors of the serializer get to know what only the saver knows: whose value it was."""

from __future__ import annotations

from types import TracebackType

from langgraph.checkpoint.errors import SerializationError


class located:  # noqa: N801  # used like a function
    """Within the block, extend the path and the address of a `SerializationError` and raise that.

    A class rather than a generator, since it runs once for each value that is stored.
    """

    __slots__ = ("_address", "_prefix")

    def __init__(self, prefix: str, **address: str) -> None:
        self._prefix = prefix
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, SerializationError):
            raise error.located(self._prefix, **self._address) from error
