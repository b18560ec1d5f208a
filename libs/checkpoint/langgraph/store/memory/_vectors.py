"""Vectors and how alike they are. With numpy if it is there, else in plain Python.

A vector is brought to length one when it is stored, so the cosine of two is their dot product.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any

from langgraph.checkpoint.errors import InvalidConfigError

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

Vector = Any
"""A vector of length one, or zero: a numpy array, or a list where there is no numpy."""


def unit(numbers: Sequence[float]) -> Vector:
    """Bring a vector to length one. A zero vector stays zero, and so is like nothing."""
    if np is not None:
        array = np.asarray(numbers, dtype=np.float64)
        return array / (float(np.linalg.norm(array)) or 1.0)
    length = math.sqrt(sum(number * number for number in numbers)) or 1.0
    return [number / length for number in numbers]


def units(texts: Sequence[str], embedded: Sequence[Sequence[float]]) -> dict[str, Vector]:
    """Lay texts and what an embedding made of them side by side, at length one."""
    if len(embedded) != len(texts):
        raise InvalidConfigError(
            f"The embedding gave {len(embedded)} vectors for {len(texts)} texts. "
            "It must give one for each, in their order.",
            field="embed",
        )
    return {text: unit(numbers) for text, numbers in zip(texts, embedded, strict=True)}


def best_similarity(query: Vector, vectors: Iterable[Vector]) -> float | None:
    """Find the greatest cosine between a query and any of the vectors; `None` if there are none."""
    return max((_dot(query, vector) for vector in vectors), default=None)


def _dot(one: Vector, other: Vector) -> float:
    if len(one) != len(other):
        raise InvalidConfigError(
            f"The query's vector has {len(one)} numbers and a stored one {len(other)}. "
            "Embed queries and values with the same model.",
            field="embed",
        )
    return float(one @ other) if np is not None else sum(map(mul, one, other))
