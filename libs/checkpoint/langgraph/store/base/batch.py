"""Batching of asynchronous calls; see `AsyncBatchedBaseStore`."""

from langgraph.store.base._batched import AsyncBatchedBaseStore
from langgraph.store.base._items import Item, SearchItem
from langgraph.store.base._ops import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.base._store import BaseStore
from langgraph.store.base._ttl import NOT_PROVIDED, NotProvided

__all__ = [
    "NOT_PROVIDED",
    "AsyncBatchedBaseStore",
    "BaseStore",
    "GetOp",
    "Item",
    "ListNamespacesOp",
    "MatchCondition",
    "NotProvided",
    "PutOp",
    "SearchItem",
    "SearchOp",
]
