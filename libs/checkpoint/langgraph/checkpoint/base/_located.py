"""Errors of the serializer get to know what only the saver knows: whose value it was."""

from __future__ import annotations

from types import TracebackType

from langgraph.checkpoint.base._address import CheckpointKey
from langgraph.checkpoint.errors import SerializationError


class located:  # noqa: N801  # used like a function
    """Within the block, extend the path and the address of a `SerializationError` and raise that.

    It runs once for each value that is stored, so texts are only put together when there is an error.

    Args:
        key: the checkpoint that the value belongs to.
        path: where the value sits in it.
        item: the key or place in `path`, if it is a container.
        address: what else is known: `channel`, `task_id`.
    """

    __slots__ = ("_address", "_item", "_key", "_path")

    def __init__(self, key: CheckpointKey, path: str, item: str | int | None = None, **address: str) -> None:
        self._key = key
        self._path = path
        self._item = item
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, SerializationError):
            path = self._path if self._item is None else f"{self._path}[{self._item!r}]"
            raise error.located(path, **self._key.address(), **self._address) from error
