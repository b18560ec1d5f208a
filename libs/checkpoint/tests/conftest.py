"""Makes the golden types importable under the name that stored bytes give them, and keeps tests apart."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"
if str(GOLDEN) not in sys.path:
    sys.path.insert(0, str(GOLDEN))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a `vector` with each golden one."""
    if "vector" in metafunc.fixturenames:
        vectors = json.loads((GOLDEN / "serde_vectors.json").read_text())["vectors"]
        metafunc.parametrize("vector", vectors, ids=[row["expr"][:60] for row in vectors])


@pytest.fixture(scope="session")
def evaluate() -> Any:
    """Return a function that makes the value of a vector's expression."""
    names: dict[str, Any] = {}
    exec("\n".join(json.loads((GOLDEN / "serde_vectors.json").read_text())["prelude"]), names)
    return lambda expr: eval(expr, names)


@pytest.fixture
def warned_anew() -> Iterator[None]:
    """Forget which types were warned of, so that the test sees its warning whatever ran before."""
    from langgraph.checkpoint.serde import _allowlist

    before = set(_allowlist._warned)
    _allowlist._warned.clear()
    yield
    _allowlist._warned.update(before)


@pytest.fixture
def events() -> Iterator[list[Any]]:
    """Return the serde events of the test."""
    from langgraph.checkpoint.serde.event_hooks import register_serde_event_listener

    seen: list[Any] = []
    unregister = register_serde_event_listener(seen.append)
    yield seen
    unregister()
