"""Types of a checkpoint, the contract of a saver, and what savers are built from."""

from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.base._address import ROOT, CheckpointKey, get_checkpoint_id, thread_text
from langgraph.checkpoint.base._arguments import check_channels, check_put, check_put_writes
from langgraph.checkpoint.base._damaged import damaged
from langgraph.checkpoint.base._delta import DeltaWalk
from langgraph.checkpoint.base._json import ENVELOPE, open_envelopes, to_envelope, to_json
from langgraph.checkpoint.base._legacy import LATEST_VERSION, create_checkpoint, empty_checkpoint
from langgraph.checkpoint.base._located import located
from langgraph.checkpoint.base._metadata import (
    EXCLUDED_METADATA_KEYS,
    get_checkpoint_metadata,
    get_serializable_checkpoint_metadata,
    merge_metadata,
)
from langgraph.checkpoint.base._operation_saver import Operations, OperationSaver
from langgraph.checkpoint.base._pages import Cursor, Page
from langgraph.checkpoint.base._query import ListQuery, matches
from langgraph.checkpoint.base._retention import (
    Node,
    Place,
    Removal,
    check_ids,
    check_strategy,
    latest_of_each_namespace,
    plan_removal,
)
from langgraph.checkpoint.base._saver import (
    BaseCheckpointSaver,
    _with_msgpack_allowlist,  # pyright: ignore[reportPrivateUsage]  # imported from here by others
)
from langgraph.checkpoint.base._stored import (
    check_names_checkpoint,
    id_of,
    move_sends,
)
from langgraph.checkpoint.base._types import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    EmptyChannelError,
    PendingWrite,
    V,
    copy_checkpoint,
    writes_sort_key,
)
from langgraph.checkpoint.base._versions import next_text_version
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.errors import (
    BlockedTypeError,
    CheckpointError,
    ConflictError,
    DecodeError,
    DecryptionError,
    EncodeError,
    InvalidConfigError,
    InvalidFilterError,
    InvalidTypeError,
    SchemaError,
    SchemaMissingError,
    SchemaTooNewError,
    SerializationError,
    StorageError,
    UnsupportedOperationError,
    WrongThreadError,
)
from langgraph.checkpoint.serde.base import SerializerProtocol, maybe_add_typed_methods
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME, SCHEDULED, ChannelProtocol

__all__ = [
    "ENVELOPE",
    "ERROR",
    "EXCLUDED_METADATA_KEYS",
    "INTERRUPT",
    "LATEST_VERSION",
    "RESUME",
    "ROOT",
    "SCHEDULED",
    "WRITES_IDX_MAP",
    "BaseCheckpointSaver",
    "BlockedTypeError",
    "ChannelProtocol",
    "ChannelVersions",
    "Checkpoint",
    "CheckpointError",
    "CheckpointKey",
    "CheckpointMetadata",
    "CheckpointTuple",
    "ConflictError",
    "Cursor",
    "DecodeError",
    "DecryptionError",
    "DeltaChannelHistory",
    "DeltaWalk",
    "EmptyChannelError",
    "EncodeError",
    "EncryptedSerializer",
    "InvalidConfigError",
    "InvalidFilterError",
    "InvalidTypeError",
    "JsonPlusSerializer",
    "ListQuery",
    "Node",
    "OperationSaver",
    "Operations",
    "Page",
    "PendingWrite",
    "Place",
    "Removal",
    "RunnableConfig",
    "SchemaError",
    "SchemaMissingError",
    "SchemaTooNewError",
    "SerializationError",
    "SerializerProtocol",
    "StorageError",
    "UnsupportedOperationError",
    "V",
    "WrongThreadError",
    "_with_msgpack_allowlist",
    "check_channels",
    "check_ids",
    "check_names_checkpoint",
    "check_put",
    "check_put_writes",
    "check_strategy",
    "copy_checkpoint",
    "create_checkpoint",
    "damaged",
    "empty_checkpoint",
    "get_checkpoint_id",
    "get_checkpoint_metadata",
    "get_serializable_checkpoint_metadata",
    "id_of",
    "latest_of_each_namespace",
    "located",
    "matches",
    "maybe_add_typed_methods",
    "merge_metadata",
    "move_sends",
    "next_text_version",
    "open_envelopes",
    "plan_removal",
    "thread_text",
    "to_envelope",
    "to_json",
    "uuid6",
    "writes_sort_key",
]
