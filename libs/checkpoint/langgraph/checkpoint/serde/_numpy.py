"""Arrays and scalars of numpy, if it is there: dtype, shape, order and the bytes."""

# What users store has no type here, and pyright calls what it narrows from `Any` unknown.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import ast
import sys
from typing import Any

import ormsgpack

from langgraph.checkpoint.serde._codes import EXT_CONSTRUCTOR_SINGLE_ARG, EXT_NUMPY_ARRAY
from langgraph.checkpoint.serde._registry import KNOWN, Pack, Treatment, ext


def numpy_values(cls: type) -> Treatment | None:
    """Store an array, or a scalar as an array without dimensions."""
    np: Any = sys.modules.get("numpy")
    if np is None or not (cls is np.ndarray or issubclass(cls, np.generic)):
        return None
    scalar = cls is not np.ndarray

    def write(obj: Any, pack: Pack) -> Any:
        array = np.asarray(obj)
        if array.dtype.hasobject:
            if array.dtype != object:
                raise TypeError("an array of records that hold objects has no stored form")
            flat = list(array.flat)
            return ext(EXT_CONSTRUCTOR_SINGLE_ARG, pack, ["numpy", "array", flat], None, list(array.shape))
        order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        layout = repr(np.lib.format.dtype_to_descr(array.dtype)) if array.dtype.fields else None
        raw = array.ravel(order).view("u1").data if array.size and array.itemsize else b""
        body = [array.dtype.str, list(array.shape), order, raw, layout, scalar]
        # Not `pack`: it would take the view of the array for a memoryview of the user's.
        return ormsgpack.Ext(EXT_NUMPY_ARRAY, ormsgpack.packb(body if scalar or layout else body[:4]))

    return Treatment(write, None)


def _rebuild_array(code: int, body: list[Any]) -> Any:
    import numpy as np

    dtype_text, shape, order, raw, *ours = body
    dtype = np.dtype(dtype_text)
    if ours and ours[0]:
        dtype = np.lib.format.descr_to_dtype(ast.literal_eval(ours[0]))
    if dtype.hasobject:
        raise TypeError("stored bytes are no objects")
    array = np.ndarray(tuple(shape), dtype, raw, order=order).copy(order="K")
    return array[()] if len(ours) > 1 and ours[1] else array


def _rebuild_objects(code: int, body: list[Any]) -> Any:
    import numpy as np

    shape = tuple(body[4])
    array = np.empty(len(body[2]), dtype=object)
    for at, item in enumerate(body[2]):
        array[at] = item
    return array.reshape(shape)


KNOWN["numpy", "ndarray"] = _rebuild_array
KNOWN["numpy", "array"] = _rebuild_objects
