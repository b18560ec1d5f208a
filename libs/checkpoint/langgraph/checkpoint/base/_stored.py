"""What savers have in common on the way to a database and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from langgraph.checkpoint.base._address import CheckpointKey
from langgraph.checkpoint.base._types import Checkpoint
from langgraph.checkpoint.base._versions import next_text_version
from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.checkpoint.serde.types import TASKS


def id_of(checkpoint: Mapping[str, Any]) -> str:
    """Return the id of a checkpoint that is to be stored.

    Raises:
        InvalidConfigError: it has none.
    """
    checkpoint_id = checkpoint.get("id")
    if not isinstance(checkpoint_id, str) or not checkpoint_id:
        raise InvalidConfigError(f"checkpoint['id'] must be text, not {checkpoint_id!r:.80}", field="id")
    return checkpoint_id


def check_names_checkpoint(key: CheckpointKey) -> None:
    """Check that writes are put for a checkpoint.

    Raises:
        InvalidConfigError: `key` is that of a namespace.
    """
    if key.checkpoint_id is None:
        raise InvalidConfigError(
            "checkpoint_id is missing; writes belong to the checkpoint that their task started from",
            field="checkpoint_id",
        )


def move_sends(checkpoint: Checkpoint, decode: Callable[[], Iterable[Any]]) -> None:
    """Put the sends queued by the parent's tasks where today's engine looks for them.

    It looks into the checkpoint's own `pending_sends` too, where most old savers put them.

    Args:
        checkpoint: of a format before 4.
        decode: returns the sends.
    """
    if not checkpoint.get("pending_sends"):
        checkpoint["channel_values"][TASKS] = list(decode())
        versions = checkpoint["channel_versions"]
        versions[TASKS] = max(versions.values()) if versions else next_text_version(None)
