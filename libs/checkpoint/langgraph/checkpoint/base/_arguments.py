"""What `put` and its kin are given is looked at before anything is done with it: it comes from outside."""

# pyright: reportUnnecessaryIsInstance=false
# What users pass has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.checkpoint.base._address import wrong_type
from langgraph.checkpoint.errors import InvalidConfigError

_FIELDS = ("v", "id", "channel_values", "channel_versions")


def check_put(checkpoint: Any, metadata: Any, new_versions: Any) -> None:
    """Check the arguments of `put`.

    Raises:
        InvalidTypeError: one of them is no dict.
        InvalidConfigError: the checkpoint lacks a field.
    """
    for field, value in (("checkpoint", checkpoint), ("metadata", metadata), ("new_versions", new_versions)):
        if not isinstance(value, Mapping):
            raise wrong_type(field, value, "a dict")
    for name in _FIELDS:
        if name not in checkpoint:
            raise InvalidConfigError(f"the checkpoint has no {name!r}; it has {sorted(checkpoint)}", field=name)
    for name in ("channel_values", "channel_versions"):
        if not isinstance(checkpoint[name], Mapping):
            raise wrong_type(f"checkpoint[{name!r}]", checkpoint[name], "a dict")
        _check_channels(f"checkpoint[{name!r}]", checkpoint[name])
    _check_channels("new_versions", new_versions)


def check_put_writes(writes: Any, task_id: Any, task_path: Any) -> None:
    """Check the arguments of `put_writes`.

    Raises:
        InvalidTypeError: the task is not named by text, or the writes are not pairs of a channel and a value.
    """
    for field, value in (("task_id", task_id), ("task_path", task_path)):
        if not isinstance(value, str):
            raise wrong_type(field, value, "text")
    if isinstance(writes, str | bytes) or not isinstance(writes, Sequence):
        raise wrong_type("writes", writes, "a list of pairs (channel, value)")
    for place, write in enumerate(writes):
        if not isinstance(write, list | tuple) or len(write) != 2:
            raise wrong_type(f"writes[{place}]", write, "a pair (channel, value)")
        if not isinstance(write[0], str):
            raise wrong_type(f"the channel of writes[{place}]", write[0], "text")


def check_channels(channels: Any) -> list[str]:
    """Return channels as a list.

    Raises:
        InvalidTypeError: it is a single text, or holds something that is no text.
    """
    if isinstance(channels, str | bytes) or not isinstance(channels, Sequence):
        raise wrong_type("channels", channels, "a list of channels")
    _check_channels("channels", channels)
    return list(channels)


def _check_channels(field: str, channels: Any) -> None:
    for channel in channels:
        if not isinstance(channel, str):
            raise wrong_type(f"a channel in {field}", channel, "text")
