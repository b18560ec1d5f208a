"""`InMemoryStore`: a batch is planned, then its texts are embedded, then it is carried out under one lock.

Only the embedding has two colours. The lock is not held for it, so a slow model holds up nobody else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from itertools import islice
from typing import Any, NamedTuple

from langgraph.store.base import (
    BaseStore,
    Embeddings,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Op,
    Result,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    tokenize_path,
)
from langgraph.store.base._copies import copied
from langgraph.store.memory._filters import predicate
from langgraph.store.memory._listing import listed
from langgraph.store.memory._plan import Plan, Write
from langgraph.store.memory._vectors import Vector, best_similarity, units

_Namespace = tuple[str, ...]
_Vectors = Mapping[str, Vector]


class _Record(NamedTuple):
    """An item as it is kept; nothing changes it, a put replaces it."""

    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    vectors: Sequence[Vector]


class _Found(NamedTuple):
    """A record that a search came upon."""

    namespace: _Namespace
    key: str
    record: _Record
    score: float | None


class InMemoryStore(BaseStore):
    """A store that lives in this process, for tests and for what need not outlive it. Safe for many threads.

    Items are searched in the order in which their namespaces, and in those their keys, first came. With an
    index, a search with a query gives the most alike first, and last those without a vector.

    Args:
        index: how to embed values, for semantic search; `None` for no index.

    Example:
        >>> store = InMemoryStore()
        >>> store.put(("users", "ada"), "prefs", {"theme": "dark"})
        >>> store.get(("users", "ada"), "prefs").value
        {'theme': 'dark'}
        >>> [item.key for item in store.search(("users",), filter={"theme": "dark"})]
        ['prefs']
    """

    __slots__ = ("_data", "_lock", "_paths", "embeddings", "index_config")

    def __init__(self, *, index: IndexConfig | None = None) -> None:
        self._data: dict[_Namespace, dict[str, _Record]] = {}
        self._lock = threading.Lock()
        self.index_config = index.copy() if index else None
        self.embeddings: Embeddings | None = ensure_embeddings(index.get("embed")) if index else None
        self._paths = [tokenize_path(path) for path in index.get("fields") or ["$"]] if index else None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Perform several operations as one; see `BaseStore.batch`."""
        plan = Plan.of(ops, self._paths)
        if self.embeddings is None:
            return self._carry_out(plan, {}, {})
        queries = [self.embeddings.embed_query(query) for query in plan.queries]
        texts = self.embeddings.embed_documents(plan.texts) if plan.texts else []
        return self._carry_out(plan, units(plan.queries, queries), units(plan.texts, texts))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Async version of `batch`."""
        plan = Plan.of(ops, self._paths)
        if self.embeddings is None:
            return self._carry_out(plan, {}, {})
        queries = [await self.embeddings.aembed_query(query) for query in plan.queries]
        texts = await self.embeddings.aembed_documents(plan.texts) if plan.texts else []
        return self._carry_out(plan, units(plan.queries, queries), units(plan.texts, texts))

    def _carry_out(self, plan: Plan, queries: _Vectors, texts: _Vectors) -> list[Result]:
        now = datetime.now(timezone.utc)
        with self._lock:
            results = [self._result(op, queries) for op in plan.ops]
            for write in plan.writes:
                self._write(write, [texts[text] for text in write.texts], now)
        return results

    def _result(self, op: Op, queries: _Vectors) -> Result:
        if isinstance(op, GetOp):
            record = self._data.get(tuple(op.namespace), {}).get(op.key)
            return None if record is None else _item(tuple(op.namespace), op.key, record)
        if isinstance(op, SearchOp):
            return [_search_item(found) for found in self._search(op, queries.get(op.query or ""))]
        if isinstance(op, ListNamespacesOp):
            return listed(op, self._data)
        return None

    def _search(self, op: SearchOp, query: Vector | None) -> Iterable[_Found]:
        candidates = self._candidates(op)
        if query is not None:
            scored = [found._replace(score=best_similarity(query, found.record.vectors)) for found in candidates]
            candidates = iter(sorted(scored, key=_rank))
        return islice(candidates, op.offset, op.offset + op.limit)

    def _candidates(self, op: SearchOp) -> Iterator[_Found]:
        prefix, matches = tuple(op.namespace_prefix), predicate(op.filter or {})
        for namespace, records in self._data.items():
            if namespace[: len(prefix)] == prefix:
                for key, record in records.items():
                    if matches(record.value):
                        yield _Found(namespace, key, record, None)

    def _write(self, write: Write, vectors: Sequence[Vector], now: datetime) -> None:
        if write.value is None:
            self._remove(write.namespace, write.key)
            return
        records = self._data.setdefault(write.namespace, {})
        old = records.get(write.key)
        records[write.key] = _Record(write.value, old.created_at if old else now, now, vectors)

    def _remove(self, namespace: _Namespace, key: str) -> None:
        records = self._data.get(namespace, {})
        records.pop(key, None)
        if not records:  # an empty namespace is none
            self._data.pop(namespace, None)


def _rank(found: _Found) -> float:
    return float("inf") if found.score is None else -found.score


def _item(namespace: _Namespace, key: str, record: _Record) -> Item:
    return Item(
        value=copied(record.value),
        key=key,
        namespace=namespace,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def _search_item(found: _Found) -> SearchItem:
    namespace, key, record, score = found
    return SearchItem(namespace, key, copied(record.value), record.created_at, record.updated_at, score)
