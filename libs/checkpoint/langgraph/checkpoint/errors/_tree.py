"""The error tree. Facts are fields as well as text, and every error survives pickling and copying.

```
CheckpointError(Exception)
├── InvalidConfigError        (ValueError, KeyError)      .field
│   └── InvalidTypeError      (TypeError)
├── InvalidFilterError        (ValueError)                .key
├── UnsupportedOperationError (NotImplementedError)       .operation
├── WrongThreadError          (RuntimeError)
├── SchemaError                                           .found .expected
│   ├── SchemaMissingError
│   └── SchemaTooNewError
├── SerializationError                                    .path .type_name .address
│   ├── EncodeError           (TypeError)
│   ├── DecodeError           (ValueError)
│   └── BlockedTypeError
├── DecryptionError           (ValueError)
├── StorageError                                          .reason
└── ConflictError                                         .key
```

The tree lives below `base`, in a package of its own, because the serializer raises from it and `base`
imports the serializer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

_Error = TypeVar("_Error", bound="CheckpointError")


def _restore(cls: type[_Error], args: tuple[Any, ...], facts: dict[str, Any]) -> _Error:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class CheckpointError(Exception):
    """Root of all errors that the checkpoint packages raise on purpose."""

    __str__ = Exception.__str__  # KeyError's would print the repr of the message

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__.copy())


class InvalidConfigError(CheckpointError, ValueError, KeyError):
    """A config, or another argument, has a missing or unusable value.

    Attributes:
        field: the argument or config key at fault, such as `"thread_id"`.
    """

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


class InvalidTypeError(InvalidConfigError, TypeError):
    """An argument is of a type that can not be used."""


class InvalidFilterError(CheckpointError, ValueError):
    """A metadata filter can not be applied.

    Attributes:
        key: the filter key at fault, or `""` if the filter as a whole is.
    """

    def __init__(self, message: str, *, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class UnsupportedOperationError(CheckpointError, NotImplementedError):
    """The saver does not offer this operation.

    Attributes:
        operation: the method that was called, such as `"prune"`.
    """

    def __init__(self, message: str, *, operation: str) -> None:
        super().__init__(message)
        self.operation = operation


class WrongThreadError(CheckpointError, RuntimeError):
    """A synchronous method was called where it would block the saver's own event loop for ever."""


class SchemaError(CheckpointError):
    """The database's schema is not one that this version works on.

    Attributes:
        found: the schema version in the database, `None` if there is none.
        expected: the schema version that this code works on.
    """

    def __init__(self, message: str, *, found: int | None, expected: int) -> None:
        super().__init__(message)
        self.found = found
        self.expected = expected


class SchemaMissingError(SchemaError):
    """The tables are not there; run `setup()`."""


class SchemaTooNewError(SchemaError):
    """A newer version of this package has changed the schema; upgrade the package."""


class SerializationError(CheckpointError):
    """A value could not be encoded or decoded.

    The text names the place, never the value, so that it can go into a log.

    Attributes:
        path: where the value sits, such as `channel_values['messages'][3].artifact`; `""` for the root.
        type_name: qualified name of the type at fault, `None` if there is none.
        address: what the saver knows of the place: any of `thread_id`, `checkpoint_ns`, `checkpoint_id`,
            `task_id`, `channel`.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str = "",
        type_name: str | None = None,
        address: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.type_name = type_name
        self.address = dict(address or {})

    def located(self: _SerializationError, prefix: str = "", **address: str) -> _SerializationError:
        """Return a copy whose path starts with `prefix` and whose address has more fields.

        A layer that knows more of the place than the one below raises it `from` the original.
        """
        error = _restore(type(self), self.args, self.__dict__)
        error.path = prefix + self.path
        error.address = {**self.address, **address}
        return error

    def __str__(self) -> str:
        where = [f"at {self.path}"] if self.path else []
        where += [f"{name}={value!r}" for name, value in self.address.items()]
        return f"{self.args[0]} ({', '.join(where)})" if where else str(self.args[0])


_SerializationError = TypeVar("_SerializationError", bound=SerializationError)


class EncodeError(SerializationError, TypeError):
    """A value has no stored form. Raised when it is put, so nothing is lost."""


class DecodeError(SerializationError, ValueError):
    """Stored bytes are damaged, or of a form that this version does not know."""


class BlockedTypeError(SerializationError):
    """Stored bytes name a type that the allowlist does not admit, and the reader asked for an error."""


class DecryptionError(CheckpointError, ValueError):
    """Stored bytes can not be decrypted: wrong key, changed bytes, or a plain row where none is allowed."""


class StorageError(CheckpointError):
    """The database can not do what was asked, for a reason outside the saver. Nothing was half done.

    Attributes:
        reason: one of `"busy"`, `"closed"`, `"corrupt"`, `"full"`, `"not_a_database"`, `"read_only"`,
            `"unavailable"`.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class ConflictError(CheckpointError):
    """Somebody else changed what this write was based on; nothing was stored.

    Attributes:
        key: what was in conflict, such as a thread id.
    """

    def __init__(self, message: str, *, key: str) -> None:
        super().__init__(message)
        self.key = key
