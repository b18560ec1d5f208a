"""What savers have in common on the way to a database and back."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from langgraph.checkpoint.base._address import CheckpointKey
from langgraph.checkpoint.base._types import Checkpoint
from langgraph.checkpoint.base._versions import next_text_version
from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import TASKS

ENVELOPE = "__langgraph_serde__"
"""The one key of a JSON object that stands for a serialized value."""


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


def to_envelope(value: Any, serde: SerializerProtocol) -> dict[str, Any]:
    """Return what stands in JSON for a value that JSON itself does not hold exactly."""
    tag, payload = serde.dumps_typed(value)
    return {ENVELOPE: [tag, base64.b64encode(payload).decode()]}


def open_envelopes(serde: SerializerProtocol) -> Callable[[dict[str, Any]], Any]:
    """Return an `object_hook` for `json.loads` that puts values in the place of their envelopes."""

    def revive(found: dict[str, Any]) -> Any:
        if ENVELOPE in found:
            tag, payload = found[ENVELOPE]
            return serde.loads_typed((tag, base64.b64decode(payload)))
        return found

    return revive
