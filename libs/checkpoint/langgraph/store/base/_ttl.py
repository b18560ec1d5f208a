"""How long items live, and what a call says about it against what the store is configured to do."""

from typing import Literal, TypedDict


class NotProvided:
    """The type of `NOT_PROVIDED`: an argument that was not given, where `None` means something."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_PROVIDED = NotProvided()
NotProvided.__module__ = "langgraph.store.base"


class TTLConfig(TypedDict, total=False):
    """How a store that supports it lets items expire. Times are in minutes."""

    refresh_on_read: bool
    """Whether reading an item starts its time again; a call may say otherwise. Default: it does."""

    omit_expired: bool
    """Whether items past their time are left out of reads before the sweeper has removed them."""

    default_ttl: float | None
    """The time that an item gets if `put` names none; `None` for no end."""

    sweep_interval_minutes: int | None
    """The pause between two sweeps for expired items; `None` for no sweeping."""


def ensure_refresh(ttl_config: TTLConfig | None, refresh_ttl: bool | None = None) -> bool:
    """Decide whether a read starts an item's time again: what the call says, else what the store does."""
    if refresh_ttl is not None:
        return refresh_ttl
    return (ttl_config or {}).get("refresh_on_read", True)


def ensure_ttl(ttl_config: TTLConfig | None, ttl: float | NotProvided | None = NOT_PROVIDED) -> float | None:
    """Decide an item's time: what the call says (also `None`), else the store's default."""
    if isinstance(ttl, NotProvided):
        return (ttl_config or {}).get("default_ttl")
    return ttl
