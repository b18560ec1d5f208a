"""Tell listeners what the serializer lets through, blocks, or can not rebuild; for audits and metrics.

Kinds: `msgpack_unregistered_allowed`, `msgpack_blocked`, `msgpack_method_blocked`, and
`msgpack_not_rebuilt` for a class that is gone or refuses its fields.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable

from typing_extensions import NotRequired, TypedDict

logger = logging.getLogger(__name__)


class SerdeEvent(TypedDict):
    """One decision about a type that stored bytes name."""

    kind: str
    module: str
    name: str
    method: NotRequired[str]


SerdeEventListener = Callable[[SerdeEvent], None]

_listeners: list[SerdeEventListener] = []


def register_serde_event_listener(listener: SerdeEventListener) -> Callable[[], None]:
    """Call `listener` on each event until the returned function is called."""
    _listeners.append(listener)

    def unregister() -> None:
        with contextlib.suppress(ValueError):  # called before
            _listeners.remove(listener)

    return unregister


def emit_serde_event(event: SerdeEvent) -> None:
    """Tell all listeners; one that fails is logged and harms neither the others nor the load."""
    for listener in tuple(_listeners):
        try:
            listener(event)
        except Exception:
            logger.warning("A serde event listener raised; its error is ignored", exc_info=True)
