"""Where a checkpoint is: configs become keys here, once, at the door.

Inside a saver there are no raw configs.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.errors import InvalidConfigError, InvalidTypeError

ROOT = ""
"""The namespace of the outermost graph."""


class CheckpointKey(NamedTuple):
    """The address of a checkpoint; without an id, of the latest in its namespace."""

    thread_id: str
    checkpoint_ns: str = ROOT
    checkpoint_id: str | None = None

    @classmethod
    def from_config(cls, config: RunnableConfig) -> CheckpointKey:
        """Return the key that `config` names.

        Raises:
            InvalidConfigError: no usable `thread_id`, or a namespace or id that is not text.
        """
        configurable = _configurable(config)
        return cls(
            thread_text(configurable.get("thread_id")),
            _text("checkpoint_ns", configurable.get("checkpoint_ns")) or ROOT,
            _text("checkpoint_id", configurable.get("checkpoint_id")) or None,
        )

    def config(self) -> RunnableConfig:
        """Return the config that names this key."""
        thread_id, checkpoint_ns, checkpoint_id = self
        return {
            "configurable": {
                "thread_id": thread_id,
                "checkpoint_ns": checkpoint_ns,
                "checkpoint_id": checkpoint_id,
            }
        }

    def address(self) -> dict[str, str]:
        """Return what an error says of the place."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def get_checkpoint_id(config: RunnableConfig) -> str | None:
    """Return the checkpoint id that `config` names, if any."""
    return config.get("configurable", {}).get("checkpoint_id")


def thread_text(thread_id: object, field: str = "thread_id") -> str:
    """Return `thread_id` as text; ids that are numbers or UUIDs are the same as their text.

    Raises:
        InvalidConfigError: it is missing, empty or a container.
    """
    if type(thread_id) is not str:
        if thread_id is None:
            advice = "; put it into config['configurable']['thread_id']" if field == "thread_id" else ""
            raise InvalidConfigError(f"{field} is missing, or None{advice}", field=field)
        if isinstance(thread_id, bool | bytes | bytearray | list | tuple | set | frozenset | Mapping):
            raise wrong_type(field, thread_id, "text, a number or a UUID")
        thread_id = str(thread_id)
    if not thread_id:
        raise InvalidConfigError(f"{field} is empty; every thread needs a name of its own", field=field)
    return _encodable(field, thread_id)


def _configurable(config: RunnableConfig) -> dict[str, Any]:
    # a config comes from outside, whatever its annotation says
    found: object = config.get("configurable") if isinstance(config, dict | Mapping) else None  # pyright: ignore[reportUnnecessaryIsInstance]
    if isinstance(found, dict):
        return found  # pyright: ignore[reportUnknownVariableType]
    raise InvalidConfigError(
        f"config has no 'configurable' dict, but is {config!r:.80}; pass {{'configurable': {{'thread_id': ...}}}}",
        field="thread_id",
    )


def _text(field: str, value: object) -> str:
    if value is None:
        return ""
    if type(value) is not str:
        if not isinstance(value, str) and type(value).__name__ != "UUID":
            raise wrong_type(field, value, "text")
        value = str(value)
    return _encodable(field, value)


def _encodable(field: str, text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidConfigError(
                f"{field} {text!r} has a lone surrogate, which no database stores as text", field=field
            ) from error
    return text


def wrong_type(field: str, value: object, wanted: str) -> InvalidTypeError:
    """Return the error for an argument that is of another type than `wanted`."""
    return InvalidTypeError(f"{field} must be {wanted}, not {type(value).__name__}: {value!r:.80}", field=field)
