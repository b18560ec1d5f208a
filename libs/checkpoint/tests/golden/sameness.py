"""Compare two values as the serializer promises to keep them: type and value, at every depth."""

import dataclasses
import math
from array import array
from collections import deque
from collections.abc import Mapping

from pydantic import BaseModel


def same(a, b):
    """Tell whether `a` and `b` can not be told apart."""
    if type(a) is not type(b):
        return False
    if isinstance(a, BaseModel):
        parts = ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
        return all(same(getattr(a, part), getattr(b, part)) for part in parts)
    if isinstance(a, type):
        return a is b
    if dataclasses.is_dataclass(a):
        fields = (field.name for field in dataclasses.fields(a))
        return all(same(getattr(a, name), getattr(b, name)) for name in fields)
    if isinstance(a, Mapping):
        return (
            len(a) == len(b)
            and all(same(x, y) and same(a[x], b[y]) for x, y in zip(a, b))
            and getattr(a, "default_factory", None) is getattr(b, "default_factory", None)
        )
    if isinstance(a, (list, tuple, deque)):
        limits = getattr(a, "maxlen", None) == getattr(b, "maxlen", None)
        return len(a) == len(b) and limits and all(map(same, a, b))
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    if isinstance(a, float):
        return math.isnan(a) and math.isnan(b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, array):
        return a.typecode == b.typecode and a == b
    if hasattr(a, "fold") and (a.fold != b.fold or repr(a.tzinfo) != repr(b.tzinfo)):
        return False
    if hasattr(a, "node"):
        return all(same(getattr(a, name, None), getattr(b, name, None)) for name in ("node", "arg", "timeout"))
    return a == b or repr(a) == repr(b)
