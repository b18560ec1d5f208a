"""Objects of users' classes: fields are set again, not constructed; a changed class is validated."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import gc
import sys
import time
import types
import uuid
import zoneinfo
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict, HttpUrl, PrivateAttr, RootModel, SecretStr

from langgraph.checkpoint.errors import EncodeError
from langgraph.checkpoint.serde import _registry
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot

SERDE = JsonPlusSerializer(allowed_msgpack_modules=True)


def round_trip(value: Any) -> Any:
    return SERDE.loads_typed(SERDE.dumps_typed(value))


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """Return an importable module in which a test may define classes, and define them anew."""
    made = types.ModuleType("made_for_a_test")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def define(module: types.ModuleType, source: str) -> Any:
    """Run `source` in the module and return the class `C` that it defines."""
    exec("from typing import *\nfrom dataclasses import *\nfrom pydantic import *\n" + source, module.__dict__)
    return module.__dict__["C"]


@dataclasses.dataclass
class Counted:
    made: int = 0

    def __post_init__(self) -> None:
        self.made += 1


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    n: int
    square: int = dataclasses.field(init=False, default=0)


@dataclasses.dataclass
class Loose:
    n: int

    @cached_property
    def double(self) -> int:
        return self.n * 2


class Tagged(str):
    note: str


class Row(dict):  # type: ignore[type-arg]
    pass


class Rows(list):  # type: ignore[type-arg]
    __slots__ = ("source",)


class Number(int):
    pass


class Ordered(collections.OrderedDict):  # type: ignore[type-arg]
    pass


class Pos(tuple):  # type: ignore[type-arg]
    def __new__(cls, x: int, y: int) -> Pos:
        return super().__new__(cls, (x, y))


class Coordinate(bytes, enum.Enum):
    def __new__(cls, value: int, label: str) -> Coordinate:
        obj = bytes.__new__(cls, [value])
        obj._value_ = value
        obj.label = label  # type: ignore[attr-defined]
        return obj

    PX = (0, "P.X")
    PY = (1, "P.Y")


class Day(datetime.date):
    pass


class Moment(datetime.datetime):
    pass


class Key(uuid.UUID):
    pass


class Price(decimal.Decimal):
    pass


class Account(BaseModel):
    token: SecretStr
    site: HttpUrl


class Ids(RootModel[list[int]]):
    pass


class Secretive(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    a: tuple[int, ...] = ()
    _made: int = PrivateAttr(default_factory=lambda: 7)

    @cached_property
    def total(self) -> int:
        return sum(self.a)


def test_dataclass_is_not_constructed_again() -> None:
    """`__post_init__` runs when the object is made, not when it is read."""
    assert round_trip(Counted()).made == 1


def test_dataclass_with_slots_and_fields_init_does_not_take() -> None:
    """A frozen dataclass with slots gets back also what `__init__` does not take."""
    value = Slotted(3)
    object.__setattr__(value, "square", 9)
    assert round_trip(value) == value


def test_attributes_beyond_the_fields_are_kept_but_not_cached_properties() -> None:
    """What the user hung on an object is kept; what the object can compute again is not stored."""
    value = Loose(2)
    value.other = (1,)  # type: ignore[attr-defined]
    assert value.double == 4
    assert vars(round_trip(value)) == {"n": 2, "other": (1,)}


def test_model_keeps_extras_private_attributes_and_what_was_set() -> None:
    """All four parts of a pydantic model come back, cached properties are computed anew."""
    from sameness import same

    value = Secretive(a=(1, 2), more={1: (2,)})  # type: ignore[call-arg]
    value._made = 8
    plain = round_trip(value)
    assert same(plain, value)
    assert value.total == 3
    assert same(round_trip(value), plain)
    assert same(round_trip(Ids([1, 2])), Ids([1, 2]))


@pytest.mark.parametrize(
    "value",
    [
        Row(a=1),
        Rows([1, (2,)]),
        Number(5),
        Tagged("x"),
        Ordered(b=1, a=2),
        Pos(1, 2),
        Coordinate.PY,
        Day(2024, 2, 29),
        Moment(2024, 11, 3, 1, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("America/New_York")),
        Key(int=5),
        Price("1.10"),
        time.gmtime(0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_subclass_of_a_builtin_comes_back(value: Any) -> None:
    """A subclass keeps its class, also where its `__new__` takes other arguments."""
    found = round_trip([value])[0]
    assert type(found) is type(value)
    assert found == value


def test_attributes_of_a_subclass_are_kept() -> None:
    """Attributes in `__dict__` and in slots come back with the builtin's value."""
    text, rows = Tagged("x"), Rows([1])
    text.note = "n"
    rows.source = ("file", 3)
    assert round_trip(text).note == "n"
    assert round_trip(rows).source == ("file", 3)


def test_class_of_a_function_is_found_while_it_lives(caplog: pytest.LogCaptureFixture) -> None:
    """An object of a local class comes back in this process; elsewhere its fields do, with a warning."""

    def make() -> Any:
        @dataclasses.dataclass
        class Local:
            n: int

        return Local(1)

    value = make()
    stored = SERDE.dumps_typed(value)
    assert SERDE.loads_typed(stored) == value
    del value
    gc.collect()
    _registry.forget()
    gc.collect()
    assert SERDE.loads_typed(stored) == {"n": 1}
    assert "KeyError" in caplog.text


def test_secrets_and_urls_of_pydantic_come_back() -> None:
    """They are stored by what they are made from."""
    value = Account(token=SecretStr("pw"), site=HttpUrl("https://a.example/b"))
    found = round_trip(value)
    assert found == value
    assert found.token.get_secret_value() == "pw"


def test_struct_time_keeps_its_zone() -> None:
    """A struct sequence keeps the fields that are not among its items."""
    assert round_trip(time.gmtime(0)).tm_zone == time.gmtime(0).tm_zone


def test_compiled_subclass_is_refused() -> None:
    """A class that adds what can not be seen is refused, not stored without it."""
    pandas = pytest.importorskip("pandas")
    with pytest.raises(EncodeError, match="Timestamp"):
        SERDE.dumps_typed([pandas.Timestamp(1)])


def test_delta_snapshot_comes_back() -> None:
    """A snapshot of a delta channel is one again, and what it holds is exact."""
    found = round_trip(_DeltaSnapshot([(1, 2)]))
    assert type(found) is _DeltaSnapshot
    assert found.value == [(1, 2)]


def test_classes_made_at_run_time_do_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of types is bounded, and emptying it loses nothing."""
    monkeypatch.setattr(_registry, "_MAX_TYPES", 20)
    for at in range(60):
        value = [dataclasses.make_dataclass(f"Made{at}", ["n"])(at), (1, np.int8(2)), Number(3)]
        assert SERDE.loads_typed(SERDE.dumps_typed(value))[1:] == value[1:]
        assert len(_registry._table) <= 20


def test_changed_dataclass_takes_defaults_and_ignores_what_is_gone(module: types.ModuleType) -> None:
    """A field that the class no longer has is dropped, a new one gets its default."""
    old = define(module, "@dataclass\nclass C:\n a: int\n gone: int")
    stored = SERDE.dumps_typed(old(1, 2))
    new = define(module, "@dataclass\nclass C:\n a: int\n new: str = 'x'")
    assert SERDE.loads_typed(stored) == new(1, "x")


def test_changed_model_is_validated(module: types.ModuleType) -> None:
    """A model whose fields changed is made through its validators, from the fields it still has."""
    old = define(module, "class C(BaseModel):\n a: int\n gone: int")
    stored = SERDE.dumps_typed(old(a=1, gone=2))
    new = define(
        module, "class C(BaseModel):\n a: Annotated[int, AfterValidator(lambda v: v + 10)]\n new: int = 5"
    )
    assert SERDE.loads_typed(stored) == new.model_construct(a=11, new=5)


def test_class_defined_anew_is_the_one_that_comes_back(module: types.ModuleType) -> None:
    """In a notebook a cell is run again: values come back as the new class, not as a remembered one."""
    old = define(module, "@dataclass\nclass C:\n a: int")
    stored = SERDE.dumps_typed(old(1))
    assert type(SERDE.loads_typed(stored)) is old
    new = define(module, "@dataclass\nclass C:\n a: int")
    assert type(SERDE.loads_typed(stored)) is new


def test_generic_model_comes_back_where_it_was_never_made(module: types.ModuleType) -> None:
    """`Box[int]` is made of `Box` and `int` if no such class is there yet."""
    define(module, "T = TypeVar('T')\nclass Box(BaseModel, Generic[T]):\n v: T\nC = Box[int]")
    stored = SERDE.dumps_typed(module.__dict__["C"](v=3))
    define(module, "class Box(BaseModel, Generic[T]):\n v: T\nC = None")
    module.__dict__.pop("Box[int]", None)
    found = SERDE.loads_typed(stored)
    assert type(found) is module.__dict__["Box"][int]
    assert found.v == 3


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6).reshape(2, 3),
        np.arange(6, dtype=">i2").reshape(2, 3).T,
        np.arange(10)[::2],
        np.zeros((0, 3)),
        np.array(5.5),
        np.array(["2024-01-01", "NaT"], dtype="M8[D]"),
        np.array(["a", "bcd"]),
        np.array([(1, 2.5)], dtype=[("a", "<i4"), ("b", "<f8", (2,))]),
        np.array([{"a": (1,)}, None, "x"], dtype=object),
        np.float64(1.5),
        np.int8(-3),
        np.bool_(True),
        np.str_("x"),
        np.datetime64("2024-01-01T00:00", "m"),
    ],
    ids=repr,
)
def test_numpy_comes_back(value: Any) -> None:
    """Arrays and scalars keep dtype, shape, memory order and values, and may be written to."""
    found = round_trip([value])[0]
    assert type(found) is type(value)
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(found, value)
    if isinstance(value, np.ndarray):
        assert found.flags.writeable
        assert (
            found.flags.f_contiguous == np.ascontiguousarray(value).flags.f_contiguous
            or value.T.flags.c_contiguous
        )


def test_store_item_comes_back() -> None:
    """An item of a store keeps its namespace as a tuple and its times as times."""
    from datetime import datetime, timezone

    from langgraph.store.base import Item, SearchItem

    when = datetime(2024, 1, 1, tzinfo=timezone.utc)
    for value in (
        Item(value={"a": (1,)}, key="k", namespace=("n", "m"), created_at=when, updated_at=when),
        SearchItem(key="k", namespace=("n",), value={}, created_at=when, updated_at=when, score=0.5),
    ):
        found = round_trip(value)
        assert type(found) is type(value)
        assert found.dict() == value.dict()
        assert (found.namespace, found.created_at) == (value.namespace, when)
