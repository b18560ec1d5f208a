"""A thread's rows as the nodes that retention decides on."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.checkpoint.base import Node, Place
from langgraph.checkpoint.base.operations import fetch
from langgraph.checkpoint.postgres import _sql


async def read_nodes(thread_id: str) -> list[Node]:
    """Return all checkpoints of a thread, the latest last."""
    rows = await fetch(_sql.NODES, (thread_id,))
    if not any(counted for *_, counted in rows):
        return [Node(*row[:3]) for row in rows]
    stored: dict[Place, set[str]] = {}
    for checkpoint_ns, checkpoint_id, channel in await fetch(_sql.STORES_OF_THREAD, {"thread_id": thread_id}):
        stored.setdefault((checkpoint_ns, checkpoint_id), set()).add(channel)
    nodes: list[Node] = []
    for checkpoint_ns, checkpoint_id, parent_id, counted in rows:
        here = frozenset(stored.get((checkpoint_ns, checkpoint_id), ()))
        nodes.append(Node(checkpoint_ns, checkpoint_id, parent_id, frozenset(counted) - here, here))
    return nodes


def latest_places(nodes: Sequence[Node]) -> set[Place]:
    """Return the places of the latest of each namespace, in the order that the database gives them."""
    return set({node.checkpoint_ns: node.place for node in nodes}.values())
