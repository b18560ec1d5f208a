"""The README's examples run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[2] / "README.md"


def test_the_examples_run(database: str) -> None:
    """One after the other, on a database of their own."""
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block.replace("postgresql://localhost/threads", database), names)
