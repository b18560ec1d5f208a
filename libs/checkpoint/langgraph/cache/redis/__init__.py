"""A cache in Redis, shared by processes."""

from langgraph.cache.base import BaseCache, SerializerProtocol
from langgraph.cache.redis._cache import RedisCache

__all__ = ["BaseCache", "RedisCache", "SerializerProtocol"]
