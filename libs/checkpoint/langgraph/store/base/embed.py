"""Text to vectors: what users may hand in as an embedding, made one thing.

A store asks a LangChain `Embeddings` and nothing else; `ensure_embeddings` makes one of a plain function, of
a coroutine function, or of a model's name.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from langchain_core.embeddings import Embeddings

from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.store.base._paths import get_text_at_path, tokenize_path

__all__ = [
    "AEmbeddingsFunc",
    "Embeddings",
    "EmbeddingsFunc",
    "EmbeddingsLambda",
    "ensure_embeddings",
    "get_text_at_path",
    "tokenize_path",
]

EmbeddingsFunc = Callable[[Sequence[str]], list[list[float]]]
"""A function from texts to a vector for each."""

AEmbeddingsFunc = Callable[[Sequence[str]], Awaitable[list[list[float]]]]
"""A coroutine function from texts to a vector for each."""


def ensure_embeddings(embed: Embeddings | EmbeddingsFunc | AEmbeddingsFunc | str | None) -> Embeddings:
    """Make an `Embeddings` of what a user gave.

    Args:
        embed: an `Embeddings`, returned as it is; a function or coroutine function from texts to vectors; or
            a name such as `"openai:text-embedding-3-small"`, for which `langchain` must be installed.

    Returns:
        The embeddings.

    Raises:
        InvalidConfigError: if it is `None`, or a name and `langchain` is not installed.
    """
    if embed is None:
        raise InvalidConfigError(
            "An index needs `embed`: an Embeddings, a function from texts to vectors, or a model's name.",
            field="embed",
        )
    if isinstance(embed, str):
        return _by_name(embed)
    if isinstance(embed, Embeddings):
        return embed
    return EmbeddingsLambda(embed)


def _by_name(name: str) -> Embeddings:
    try:
        # Not a dependency: only those who name a model need it.
        from langchain.embeddings import (  # type: ignore[import-not-found,unused-ignore]  # the same
            init_embeddings,  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
        )
    except ImportError as error:
        raise InvalidConfigError(
            f"The embeddings {name!r} are given by name, which needs langchain>=0.3.9 and the provider's "
            "package. Install them, or give `embed` as an Embeddings or a function.",
            field="embed",
        ) from error
    return cast("Embeddings", init_embeddings(name))


class EmbeddingsLambda(Embeddings):
    """Embeddings made of a function, or of a coroutine function, from texts to vectors.

    A function answers asynchronous calls too, from a thread. A coroutine function answers no synchronous
    ones.

    Args:
        func: the function.
    """

    def __init__(self, func: EmbeddingsFunc | AEmbeddingsFunc) -> None:
        is_async = _is_async_callable(func)
        self.func = None if is_async else cast("EmbeddingsFunc", func)
        self.afunc = cast("AEmbeddingsFunc", func) if is_async else None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed each text."""
        if self.func is None:
            raise InvalidConfigError(
                "These embeddings were made of a coroutine function, so they have no synchronous form. "
                "Use the store's asynchronous methods, or give `embed` as a plain function.",
                field="embed",
            )
        return self.func(texts)

    def embed_query(self, text: str) -> list[float]:
        """Embed one text."""
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Async version of `embed_documents`."""
        if self.afunc is None:
            return await super().aembed_documents(texts)
        return await self.afunc(texts)

    async def aembed_query(self, text: str) -> list[float]:
        """Async version of `embed_query`."""
        return (await self.aembed_documents([text]))[0]


def _is_async_callable(func: Any) -> bool:
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(getattr(func, "__call__", None))  # noqa: B004 — the method is asked what it is
