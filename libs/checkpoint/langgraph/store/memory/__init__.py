"""A store in this process's memory, with semantic search if it is told how to embed."""

from langgraph.store.base import (
    BaseStore,
    Embeddings,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
)
from langgraph.store.memory._store import InMemoryStore

__all__ = [
    "BaseStore",
    "Embeddings",
    "GetOp",
    "InMemoryStore",
    "IndexConfig",
    "Item",
    "ListNamespacesOp",
    "MatchCondition",
    "PutOp",
    "SearchItem",
    "SearchOp",
    "ensure_embeddings",
    "get_text_at_path",
    "tokenize_path",
]
