"""Names that the engine, the savers and the serializer share: special channels, and what a channel looks like.

They stand at the bottom of all layers, so nothing else of this package is imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Protocol, TypeVar, runtime_checkable

from typing_extensions import Self

ERROR = "__error__"
SCHEDULED = "__scheduled__"
INTERRUPT = "__interrupt__"
RESUME = "__resume__"
TASKS = "__pregel_tasks"

Value = TypeVar("Value", covariant=True)
Update = TypeVar("Update", contravariant=True)
C = TypeVar("C")


class ChannelProtocol(Protocol[Value, Update, C]):
    """What a saver may ask of a channel of the engine."""

    @property
    def ValueType(self) -> Any:  # noqa: N802 - the engine's name
        """Return the type of the value that the channel holds."""
        ...

    @property
    def UpdateType(self) -> Any:  # noqa: N802 - the engine's name
        """Return the type of the updates that the channel takes."""
        ...

    def checkpoint(self) -> Optional[C]:  # noqa: UP045 - the release's annotation
        """Return what is to be stored of the channel."""
        ...

    def from_checkpoint(self, checkpoint: Optional[C]) -> Self:  # noqa: UP045
        """Return a channel like this one that holds what was stored."""
        ...

    def update(self, values: Sequence[Update]) -> bool:
        """Apply the updates of one step and tell whether the value changed."""
        ...

    def get(self) -> Value:
        """Return the value."""
        ...

    def consume(self) -> bool:
        """Note that the value was read and tell whether that changed it."""
        ...


@runtime_checkable
class SendProtocol(Protocol):
    """What the engine's `Send` looks like from here: a node's name and what to call it with."""

    node: str
    arg: Any

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __eq__(self, value: object) -> bool: ...


class _DeltaSnapshot(NamedTuple):  # pyright: ignore[reportUnusedClass]  # the engine imports it
    """Marks a stored channel value as the whole value of a delta channel, not one step's change."""

    value: Any
