"""What can not be stored is refused with its place; damaged bytes are an error; neither kills the interpreter."""

from __future__ import annotations

import pickle
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph.checkpoint.errors import DecodeError, EncodeError
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer, UnknownTagError

SERDE = JsonPlusSerializer(allowed_msgpack_modules=None)


def wrapped(value: Any, path: str) -> Any:
    """Return `value` at a place that the path names, from the root."""
    from golden_types import AnyBox, Pair, Point

    return {
        "": lambda: value,
        "['a'][1]": lambda: {"a": [0, value]},
        "[1][0]": lambda: [0, (value,)],
        "x": lambda: Point(value, 0),
        "[0].item['k']": lambda: [AnyBox(item={"k": value})],
        "right": lambda: Pair(0, value),
        "[1]": lambda: {0: "x", 1: value},
        "[key tuple][1]": lambda: {(1, value): 2},
        "['deep'][0].y.x[2]": lambda: {"deep": [Point(1, Point([0, 1, value], 0))]},
    }[path]()


@pytest.mark.parametrize(
    "path",
    ["", "['a'][1]", "[1][0]", "x", "[0].item['k']", "right", "[1]", "[key tuple][1]", "['deep'][0].y.x[2]"],
)
def test_refusal_names_the_place_and_the_type(path: str) -> None:
    """The error carries the path and the type of what has no stored form, and is a `TypeError`."""
    with pytest.raises(EncodeError) as caught:
        SERDE.dumps_typed(wrapped(test_refusal_names_the_place_and_the_type, path))
    assert caught.value.path == path
    assert caught.value.type_name == "builtins.function"
    assert isinstance(caught.value, TypeError)


def test_refusal_does_not_show_the_value() -> None:
    """The text of the error can go into a log."""
    with pytest.raises(EncodeError) as caught:
        SERDE.dumps_typed({"key": ["secret", {"password": len}]})
    assert "secret" not in str(caught.value)
    assert caught.value.path == "['key'][1]['password']"


def test_error_of_users_code_is_the_cause() -> None:
    """What an object's own method raised stands behind our error, its text not in ours."""

    class Angry(Exception):
        def __repr__(self) -> str:
            raise LookupError("hidden")

    with pytest.raises(EncodeError, match="LookupError") as caught:
        SERDE.dumps_typed([Angry()])
    assert isinstance(caught.value.__cause__, LookupError)
    assert "hidden" not in str(caught.value)
    assert caught.value.path == "[0]"


def test_default_factory_that_is_no_class_is_refused() -> None:
    """A `defaultdict` would come back as another one without its function."""
    with pytest.raises(EncodeError, match="function"):
        SERDE.dumps_typed(defaultdict(lambda: 0))


def nests() -> Iterator[Any]:
    """Return values that hold themselves, or nest too deep, in all ways that there are."""
    from golden_types import AnyBox, Point

    loop: list[Any] = []
    loop.append(loop)
    yield loop
    keyed: dict[Any, Any] = {}
    keyed[1] = keyed
    yield keyed
    through_tuple: list[Any] = []
    through_tuple.append((through_tuple,))
    yield through_tuple
    point = Point(1, 2)
    point.x = point  # type: ignore[assignment]
    yield point
    box = AnyBox()
    box.item = {"a": [box]}
    yield box
    long: list[Any] = []
    inner = long
    for _ in range(200):
        inner.append([])
        inner = inner[0]
    inner.append((long,))
    yield long
    for wrap in (
        lambda v: [v],
        lambda v: (v,),
        lambda v: {1: v},
        lambda v: Point(v, 0),
        lambda v: {frozenset(): v},
    ):
        value: Any = 0
        for _ in range(3000):
            value = wrap(value)
        yield value


def test_cycles_and_deep_nests_are_refused() -> None:
    """They raise on the main thread and on another, whose stack may be smaller."""

    def refuse(done: list[int]) -> None:
        for value in nests():
            with pytest.raises(EncodeError, match="deeply"):
                SERDE.dumps_typed(value)
            done.append(1)

    here: list[int] = []
    there: list[int] = []
    refuse(here)
    thread = threading.Thread(target=refuse, args=(there,))
    thread.start()
    thread.join()
    assert len(here) == len(there) == 11


@pytest.mark.parametrize(("lists", "levels"), [(1, 250), (900, 3)])
def test_what_is_written_deep_is_read(lists: int, levels: int) -> None:
    """Envelopes and lists in each other are read to a depth that no value has by chance."""
    stored = b"\x90"
    for _ in range(levels):
        stored = ormsgpack.packb(ormsgpack.Ext(0, b"\x93\xa8builtins\xa5tuple" + b"\x91" * lists + stored))
    assert isinstance(SERDE.loads_typed(("msgpack", stored)), tuple)


@pytest.mark.parametrize(("lists", "levels"), [(0, 1000), (1, 400), (100, 100), (900, 20), (1000, 300), (1100, 1)])
def test_hostile_nests_are_refused(lists: int, levels: int) -> None:
    """Bytes made to overflow the stack raise instead."""
    stored = b"\x90"
    for _ in range(levels):
        stored = ormsgpack.packb(ormsgpack.Ext(0, b"\x93\xa8builtins\xa5tuple" + b"\x91" * lists + stored))
    with pytest.raises(DecodeError):
        SERDE.loads_typed(("msgpack", stored))


def test_deepest_that_is_written_is_read() -> None:
    """Whatever the encoder lets through at the edge of its depth, the decoder reads."""
    value: Any = 0
    written = None
    for _ in range(400):
        value = (value,)
        try:
            written = SERDE.dumps_typed(value)
        except EncodeError:
            break
        deepest = value
    assert written is not None
    assert SERDE.loads_typed(written) == deepest


@given(st.data())
def test_damaged_bytes_raise_and_do_no_more(data: st.DataObject) -> None:
    """Bytes cut short, changed or made up raise `DecodeError`, or are another value; nothing else comes out."""
    from golden_types import Pair

    stored = SERDE.dumps_typed([{"a": (1, {2}), "b": 2**70}, Pair(1, b"x"), 1.5, "text"])[1]
    kind = data.draw(st.sampled_from(["cut", "changed", "made up"]))
    if kind == "cut":
        stored = stored[: data.draw(st.integers(0, len(stored) - 1))]
    elif kind == "changed":
        at = data.draw(st.integers(0, len(stored) - 1))
        stored = stored[:at] + bytes([data.draw(st.integers(0, 255))]) + stored[at + 1 :]
    else:
        stored = ormsgpack.packb(ormsgpack.Ext(data.draw(st.integers(0, 8)), data.draw(st.binary(max_size=40))))
    try:
        SERDE.loads_typed(("msgpack", stored))
    except DecodeError as exc:
        assert isinstance(exc, ValueError)  # noqa: PT017


@pytest.mark.parametrize("code", [8, 99, 127])
def test_unknown_extension_code_raises(code: int) -> None:
    """What a newer version may write is not read as something else."""
    with pytest.raises(DecodeError, match=str(code)):
        SERDE.loads_typed(("msgpack", ormsgpack.packb(ormsgpack.Ext(code, b"\x01"))))


def test_unknown_tag_raises_both_errors() -> None:
    """A tag that nobody reads is a `DecodeError`, and the `NotImplementedError` that callers catch."""
    with pytest.raises(UnknownTagError, match="'zip'") as caught:
        SERDE.loads_typed(("zip", b""))
    assert isinstance(caught.value, (DecodeError, NotImplementedError))
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), NotImplementedError)


def test_interrupt_while_encoding_is_not_swallowed() -> None:
    """Ctrl-C within an object's method comes out as it is."""

    class Interrupted(Exception):
        def __repr__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SERDE.dumps_typed([Interrupted()])
    assert sys.exc_info() == (None, None, None)
