"""Postgres' errors that mean something in our contract."""

from __future__ import annotations

from typing import NoReturn

import psycopg
from psycopg import errors

from langgraph.checkpoint.errors import EncodeError, InvalidConfigError, SchemaMissingError, StorageError


class PostgresStorageError(StorageError, psycopg.OperationalError):
    """The server can not do what was asked; also caught where psycopg's own error would be."""


_IN_THE_WAY = "another connection was in the way; nothing of this call was stored. Repeat it"

# Each with what to do about it.
_MEANINGS: dict[type[psycopg.Error], tuple[str, str]] = {
    errors.ReadOnlySqlTransaction: (
        "read_only",
        "the connection or the server is read-only; connect to one that may write",
    ),
    errors.DiskFull: ("full", "the server's disk is full; nothing of this call was stored"),
    errors.DeadlockDetected: ("busy", _IN_THE_WAY),
    errors.SerializationFailure: ("busy", _IN_THE_WAY),
    errors.LockNotAvailable: ("busy", _IN_THE_WAY),
    errors.DataCorrupted: ("corrupt", "the database is damaged; restore it from a copy"),
    errors.IndexCorrupted: ("corrupt", "an index of the database is damaged; rebuild it with REINDEX"),
}
_NO_CONNECTION = {
    "closed": "the connection is closed; use the saver inside its `with` block, or open a new one",
    "unavailable": "there is no connection to the server; check that it runs and open a new one",
}

SCHEMA_VERSION = 9
"""The greatest migration that this code works on."""


def raise_translated(error: psycopg.Error | UnicodeEncodeError) -> NoReturn:
    """Raise our error `from` one of psycopg's, or the error itself if it says nothing to us."""
    if isinstance(error, StorageError):
        raise error
    if isinstance(error, UnicodeEncodeError):
        raise EncodeError(
            "a name, such as of a channel or a task, has a lone surrogate, which no database stores as text"
        ) from error
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn):
        raise SchemaMissingError(
            f"the tables are not there, or not up to date; call setup() once (Postgres says: {_said(error)})",
            found=None,
            expected=SCHEMA_VERSION,
        ) from error
    if isinstance(error, errors.UntranslatableCharacter) or "NUL (0x00)" in str(error):
        raise EncodeError(
            f"a name, such as of a channel or a task, has a NUL, which Postgres can not store: {_said(error)}"
        ) from error
    for kind, (reason, advice) in _MEANINGS.items():
        if isinstance(error, kind):
            raise PostgresStorageError(f"{advice} (Postgres says: {_said(error)})", reason=reason) from error
    if isinstance(error, psycopg.OperationalError) and not isinstance(error, errors.QueryCanceled):
        reason = "closed" if "connection is closed" in str(error) else "unavailable"
        advice = _NO_CONNECTION[reason]
        raise PostgresStorageError(f"{advice} (psycopg says: {_said(error)})", reason=reason) from error
    raise error


def refuse_nul(field: str, text: str) -> str:
    """Return `text`, unless it has a NUL, with which nothing can be stored.

    Raises:
        InvalidConfigError: it has.
    """
    if "\0" in text:
        raise InvalidConfigError(f"{field} {text!r} has a NUL, which Postgres does not store as text", field=field)
    return text


def _said(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error)
