"""SQLite's errors that mean something in our contract."""

from __future__ import annotations

import sqlite3
from typing import NoReturn

from langgraph.checkpoint.errors import EncodeError, StorageError, WrongThreadError


class SqliteStorageError(StorageError, sqlite3.OperationalError):
    """The file can not do what was asked; also caught where SQLite's own error would be."""


# By text, since error codes come with Python 3.11 only. Each with what to do about it.
_MEANINGS = {
    "attempt to write a readonly database": (
        "read_only",
        "the database is read-only; give this process write permission on the file and its folder",
    ),
    "database or disk is full": (
        "full",
        "the database, or the disk it is on, is full; nothing of this call was stored. Make room and repeat it",
    ),
    "cannot operate on a closed database": (
        "closed",
        "the connection is closed; use the saver inside its `with` block, or open a new one",
    ),
    "connection closed": ("closed", "the connection is closed; use the saver inside its `async with` block"),
    "no active connection": (
        "closed",
        "the connection is closed; use the saver inside its `async with` block",
    ),
    "file is not a database": ("not_a_database", "the file is not an SQLite database; check the path"),
    "database disk image is malformed": ("corrupt", "the file is damaged; restore it from a copy"),
    "malformed json": (
        "corrupt",
        "a row of this thread is damaged; nothing of this call was stored. `list()` names the row",
    ),
    "database is locked": (
        "busy",
        "another connection held the database for too long; nothing of this call was stored. Repeat it",
    ),
    "database table is locked": (
        "busy",
        "another connection held the table for too long; nothing of this call was stored. Repeat it",
    ),
    "unable to open database file": (
        "unavailable",
        "the file can not be opened; check that its folder exists and that this process may write to it",
    ),
    "disk i/o error": ("unavailable", "the disk failed; nothing of this call was stored"),
}


def raise_translated(error: BaseException, path: str = "") -> NoReturn:
    """Raise our error `from` one of SQLite's (or aiosqlite's), or the error itself if it says nothing to us.

    Args:
        error: what was caught.
        path: the file, if that is known.
    """
    if "created in a thread can only be used in that same thread" in str(error):
        raise WrongThreadError(
            "the connection was made in another thread; make it with check_same_thread=False, since the engine "
            "writes from threads of its own"
        ) from error
    if isinstance(error, UnicodeEncodeError):
        raise EncodeError(
            f"the name {error.object!r:.80} has a lone surrogate, which no database stores as text"
        ) from error
    if type(error) is ValueError or (isinstance(error, sqlite3.Error) and not isinstance(error, StorageError)):
        text = str(error).lower()
        for message, (reason, advice) in _MEANINGS.items():
            if message in text:
                raise SqliteStorageError(
                    f"{advice} (SQLite says: {error}{path and f'; path: {path!r}'})", reason=reason
                ) from error
    raise error


def is_busy(error: BaseException) -> bool:
    """Tell whether another connection was in the way, so that the same statement may succeed later."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
