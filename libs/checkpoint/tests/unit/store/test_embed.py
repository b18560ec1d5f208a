"""Paths to text, and what can be an embedding."""

import functools
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

import langgraph.store.base as base
import langgraph.store.base.embed as embed
from langgraph.checkpoint.errors import InvalidConfigError
from langgraph.store.base.embed import EmbeddingsLambda, ensure_embeddings, get_text_at_path, tokenize_path

VALUE = {
    "a": [{"b": "x", "c": 1}, {"b": "y", "d": None}, {"b": ["p", "q"]}, "str"],
    "t": "text",
    "n": 5,
    "yes": True,
    "no": None,
    "d": {"e": {"g": "deep", "h": "deeper"}, "k": "é"},
    "l": [[1, 2], [3]],
}


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("", []),
        ("$", ["$"]),
        ("a.b", ["a", "b"]),
        ("a.0", ["a", "0"]),
        ("a..b.", ["a", "b"]),
        ("a[*].b", ["a", "[*]", "b"]),
        ("a[0][-1]", ["a", "[0]", "[-1]"]),
        ("a[0]b", ["a", "[0]", "b"]),
        ("a.*", ["a", "*"]),
        ("a.{b.c,[0]}.d", ["a", "{b.c,[0]}", "d"]),
        ("x y", ["x y"]),
        ("a[0", ["a", "[0"]),
        ("a{b", ["a", "{b"]),
    ],
)
def test_a_path_is_split_into_steps(path: str, steps: list[str]) -> None:
    """As the release splits it."""
    assert tokenize_path(path) == steps


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        # As the release.
        ("t", ["text"]),
        ("n", ["5"]),
        ("yes", ["True"]),
        ("no", []),
        ("missing", []),
        ("t.x", []),
        ("t[0]", []),
        ("d.k", ["é"]),
        ("d.e", ['{"g": "deep", "h": "deeper"}']),
        ("d.e.*", ["deep", "deeper"]),
        ("d[0]", []),
        ("d.{e.g,k}", ["deep", "é"]),
        ("{ t , n }", ["text", "5"]),
        ("a[0].b", ["x"]),
        ("a[-1]", ["str"]),
        ("a[9]", []),
        ("a[x]", []),
        ("a.0", []),
        ("a[*].b", ["x", "y", '["p", "q"]']),
        ("a[*].b[*]", ["p", "q"]),
        ("a[*].{b,c}", ["x", "1", "y", '["p", "q"]']),
        ("l[*][*]", ["1", "2", "3"]),
        ("l.*", ["[1, 2]", "[3]"]),
        (["d", "e", "g"], ["deep"]),
        # The release gives `text` and the whole of `d.e`: it forgets what follows the braces.
        ("{t,d.e}.g", ["deep"]),
    ],
)
def test_text_at_a_path(path: str | list[str], texts: list[str]) -> None:
    """Text as it is, other things as text, what is missing left out."""
    assert get_text_at_path(VALUE, path) == texts


@pytest.mark.parametrize("path", ["", "$", [], ["$"]])
def test_the_whole_value_is_json_with_sorted_keys(path: str | list[str]) -> None:
    """Also by steps; the release finds nothing at the step `$`, so a `put` with `index=["$"]` embedded nothing."""
    assert get_text_at_path({"b": "é", "a": 1}, path) == ['{"a": 1, "b": "é"}']


def test_a_tuple_is_a_list() -> None:
    """The release finds nothing in it, though a stored tuple comes back as a list."""
    assert get_text_at_path({"t": ("u", "v")}, "t[1]") == ["v"]


def test_the_helpers_are_importable_from_both_modules() -> None:
    """Other stores import them from either."""
    assert base.tokenize_path is embed.tokenize_path
    assert base.get_text_at_path is embed.get_text_at_path
    assert base.ensure_embeddings is embed.ensure_embeddings


def lengths(texts: Sequence[str]) -> list[list[float]]:
    return [[float(len(text))] for text in texts]


async def alengths(texts: Sequence[str]) -> list[list[float]]:
    return lengths(texts)


class Awaited:
    async def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        return lengths(texts)


async def test_a_function_answers_in_both_colours() -> None:
    """The asynchronous methods run it in a thread."""
    made = ensure_embeddings(lengths)
    assert made.embed_documents(["a", "bb"]) == [[1.0], [2.0]]
    assert made.embed_query("ccc") == [3.0]
    assert await made.aembed_documents(["a"]) == [[1.0]]
    assert await made.aembed_query("bb") == [2.0]


@pytest.mark.parametrize("func", [alengths, Awaited(), functools.partial(alengths)])
async def test_a_coroutine_function_answers_only_asynchronously(func: Any) -> None:
    """Also as a callable object or a partial; a synchronous call is an error that says what to do."""
    made = ensure_embeddings(func)
    assert await made.aembed_documents(["a"]) == [[1.0]]
    assert await made.aembed_query("bb") == [2.0]
    with pytest.raises(ValueError, match="asynchronous methods"):
        made.embed_query("a")


def test_embeddings_are_returned_as_they_are() -> None:
    """Nothing is wrapped twice."""
    made: Embeddings = EmbeddingsLambda(lengths)
    assert ensure_embeddings(made) is made


@pytest.mark.parametrize("given", [None, "nobody:nothing"])
def test_what_can_not_embed_is_refused(given: Any) -> None:
    """`None`, and a name where langchain is not installed."""
    with pytest.raises(InvalidConfigError) as caught:
        ensure_embeddings(given)
    assert caught.value.field == "embed"
