"""The metadata stored with a checkpoint: what the engine says, and the scalars that the config carries."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._types import CheckpointMetadata

EXCLUDED_METADATA_KEYS = {
    "thread_id",
    "checkpoint_id",
    "checkpoint_ns",
    "checkpoint_map",
    "langgraph_step",
    "langgraph_node",
    "langgraph_triggers",
    "langgraph_path",
    "langgraph_checkpoint_ns",
}
"""Config keys that never become metadata: they are the address, or belong to one step."""


def merge_metadata(config: RunnableConfig, metadata: CheckpointMetadata) -> CheckpointMetadata:
    """Return `metadata` and, behind it, the scalars of the config's metadata and configurable.

    A key that is there already stays; names that begin with two underscores are the engine's own.
    """
    merged: dict[str, Any] = dict(metadata)
    for part in (config.get("metadata") or {}, config.get("configurable") or {}):
        for key, value in part.items():
            if (
                key not in merged
                and key not in EXCLUDED_METADATA_KEYS
                and not key.startswith("__")
                and isinstance(value, (str, int, float))
            ):
                merged[key] = value
    return cast("CheckpointMetadata", merged)


def get_checkpoint_metadata(config: RunnableConfig, metadata: CheckpointMetadata) -> CheckpointMetadata:
    r"""Return `merge_metadata` without `\0` in its text, which some databases can not store."""
    merged = cast("dict[str, Any]", merge_metadata(config, metadata))
    stripped = {k: v.replace("\0", "") if isinstance(v, str) else v for k, v in merged.items()}
    return cast("CheckpointMetadata", stripped)


def get_serializable_checkpoint_metadata(
    config: RunnableConfig, metadata: CheckpointMetadata
) -> CheckpointMetadata:
    """Return `get_checkpoint_metadata` without `writes`, which old engines kept in metadata."""
    merged = cast("dict[str, Any]", get_checkpoint_metadata(config, metadata))
    merged.pop("writes", None)
    return cast("CheckpointMetadata", merged)
