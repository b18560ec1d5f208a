"""What the agent learns from one source file.

Pure functions from text to values: no graph, no saver. The values are frozen dataclasses with tuples and a
nested dataclass inside, so that a resumed run also shows whether types survive being stored.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

_Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
_WORD = re.compile(r"[a-z]{5,}")
_FILLER = {
    "default",
    "given",
    "other",
    "return",
    "returns",
    "should",
    "there",
    "value",
    "values",
    "where",
    "which",
}


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest function of a file."""

    name: str
    lines: int


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What one source file says about itself."""

    module: str
    lines: int
    comments: int
    classes: int
    functions: int
    documented: int
    longest: Longest
    imports: tuple[str, ...]
    words: tuple[tuple[str, int], ...]

    @property
    def share_documented(self) -> float:
        """How many of the functions and classes have a docstring, from 0 to 1."""
        return self.documented / max(1, self.classes + self.functions)


def read_source(path: Path) -> FileSummary:
    """Summarize the Python source file at `path`."""
    tree = ast.parse(path.read_bytes())
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    docstrings = list(_docstrings([*functions, *classes]))
    with tokenize.open(path) as source:
        tokens = list(tokenize.generate_tokens(source.readline))
    return FileSummary(
        module=path.stem,
        lines=tokens[-1].start[0] - 1,
        comments=sum(token.type == tokenize.COMMENT for token in tokens),
        classes=len(classes),
        functions=len(functions),
        documented=len(docstrings),
        longest=max((_length(f) for f in functions), key=lambda it: it.lines, default=Longest("-", 0)),
        imports=tuple(sorted(set(_imports(tree)))),
        words=tuple(_words([ast.get_docstring(tree) or "", *docstrings]).most_common(20)),
    )


def _docstrings(definitions: list[_Definition]) -> Iterator[str]:
    for definition in definitions:
        if text := ast.get_docstring(definition):
            yield text


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Longest:
    return Longest(function.name, (function.end_lineno or function.lineno) - function.lineno + 1)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _words(texts: list[str]) -> Counter[str]:
    words = (word for text in texts for word in _WORD.findall(text.lower()))
    return Counter(word for word in words if word not in _FILLER)
