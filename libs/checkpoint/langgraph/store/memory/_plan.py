"""A batch, looked through before anything is done: checked, copied, and what must be embedded for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.store.base import (
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    SearchOp,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)
from langgraph.store.base._copies import copied

_PAGED = (SearchOp, ListNamespacesOp)
_KINDS = (GetOp, PutOp, *_PAGED)

Paths = Sequence[list[str]]
"""Paths to text in a value, as their steps."""


@dataclass(frozen=True, slots=True)
class Write:
    """One item to write.

    Attributes:
        namespace: where to.
        key: where to.
        value: a copy of what was put, or `None` to delete.
        texts: what to embed of it.
    """

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any] | None
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch comes to.

    Attributes:
        ops: the operations, for their results.
        writes: what to write, one for each address.
        texts: the texts of all writes, each once.
        queries: the texts to search by, each once.
    """

    ops: Sequence[Op]
    writes: Sequence[Write]
    texts: list[str]
    queries: list[str]

    @classmethod
    def of(cls, ops: Iterable[Op], paths: Paths | None) -> Plan:
        """Look through a batch.

        Args:
            ops: the operations.
            paths: what to embed of a value that does not say; `None` if there is no index.

        Returns:
            The plan.

        Raises:
            InvalidNamespaceError: if an operation has a bad namespace.
            InvalidConfigError: if something in it is not an operation, or a limit, an offset or a depth is
                negative.
        """
        ops = list(ops)
        for op in ops:
            _check(op)
        last = {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}
        writes = [_write(op, paths) for op in last.values()]
        queries = [op.query for op in ops if isinstance(op, SearchOp) and op.query]
        texts = dict.fromkeys(text for write in writes for text in write.texts)
        return cls(ops, writes, list(texts), list(dict.fromkeys(queries)))


def _check(op: Op) -> None:
    if not isinstance(op, _KINDS):  # pyright: ignore[reportUnnecessaryIsInstance] — callers are untyped
        raise InvalidConfigError(
            f"Unknown operation type: {type(op)}. Use GetOp, PutOp, SearchOp or ListNamespacesOp.",
            field="ops",
        )
    validate_op_namespace(op)
    if isinstance(op, _PAGED):
        depth = op.max_depth if isinstance(op, ListNamespacesOp) else None
        for field, number in (("limit", op.limit), ("offset", op.offset), ("max_depth", depth)):
            if number is not None and number < 0:
                raise InvalidConfigError(f"{field} is {number}, but can not be negative.", field=field)


def _write(op: PutOp, paths: Paths | None) -> Write:
    value = None if op.value is None else copied(dict(op.value))
    return Write(tuple(op.namespace), op.key, value, _texts(op, paths))


def _texts(op: PutOp, paths: Paths | None) -> list[str]:
    if paths is None or op.value is None or op.index is False:
        return []
    wanted = paths if op.index is None else [tokenize_path(path) for path in op.index]
    return [text for path in wanted for text in get_text_at_path(op.value, path)]
