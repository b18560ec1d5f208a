"""What a store must be told to search by meaning."""

from typing import TypedDict

from langgraph.store.base.embed import AEmbeddingsFunc, Embeddings, EmbeddingsFunc


class IndexConfig(TypedDict, total=False):
    """How a store embeds items for semantic search."""

    dims: int
    """How many numbers a vector has."""

    embed: Embeddings | EmbeddingsFunc | AEmbeddingsFunc | str
    """What turns text into vectors; see `ensure_embeddings`."""

    fields: list[str] | None
    """Paths to the text in a value, as `get_text_at_path` takes them. Default: `["$"]`, the whole value.

    Each text found gets a vector of its own, and an item scores as its best one.
    """
