"""Checkpoint savers on SQLite; the asynchronous one is in `langgraph.checkpoint.sqlite.aio`."""

from langgraph.checkpoint.sqlite._errors import SqliteStorageError
from langgraph.checkpoint.sqlite._saver import SqliteSaver

__all__ = ["SqliteSaver", "SqliteStorageError"]
