"""The operations that a saver may offer, and which of them its class seems to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver


class Capability(str, Enum):
    """An operation of a saver."""

    PUT = "put"
    PUT_WRITES = "put_writes"
    GET_TUPLE = "get_tuple"
    LIST = "list"
    DELETE_THREAD = "delete_thread"
    DELETE_FOR_RUNS = "delete_for_runs"
    COPY_THREAD = "copy_thread"
    PRUNE = "prune"
    DELTA_CHANNEL_HISTORY = "delta_channel_history"

    @property
    def method(self) -> str:
        """Name of the sync method; the async one has `a` before it."""
        return "get_delta_channel_history" if self is Capability.DELTA_CHANNEL_HISTORY else self.value


EXTENDED_CAPABILITIES = frozenset(
    {
        Capability.DELETE_FOR_RUNS,
        Capability.COPY_THREAD,
        Capability.PRUNE,
        Capability.DELTA_CHANNEL_HISTORY,
    }
)
ALL_CAPABILITIES = frozenset(Capability)
BASE_CAPABILITIES = ALL_CAPABILITIES - EXTENDED_CAPABILITIES


@dataclass(frozen=True)
class DetectedCapabilities:
    """Which operations a saver offers."""

    detected: frozenset[Capability]
    missing: frozenset[Capability]

    @classmethod
    def of(cls, detected: frozenset[Capability]) -> DetectedCapabilities:
        """Return `detected` with all others missing."""
        return cls(detected, ALL_CAPABILITIES - detected)

    @classmethod
    def from_instance(cls, saver: BaseCheckpointSaver[Any]) -> DetectedCapabilities:
        """Guess from the saver's class: an operation counts if either colour of it is overridden.

        This is cheap and has no effects, but an override may refuse, and the base class may serve. `validate`
        calls the operations instead.
        """
        return cls.of(frozenset(c for c in Capability if _overrides(type(saver), c.method)))


def _overrides(saver: type[BaseCheckpointSaver[Any]], method: str) -> bool:
    return any(
        getattr(saver, name, None) is not getattr(BaseCheckpointSaver, name, None)
        for name in (method, f"a{method}")
    )
