"""Operations by hand: which statements they ask for, without a database or an event loop."""

from __future__ import annotations

import pickle
from typing import Any

import psycopg
import pytest

from langgraph.checkpoint.base import EncodeError, InvalidConfigError, JsonPlusSerializer, StorageError
from langgraph.checkpoint.base.operations import Begin, Execute, Fetch
from langgraph.checkpoint.postgres import _sql
from langgraph.checkpoint.postgres._errors import PostgresStorageError, raise_translated
from langgraph.checkpoint.postgres._filter import prefilter
from langgraph.checkpoint.postgres._operations import PostgresOperations


@pytest.fixture
def operations() -> PostgresOperations:
    """Return operations with the default serializer."""
    return PostgresOperations(JsonPlusSerializer())


def test_the_latest_is_got_by_one_lone_query(operations: PostgresOperations, at: Any) -> None:
    """Without an id one statement is asked for, and nothing found is `None`."""
    operation = operations.get_tuple(at("t", ns="child"))
    assert operation.send(None) == Fetch(_sql.LATEST, ("t", "child"))
    with pytest.raises(StopIteration) as end:
        operation.send([])
    assert end.value.value is None


def test_put_is_one_statement(operations: PostgresOperations, at: Any, checkpoint: Any) -> None:
    """It is repeated with those values that the server says are missing, in order of channels."""
    made = checkpoint("1", {"b": [1], "a": [2], "short": "x"})
    operation = operations.put(at(), made, {}, {"b": "1"})
    request = operation.send(None)
    assert isinstance(request, Fetch)
    assert request.sql == _sql.PUT
    params: Any = request.params
    assert (params["new"], params["unchanged"]) == (["b"], ["a"])
    request = operation.send([("a",)])
    assert isinstance(request, Fetch)
    params = request.params
    assert (params["new"], params["unchanged"]) == (["a", "b"], [])
    with pytest.raises(StopIteration) as end:
        operation.send([])
    assert end.value.value == at("t", "1")


def test_values_are_encoded_before_the_unit_begins(
    operations: PostgresOperations, at: Any, checkpoint: Any
) -> None:
    """A value that can not be stored is an error before anything is asked for, with the place."""
    made = checkpoint("1", {"a": [object()]})
    with pytest.raises(EncodeError) as caught:
        operations.put(at(), made, {}, {"a": "1"}).send(None)
    assert caught.value.path.startswith("channel_values['a'][0]")
    assert caught.value.address["channel"] == "a"


def test_lifecycle_locks_first(operations: PostgresOperations) -> None:
    """Whatever removes or copies keeps writers out before it looks."""
    for operation in (
        operations.delete_thread("t"),
        operations.copy_thread("t", "u"),
        operations.prune(["t"], "keep_latest"),
        operations.delete_for_runs(["r"]),
    ):
        assert isinstance(operation.send(None), Begin)
        assert operation.send(True) == Execute(_sql.LOCK)
        operation.close()


def test_nothing_to_do_asks_for_nothing(operations: PostgresOperations, at: Any) -> None:
    """Empty lists need no connection."""
    for operation in (
        operations.prune([], "delete"),
        operations.delete_for_runs([]),
        operations.put_writes(at("t", "1"), [], "task", ""),
    ):
        with pytest.raises(StopIteration):
            operation.send(None)


def test_writes_need_a_checkpoint(operations: PostgresOperations, at: Any) -> None:
    """Without an id it is not known what they belong to."""
    with pytest.raises(InvalidConfigError, match="checkpoint_id"):
        operations.put_writes(at(), [("a", 1)], "task", "").send(None)


def test_the_server_compares_what_it_can() -> None:
    """Scalars that have one form in JSON are compared by the server; of others only the key is looked for."""
    wanted = {"a": "x", "b": 1, "c": 0, "d": 1e300, "e": [1], "f": "\0", "g\0": 1, "h": None, "i": True}
    assert prefilter(wanted) == {
        "scalars": '{"a": "x", "b": 1, "h": null, "i": true}',
        "keys": ["a", "b", "c", "d", "e", "f", "h", "i"],
    }


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (psycopg.errors.DeadlockDetected("deadlock"), "busy"),
        (psycopg.errors.DiskFull("no space"), "full"),
        (psycopg.OperationalError("the connection is closed"), "closed"),
        (psycopg.errors.AdminShutdown("terminating"), "unavailable"),
    ],
)
def test_errors_of_the_server_have_reasons(error: psycopg.Error, reason: str) -> None:
    """They are raised from psycopg's, are psycopg's too, and survive pickling."""
    with pytest.raises(StorageError) as caught:
        raise_translated(error)
    assert caught.value.reason == reason
    assert caught.value.__cause__ is error
    restored = pickle.loads(pickle.dumps(caught.value))
    assert type(restored) is PostgresStorageError
    assert isinstance(restored, psycopg.OperationalError)
    assert (str(restored), restored.reason) == (str(caught.value), reason)


def test_other_errors_pass_through() -> None:
    """What means nothing in the contract stays what it is."""
    error = psycopg.errors.QueryCanceled("statement timeout")
    with pytest.raises(psycopg.errors.QueryCanceled) as caught:
        raise_translated(error)
    assert caught.value is error
