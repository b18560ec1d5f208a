"""From the arguments of a store's method to its operation: checked and completed once, for both colours.

Functions and not methods of `BaseStore`, because its subclasses are other people's and have names of their
own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from langgraph.checkpoint.errors import UnsupportedOperationError
from langgraph.store.base._namespaces import validate_labels, validate_namespace
from langgraph.store.base._ops import GetOp, ListNamespacesOp, MatchCondition, NamespacePath, PutOp, SearchOp
from langgraph.store.base._ttl import NotProvided, TTLConfig, ensure_refresh, ensure_ttl


class _Expiry(Protocol):
    """The part of a store that says how items expire."""

    supports_ttl: bool
    ttl_config: TTLConfig | None


def get_op(store: _Expiry, namespace: tuple[str, ...], key: str, refresh_ttl: bool | None) -> GetOp:
    """Make the operation of `get`."""
    validate_labels(namespace)
    return GetOp(namespace, str(key), ensure_refresh(store.ttl_config, refresh_ttl))


def search_op(
    store: _Expiry,
    namespace_prefix: tuple[str, ...],
    refresh_ttl: bool | None,
    *,
    query: str | None,
    filter: dict[str, Any] | None,
    limit: int,
    offset: int,
) -> SearchOp:
    """Make the operation of `search`."""
    validate_labels(namespace_prefix)
    refresh = ensure_refresh(store.ttl_config, refresh_ttl)
    return SearchOp(namespace_prefix, filter, limit, offset, query, refresh)


def put_op(
    store: _Expiry,
    namespace: tuple[str, ...],
    key: str,
    value: Mapping[str, Any] | None,
    index: Literal[False] | list[str] | None,
    ttl: float | NotProvided | None,
) -> PutOp:
    """Make the operation of `put`; like the operation, it deletes if the value is `None`."""
    validate_namespace(namespace)
    if not (store.supports_ttl or ttl is None or isinstance(ttl, NotProvided)):
        raise UnsupportedOperationError(
            f"{type(store).__name__} does not let items expire, but ttl={ttl!r} was given. "
            "Leave `ttl` out, or use a store with `supports_ttl`.",
            operation="put",
        )
    kept = None if value is None else dict(value)
    return PutOp(namespace, str(key), kept, index, ensure_ttl(store.ttl_config, ttl))


def delete_op(namespace: tuple[str, ...], key: str) -> PutOp:
    """Make the operation of `delete`."""
    validate_labels(namespace)
    return PutOp(namespace, str(key), None)


def list_namespaces_op(
    prefix: NamespacePath | None,
    suffix: NamespacePath | None,
    max_depth: int | None,
    limit: int,
    offset: int,
) -> ListNamespacesOp:
    """Make the operation of `list_namespaces`; an empty path constrains nothing."""
    paths: tuple[tuple[Literal["prefix", "suffix"], NamespacePath | None], ...] = (
        ("prefix", prefix),
        ("suffix", suffix),
    )
    conditions = tuple(MatchCondition(kind, path) for kind, path in paths if path)
    for condition in conditions:
        validate_labels(condition.path)
    return ListNamespacesOp(conditions, max_depth, limit, offset)
