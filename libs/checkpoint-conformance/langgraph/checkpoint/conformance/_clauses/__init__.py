"""The clauses, a module for each capability. Importing this registers them all."""

from langgraph.checkpoint.conformance._clauses import (
    copy_thread,
    delete_for_runs,
    delete_thread,
    delta_channel_history,
    get_tuple,
    list,  # noqa: A004  # the capability's name
    prune,
    put,
    put_writes,
)
from langgraph.checkpoint.conformance._registry import registered as cases

__all__ = [
    "cases",
    "copy_thread",
    "delete_for_runs",
    "delete_thread",
    "delta_channel_history",
    "get_tuple",
    "list",
    "prune",
    "put",
    "put_writes",
]
