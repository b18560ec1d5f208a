"""Everything that this project raises on purpose; also importable from `langgraph.checkpoint.base`."""

from langgraph.checkpoint.errors._tree import (
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

__all__ = [
    "BlockedTypeError",
    "CheckpointError",
    "ConflictError",
    "DecodeError",
    "DecryptionError",
    "EncodeError",
    "InvalidConfigError",
    "InvalidFilterError",
    "InvalidTypeError",
    "SchemaError",
    "SchemaMissingError",
    "SchemaTooNewError",
    "SerializationError",
    "StorageError",
    "UnsupportedOperationError",
    "WrongThreadError",
]
