"""Encrypt what another serializer wrote. The tag tells the inner one and the cipher: `msgpack+aes`.

A row whose tag names no cipher was stored in clear and is read as such.
"""

from __future__ import annotations

import os
from typing import Any

from langgraph.checkpoint.errors import DecryptionError
from langgraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

__all__ = ["CipherProtocol", "EncryptedSerializer", "JsonPlusSerializer", "SerializerProtocol"]


class EncryptedSerializer(SerializerProtocol):
    """Encrypts with a cipher what a serializer dumps, and decrypts before it loads."""

    def __init__(
        self,
        cipher: CipherProtocol,
        serde: SerializerProtocol = JsonPlusSerializer(),  # noqa: B008 - it has no state that changes
    ) -> None:
        self.cipher = cipher
        self.serde = serde

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the inner tag with the name of the cipher behind it, and the encrypted bytes."""
        tag, plain = self.serde.dumps_typed(obj)
        name, encrypted = self.cipher.encrypt(plain)
        return f"{tag}+{name}", encrypted

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value.

        Raises:
            DecryptionError: another key was used to encrypt, or the bytes were changed.
        """
        tag, stored = data
        if "+" not in tag:
            return self.serde.loads_typed(data)
        inner, name = tag.split("+", 1)
        return self.serde.loads_typed((inner, self.cipher.decrypt(name, stored)))

    @classmethod
    def from_pycryptodome_aes(
        cls,
        serde: SerializerProtocol = JsonPlusSerializer(),  # noqa: B008
        **kwargs: Any,
    ) -> EncryptedSerializer:
        """Return a serializer that encrypts with AES, in EAX mode unless `mode` says otherwise.

        Args:
            serde: what writes the bytes that are encrypted.
            **kwargs: `key`, 16, 24 or 32 bytes; without it `LANGGRAPH_AES_KEY` from the environment. All
                other arguments go to `Crypto.Cipher.AES.new`.

        Raises:
            ImportError: pycryptodome is not installed.
            ValueError: there is no key, or it has another length.
        """
        try:
            from Crypto.Cipher import AES
        except ImportError as exc:
            raise ImportError("AES needs the package pycryptodome: pip install pycryptodome") from exc
        key = _checked_key(kwargs.pop("key", None))
        mode = kwargs.pop("mode", AES.MODE_EAX)
        return cls(_PycryptodomeAes(AES, key, mode, kwargs), serde)


def _checked_key(key: bytes | None) -> bytes:
    if key is None:
        text = os.getenv("LANGGRAPH_AES_KEY")
        if text is None:
            raise ValueError("AES needs a key: pass key=... or set LANGGRAPH_AES_KEY")
        key = text.encode()
    if len(key) not in (16, 24, 32):
        raise ValueError(f"an AES key has 16, 24 or 32 bytes, this one has {len(key)}")
    return key


class _PycryptodomeAes:
    """AES by pycryptodome; the bytes are nonce (16), tag (16), ciphertext."""

    def __init__(self, aes: Any, key: bytes, mode: int, options: dict[str, Any]) -> None:
        self._aes = aes
        self._key = key
        self._mode = mode
        self._options = options

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        cipher = self._aes.new(self._key, self._mode, **self._options)
        encrypted, tag = cipher.encrypt_and_digest(plaintext)
        return "aes", cipher.nonce + tag + encrypted

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        if ciphername != "aes":
            raise DecryptionError(f"the row was encrypted with {ciphername!r}, this cipher is 'aes'")
        nonce, tag, encrypted = ciphertext[:16], ciphertext[16:32], ciphertext[32:]
        try:
            cipher = self._aes.new(self._key, self._mode, **{**self._options, "nonce": nonce})
            plain: bytes = cipher.decrypt_and_verify(encrypted, tag)
        except ValueError as exc:
            raise DecryptionError(
                "the row can not be decrypted: it was encrypted with another key, or its bytes were changed"
            ) from exc
        return plain
