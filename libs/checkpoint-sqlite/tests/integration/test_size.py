"""Storage grows with what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


async def test_an_unchanged_channel_is_stored_once(saver: Any, at: Any, checkpoint: Any, path: Path) -> None:
    """Two hundred steps beside a channel of 1 MiB that never changes take less than 10 MiB."""
    big = "x" * (1 << 20)
    config = at()
    for step in range(200):
        name = f"{step:04}"
        made = checkpoint(name, big=big, step=step) | {"channel_versions": {"big": "0000", "step": name}}
        new = {"step": name} if step else made["channel_versions"]
        config = await saver.put(config, made, {}, new)
    assert (await saver.get_tuple(at())).checkpoint["channel_values"] == {"big": big, "step": 199}
    assert (await saver.get_tuple(at("t", "0007"))).checkpoint["channel_values"] == {"big": big, "step": 7}
    await saver.close()
    assert size_of(path) < 10 << 20
