"""The error tree, and what is made of errors on their way."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from langgraph.checkpoint import errors
from langgraph.checkpoint.base import CheckpointKey, damaged, located
from langgraph.checkpoint.errors import (
    CheckpointError,
    DecodeError,
    DecryptionError,
    EncodeError,
    InvalidConfigError,
    SerializationError,
)

TREE: list[type[CheckpointError]] = [getattr(errors, name) for name in errors.__all__]
FACTS: dict[str, Any] = {
    "InvalidConfigError": {"field": "thread_id"},
    "InvalidTypeError": {"field": "thread_id"},
    "InvalidFilterError": {"key": "step"},
    "UnsupportedOperationError": {"operation": "prune"},
    "SchemaError": {"found": 3, "expected": 9},
    "SchemaMissingError": {"found": None, "expected": 9},
    "SchemaTooNewError": {"found": 12, "expected": 9},
    "SerializationError": {"path": "a[0]", "type_name": "m.C", "address": {"thread_id": "t"}},
    "EncodeError": {"path": "a[0]", "type_name": "m.C", "address": {"thread_id": "t"}},
    "DecodeError": {"path": "", "type_name": None, "address": {}},
    "BlockedTypeError": {"path": "a[0]", "type_name": "m.C", "address": {"thread_id": "t"}},
    "StorageError": {"reason": "full"},
    "ConflictError": {"key": "t"},
}
BUILT_IN: dict[str, Any] = {
    "InvalidConfigError": (ValueError, KeyError),
    "InvalidTypeError": (ValueError, KeyError, TypeError),
    "InvalidFilterError": ValueError,
    "UnsupportedOperationError": NotImplementedError,
    "WrongThreadError": RuntimeError,
    "EncodeError": TypeError,
    "DecodeError": ValueError,
    "DecryptionError": ValueError,
}


def make(cls: type[CheckpointError]) -> CheckpointError:
    """Return an error of this class with all its facts."""
    return cls("what happened", **FACTS.get(cls.__name__, {}))


@pytest.mark.parametrize("cls", TREE)
@pytest.mark.parametrize("travel", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_every_error_survives_travel(cls: type[CheckpointError], travel: Callable[[Any], Any]) -> None:
    """Class, text, facts and notes."""
    error: Any = make(cls)
    error.extra = ["set later"]
    arrived = travel(error)
    assert type(arrived) is cls
    assert arrived is not error
    assert str(arrived) == str(error)
    assert arrived.args == error.args
    assert vars(arrived) == vars(error)
    assert vars(arrived).items() >= FACTS.get(cls.__name__, {}).items()


@pytest.mark.parametrize("cls", TREE)
def test_every_error_is_what_callers_catch(cls: type[CheckpointError]) -> None:
    """One root, and the built-in that it would be without us."""
    assert issubclass(cls, CheckpointError)
    for built_in in (ValueError, KeyError, TypeError, RuntimeError, NotImplementedError):
        promised = BUILT_IN.get(cls.__name__, ())
        expected = built_in in (promised if isinstance(promised, tuple) else (promised,))
        if built_in is RuntimeError and cls.__name__ == "UnsupportedOperationError":
            expected = True  # NotImplementedError is one
        assert issubclass(cls, built_in) is expected, built_in


def test_all_of_the_tree_is_public() -> None:
    """No class hides below the root."""

    def below(cls: type) -> set[str]:
        return {cls.__name__}.union(
            *(below(sub) for sub in cls.__subclasses__() if sub.__module__ == cls.__module__)
        )

    assert below(CheckpointError) == set(errors.__all__)


def test_a_key_error_prints_its_message_plainly() -> None:
    """`KeyError` alone would print its repr."""
    assert str(InvalidConfigError("thread_id is missing", field="thread_id")) == "thread_id is missing"


def test_a_serialization_error_says_where() -> None:
    """Path and address, behind the message."""
    error = EncodeError("can not store it", path="[3]", type_name="m.C", address={"thread_id": "t"})
    assert str(error) == "can not store it (at [3], thread_id='t')"
    assert str(EncodeError("can not store it")) == "can not store it"


class TestLocated:
    """The saver says what the serializer can not know."""

    KEY = CheckpointKey("t", "", "c")

    def test_the_error_is_extended(self) -> None:
        """It is raised from the original, which stays as it was."""
        original = EncodeError("no", path="[3]", type_name="m.C")
        with pytest.raises(EncodeError) as caught, located(self.KEY, "channel_values", "x", channel="x"):
            raise original
        assert caught.value.path == "channel_values['x'][3]"
        assert caught.value.type_name == "m.C"
        assert caught.value.address == {
            "thread_id": "t",
            "checkpoint_ns": "",
            "checkpoint_id": "c",
            "channel": "x",
        }
        assert caught.value.__cause__ is original
        assert (original.path, original.address) == ("[3]", {})

    @pytest.mark.parametrize(("item", "path"), [(None, "writes.a"), (0, "writes[0].a"), ("", "writes[''].a")])
    def test_items_are_optional(self, item: Any, path: str) -> None:
        """A place or a key, if the path is to a container."""
        with pytest.raises(DecodeError) as caught, located(self.KEY, "writes", item):
            raise DecodeError("no", path=".a")
        assert caught.value.path == path

    def test_other_errors_pass(self) -> None:
        """And no error is none."""
        error = LookupError()
        with pytest.raises(LookupError) as caught, located(self.KEY, "checkpoint"):
            raise error
        assert caught.value is error
        assert caught.value.__cause__ is None
        with located(self.KEY, "checkpoint"):
            pass


class TestDamaged:
    """What is raised for stored bytes that can not be read."""

    def test_an_error_of_the_serializer_is_located(self) -> None:
        """It keeps its kind."""
        error: Any = damaged(errors.BlockedTypeError("no", path="[1]"), "metadata", thread_id="t")
        assert type(error) is errors.BlockedTypeError
        assert (error.path, error.address) == ("metadata[1]", {"thread_id": "t"})

    def test_our_other_errors_pass(self) -> None:
        """A wrong key is not damage."""
        error = DecryptionError("no")
        assert damaged(error, "metadata") is error

    def test_any_other_error_is_damage(self) -> None:
        """With its kind and text; a missing row has a word of its own."""
        error: Any = damaged(RuntimeError("odd"), "checkpoint", thread_id="t")
        assert type(error) is DecodeError
        assert isinstance(error, SerializationError)
        assert "RuntimeError: odd" in str(error)
        assert (error.path, error.address) == ("checkpoint", {"thread_id": "t"})
        assert "it is missing" in str(damaged(KeyError(3), "checkpoint"))
