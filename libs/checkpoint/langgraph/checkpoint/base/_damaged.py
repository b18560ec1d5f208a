"""What to raise when stored bytes can not be read: an error that says where, whatever met it."""

from __future__ import annotations

from langgraph.checkpoint.errors import CheckpointError, DecodeError, SerializationError


def damaged(error: Exception, path: str, **address: str) -> CheckpointError:
    """Return what to raise for an error met while decoding; one of ours keeps its kind."""
    if isinstance(error, SerializationError):
        return error.located(path, **address)
    if isinstance(error, CheckpointError):
        return error
    reason = "it is missing" if isinstance(error, KeyError) else f"{type(error).__name__}: {error}"
    return DecodeError(f"cannot read a stored value: {reason}", path=path, address=address)
