"""`BaseStore`: the methods that people call, each an operation handed to `batch` or `abatch`.

What a method checks and which operation it makes is in `_calls.py`, once for both colours. `_perform_op` and
`_aperform_op` carry it out, and are all that `AsyncBatchedBaseStore` changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from langgraph.store.base._calls import delete_op, get_op, list_namespaces_op, put_op, search_op
from langgraph.store.base._items import Item, SearchItem
from langgraph.store.base._ops import NamespacePath, Op, Result
from langgraph.store.base._ttl import NOT_PROVIDED, NotProvided, TTLConfig


class BaseStore(ABC):
    """Items kept across threads, at a namespace and a key. A backend implements `batch` and `abatch`.

    What holds for every store:

    - A value is a JSON-like dict. It is frozen when put, and what is read is the caller's own.
    - A namespace's labels are non-empty strings without periods and NUL characters; anything else is an
      `InvalidNamespaceError`, for reads too. Writing needs at least one label, and the first is not
      `langgraph`.
    - Reading creates nothing, and a namespace without items is not listed.
    - In one batch, reads see the store as it was before the batch; of several puts to one address the last
      counts.

    Attributes:
        supports_ttl: whether items can expire.
        ttl_config: what holds for expiry where a call does not say.
    """

    __slots__ = ("__weakref__",)

    supports_ttl: bool = False
    ttl_config: TTLConfig | None = None

    @abstractmethod
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Perform several operations as one.

        Args:
            ops: the operations.

        Returns:
            A result for each, in order; see the operations for what it is.
        """

    @abstractmethod
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Async version of `batch`."""

    def _perform_op(self, op: Op) -> Any:
        return self.batch([op])[0]

    async def _aperform_op(self, op: Op) -> Any:
        return (await self.abatch([op]))[0]

    def get(self, namespace: tuple[str, ...], key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """Read one item.

        Args:
            namespace: the item's namespace.
            key: the item's key.
            refresh_ttl: whether its time to live starts again; `None` for what the store is configured to do.

        Returns:
            The item, or `None` if there is none.
        """
        return cast("Item | None", self._perform_op(get_op(self, namespace, key, refresh_ttl)))

    async def aget(self, namespace: tuple[str, ...], key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """Async version of `get`."""
        return cast("Item | None", await self._aperform_op(get_op(self, namespace, key, refresh_ttl)))

    def search(
        self,
        namespace_prefix: tuple[str, ...],
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        """Find items in a namespace and those below it.

        Args:
            namespace_prefix: the first labels of the items' namespaces; `()` for all.
            query: what to look for by meaning, if the store has an index.
            filter: what the values must be; see `SearchOp`.
            limit: how many to return at most.
            offset: how many to leave out before that.
            refresh_ttl: whether their time to live starts again; `None` for what the store is configured to
                do.

        Returns:
            The items, with a query the nearest first.
        """
        op = search_op(self, namespace_prefix, refresh_ttl, query=query, filter=filter, limit=limit, offset=offset)
        return cast("list[SearchItem]", self._perform_op(op))

    async def asearch(
        self,
        namespace_prefix: tuple[str, ...],
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        """Async version of `search`."""
        op = search_op(self, namespace_prefix, refresh_ttl, query=query, filter=filter, limit=limit, offset=offset)
        return cast("list[SearchItem]", await self._aperform_op(op))

    def put(
        self,
        namespace: tuple[str, ...],
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        """Write one item, in place of the one that is there.

        Args:
            namespace: the item's namespace.
            key: the item's key.
            value: what to keep.
            index: what a search by meaning looks at; see `PutOp`.
            ttl: minutes until the item expires, `None` for never; not given, the store's default.

        Raises:
            InvalidNamespaceError: if the namespace can not be written to.
            UnsupportedOperationError: if a time to live is given, and the store has none.
        """
        self._perform_op(put_op(self, namespace, key, value, index, ttl))

    async def aput(
        self,
        namespace: tuple[str, ...],
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        """Async version of `put`."""
        await self._aperform_op(put_op(self, namespace, key, value, index, ttl))

    def delete(self, namespace: tuple[str, ...], key: str) -> None:
        """Remove one item, if it is there.

        Args:
            namespace: the item's namespace.
            key: the item's key.
        """
        self._perform_op(delete_op(namespace, key))

    async def adelete(self, namespace: tuple[str, ...], key: str) -> None:
        """Async version of `delete`."""
        await self._aperform_op(delete_op(namespace, key))

    def list_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[tuple[str, ...]]:
        """List the namespaces that hold items.

        Args:
            prefix: how they must begin; `*` stands for any one label.
            suffix: how they must end; `*` stands for any one label.
            max_depth: how many labels to keep of each; namespaces that are then equal are listed once.
            limit: how many to return at most.
            offset: how many to leave out before that.

        Returns:
            The namespaces, sorted.
        """
        op = list_namespaces_op(prefix, suffix, max_depth, limit, offset)
        return cast("list[tuple[str, ...]]", self._perform_op(op))

    async def alist_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[tuple[str, ...]]:
        """Async version of `list_namespaces`."""
        op = list_namespaces_op(prefix, suffix, max_depth, limit, offset)
        return cast("list[tuple[str, ...]]", await self._aperform_op(op))


# Injection into nodes goes by this class, and people know it by this module.
BaseStore.__module__ = "langgraph.store.base"
