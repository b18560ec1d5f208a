"""What `list` was asked for, and whether a checkpoint's metadata matches."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._address import CheckpointKey, wrong_type
from langgraph.checkpoint.errors import InvalidConfigError, InvalidFilterError


class ListQuery(NamedTuple):
    """Which checkpoints to list; `None` does not restrict."""

    thread_id: str | None = None
    checkpoint_ns: str | None = None
    checkpoint_id: str | None = None
    before: str | None = None
    filter: Mapping[str, Any] = {}
    limit: int | None = None

    @classmethod
    def parse(
        cls,
        config: RunnableConfig | None,
        filter: Mapping[str, Any] | None = None,  # the contract's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> ListQuery:
        """Check the arguments of `list`.

        Raises:
            InvalidConfigError: a config without usable thread, or a negative limit.
            InvalidFilterError: the filter is not a mapping from text.
        """
        thread_id = checkpoint_ns = checkpoint_id = None
        if config:
            thread_id, checkpoint_ns, checkpoint_id = CheckpointKey.from_config(config)
            if config.get("configurable", {}).get("checkpoint_ns") is None:
                checkpoint_ns = None
        return cls(thread_id, checkpoint_ns, checkpoint_id, _before(before), _filter(filter), _limit(limit))


def matches(metadata: Mapping[str, Any], filter: Mapping[str, Any]) -> bool:
    """Tell whether `metadata` has every key of `filter` with an equal value of the same kind.

    Numbers equal numbers (`1` and `1.0`), but text, booleans and `None` only equal their own kind.
    """
    return all(key in metadata and _same(metadata[key], value) for key, value in filter.items())


def _same(stored: Any, wanted: Any) -> bool:
    if isinstance(stored, bool) or isinstance(wanted, bool):
        return stored is wanted
    if isinstance(wanted, Mapping):
        return (
            isinstance(stored, Mapping)
            and stored.keys() == wanted.keys()
            and all(_same(stored[key], wanted[key]) for key in wanted)
        )
    if isinstance(wanted, list | tuple):
        # JSON has one kind of sequence, so a stored tuple may have become a list
        return isinstance(stored, list | tuple) and len(stored) == len(wanted) and all(map(_same, stored, wanted))
    return bool(stored == wanted) or (stored != stored and wanted != wanted)


def _before(before: RunnableConfig | None) -> str | None:
    """Return the id to stay below; the config need not name a thread."""
    if not before:
        return None
    if not isinstance(before, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # comes from outside
        raise wrong_type("before", before, "a config")
    configurable = {"thread_id": "any", **(before.get("configurable") or {})}
    return CheckpointKey.from_config({"configurable": configurable}).checkpoint_id


def _filter(filter: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if filter is None:
        return {}
    if not isinstance(filter, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # comes from outside
        raise InvalidFilterError(f"filter must be a dict, not {type(filter).__name__}: {filter!r:.80}")
    for key in filter:
        if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidFilterError(
                f"filter keys must be text, not {type(key).__name__}: {key!r:.80}", key=str(key)
            )
    return dict(filter)


def _limit(limit: int | None) -> int | None:
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidConfigError(f"limit must be None or an integer from 0, not {limit!r}", field="limit")
    return limit
