"""Encryption: rows of the release decrypt, wrong keys and changed bytes raise, plain rows are read."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph.checkpoint.errors import DecryptionError
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

KEY = b"0123456789abcdef"
VALUE = {"a": [1, "two", b"three"]}
WRITTEN_BY_THE_RELEASE = bytes.fromhex(
    "f8036963e5e16e5736ec0190dbb76e3328cc912446f618a4810a1f41813553a7714daade65209ee86c0833128100e69b"
)


@pytest.fixture
def serde() -> EncryptedSerializer:
    return EncryptedSerializer.from_pycryptodome_aes(key=KEY)


def test_row_of_the_release_decrypts(serde: EncryptedSerializer) -> None:
    """Name, layout and mode of the cipher are the release's."""
    assert serde.loads_typed(("msgpack+aes", WRITTEN_BY_THE_RELEASE)) == VALUE


@pytest.mark.parametrize("value", [None, b"raw", bytearray(b"x"), VALUE, (1, {2})])
def test_round_trip(serde: EncryptedSerializer, value: Any) -> None:
    """The inner tag stands before the plus, and nothing is stored in clear."""
    tag, stored = serde.dumps_typed(value)
    inner, plain = JsonPlusSerializer().dumps_typed(value)
    assert tag == f"{inner}+aes"
    assert len(stored) == 32 + len(plain)
    assert not plain or plain not in stored
    assert serde.loads_typed((tag, stored)) == value


def test_no_two_rows_are_alike(serde: EncryptedSerializer) -> None:
    """Each row has a nonce of its own."""
    assert serde.dumps_typed(VALUE) != serde.dumps_typed(VALUE)


def test_wrong_key_raises(serde: EncryptedSerializer) -> None:
    """A row of another key is an error, not another value."""
    other = EncryptedSerializer.from_pycryptodome_aes(key=b"x" * 32)
    with pytest.raises(DecryptionError, match="another key"):
        other.loads_typed(serde.dumps_typed(VALUE))


@pytest.mark.parametrize("at", [0, 16, 32, -1])
def test_changed_byte_raises(serde: EncryptedSerializer, at: int) -> None:
    """A change of nonce, tag or text is noticed."""
    tag, stored = serde.dumps_typed(VALUE)
    changed = bytearray(stored)
    changed[at] ^= 1
    with pytest.raises(DecryptionError):
        serde.loads_typed((tag, bytes(changed)))


@pytest.mark.parametrize("length", [0, 15, 31, 32])
def test_row_cut_short_raises(serde: EncryptedSerializer, length: int) -> None:
    """A row without all its parts is an error of the same kind."""
    tag, stored = serde.dumps_typed(VALUE)
    with pytest.raises(DecryptionError):
        serde.loads_typed((tag, stored[:length]))


def test_unknown_cipher_raises(serde: EncryptedSerializer) -> None:
    """A row of a cipher that is not this one names it."""
    with pytest.raises(DecryptionError, match="'rot13'"):
        serde.loads_typed(("msgpack+rot13", b""))


def test_plain_row_is_read(serde: EncryptedSerializer) -> None:
    """Rows from before encryption was switched on stay readable."""
    assert serde.loads_typed(JsonPlusSerializer().dumps_typed(VALUE)) == VALUE


def test_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch, serde: EncryptedSerializer) -> None:
    """Without an argument the key is `LANGGRAPH_AES_KEY`; without both the error says so."""
    monkeypatch.setenv("LANGGRAPH_AES_KEY", KEY.decode())
    assert EncryptedSerializer.from_pycryptodome_aes().loads_typed(serde.dumps_typed(VALUE)) == VALUE
    monkeypatch.delenv("LANGGRAPH_AES_KEY")
    with pytest.raises(ValueError, match="LANGGRAPH_AES_KEY"):
        EncryptedSerializer.from_pycryptodome_aes()


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 17])
def test_key_of_another_length_is_refused(key: bytes) -> None:
    """The error says which lengths there are, not the key."""
    with pytest.raises(ValueError, match="16, 24 or 32") as caught:
        EncryptedSerializer.from_pycryptodome_aes(key=key)
    assert "short" not in str(caught.value)


def test_other_cipher_and_serializer(serde: EncryptedSerializer) -> None:
    """Any cipher with the two methods will do; the serializer inside is the one that was given."""

    class Reversing:
        def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
            return "reversed", plaintext[::-1]

        def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
            assert ciphername == "reversed"
            return ciphertext[::-1]

    inner = JsonPlusSerializer(pickle_fallback=True)
    both = EncryptedSerializer(Reversing(), inner)
    tag, stored = both.dumps_typed(len)
    assert tag == "pickle+reversed"
    assert both.loads_typed((tag, stored)) is len
