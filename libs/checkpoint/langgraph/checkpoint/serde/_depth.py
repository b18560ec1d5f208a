"""Bound the use of the C stack, which ormsgpack spends a frame of on each level, and an overflow of which kills.

Envelopes are encoded and decoded by calls within calls. ormsgpack bounds each call by itself (about 250
levels out, 1,024 in), so a few calls are safe whatever they hold. Behind those, the depth of what each call
is given is measured first and taken from a budget.
"""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any, Final

FREE_LEVELS: Final = 4
"""Envelopes within envelopes that need no measuring."""
MAX_LEVELS: Final = 300
ROOM: Final = 3000
"""Levels of lists and dicts that the envelopes behind the free ones may have together."""


def value_depth(value: Any) -> int:
    """Return how deep lists, tuples and dicts are nested in `value`, counting no further than `ROOM`."""
    depth = 0
    level: list[Any] = [value] if type(value) is dict or type(value) is list else []
    while level and depth <= ROOM:
        inner: list[Any] = []
        for item in level:
            children: Any = item.values() if type(item) is dict else item
            inner += [child for child in children if type(child) is dict or type(child) is list]
        level = inner
        depth += 1
    return depth


def packed_depth(data: bytes) -> int:
    """Return how deep arrays and maps are nested in msgpack `data`, not looking into envelopes.

    Damaged data ends the count; that it is damaged is for the decoder to say.
    """
    left: list[int] = []  # items still to come, for each open array or map
    deepest = at = 0
    end = len(data)
    while at < end:
        head = data[at]
        size, items = _token(head, data, at)
        at += size
        if left:
            left[-1] -= 1
        if items:
            left.append(items)
            deepest = max(deepest, len(left))
            if deepest > ROOM:
                break
        while left and left[-1] <= 0:
            left.pop()
    return deepest


_FIXED: Final = {
    0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9,
    0xD4: 3, 0xD5: 4, 0xD6: 6, 0xD7: 10, 0xD8: 18,
}  # fmt: skip
_SIZED: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4}
_HOLDING: Final = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def _token(head: int, data: bytes, at: int) -> tuple[int, int]:
    """Return how many bytes to skip and how many items follow."""
    if 0x80 <= head <= 0x8F:
        return 1, 2 * (head & 15)
    if 0x90 <= head <= 0x9F:
        return 1, head & 15
    if 0xA0 <= head <= 0xBF:
        return 1 + (head & 31), 0
    if head in _FIXED:
        return _FIXED[head], 0
    if head in _HOLDING:
        width, factor = _HOLDING[head]
        return 1 + width, factor * int.from_bytes(data[at + 1 : at + 1 + width], "big")
    if head in _SIZED:
        width = _SIZED[head]
        kind = 1 if 0xC7 <= head <= 0xC9 else 0
        return 1 + width + kind + int.from_bytes(data[at + 1 : at + 1 + width], "big"), 0
    return 1, 0
