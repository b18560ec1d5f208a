"""Name a class, and find it again by that name. Nothing here decides whether it may be found."""

from __future__ import annotations

import importlib
import sys
from typing import Any

_MOVED = {"pathlib._local": "pathlib"}  # the home of the path classes in Python 3.13 only


def nested_name(cls: type) -> str | None:
    """Return the qualified name of a class that is not at the top of its module, else `None`.

    Raises:
        TypeError: the class was made inside a function, so no name leads to it.
    """
    qualname = cls.__qualname__
    if "." not in qualname:
        return None
    if "<locals>" in qualname:
        raise TypeError(f"class {qualname} is local to a function, so it can not be found again")
    return qualname


def find(module: str, qualname: str) -> Any:
    """Import `module` if need be and return what `qualname` names in it.

    Not cached: two look-ups in dicts are quick, and a class that was reloaded or defined anew in
    a notebook must not come back as the old one.

    Raises:
        ImportError, AttributeError: it is not there. A module may raise anything while it is imported.
    """
    module = _MOVED.get(module, module)
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found
