"""The contract of a cache: results of nodes, kept for a while under a namespace and a key."""

from langgraph.cache.base._cache import BaseCache, FullKey, Namespace, ValueT
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

__all__ = ["BaseCache", "FullKey", "JsonPlusSerializer", "Namespace", "SerializerProtocol", "ValueT"]
