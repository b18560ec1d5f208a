"""The public names are the release's, with its signatures: whoever imports them notices nothing."""

from __future__ import annotations

import importlib
import inspect
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from langgraph.checkpoint import base, memory
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.base import id as ids
from langgraph.checkpoint.memory import InMemorySaver

LIST = (
    "(self, config: 'RunnableConfig | None', *, filter: 'dict[str, Any] | None' = None, "
    "before: 'RunnableConfig | None' = None, limit: 'int | None' = None) -> "
)
PUT = (
    "(self, config: 'RunnableConfig', checkpoint: 'Checkpoint', metadata: 'CheckpointMetadata', "
    "new_versions: 'ChannelVersions') -> 'RunnableConfig'"
)
PUT_WRITES = (
    "(self, config: 'RunnableConfig', writes: 'Sequence[tuple[str, Any]]', task_id: 'str', "
    "task_path: 'str' = '') -> 'None'"
)
HISTORY = "(self, *, config: 'RunnableConfig', channels: 'Sequence[str]') -> 'Mapping[str, DeltaChannelHistory]'"
METADATA = "(config: 'RunnableConfig', metadata: 'CheckpointMetadata') -> 'CheckpointMetadata'"

SAVER = {
    "__init__": "(self, *, serde: 'SerializerProtocol | None' = None) -> 'None'",
    "get": "(self, config: 'RunnableConfig') -> 'Checkpoint | None'",
    "get_tuple": "(self, config: 'RunnableConfig') -> 'CheckpointTuple | None'",
    "list": LIST + "'Iterator[CheckpointTuple]'",
    "put": PUT,
    "put_writes": PUT_WRITES,
    "delete_thread": "(self, thread_id: 'str') -> 'None'",
    "delete_for_runs": "(self, run_ids: 'Sequence[str]') -> 'None'",
    "copy_thread": "(self, source_thread_id: 'str', target_thread_id: 'str') -> 'None'",
    "prune": "(self, thread_ids: 'Sequence[str]', *, strategy: 'str' = 'keep_latest') -> 'None'",
    "get_delta_channel_history": HISTORY,
}
ONLY_BASE = {
    "get_next_version": "(self, current: 'V | None', channel: 'None') -> 'V'",
    "with_allowlist": "(self: '_Saver', extra_allowlist: 'Collection[tuple[str, ...]]') -> '_Saver'",
}
FUNCTIONS = {
    "copy_checkpoint": "(checkpoint: 'Checkpoint') -> 'Checkpoint'",
    "writes_sort_key": "(task_path: 'str', task_id: 'str' = '', idx: 'int' = 0) -> 'tuple[str, str, int]'",
    "get_checkpoint_id": "(config: 'RunnableConfig') -> 'str | None'",
    "get_checkpoint_metadata": METADATA,
    "get_serializable_checkpoint_metadata": METADATA,
    "empty_checkpoint": "() -> 'Checkpoint'",
    "create_checkpoint": (
        "(checkpoint: 'Checkpoint', channels: 'Mapping[str, ChannelProtocol[Any, Any, Any]] | None', "
        "step: 'int', *, id: 'str | None' = None) -> 'Checkpoint'"
    ),
    "uuid6": "(node: 'int | None' = None, clock_seq: 'int | None' = None) -> 'UUID'",
    "_with_msgpack_allowlist": (
        "(serde: 'SerializerProtocol', extra_allowlist: 'Collection[tuple[str, ...]]') -> 'SerializerProtocol'"
    ),
}
NAMES = [
    "ChannelProtocol",
    "ERROR",
    "EncryptedSerializer",
    "INTERRUPT",
    "JsonPlusSerializer",
    "RESUME",
    "RunnableConfig",
    "SCHEDULED",
    "SerializerProtocol",
    "maybe_add_typed_methods",
    "V",
    "PendingWrite",
    "ChannelVersions",
    "CheckpointMetadata",
    "Checkpoint",
    "CheckpointTuple",
    "DeltaChannelHistory",
    "BaseCheckpointSaver",
    "EmptyChannelError",
    "WRITES_IDX_MAP",
    "EXCLUDED_METADATA_KEYS",
    "LATEST_VERSION",
]
MEMORY_NAMES = [
    "InMemorySaver",
    "MemorySaver",
    "PersistentDict",
    "BaseCheckpointSaver",
    "ChannelVersions",
    "Checkpoint",
    "CheckpointMetadata",
    "CheckpointTuple",
    "DeltaChannelHistory",
    "PendingWrite",
    "RunnableConfig",
    "SerializerProtocol",
    "WRITES_IDX_MAP",
    "get_checkpoint_id",
    "get_checkpoint_metadata",
    "writes_sort_key",
]


def test_the_packages_are_those_of_this_workspace() -> None:
    """Not a release that is installed beside them."""
    library = Path(__file__).parents[3]
    for module in (base, memory):
        assert Path(module.__file__).is_relative_to(library)
    for namespace in ("langgraph", "langgraph.checkpoint"):
        assert importlib.import_module(namespace).__file__ is None


@pytest.mark.parametrize("module", [base, memory])
def test_all_names_exist(module: Any) -> None:
    """Those of `__all__`, once each."""
    assert len(set(module.__all__)) == len(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_the_releases_names_are_there() -> None:
    """Public, so that type checkers admit their import."""
    assert {*NAMES, *FUNCTIONS} <= set(base.__all__)
    assert set(MEMORY_NAMES) <= set(memory.__all__)


@pytest.mark.parametrize(("name", "signature"), FUNCTIONS.items())
def test_signatures_of_functions(name: str, signature: str) -> None:
    """Names, order, kinds, defaults and types of parameters."""
    assert str(inspect.signature(getattr(base, name))) == signature


@pytest.mark.parametrize(("name", "signature"), {**SAVER, **ONLY_BASE}.items())
def test_signatures_of_the_base_class(name: str, signature: str) -> None:
    """The engine calls them by keyword, and looks for `task_path`."""
    assert str(inspect.signature(getattr(BaseCheckpointSaver, name))) == signature


@pytest.mark.parametrize("name", [name for name in SAVER if name != "__init__"])
@pytest.mark.parametrize("cls", [BaseCheckpointSaver, InMemorySaver])
def test_twins_have_the_same_signature(cls: type, name: str) -> None:
    """Sync and async, in the base and in a saver; listing returns an async iterator."""
    expected = SAVER[name].replace("'Iterator", "'AsyncIterator")
    assert str(inspect.signature(getattr(cls, f"a{name}"))) == expected
    assert str(inspect.signature(getattr(cls, name))) == SAVER[name]


def test_signatures_of_the_in_memory_saver() -> None:
    """Its own."""
    parameters = inspect.signature(InMemorySaver.__init__).parameters
    assert {name: (str(p.kind.name), p.default) for name, p in parameters.items() if name != "self"} == {
        "serde": ("KEYWORD_ONLY", None),
        "factory": ("KEYWORD_ONLY", defaultdict),
    }
    assert str(inspect.signature(InMemorySaver.get_next_version)) == (
        "(self, current: 'str | None', channel: 'None') -> 'str'"
    )


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Checkpoint", "v id ts channel_values channel_versions versions_seen updated_channels"),
        ("CheckpointMetadata", "source step parents run_id counters_since_delta_snapshot"),
        ("DeltaChannelHistory", "writes seed"),
        ("CheckpointTuple", "config checkpoint metadata parent_config pending_writes"),
    ],
)
def test_fields_of_types(name: str, fields: str) -> None:
    """In the release's order, and resolvable, for those who build validators from them."""
    assert list(get_type_hints(getattr(base, name))) == fields.split()


def test_which_fields_are_optional() -> None:
    """All of metadata, the seed, and the last two of a tuple."""
    assert base.CheckpointMetadata.__required_keys__ == frozenset()
    assert base.Checkpoint.__optional_keys__ == frozenset()
    assert base.CheckpointTuple._field_defaults == {"parent_config": None, "pending_writes": None}


def test_ids_have_their_module() -> None:
    """The engine imports `uuid6` from there."""
    assert ids.uuid6 is base.uuid6
    assert issubclass(ids.UUID, uuid.UUID)
