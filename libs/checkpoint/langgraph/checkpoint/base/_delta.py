"""Replay of delta channels: which writes of which ancestors make up a channel's value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._types import CheckpointTuple, DeltaChannelHistory, PendingWrite
from langgraph.checkpoint.base.operations import Request


@dataclass(slots=True)
class GetTuple(Request[CheckpointTuple | None]):
    """Get a checkpoint from the saver that runs the walk."""

    config: RunnableConfig


async def walk_delta_history(config: RunnableConfig, channels: Sequence[str]) -> dict[str, DeltaChannelHistory]:
    """Follow parents through `GetTuple` until each channel has met its seed."""
    history = DeltaWalk(channels)
    visited: set[str] = set()
    found = await GetTuple(config)
    while found and history.open and (parent := found.parent_config):
        parent_id = parent.get("configurable", {})["checkpoint_id"]
        if parent_id in visited:
            break  # parents that form a ring come from a damaged database
        visited.add(parent_id)
        found = await GetTuple(parent)
        if found:
            history.visit(found)
    return history.result()


class DeltaWalk:
    """What has been collected on the way from a checkpoint to its ancestors, newest first."""

    def __init__(self, channels: Sequence[str]) -> None:
        self.open = set(channels)
        self._writes: dict[str, list[list[PendingWrite]]] = {channel: [] for channel in channels}
        self._seeds: dict[str, object] = {}

    def visit(self, ancestor: CheckpointTuple) -> None:
        """Take the ancestor's writes, and its value as the seed of each channel that it stores."""
        for channel in tuple(self.open):
            of_channel = [write for write in ancestor.pending_writes or () if write[1] == channel]
            self._writes[channel].append(of_channel)
            if channel in ancestor.checkpoint["channel_values"]:
                self._seeds[channel] = ancestor.checkpoint["channel_values"][channel]
                self.open.discard(channel)

    def result(self) -> dict[str, DeltaChannelHistory]:
        """Return the history of each channel, oldest write first."""
        return {channel: self._history(channel) for channel in self._writes}

    def _history(self, channel: str) -> DeltaChannelHistory:
        history: DeltaChannelHistory = {"writes": list(_oldest_first(self._writes[channel]))}
        if channel in self._seeds:
            history["seed"] = self._seeds[channel]
        return history


def _oldest_first(newest_first: list[list[PendingWrite]]) -> Iterator[PendingWrite]:
    for writes in reversed(newest_first):
        yield from writes
