"""The saver made of operations, on a backend that is a list."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from langgraph.checkpoint.base import (
    CheckpointKey,
    CheckpointTuple,
    Cursor,
    InvalidConfigError,
    JsonPlusSerializer,
    ListQuery,
    OperationSaver,
    Page,
    empty_checkpoint,
    matches,
)
from langgraph.checkpoint.base._pages import FIRST_PAGE, LARGEST_PAGE, PAGE_BYTES, Listing
from langgraph.checkpoint.base.operations import Fetch, adrive, drive, fetch


def item(number: int, metadata: Any = None) -> CheckpointTuple:
    """Return a checkpoint with an id of four digits."""
    checkpoint = {**empty_checkpoint(), "id": f"{number:04}"}
    return CheckpointTuple(CheckpointKey("t", "", f"{number:04}").config(), checkpoint, metadata or {})  # type: ignore[arg-type]


class Operations:
    """Lists checkpoints; every other operation returns its name and arguments."""

    def __init__(self, serde: Any, items: list[CheckpointTuple]) -> None:
        self.serde, self.items = serde, items

    async def list_page(self, query: ListQuery, after: Cursor | None, rows: int) -> Page:
        await fetch("page", (rows,))
        behind = [one for one in self.items if after is None or one.checkpoint["id"] < after.checkpoint_id]
        page = behind[:rows]
        end = Cursor(page[-1].checkpoint["id"], "t", "") if len(page) == rows and page else None
        return Page([one for one in page if matches(one.metadata, query.filter)], end, rows)

    def __getattr__(self, name: str) -> Any:
        async def operation(*args: Any) -> Any:
            await fetch("q", (name,))
            return (name, *args)

        return operation


class Saver(OperationSaver):
    """Notes what its connection was asked."""

    items: Any = ()

    def __init__(self, items: Any = ()) -> None:
        super().__init__()
        self.items = list(items)
        self.asked: list[Any] = []
        Saver.items = self.items

    @staticmethod
    def _make_operations(serde: Any) -> Any:
        return Operations(serde, Saver.items)

    def _run(self, operation: Any) -> Any:
        return drive(operation, self.asked.append)

    async def _arun(self, operation: Any) -> Any:
        async def perform(request: Any) -> Any:
            await asyncio.sleep(0)
            self.asked.append(request)

        return await adrive(operation, perform)


CONFIG: Any = {"configurable": {"thread_id": "t"}}
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    ("get_tuple", (CONFIG,), {}, (CONFIG,)),
    ("put", (CONFIG, "checkpoint", "metadata", "versions"), {}, (CONFIG, "checkpoint", "metadata", "versions")),
    ("get_delta_channel_history", (), {"config": CONFIG, "channels": ["d"]}, (CONFIG, ["d"])),
]
SILENT: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    ("put_writes", (CONFIG, [("x", 1)], "task"), {}, ()),
    ("delete_thread", ("t",), {}, ()),
    ("delete_for_runs", (["r"],), {}, ()),
    ("copy_thread", ("a", "b"), {}, ()),
    ("prune", (["t"],), {"strategy": "delete"}, ()),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "passed"), CALLS)
async def test_methods_run_their_operation_in_both_colours(name: str, args: Any, kwargs: Any, passed: Any) -> None:
    """With the same arguments."""
    saver = Saver()
    assert getattr(saver, name)(*args, **kwargs) == (name, *passed)
    assert await getattr(saver, f"a{name}")(*args, **kwargs) == (name, *passed)
    assert saver.asked == [Fetch("q", (name,))] * 2


@pytest.mark.parametrize(("name", "args", "kwargs", "_"), SILENT)
async def test_methods_without_result_return_none(name: str, args: Any, kwargs: Any, _: Any) -> None:
    """They run all the same."""
    saver = Saver()
    assert getattr(saver, name)(*args, **kwargs) is None
    assert await getattr(saver, f"a{name}")(*args, **kwargs) is None
    assert saver.asked == [Fetch("q", (name,))] * 2


def test_a_clone_has_operations_with_its_own_serializer() -> None:
    """And leaves those of the saver alone."""
    saver = Saver()
    saver.serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    clone = saver.with_allowlist([("some.module", "Name")])
    assert saver._operations.serde is saver.serde  # type: ignore[attr-defined]
    assert clone._operations.serde is clone.serde is not saver.serde  # type: ignore[attr-defined]
    assert saver._operations is saver._operations
    assert clone.asked is saver.asked


async def test_list_reads_pages_that_grow() -> None:
    """Up to the largest, and no further than what is asked for."""
    numbers = list(range(500, 0, -1))
    saver = Saver(map(item, numbers))
    assert [int(one.checkpoint["id"]) for one in saver.list(None)] == numbers
    sizes = [request.params[0] for request in saver.asked]
    assert sizes == [10, 20, 40, 80, *[LARGEST_PAGE] * 4]
    assert sizes[0] == FIRST_PAGE
    saver.asked.clear()
    assert [int(one.checkpoint["id"]) async for one in saver.alist(None, limit=25)] == numbers[:25]
    assert [request.params[0] for request in saver.asked] == [10, 15]


def test_pages_are_read_when_they_are_needed() -> None:
    """Who stops early has not read the rest."""
    saver = Saver(map(item, range(50, 0, -1)))
    listing = saver.list(None)
    assert saver.asked == []
    for _ in range(10):
        next(listing)
    assert len(saver.asked) == 1


def test_the_limit_counts_what_matches() -> None:
    """Pages in which nothing matches do not end the list."""
    saver = Saver(item(number, {"step": number}) for number in range(60, 0, -1))
    assert [one.metadata["step"] for one in saver.list(None, filter={"step": 7}, limit=2)] == [7]
    assert list(saver.list(None, filter={"step": 99})) == []


def test_a_limit_of_none_reads_nothing() -> None:
    """0 is none; an empty database is asked once."""
    saver = Saver()
    assert list(saver.list(None, limit=0)) == []
    assert saver.asked == []
    assert list(saver.list(None)) == []
    assert len(saver.asked) == 1


def test_arguments_of_list_are_checked_at_once() -> None:
    """Not when the first item is asked for."""
    saver = Saver()
    with pytest.raises(InvalidConfigError):
        saver.list(None, limit=-1)
    with pytest.raises(InvalidConfigError):
        saver.alist({"configurable": {}})


def test_a_large_page_is_followed_by_a_smaller_one() -> None:
    """But never by none."""
    sizes: list[int] = []

    def read(query: ListQuery, after: Cursor | None, rows: int) -> Any:
        sizes.append(rows)

    listing = Listing(read, ListQuery())
    for _ in range(4):
        listing.next_page()
        listing.take(Page([item(1)], Cursor("1", "t", ""), PAGE_BYTES + 1))
    assert sizes == [10, 2, 1, 1]


def test_versions_are_text() -> None:
    """Those of all our savers."""
    assert Saver().get_next_version(None, None).startswith("0" * 31 + "1.")
