"""A saver that keeps everything in this process's memory."""

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    PendingWrite,
    RunnableConfig,
    SerializerProtocol,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)
from langgraph.checkpoint.memory._persistent import PersistentDict
from langgraph.checkpoint.memory._saver import InMemorySaver, MemorySaver

__all__ = [
    "WRITES_IDX_MAP",
    "BaseCheckpointSaver",
    "ChannelVersions",
    "Checkpoint",
    "CheckpointMetadata",
    "CheckpointTuple",
    "DeltaChannelHistory",
    "InMemorySaver",
    "MemorySaver",
    "PendingWrite",
    "PersistentDict",
    "RunnableConfig",
    "SerializerProtocol",
    "get_checkpoint_id",
    "get_checkpoint_metadata",
    "writes_sort_key",
]
