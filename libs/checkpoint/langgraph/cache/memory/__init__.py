"""A cache in this process's memory."""

from langgraph.cache.base import BaseCache, SerializerProtocol
from langgraph.cache.memory._cache import InMemoryCache

__all__ = ["BaseCache", "InMemoryCache", "SerializerProtocol"]
