"""A saver, and short ways to put checkpoints into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from langgraph.checkpoint.memory import InMemorySaver


@pytest.fixture
def saver() -> InMemorySaver:
    """Return an empty saver."""
    return InMemorySaver()


@pytest.fixture
def config() -> Callable[..., Any]:
    """Return a function that makes a config."""

    def make(thread_id: Any = "1", checkpoint_id: str | None = None, checkpoint_ns: str = "") -> Any:
        parts = {"thread_id": thread_id, "checkpoint_ns": checkpoint_ns, "checkpoint_id": checkpoint_id}
        return {"configurable": parts}

    return make


@pytest.fixture
def checkpoint() -> Callable[..., Any]:
    """Return a function that makes a checkpoint from an id, values and versions."""

    def make(
        id: str, values: dict[str, Any] | None = None, versions: dict[str, Any] | None = None, v: int = 4
    ) -> Any:
        return {
            "v": v,
            "id": id,
            "ts": "2026-01-01T00:00:00+00:00",
            "channel_values": dict(values or {}),
            "channel_versions": dict(versions or {}),
            "versions_seen": {},
            "updated_channels": None,
        }

    return make


@pytest.fixture
def put(saver: InMemorySaver, config: Callable[..., Any], checkpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that puts a checkpoint, all of whose versions are new, and returns its config."""

    def make(
        id: str,
        values: dict[str, Any] | None = None,
        versions: dict[str, Any] | None = None,
        *,
        thread_id: Any = "1",
        ns: str = "",
        parent: str | None = None,
        metadata: Any = None,
        new: dict[str, Any] | None = None,
        v: int = 4,
    ) -> Any:
        new_versions = (versions or {}) if new is None else new
        stored = checkpoint(id, values, versions, v)
        return saver.put(config(thread_id, parent, ns), stored, metadata or {}, new_versions)

    return make
