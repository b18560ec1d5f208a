"""SQLite's errors as ours."""

from __future__ import annotations

import pickle
import sqlite3

import pytest

from langgraph.checkpoint.errors import EncodeError, StorageError
from langgraph.checkpoint.sqlite import SqliteStorageError
from langgraph.checkpoint.sqlite._errors import raise_translated

MEANINGS = {
    "attempt to write a readonly database": "read_only",
    "database or disk is full": "full",
    "Cannot operate on a closed database.": "closed",
    "Connection closed": "closed",
    "no active connection": "closed",
    "file is not a database": "not_a_database",
    "database disk image is malformed": "corrupt",
    "database is locked": "busy",
    "database table is locked: checkpoints": "busy",
    "unable to open database file": "unavailable",
    "disk I/O error": "unavailable",
}


@pytest.mark.parametrize(("message", "reason"), MEANINGS.items())
def test_what_means_something_is_ours(message: str, reason: str) -> None:
    """With a reason, SQLite's own text, and its error as the cause."""
    error = sqlite3.OperationalError(message)
    with pytest.raises(SqliteStorageError) as caught:
        raise_translated(error)
    assert caught.value.reason == reason
    assert message in str(caught.value)
    assert caught.value.__cause__ is error
    assert isinstance(caught.value, (StorageError, sqlite3.OperationalError))


@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("no such table: x"), ValueError("else"), KeyError("x")]
)
def test_other_errors_pass(error: Exception) -> None:
    """What means nothing in our contract is raised as it is."""
    with pytest.raises(type(error)) as caught:
        raise_translated(error)
    assert caught.value is error


def test_ours_is_not_translated_again() -> None:
    """An error that has been through it once stays."""
    error = SqliteStorageError("database is locked", reason="busy")
    with pytest.raises(SqliteStorageError) as caught:
        raise_translated(error)
    assert caught.value is error


def test_a_lone_surrogate_is_an_encode_error() -> None:
    """The driver's complaint about a name becomes ours."""
    with pytest.raises(EncodeError, match="surrogate"):
        raise_translated(UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"))


def test_it_survives_pickling() -> None:
    """With its reason."""
    error = pickle.loads(pickle.dumps(SqliteStorageError("full", reason="full")))
    assert (type(error), str(error), error.reason) == (SqliteStorageError, "full", "full")
