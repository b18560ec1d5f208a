"""Paths into a stored value, to say which text of it is embedded.

| path | finds |
| --- | --- |
| `$` or nothing | the whole value |
| `a.b` | a key within a key |
| `a[0]`, `a[-1]` | one element of a list |
| `a[*]` | each element of a list |
| `a.*` | each element of a list, or each value of a dict |
| `a.{b,c.d}` | several paths from here |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

_TOKEN = re.compile(r"\[[^\]]*\]?|\{[^}]*\}?|[^.\[{]+")


def tokenize_path(path: str) -> list[str]:
    """Split a path into its steps.

    Args:
        path: such as `a.b[*].{c,d}`.

    Returns:
        The steps, with brackets and braces left on: `["a", "b", "[*]", "{c,d}"]`.
    """
    return _TOKEN.findall(path)


def get_text_at_path(obj: Any, path: str | list[str]) -> list[str]:
    """Find the text that a path leads to.

    Args:
        obj: a stored value.
        path: a path, or its steps as `tokenize_path` gives them.

    Returns:
        One text for each thing found: text as it is, numbers and booleans in Python's spelling, lists and
        dicts as JSON with sorted keys. What is missing or null gives no text.
    """
    steps = tokenize_path(path) if isinstance(path, str) else path
    if not steps or steps == ["$"]:
        return [_json(obj)]
    return [text for found in _walk(obj, steps) for text in _texts(found)]


def _walk(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    for found in _step(value, steps[0]):
        yield from _walk(found, steps[1:])


def _step(value: Any, step: str) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return _in_mapping(cast("Mapping[str, Any]", value), step)
    if isinstance(value, list | tuple):
        return _in_list(cast("Sequence[Any]", value), step)
    return ()


def _in_mapping(value: Mapping[str, Any], step: str) -> Iterable[Any]:
    if step == "*":
        return value.values()
    if step.startswith("{") and step.endswith("}"):
        fields = (field.strip() for field in step[1:-1].split(","))
        return (found for field in fields for found in _walk(value, tokenize_path(field)))
    return (value[step],) if step in value else ()


def _in_list(value: Sequence[Any], step: str) -> Iterable[Any]:
    if step in ("*", "[*]"):
        return value
    try:
        return (value[int(step[1:-1])],) if step.startswith("[") and step.endswith("]") else ()
    except (ValueError, IndexError):
        return ()


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, int | float):
        return (str(value),)
    if isinstance(value, list | tuple | Mapping):
        return (_json(value),)
    return ()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
