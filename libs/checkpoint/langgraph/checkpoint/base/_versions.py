"""Channel versions as our savers count them."""

from __future__ import annotations

import secrets

_RANDOM = 10**16


def next_text_version(current: str | float | None) -> str:
    """Return the version after `current`: 32 digits that count, a dot, 16 random digits.

    Text order is the order of counts. The random part keeps the two sides of a fork apart, so that each
    finds its own values; it comes from the system, since a program that seeds `random` would repeat it.
    """
    count = int(current.split(".")[0]) if isinstance(current, str) else int(current or 0)
    return f"{count + 1:032}.{secrets.randbelow(_RANDOM):016}"
