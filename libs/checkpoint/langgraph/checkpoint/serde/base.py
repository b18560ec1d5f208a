"""The two interfaces a saver is given: a serializer, which names the form of its bytes, and a cipher.

`maybe_add_typed_methods` admits older serializers, whose bytes carry no name.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


class UntypedSerializerProtocol(Protocol):
    """A serializer whose bytes do not say which form they have."""

    def dumps(self, obj: Any) -> bytes:
        """Return `obj` as bytes."""
        ...

    def loads(self, data: bytes) -> Any:
        """Return the value that `dumps` made `data` of."""
        ...


@runtime_checkable
class SerializerProtocol(Protocol):
    """A serializer that gives each value a tag, the name of the form its bytes have."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the tag and the bytes of `obj`."""
        ...

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value that `dumps_typed` gave this tag and these bytes."""
        ...


class SerializerCompat(SerializerProtocol):
    """Gives a serializer without tags the typed methods; the tag is the name of the value's type."""

    def __init__(self, serde: UntypedSerializerProtocol) -> None:
        self.serde = serde

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the name of the type of `obj` and its bytes."""
        return type(obj).__name__, self.serde.dumps(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value; the tag does not matter."""
        return self.serde.loads(data[1])


def maybe_add_typed_methods(
    serde: SerializerProtocol | UntypedSerializerProtocol,
) -> SerializerProtocol:
    """Return `serde` itself if it has the typed methods, else wrapped so that it has."""
    return serde if isinstance(serde, SerializerProtocol) else SerializerCompat(serde)


class CipherProtocol(Protocol):
    """A cipher with a name, by which stored rows tell what they were encrypted with."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Return the name of the cipher and the encrypted bytes."""
        ...

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Return what `encrypt` was given."""
        ...
