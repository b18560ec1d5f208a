"""The contract of a store: what is kept across threads, the operations on it, and the class to subclass.

A store holds items, each a JSON-like dict, at a namespace (a tuple of labels) and a key. Everything that can
be asked of it is an operation, a plain tuple; a backend implements `batch` and `abatch` for lists of them,
and `BaseStore` offers the methods that people call.
"""

from langgraph.store.base._index import IndexConfig
from langgraph.store.base._items import Item, SearchItem
from langgraph.store.base._namespaces import (
    InvalidNamespaceError,
    validate_op_namespace,
)
from langgraph.store.base._namespaces import validate_labels as _validate_namespace_labels
from langgraph.store.base._namespaces import validate_namespace as _validate_namespace
from langgraph.store.base._ops import (
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    NamespaceMatchType,
    NamespacePath,
    Op,
    PutOp,
    Result,
    SearchOp,
)
from langgraph.store.base._store import BaseStore
from langgraph.store.base._ttl import NOT_PROVIDED, NotProvided, TTLConfig
from langgraph.store.base._ttl import ensure_refresh as _ensure_refresh
from langgraph.store.base._ttl import ensure_ttl as _ensure_ttl
from langgraph.store.base.embed import Embeddings, ensure_embeddings, get_text_at_path, tokenize_path

__all__ = [
    "NOT_PROVIDED",
    "BaseStore",
    "Embeddings",
    "GetOp",
    "IndexConfig",
    "InvalidNamespaceError",
    "Item",
    "ListNamespacesOp",
    "MatchCondition",
    "NamespaceMatchType",
    "NamespacePath",
    "NotProvided",
    "Op",
    "PutOp",
    "Result",
    "SearchItem",
    "SearchOp",
    "TTLConfig",
    "_ensure_refresh",
    "_ensure_ttl",
    "_validate_namespace",
    "_validate_namespace_labels",
    "ensure_embeddings",
    "get_text_at_path",
    "tokenize_path",
    "validate_op_namespace",
]
