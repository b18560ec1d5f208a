"""How a clause fails: with a sentence that says what was found and what was expected.

No `assert`: its text is empty outside pytest, and `python -O` would let every saver pass.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast


class ClauseFailed(AssertionError):  # noqa: N818  # an assertion, as pytest and the release's kit raise
    """The saver breaks a clause."""


def expect(holds: object, otherwise: str) -> None:
    """Fail with the text `otherwise` unless `holds`."""
    if not holds:
        raise ClauseFailed(otherwise)


def expect_equal(what: str, found: Any, expected: Any) -> None:
    """Fail unless `found` equals `expected`, in the type of every part too: `1` is not `True`."""
    expect(_same(found, expected), f"{what}: expected {expected!r}, found {found!r}")


@contextmanager
def expect_error(doing: str, *kinds: type[Exception]) -> Generator[None, None, None]:
    """Fail unless the block raises one of `kinds`; an operation that is missing does not count."""
    wanted = " or ".join(kind.__name__ for kind in kinds)
    try:
        yield
    except NotImplementedError:
        raise
    except kinds:
        return
    except Exception as error:
        raise ClauseFailed(f"{doing}: expected {wanted}, but {error!r} was raised") from error
    raise ClauseFailed(f"{doing}: expected {wanted}, but nothing was raised")


def _same(found: Any, expected: Any) -> bool:
    if _is_mapping(expected):
        return _is_mapping(found) and _same_items(found, expected)
    if type(found) is not type(expected):
        return False
    if isinstance(expected, list | tuple):
        parts = cast("Sequence[Any]", expected)
        return len(found) == len(parts) and all(map(_same, found, parts))
    return bool(found == expected)


def _same_items(found: Mapping[Any, Any], expected: Mapping[Any, Any]) -> bool:
    return found.keys() == expected.keys() and all(_same(found[key], expected[key]) for key in expected)


def _is_mapping(found: Any) -> bool:
    return isinstance(found, Mapping)
