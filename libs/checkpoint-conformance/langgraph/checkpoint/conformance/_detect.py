"""Telling what a saver offers by calling it."""

from __future__ import annotations

from collections.abc import Awaitable
from uuid import uuid4

from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import (
    generate_checkpoint,
    generate_config,
    generate_metadata,
)


async def offers(probe: Probe, capability: Capability) -> bool:
    """Tell whether the saver has an operation: call it once, on a thread of its own.

    `NotImplementedError`, and so `UnsupportedOperationError`, means that it has not. Any other error comes
    from an operation that is there, and is for the clauses to judge.
    """
    try:
        await _call(probe, capability, str(uuid4()))
    except NotImplementedError:
        return False
    except Exception:
        return True
    return True


def _call(probe: Probe, capability: Capability, thread: str) -> Awaitable[object]:
    config = generate_config(thread, checkpoint_id=str(uuid4()))
    match capability:
        case Capability.PUT:
            return probe.put(generate_config(thread), generate_checkpoint(), generate_metadata(), {})
        case Capability.PUT_WRITES:
            return probe.put_writes(config, [("channel", "value")], "task")
        case Capability.GET_TUPLE:
            return probe.get_tuple(config)
        case Capability.LIST:
            return probe.list(config, limit=1)
        case Capability.DELETE_THREAD:
            return probe.delete_thread(thread)
        case Capability.DELETE_FOR_RUNS:
            return probe.delete_for_runs([thread])
        case Capability.COPY_THREAD:
            return probe.copy_thread(thread, str(uuid4()))
        case Capability.PRUNE:
            return probe.prune([thread])
        case Capability.DELTA_CHANNEL_HISTORY:
            return probe.delta_history(config, "channel")
