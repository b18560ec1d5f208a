"""Have the release read what we write. Not a test: the release can not be installed beside this package.

Run `write` with an interpreter that has this package, and `read` with one that has the release:

    python release_reads_ours.py write > ours.json
    RELEASE_PYTHON release_reads_ours.py read < ours.json

`read` prints each vector that the release reads worse from our bytes than from its own, and the figures.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN.parents[3] / "tests" / "golden")]


def main(command: str) -> int:
    """Run one half."""
    logging.disable(logging.WARNING)
    golden = json.loads((GOLDEN / "serde_vectors.json").read_text())
    names: dict[str, Any] = {}
    exec("\n".join(golden["prelude"]), names)
    values = [(row, eval(row["expr"], names)) for row in golden["vectors"]]
    return write(values) if command == "write" else read(values)


def write(values: list[tuple[dict[str, Any], Any]]) -> int:
    """Print what we make of each vector."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    written: dict[str, Any] = {}
    for row, value in values:
        try:
            tag, stored = JsonPlusSerializer().dumps_typed(value)
        except TypeError:
            continue
        written[row["expr"]] = (tag, stored.hex())
    json.dump(written, sys.stdout)
    return 0


def read(values: list[tuple[dict[str, Any], Any]]) -> int:
    """Compare, at both levels of the release, what it gets from our bytes with what it gets from its own."""
    ours = json.load(sys.stdin)
    worse = 0
    for level, allowed in (("open", True), ("strict", None)):
        better = equal = unread = 0
        for row, value in values:
            if row["expr"] not in ours:
                continue
            tag, stored = ours[row["expr"]]
            found = grade(tag, stored, value, allowed)
            own = grade(row["type"], row["hex"], value, allowed) if "hex" in row else -1
            better += found > own
            equal += found == own
            unread += found < 0
            if found < own:
                worse += 1
                print(f"worse ({level}): {row['expr']}: grade {found}, was {own}")
        print(f"{level}: {better} better, {equal} as good, {unread} of ours not read")
    return 1 if worse else 0


def grade(tag: str, stored: str, value: Any, allowed: Any) -> int:
    """Grade a read: 3 the same, 2 equal and of the same type, 1 anything else but `None`, -1 nothing."""
    from sameness import same

    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    try:
        found = JsonPlusSerializer(allowed_msgpack_modules=allowed).loads_typed((tag, bytes.fromhex(stored)))
    except Exception:
        return -1
    if found is None and value is not None:
        return -1
    if same(found, value):
        return 3
    if type(found) is type(value) and found == value:
        return 2
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
