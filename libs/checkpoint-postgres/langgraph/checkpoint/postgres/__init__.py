"""Checkpoint savers on Postgres; the asynchronous one is in `langgraph.checkpoint.postgres.aio`."""

from langgraph.checkpoint.postgres._errors import PostgresStorageError
from langgraph.checkpoint.postgres._saver import PostgresSaver

__all__ = ["PostgresSaver", "PostgresStorageError"]
