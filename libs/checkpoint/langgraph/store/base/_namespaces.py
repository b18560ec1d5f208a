"""Which namespaces a store takes. Checked at the door, for reads as for writes."""

from __future__ import annotations

from langgraph.checkpoint.errors import CheckpointError
from langgraph.store.base._ops import GetOp, ListNamespacesOp, Op, PutOp, SearchOp


class InvalidNamespaceError(CheckpointError, ValueError):
    """A namespace has a label that no store can keep, or is not one to write to."""


InvalidNamespaceError.__module__ = "langgraph.store.base"


def validate_namespace(namespace: tuple[str, ...]) -> None:
    """Refuse a namespace that can not be written to.

    Args:
        namespace: the labels.

    Raises:
        InvalidNamespaceError: if it is empty, begins with the reserved `langgraph`, or has a bad label.
    """
    if not namespace:
        raise InvalidNamespaceError("The namespace is empty. Give at least one label to put an item.")
    validate_labels(namespace)
    if namespace[0] == "langgraph":
        raise InvalidNamespaceError(
            f"The namespace {namespace!r} begins with 'langgraph', which is reserved. Choose another first label."
        )


def validate_labels(namespace: tuple[str, ...]) -> None:
    """Refuse a namespace with a label that is not text, is empty, or holds a period or a NUL.

    Args:
        namespace: the labels, or a path of labels and `*`.

    Raises:
        InvalidNamespaceError: if there is such a label.
    """
    for label in namespace:
        if reason := _fault(label):
            raise InvalidNamespaceError(f"The label {label!r} in the namespace {namespace!r} {reason}.")


def _fault(label: object) -> str | None:
    if not isinstance(label, str):
        return f"is a {type(label).__name__}, but labels must be strings"
    if not label:
        return "is empty; labels have at least one character"
    if "." in label:  # backends join labels by it
        return "contains a period ('.'), which separates labels in stored namespaces"
    if "\0" in label:  # Postgres text can not hold it
        return "contains a NUL character ('\\x00'), which databases can not store"
    return None


def validate_op_namespace(op: Op) -> None:
    """Refuse an operation whose namespace, prefix or match conditions have a bad label.

    For `batch`, which gets operations that did not pass through `put` or `get`. An empty namespace and one
    that begins with `langgraph` are admitted, so that those who own them can reach them this way.

    Args:
        op: the operation.

    Raises:
        InvalidNamespaceError: if a label is not text, is empty, or holds a period or a NUL.
    """
    if isinstance(op, (GetOp, PutOp)):
        validate_labels(op.namespace)
    elif isinstance(op, SearchOp):
        validate_labels(op.namespace_prefix)
    elif isinstance(op, ListNamespacesOp):  # pyright: ignore[reportUnnecessaryIsInstance] — callers are untyped
        for condition in op.match_conditions or ():
            validate_labels(condition.path)
