"""The table of types: how each is written and how it is rebuilt.

A value's exact type is looked up in the table. On a miss the families (enums, models, dataclasses, …) are
asked in order, and the answer stays in the table. A new type is one `register` or one family, never a branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ormsgpack

Pack = Callable[[Any], bytes]
"""Encode a value within an envelope."""
Write = Callable[[Any, Pack], Any]
"""Return an `ormsgpack.Ext`, or a text, for an object."""
Rebuild = Callable[[int, list[Any]], Any]
"""Return an object, given an envelope's code and elements."""


class Treatment(NamedTuple):
    """How a type is written and rebuilt; `rebuild=None` if it comes back as something else."""

    write: Write
    rebuild: Rebuild | None


Family = Callable[[type], Treatment | None]

_MAX_TYPES = 4096
WRITERS: dict[type, Write] = {}
"""The table's column that is needed most, a look-up less away."""
_fixed: dict[type, Treatment] = {}
_table: dict[type, Treatment | None] = {}
_families: list[Family] = []
KNOWN: dict[tuple[str, ...], Rebuild] = {}
"""What is rebuilt by name without importing anything; all of it is safe."""


def register(cls: type, write: Write, name: tuple[str, str] | None = None, rebuild: Rebuild | None = None) -> None:
    """Enter a type, and how it is rebuilt if its envelope names it `(module, name)`."""
    _fixed[cls] = Treatment(write, rebuild)
    _table[cls] = _fixed[cls]
    WRITERS[cls] = write
    if name and rebuild:
        KNOWN[name] = rebuild


def family(find: Family) -> Family:
    """Ask `find` for the treatment of types that are not in the table, after the families before it."""
    _families.append(find)
    return find


def treatment(cls: type) -> Treatment | None:
    """Return how a type is written and rebuilt, `None` if nobody knows."""
    try:
        return _table[cls]
    except KeyError:
        pass
    found = _fixed.get(cls) or next((t for find in _families if (t := find(cls))), None)
    if len(_table) >= _MAX_TYPES:  # classes made at run time must not stay for ever
        forget()
    _table[cls] = found
    if found is not None:
        WRITERS[cls] = found.write
    return found


def forget() -> None:
    """Empty the table of all that the families can find again."""
    _table.clear()
    WRITERS.clear()


def ext(code: int, pack: Pack, lead: list[Any], *ours: Any) -> ormsgpack.Ext:
    """Return an envelope of the release's elements and ours behind them, without the `None`s at the end."""
    if ours:
        while ours and ours[-1] is None:
            ours = ours[:-1]
        lead.extend(ours)
    return ormsgpack.Ext(code, pack(lead))
