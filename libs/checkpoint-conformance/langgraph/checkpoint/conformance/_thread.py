"""A thread of a clause's own to write into, and short ways to look at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base import CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.conformance._expect import expect
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint
from langgraph.checkpoint.serde.types import _DeltaSnapshot  # pyright: ignore[reportPrivateUsage]  # the engine imports it too

ADDRESS = ("thread_id", "checkpoint_ns", "checkpoint_id")


class Thread:
    """One namespace of one thread, written as the engine does: each checkpoint follows the one before.

    Args:
        probe: what to write through.
        id: of the thread; a fresh one if omitted.
        ns: the namespace.
    """

    def __init__(self, probe: Probe, id: str | None = None, ns: str = "") -> None:
        self.probe = probe
        self.id = id or str(uuid4())
        self.ns = ns
        self.head = self.at()
        self._version: Any = None

    def at(self, checkpoint_id: str | None = None) -> RunnableConfig:
        """Return the config of a checkpoint; of the latest without an id."""
        address = {"thread_id": self.id, "checkpoint_ns": self.ns}
        if checkpoint_id is not None:
            address["checkpoint_id"] = checkpoint_id
        return {"configurable": address}

    def renamed(self, **address: Any) -> RunnableConfig:
        """Return the config of the latest with some of its keys replaced, or more keys."""
        return {"configurable": {**address_of(self.at()), **address}}

    @property
    def anywhere(self) -> RunnableConfig:
        """The thread without a namespace, which `list` takes as all of them."""
        return {"configurable": {"thread_id": self.id}}

    def namespace(self, ns: str) -> Thread:
        """Return another namespace of the same thread."""
        return Thread(self.probe, self.id, ns)

    def through(self, probe: Probe, id: str | None = None) -> Thread:
        """Return this namespace as another saver sees it, or of another thread."""
        seen = Thread(probe, id or self.id, self.ns)
        seen._version = self._version
        return seen

    def version(self) -> Any:
        """Return a version greater than those before, as the saver makes them.

        Two values never share one: a saver may keep the first or the last.
        """
        self._version = self.probe.saver.get_next_version(self._version, None)
        return self._version

    async def put(
        self,
        values: Mapping[str, Any] | None = None,
        *,
        parent: RunnableConfig | None = None,
        id: str | None = None,
        versions: Mapping[str, Any] | None = None,
        new: Mapping[str, Any] | None = None,
        v: int = 4,
        metadata: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> RunnableConfig:
        """Put a checkpoint after the head, or with the config `parent`, and make it the head.

        Args:
            values: of its channels.
            parent: the config to put it with.
            id: of the checkpoint; the next in time if omitted.
            versions: of its channels; each that has a value has a new one if omitted.
            new: the versions that are new; all if omitted.
            v: the format.
            metadata: added to `{"source": "loop", "step": 0}`.
            **more: metadata too.
        """
        versions = dict.fromkeys(values or {}, self.version()) if versions is None else versions
        checkpoint = generate_checkpoint(
            checkpoint_id=id, channel_values=dict(values or {}), channel_versions=dict(versions)
        )
        checkpoint["v"] = v
        self.head = await self.probe.put(
            parent or self.head,
            checkpoint,
            cast("CheckpointMetadata", {"source": "loop", "step": 0, **(metadata or {}), **more}),
            dict(versions if new is None else new),
        )
        return self.head

    async def steps(self, count: int, **metadata: Any) -> list[str]:
        """Put a line of checkpoints with steps 0, 1, … and return their ids, oldest first."""
        return [id_of(await self.put(step=step, **metadata)) for step in range(count)]

    async def delta_steps(self, *steps: int, **metadata: Any) -> list[RunnableConfig]:
        """Put a line of checkpoints as the engine does for a delta channel `d`; each writes its step to it.

        Step 0 has a snapshot, the others have a version but no value.
        """
        stored: list[RunnableConfig] = []
        for step in steps:
            values = {} if step else {"d": snapshot(["snapshot"])}
            counters = {"counters_since_delta_snapshot": {"d": (step, step)}} if step else {}
            versions = {"d": self.version()}
            stored.append(
                await self.put(values, versions=versions, metadata={"step": step, **counters, **metadata})
            )
            await self.write(("d", step))
        return stored

    async def write(
        self, *writes: tuple[str, Any], task: str = "task", path: str = "", at: RunnableConfig | None = None
    ) -> None:
        """Put writes of a task at the head, or `at` another checkpoint."""
        await self.probe.put_writes(at or self.head, writes, task, path)

    async def get(self, config: RunnableConfig | None = None) -> CheckpointTuple:
        """Return a checkpoint, which must be there; the latest if none is named."""
        found = await self.probe.get_tuple(config or self.at())
        expect(found, f"no checkpoint found at {config or self.at()}")
        return cast("CheckpointTuple", found)

    async def missing(self, config: RunnableConfig | None = None) -> None:
        """Expect that there is no such checkpoint; no checkpoint at all if none is named."""
        found = await self.probe.get_tuple(config or self.at())
        expect(found is None, f"expected nothing at {config or self.at()}, found {found}")

    async def values(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """Return the channel values of a checkpoint; of the latest if none is named."""
        return (await self.get(config)).checkpoint["channel_values"]

    async def writes(self, config: RunnableConfig | None = None) -> list[tuple[str, str, Any]]:
        """Return the pending writes of a checkpoint; of the latest if none is named."""
        return [*((await self.get(config)).pending_writes or [])]

    async def listed(self, **arguments: Any) -> list[str]:
        """Return the ids that `list` yields for this namespace."""
        return ids(await self.probe.list(self.at(), **arguments))

    async def dump(self) -> list[tuple[str, str, str, Any, Any, Any]]:
        """Return all of the thread in all namespaces, but for its name, in an order of its own."""
        return sorted(
            (
                (
                    address_of(t.config)["checkpoint_ns"],
                    id_of(t.config),
                    id_of(t.parent_config),
                    t.checkpoint,
                    t.metadata,
                    t.pending_writes,
                )
                for t in await self.probe.list(self.anywhere)
            ),
            key=lambda row: row[:2],
        )


def snapshot(value: Any) -> Any:
    """Return what the engine stores for a delta channel now and then: its value, marked as a snapshot."""
    return _DeltaSnapshot(value)


def address_of(config: RunnableConfig | None) -> dict[str, Any]:
    """Return the parts of an address that a config names."""
    configurable = (config or {}).get("configurable", {})
    return {field: configurable[field] for field in ADDRESS if field in configurable}


def id_of(config: RunnableConfig | None) -> str:
    """Return the checkpoint id that a config names; `""` for none."""
    return str(address_of(config).get("checkpoint_id", ""))


def ids(found: Iterable[CheckpointTuple]) -> list[str]:
    """Return the ids of checkpoints, in order."""
    return [id_of(t.config) for t in found]
