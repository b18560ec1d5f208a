"""UUIDs of version 6: ids that sort as time does, and never go backwards within a process.

Layout: RFC 9562, section 5.6. We keep a step number in the 14 bits of `clock_seq`, so that an id also tells
how far its thread had come.
"""

from __future__ import annotations

import secrets
import threading
import time
import uuid

_GREGORIAN_EPOCH = 0x01B21DD213814000
"""100-nanosecond intervals from 1582-10-15 to 1970-01-01."""


class UUID(uuid.UUID):
    """A UUID that also knows the time of versions 6 and 7."""

    __slots__ = ()

    def __init__(
        self,
        hex: str | None = None,  # the standard library's names
        bytes: bytes | None = None,
        bytes_le: bytes | None = None,
        fields: tuple[int, int, int, int, int, int] | None = None,
        int: int | None = None,
        version: int | None = None,
        *,
        is_safe: uuid.SafeUUID = uuid.SafeUUID.unknown,
    ) -> None:
        if int is not None and version is not None and version >= 6:
            # the standard library of Python < 3.14 refuses versions above 5
            if not 0 <= int < 1 << 128:
                raise ValueError(f"int is out of range (need a 128-bit value): {int}")
            int = int & ~(0xC000 << 48) & ~(0xF000 << 64) | 0x8000 << 48 | version << 76  # noqa: A001
            version = None
        super().__init__(hex, bytes, bytes_le, fields, int, version, is_safe=is_safe)

    @property
    def subsec(self) -> int:
        """Return the 20 bits behind version and variant; a fraction of a second in version 8."""
        return ((self.int >> 64) & 0x0FFF) << 8 | ((self.int >> 54) & 0xFF)

    @property
    def time(self) -> int:
        """Return the time: 100-nanosecond intervals since 1582-10-15, or Unix milliseconds in version 7."""
        if self.version == 6:
            return (self.time_low << 28) | (self.time_mid << 12) | (self.time_hi_version & 0x0FFF)
        if self.version == 7:
            return self.int >> 80
        return super().time


_last_v6_timestamp: int | None = None
_lock = threading.Lock()


def uuid6(node: int | None = None, clock_seq: int | None = None) -> UUID:
    """Return a new id, greater than every one made in this process before.

    Args:
        node: 48 bits; random if omitted.
        clock_seq: 14 bits, here the step of a thread (negative numbers wrap); random if omitted.
    """
    node = secrets.randbits(48) if node is None else node & 0xFFFF_FFFF_FFFF
    clock_seq = secrets.randbits(14) if clock_seq is None else clock_seq & 0x3FFF
    timestamp = _next_timestamp()
    high = (timestamp >> 12) << 16 | 6 << 12 | timestamp & 0x0FFF
    return UUID(int=high << 64 | 0b10 << 62 | clock_seq << 48 | node)


def _next_timestamp() -> int:
    global _last_v6_timestamp
    with _lock:
        timestamp = time.time_ns() // 100 + _GREGORIAN_EPOCH
        if _last_v6_timestamp is not None and timestamp <= _last_v6_timestamp:
            timestamp = _last_v6_timestamp + 1  # the clock was set back, or has not moved
        _last_v6_timestamp = timestamp
        return timestamp
