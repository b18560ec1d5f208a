"""Operations by hand: what is asked of the database, without one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from langgraph.checkpoint.base import ListQuery
from langgraph.checkpoint.base.operations import Begin, Compute, Execute, ExecuteMany, Fetch, Request
from langgraph.checkpoint.errors import ConflictError, EncodeError, InvalidConfigError, SchemaTooNewError
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import _sql
from langgraph.checkpoint.sqlite._operations import SqliteOperations
from langgraph.checkpoint.sqlite._schema import migrations, upgrade


@pytest.fixture
def operations() -> SqliteOperations:
    return SqliteOperations(JsonPlusSerializer())


class Hand:
    """Drives an operation by hand; closed at the end, as a driver does."""

    def __init__(self, operation: Any) -> None:
        self.operation = operation

    def first(self) -> Any:
        return self.operation.send(None)

    def answer(self, value: Any) -> Any:
        """Answer a request; returns the next one, or `("result", value)`."""
        try:
            return self.operation.send(value)
        except StopIteration as end:
            return ("result", end.value)

    def finish(self, request: Any) -> Any:
        """Answer what is left as a database without further rows would; returns `("result", value)`."""
        while isinstance(request, Request):
            request = self.answer(request.perform() if isinstance(request, Compute) else [])
        return request

    def __enter__(self) -> Hand:
        return self

    def __exit__(self, *error: object) -> None:
        self.operation.close()


def test_the_latest_is_asked_for_without_an_id(operations: Any, at: Any) -> None:
    """One query by thread and namespace; nothing found is `None`."""
    with Hand(operations.get_tuple(at("t"))) as hand:
        request = hand.first()
        assert request == Fetch(request.sql, ("t", ""))
        assert "ORDER BY checkpoint_id DESC LIMIT 1" in request.sql
        assert hand.answer([]) == ("result", None)


def test_a_checkpoint_is_asked_for_by_id(operations: Any, at: Any) -> None:
    """One query by the whole key."""
    with Hand(operations.get_tuple(at("t", "1", "ns"))) as hand:
        request = hand.first()
        assert request == Fetch(request.sql, ("t", "ns", "1"))
        assert "checkpoint_id = ?" in request.sql
        assert hand.answer([]) == ("result", None)


def test_rows_become_a_checkpoint(operations: Any, at: Any) -> None:
    """The row and its writes are decoded apart from the database, and the writes are sorted."""
    tag, header = JsonPlusSerializer().dumps_typed(
        {"v": 4, "id": "1", "ts": "", "channel_values": {}, "channel_versions": {}, "versions_seen": {}}
    )
    row = (0, 7, "t", "", "1", "0", f"blobs:{tag}", header, '{"n": 1}', "[]")
    tag, value = JsonPlusSerializer().dumps_typed((1,))
    writes = [(1, 7, channel, tag, value, "task", idx, "", None, None) for idx, channel in ((1, "b"), (0, "a"))]
    with Hand(operations.get_tuple(at("t", "1"))) as hand:
        hand.first()
        _, found = hand.finish(hand.answer([row, *writes]))
    assert found.config == at("t", "1")
    assert found.parent_config == at("t", "0")
    assert found.metadata == {"n": 1}
    assert found.pending_writes == [("task", "a", (1,)), ("task", "b", (1,))]


def test_put_encodes_before_it_begins(operations: Any, at: Any, checkpoint: Any) -> None:
    """A value that can not be stored is found out without a connection."""
    with (
        Hand(operations.put(at(), checkpoint("1", a=object()), {}, {"a": "1"})) as hand,
        pytest.raises(EncodeError),
    ):
        hand.first()


def test_put_begins_as_a_writer(operations: Any, at: Any, checkpoint: Any) -> None:
    """Blobs are inserted one by one, then the row that names them by their ids."""
    with Hand(operations.put(at("t", "0"), checkpoint("1", a=1, b=2), {"n": 1}, {"a": "1", "b": "1"})) as hand:
        assert hand.first() == Begin(write=True)
        request = hand.answer(True)
        blobs = []
        while request.sql != _sql.PUT:
            if isinstance(request, Execute):
                blobs.append(request.params)
                request = hand.answer(len(blobs) > 1)  # the first id is taken
            else:
                assert isinstance(request, Fetch)
                request = hand.answer([])
    ids = [params[0] for params in blobs]
    assert ids == sorted(set(ids))
    assert [params[1:5] for params in blobs] == [
        ("t", "", "a", "1"),
        ("t", "", "a", "1"),
        ("t", "", "b", "1"),
    ]
    assert request.params[:4] == ("t", "", "1", "0")
    assert request.params[4].startswith("blobs:")
    assert json.loads(request.params[6]) == {"n": 1}
    assert json.loads(request.params[7]) == ids[1:]


def test_put_writes_sends_one_batch(operations: Any, at: Any) -> None:
    """A row a write, special ones in their slots; an empty batch asks for nothing."""
    writes = [("a", 1), ("__error__", 2), ("b", 3)]
    with Hand(operations.put_writes(at("t", "1"), writes, "task", "path")) as hand:
        assert hand.first() == Begin(write=True)
        request = hand.answer(True)
        assert isinstance(request, ExecuteMany)
        assert [row[3:7] for row in request.rows] == [
            ("task", "path", 0, "a"),
            ("task", "path", -1, "__error__"),
            ("task", "path", 2, "b"),
        ]
        assert hand.answer(None) == ("result", None)
    with Hand(operations.put_writes(at("t", "1"), [], "task", "path")) as hand, pytest.raises(StopIteration):
        hand.first()


def test_a_bad_config_is_refused_at_the_door(operations: Any, at: Any, checkpoint: Any) -> None:
    """Before anything is asked for."""
    for operation in (
        operations.get_tuple({}),
        operations.put({}, checkpoint("1"), {}, {}),
        operations.put_writes(at(), [("a", 1)], "task", ""),
        operations.delete_thread(""),
        operations.prune(["t"], "all"),
    ):
        with Hand(operation) as hand, pytest.raises(InvalidConfigError):
            hand.first()


def test_an_error_is_met_at_its_statement(operations: Any, at: Any) -> None:
    """A driver throws the database's error into the operation, which passes it on."""
    with Hand(operations.get_tuple(at())) as hand:
        hand.first()
        with pytest.raises(ZeroDivisionError):
            hand.operation.throw(ZeroDivisionError())


def test_copying_to_an_existing_thread_writes_nothing(operations: Any) -> None:
    """The conflict is found before the first statement that changes anything."""
    with Hand(operations.copy_thread("t", "u")) as hand:
        assert hand.first() == Begin(write=True)
        assert hand.answer(True) == Fetch(_sql.HAS_CHECKPOINTS, ("u",))
        with pytest.raises(ConflictError):
            hand.answer([(1,)])


def test_no_runs_and_no_threads_ask_for_nothing(operations: Any) -> None:
    """Empty lists need no connection."""
    for operation in (operations.delete_for_runs([]), operations.prune([], "keep_latest")):
        with Hand(operation) as hand, pytest.raises(StopIteration):
            hand.first()


def test_a_page_reads_and_gives_the_connection_back(operations: Any) -> None:
    """A page is a unit that only reads, and an empty one is the last."""
    with Hand(operations.list_page(ListQuery(thread_id="t", checkpoint_ns=""), None, 10)) as hand:
        assert hand.first() == Begin(write=False)
        request = hand.answer(True)
        assert request.sql == _sql.PAGE_OF_NAMESPACE
        assert request.params["rows"] == 10
        _, page = hand.finish(hand.answer([]))
    assert page[:2] == ([], None)


def test_an_up_to_date_schema_is_only_looked_at() -> None:
    """Setup of a current file is two queries and no transaction."""
    with Hand(upgrade()) as hand:
        assert isinstance(hand.first(), Fetch)
        assert isinstance(hand.answer([(1,)]), Fetch)
        assert hand.answer([(migrations()[-1].version,)]) == ("result", None)


def test_a_newer_schema_is_not_touched() -> None:
    """It is refused before a transaction begins."""
    with Hand(upgrade()) as hand:
        hand.first()
        hand.answer([(1,)])
        with pytest.raises(SchemaTooNewError) as caught:
            hand.answer([(99,)])
    assert (caught.value.found, caught.value.expected) == (99, migrations()[-1].version)


def test_migrations_are_numbered_without_gaps() -> None:
    """So that the greatest number tells what was done."""
    assert [migration.version for migration in migrations()] == list(range(1, len(migrations()) + 1))
    assert all(migration.statements for migration in migrations())
