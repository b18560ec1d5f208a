"""Name a class, and find it again by that name. Nothing here decides whether it may be found."""

from __future__ import annotations

import importlib
import sys
from typing import Any
from weakref import WeakValueDictionary

_MOVED = {"pathlib._local": "pathlib"}  # the home of the path classes in Python 3.13 only
_LOCAL = "<locals>"
_local_classes: WeakValueDictionary[tuple[str, str], type] = WeakValueDictionary()


def nested_name(cls: type) -> str | None:
    """Return the qualified name of a class that is not at the top of its module, else `None`.

    No name leads to a class made inside a function, so it is remembered: this process finds it again as
    long as it lives, any other returns the stored fields, with a warning.
    """
    qualname = cls.__qualname__
    if "." not in qualname:
        return None
    if _LOCAL in qualname:
        _local_classes[cls.__module__, qualname] = cls
    return qualname


def find(module: str, qualname: str) -> Any:
    """Import `module` if need be and return what `qualname` names in it.

    Not cached: two look-ups in dicts are quick, and a class that was reloaded or defined anew in
    a notebook must not come back as the old one.

    Raises:
        ImportError, LookupError, AttributeError: it is not there. A module may raise anything when imported.
    """
    if _LOCAL in qualname:
        return _local_classes[module, qualname]
    module = _MOVED.get(module, module)
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found
