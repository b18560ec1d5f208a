"""The package as its users write it; checked by mypy and pyright, never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from typing_extensions import assert_type

from langgraph.cache.base import BaseCache
from langgraph.cache.memory import InMemoryCache
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    PendingWrite,
    copy_checkpoint,
    empty_checkpoint,
    get_checkpoint_id,
)
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.errors import CheckpointError, EncodeError, InvalidConfigError
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.event_hooks import SerdeEvent, register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.base import BaseStore, Item, SearchItem
from langgraph.store.memory import InMemoryStore


@dataclass
class Point:
    x: int


def save(saver: InMemorySaver, config: RunnableConfig) -> None:
    """A loop of one's own."""
    checkpoint: Checkpoint = empty_checkpoint()
    version = saver.get_next_version(None, None)
    assert_type(version, str)
    checkpoint["channel_values"] = {"a": 1}
    versions: ChannelVersions = {"a": version}
    metadata: CheckpointMetadata = {"source": "loop", "step": 1}
    assert_type(saver.put(config, checkpoint, metadata, versions), RunnableConfig)
    assert_type(saver.put_writes(config, [("a", 2)], "task", task_path="~1"), None)
    assert_type(copy_checkpoint(checkpoint), Checkpoint)


def look(saver: InMemorySaver, config: RunnableConfig) -> None:
    """Reading."""
    found = saver.get_tuple(config)
    assert_type(found, CheckpointTuple | None)
    assert_type(saver.get(config), Checkpoint | None)
    if found is not None:
        assert_type(found.checkpoint["channel_values"], dict[str, Any])
        assert_type(found.parent_config, RunnableConfig | None)
        assert_type(found.pending_writes, list[PendingWrite] | None)
        assert_type(found.metadata.get("run_id"), str | None)
    assert_type(saver.list(config, filter={"step": 1}, before=config, limit=3), Iterator[CheckpointTuple])
    assert_type(get_checkpoint_id(config), str | None)
    history = saver.get_delta_channel_history(config=config, channels=["log"])
    assert_type(history, Mapping[str, DeltaChannelHistory])
    assert_type(str(uuid6()), str)


async def look_async(saver: BaseCheckpointSaver[str], config: RunnableConfig) -> None:
    """The same contract, async."""
    assert_type(await saver.aget_tuple(config), CheckpointTuple | None)
    assert_type(saver.alist(config), AsyncIterator[CheckpointTuple])
    async for found in saver.alist(None, limit=1):
        assert_type(found, CheckpointTuple)


def tidy(saver: InMemorySaver) -> None:
    """Keeping house."""
    saver.delete_thread("t")
    saver.delete_for_runs(["run"])
    saver.copy_thread("t", "u")
    saver.prune(["t"], strategy="keep_latest")
    assert_type(saver.with_allowlist([("my.module", "Point")]), InMemorySaver)


class Numbered(BaseCheckpointSaver[int]):
    """A saver of one's own, which counts with numbers."""

    def get_next_version(self, current: int | None, channel: None) -> int:
        return (current or 0) + 1


def serialize() -> SerializerProtocol:
    """Serializers go into each other and into savers."""
    plain = JsonPlusSerializer(allowed_msgpack_modules=[Point, ("my.module", "Other")])
    assert_type(plain.dumps_typed(Point(1)), tuple[str, bytes])
    encrypted = EncryptedSerializer.from_pycryptodome_aes(plain, key=b"0123456789abcdef")
    assert_type(encrypted, EncryptedSerializer)
    assert_type(InMemorySaver(serde=encrypted).serde, SerializerProtocol)
    return encrypted


def listen(event: SerdeEvent) -> None:
    """An audit."""
    assert_type(event["kind"], str)


stop_listening = register_serde_event_listener(listen)


def catch(saver: InMemorySaver, config: RunnableConfig) -> str:
    """Errors are classes with facts, and the built-ins that one would catch."""
    try:
        saver.get_tuple(config)
    except InvalidConfigError as error:
        assert_type(error.field, str)
        key_error: KeyError = error
        return str(key_error)
    except EncodeError as error:
        assert_type(error.address, dict[str, str])
        return error.path
    except CheckpointError as error:
        return str(error)
    return ""


async def keep(store: InMemoryStore, cache: InMemoryCache[int]) -> None:
    """Stores and caches."""
    base: BaseStore = store
    base.put(("notes", "me"), "1", {"text": "hello"}, index=["text"])
    assert_type(base.get(("notes", "me"), "1"), Item | None)
    assert_type(base.search(("notes",), query="hi", filter={"text": "hello"}, limit=3), list[SearchItem])
    assert_type(await base.alist_namespaces(prefix=("notes",)), list[tuple[str, ...]])
    caches: BaseCache[int] = cache
    caches.set({(("ns",), "key"): (1, 60)})
    assert_type(caches.get([(("ns",), "key")]), dict[tuple[tuple[str, ...], str], int])
