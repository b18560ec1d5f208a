"""How `list` goes through a long history: in pages, so that nothing is held while the caller looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from langgraph.checkpoint.base._query import ListQuery
from langgraph.checkpoint.base._types import CheckpointTuple
from langgraph.checkpoint.base.operations import Operation

FIRST_PAGE = 10
LARGEST_PAGE = 100
PAGE_BYTES = 4 << 20
"""A page that came out larger is followed by a smaller one."""


class Cursor(NamedTuple):
    """Where a page ended: the next one starts with what sorts behind it."""

    checkpoint_id: str
    thread_id: str
    checkpoint_ns: str


class Page(NamedTuple):
    """Some of the checkpoints that a listing is made of."""

    items: list[CheckpointTuple]
    end: Cursor | None
    """`None` if there is nothing behind this page."""
    size: int
    """How much was read for it, in bytes."""


class Listing:
    """One iteration over `list`: what to ask for next, and whether there is more."""

    def __init__(self, read: Callable[[ListQuery, Cursor | None, int], Operation[Page]], query: ListQuery) -> None:
        self._read = read
        self._query = query
        self._left = query.limit
        self._end: Cursor | None = None
        self._rows = FIRST_PAGE
        self.more = query.limit != 0

    def next_page(self) -> Operation[Page]:
        """Return the operation that reads the next page."""
        rows = self._rows
        if self._left is not None and not self._query.filter:
            rows = min(rows, self._left)  # with a filter, some of a page may not match
        return self._read(self._query, self._end, rows)

    def take(self, page: Page) -> list[CheckpointTuple]:
        """Note how far `page` went and return what it brought."""
        items = page.items if self._left is None else page.items[: self._left]
        if self._left is not None:
            self._left -= len(items)
        self._end = page.end
        self.more = page.end is not None and self._left != 0
        if page.size > PAGE_BYTES:
            self._rows = max(1, self._rows // 4)
        else:
            self._rows = min(self._rows * 2, LARGEST_PAGE)
        return items
