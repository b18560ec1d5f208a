"""What a checkpoint is: the types that the engine, the savers and their users share.

The release keeps these in `langgraph.checkpoint.base`; so do we, as far as anyone can see.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from typing_extensions import NotRequired, TypedDict

from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME, SCHEDULED

V = TypeVar("V", int, float, str)
"""The version of a channel: counted by the base class, text on our savers."""

PendingWrite = tuple[str, str, Any]
"""`(task_id, channel, value)`: what a task of the next step has written already."""

ChannelVersions = dict[str, str | int | float]
"""The version of each channel, by channel."""

WRITES_IDX_MAP: dict[str, int] = {ERROR: -1, SCHEDULED: -2, INTERRUPT: -3, RESUME: -4}
"""The fixed slot of a special write in its task; ordinary writes have their place in the batch, from 0."""


class CheckpointMetadata(TypedDict, total=False):
    """What is known of a checkpoint besides its state; may carry any further scalar of the config."""

    source: Literal["input", "loop", "update", "fork"]
    """How it came to be: from an input, a step of the loop, a manual update, a copy of another."""
    step: int
    """-1 for the first input, 0 for the first step of the loop, and so on."""
    parents: dict[str, str]
    """Ids of the parent graphs' checkpoints, by namespace."""
    run_id: str
    """The run that made it; `delete_for_runs` goes by this."""
    counters_since_delta_snapshot: dict[str, tuple[int, int]]
    """For each delta channel `(updates, steps)` since its last snapshot."""


class Checkpoint(TypedDict):
    """The state of a thread at one moment."""

    v: int
    """Format of the checkpoint; the engine writes 4."""
    id: str
    """Unique and increasing, so that ids sort as time does."""
    ts: str
    """When it was made, ISO 8601."""
    channel_values: dict[str, Any]
    """The value of each channel that has one."""
    channel_versions: ChannelVersions
    """The version of each channel; grows each time the channel is updated."""
    versions_seen: dict[str, ChannelVersions]
    """For each node the channel versions it has seen, which tells what runs next."""
    updated_channels: list[str] | None
    """Channels that the last step updated."""


class CheckpointTuple(NamedTuple):
    """A checkpoint with all that belongs to it."""

    config: RunnableConfig
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    parent_config: RunnableConfig | None = None
    pending_writes: list[PendingWrite] | None = None


class DeltaChannelHistory(TypedDict):
    """What a delta channel's value is replayed from."""

    writes: list[PendingWrite]
    """Writes to the channel, oldest first."""
    seed: NotRequired[Any]
    """The value that the writes apply to; absent if no ancestor stored one."""


class EmptyChannelError(Exception):
    """A channel was read that has no value yet."""


def writes_sort_key(task_path: str, task_id: str = "", idx: int = 0) -> tuple[str, str, int]:
    """Return what pending writes are ordered by: task path, task, place in the task."""
    return (task_path, task_id, idx)


def copy_checkpoint(checkpoint: Checkpoint) -> Checkpoint:
    """Return a copy that can be changed without changing `checkpoint`; values themselves are shared."""
    copy: dict[str, Any] = dict(checkpoint)
    copy["channel_values"] = checkpoint["channel_values"].copy()
    copy["channel_versions"] = checkpoint["channel_versions"].copy()
    copy["versions_seen"] = {node: seen.copy() for node, seen in checkpoint["versions_seen"].items()}
    for name in ("updated_channels", "pending_sends"):
        if copy.get(name) is not None:
            copy[name] = list(copy[name])
    return cast("Checkpoint", copy)  # of a format < 4, it has one more key
