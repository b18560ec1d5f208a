"""What the methods of `BaseStore` hand to `batch` and `abatch`."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

import pytest

from langgraph.checkpoint.errors import UnsupportedOperationError
from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchOp,
    TTLConfig,
    _ensure_refresh,
    _ensure_ttl,
)


class Recorder(BaseStore):
    """Keeps the operations it was given."""

    supports_ttl = True

    def __init__(self, ttl_config: TTLConfig | None = None) -> None:
        self.ttl_config = ttl_config
        self.ops: list[Op] = []

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        self.ops.extend(ops)
        return [None]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return self.batch(ops)


class Unexpiring(Recorder):
    supports_ttl = False


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], Op]] = [
    ("get", (("n",), "k"), {}, GetOp(("n",), "k", True)),
    ("get", (("n",), 1), {"refresh_ttl": False}, GetOp(("n",), "1", False)),
    ("search", ((),), {}, SearchOp(())),
    (
        "search",
        (("n",),),
        {"query": "q", "filter": {"a": 1}, "limit": 3, "offset": 2, "refresh_ttl": False},
        SearchOp(("n",), {"a": 1}, 3, 2, "q", False),
    ),
    ("put", (("n",), "k", {"a": 1}), {}, PutOp(("n",), "k", {"a": 1})),
    ("put", (("n",), "k", {"a": 1}, ["a"]), {"ttl": 5}, PutOp(("n",), "k", {"a": 1}, ["a"], 5)),
    ("put", (("n",), "k", {}, False), {"ttl": None}, PutOp(("n",), "k", {}, False)),
    ("put", (("n",), "k", None), {}, PutOp(("n",), "k", None)),
    ("delete", (("n",), "k"), {}, PutOp(("n",), "k", None)),
    ("delete", (("langgraph",), "k"), {}, PutOp(("langgraph",), "k", None)),
    ("list_namespaces", (), {}, ListNamespacesOp(())),
    ("list_namespaces", (), {"prefix": (), "suffix": ()}, ListNamespacesOp(())),
    (
        "list_namespaces",
        (),
        {"prefix": ("a", "*"), "suffix": ("z",), "max_depth": 2, "limit": 3, "offset": 4},
        ListNamespacesOp((MatchCondition("prefix", ("a", "*")), MatchCondition("suffix", ("z",))), 2, 3, 4),
    ),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "op"), CALLS)
async def test_a_method_hands_on_its_operation_in_both_colours(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], op: Op
) -> None:
    """The synchronous and the asynchronous method make the same operation."""
    store = Recorder()
    getattr(store, name)(*args, **kwargs)
    await getattr(store, "a" + name)(*args, **kwargs)
    assert store.ops == [op, op]


async def test_a_mapping_is_put_as_a_dict() -> None:
    """Backends need not know other mappings, and a later change of the caller's is not seen."""
    store = Recorder()
    store.put(("n",), "k", MappingProxyType({"a": 1}))
    assert type(store.ops[0].value) is dict  # type: ignore[union-attr]


REFUSED: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("put", ((), "k", {}), {}),
    ("put", (("langgraph", "x"), "k", {}), {}),
    ("put", (("a.b",), "k", {}), {}),
    ("get", (("",), "k"), {}),
    ("delete", (("a\0",), "k"), {}),
    ("search", ((1,),), {}),
    ("list_namespaces", (), {"prefix": ("a.b",)}),
    ("list_namespaces", (), {"suffix": ("",)}),
]


@pytest.mark.parametrize(("name", "args", "kwargs"), REFUSED)
async def test_a_bad_namespace_is_refused_by_every_method(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Reads and deletes check it too, in both colours, and nothing reaches the backend."""
    store = Recorder()
    with pytest.raises(InvalidNamespaceError):
        getattr(store, name)(*args, **kwargs)
    with pytest.raises(InvalidNamespaceError):
        await getattr(store, "a" + name)(*args, **kwargs)
    assert store.ops == []


@pytest.mark.parametrize("ttl", [0, 5])
async def test_a_time_to_live_is_refused_where_items_do_not_expire(ttl: float) -> None:
    """Leaving it out is not the same as forgetting it silently."""
    store = Unexpiring()
    with pytest.raises(UnsupportedOperationError, match="Unexpiring does not let items expire"):
        store.put(("n",), "k", {}, ttl=ttl)
    with pytest.raises(NotImplementedError):
        await store.aput(("n",), "k", {}, ttl=ttl)
    store.put(("n",), "k", {}, ttl=None)
    assert len(store.ops) == 1


def test_the_store_s_configuration_holds_where_a_call_does_not_say() -> None:
    """A call's own `ttl` and `refresh_ttl` go first."""
    store = Recorder({"default_ttl": 7, "refresh_on_read": False})
    store.put(("n",), "k", {})
    store.put(("n",), "k", {}, ttl=None)
    store.get(("n",), "k")
    store.get(("n",), "k", refresh_ttl=True)
    assert store.ops == [
        PutOp(("n",), "k", {}, None, 7),
        PutOp(("n",), "k", {}),
        GetOp(("n",), "k", False),
        GetOp(("n",), "k", True),
    ]


@pytest.mark.parametrize(
    ("config", "refresh", "ttl"),
    [
        (None, True, None),
        ({}, True, None),
        ({"refresh_on_read": False}, False, None),
        ({"default_ttl": 5}, True, 5),
    ],
)
def test_defaults_of_expiry(config: TTLConfig | None, refresh: bool, ttl: float | None) -> None:
    """As the release: reading refreshes, and nothing expires, unless configured."""
    assert _ensure_refresh(config) is refresh
    assert _ensure_refresh(config, not refresh) is not refresh
    assert _ensure_ttl(config, NOT_PROVIDED) == ttl
    assert _ensure_ttl(config, None) is None
    assert _ensure_ttl(config, 3) == 3
