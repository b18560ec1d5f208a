"""Which namespaces a `ListNamespacesOp` lists."""

from __future__ import annotations

from collections.abc import Iterable

from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.store.base import ListNamespacesOp, MatchCondition


def listed(op: ListNamespacesOp, namespaces: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Pick, cut and sort namespaces.

    Args:
        op: what is asked for.
        namespaces: all there are.

    Returns:
        One page of those that match, each once.
    """
    conditions = op.match_conditions or ()
    matching = (namespace for namespace in namespaces if all(_meets(namespace, one) for one in conditions))
    return sorted({namespace[: op.max_depth] for namespace in matching})[op.offset : op.offset + op.limit]


def _meets(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidConfigError(
            f"Unsupported match type: {condition.match_type!r}. Use 'prefix' or 'suffix'.", field="match_type"
        )
    if len(path) > len(namespace):
        return False
    end = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, end, strict=True))
