"""The operations on a store: plain tuples, so that they can be queued, compared and sent elsewhere."""

# No postponed annotations here: a tool that resolves them looks in the module that `__module__` names.
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Union

from langgraph.store.base._items import Item, SearchItem

NamespacePath = tuple[Union[str, Literal["*"]], ...]  # noqa: UP007 — `str | "*"` is no type
"""Labels to match a namespace with; `*` stands for any one label."""

NamespaceMatchType = Literal["prefix", "suffix"]
"""The end of the namespace that a path is laid against."""


class GetOp(NamedTuple):
    """Read one item; the result is the `Item`, or `None` if there is none."""

    namespace: tuple[str, ...]
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    """Read the items below a namespace; the result is a list of `SearchItem`.

    `filter` maps a top-level key of the value to what it must be: a literal, a dict that must be contained,
    or operators out of `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`. With a `query`, and a store that has an
    index, the nearest come first; otherwise the order is the store's.
    """

    namespace_prefix: tuple[str, ...]
    filter: dict[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    query: str | None = None
    refresh_ttl: bool = True


class MatchCondition(NamedTuple):
    """What the beginning or the end of a namespace must look like."""

    match_type: NamespaceMatchType
    path: NamespacePath


class ListNamespacesOp(NamedTuple):
    """List the namespaces that hold items; the result is a sorted list of tuples.

    Namespaces that meet all conditions are cut to `max_depth` labels, and each is listed once.
    """

    match_conditions: tuple[MatchCondition, ...] | None = None
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


class PutOp(NamedTuple):
    """Write one item, or delete it if `value` is `None`; the result is `None`.

    `index` says what a semantic search looks at: `None` the store's own fields, `False` nothing, or a list of
    paths as `get_text_at_path` takes them. `ttl` is in minutes.
    """

    # `index` hides a method of tuple; the name is the release's.

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, Any] | None
    index: Literal[False] | list[str] | None = None  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride]
    ttl: float | None = None


Op = GetOp | SearchOp | PutOp | ListNamespacesOp
"""Anything that `batch` takes."""

Result = Item | list[Item] | list[SearchItem] | list[tuple[str, ...]] | None
"""Anything that `batch` gives back, one for each operation."""

# Stored values name these classes by this module, and allowlists know them so.
for _kind in (GetOp, SearchOp, MatchCondition, ListNamespacesOp, PutOp):
    _kind.__module__ = "langgraph.store.base"
