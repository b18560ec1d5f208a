"""Helpers of older engines, kept for programs that import them; new code has no use for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, cast

from langgraph.checkpoint.base._types import Checkpoint, EmptyChannelError
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.serde.types import ChannelProtocol

LATEST_VERSION = 2
"""Format of the checkpoints made here; today's engine makes its own, of format 4."""


def empty_checkpoint() -> Checkpoint:
    """Return a checkpoint without channels, with step -2 in its id."""
    return _checkpoint(str(uuid6(clock_seq=-2)))


def create_checkpoint(
    checkpoint: Checkpoint,
    channels: Mapping[str, ChannelProtocol[Any, Any, Any]] | None,
    step: int,
    *,
    id: str | None = None,  # the release's name
) -> Checkpoint:
    """Return the checkpoint that follows `checkpoint`, with the channels' present values.

    Args:
        checkpoint: the one before.
        channels: `None` keeps the values as they are. Only channels with a version are asked.
        step: goes into the new id.
        id: the id to use instead of a new one.
    """
    values = checkpoint["channel_values"]
    if channels is not None:
        values = _values(channels, checkpoint["channel_versions"])
    return _checkpoint(
        id or str(uuid6(clock_seq=step)),
        channel_values=values,
        channel_versions=checkpoint["channel_versions"],
        versions_seen=checkpoint["versions_seen"],
        pending_sends=checkpoint.get("pending_sends", []),
    )


def _values(channels: Mapping[str, ChannelProtocol[Any, Any, Any]], versions: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, channel in channels.items():
        if name in versions:
            try:
                values[name] = channel.checkpoint()
            except EmptyChannelError:
                continue
    return values


def _checkpoint(id: str, **fields: Any) -> Checkpoint:
    empty: dict[str, Any] = {
        "v": LATEST_VERSION,
        "id": id,
        "ts": datetime.now(timezone.utc).isoformat(),
        "channel_values": {},
        "channel_versions": {},
        "versions_seen": {},
        "pending_sends": [],
        "updated_channels": None,
    }
    return cast("Checkpoint", {**empty, **fields})  # formats < 4 have `pending_sends` too
