"""A dict with a file."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from langgraph.checkpoint.memory import InMemorySaver, PersistentDict


def test_sync_writes_and_load_adds(tmp_path: Path) -> None:
    """A second dict has what the first wrote, beside its own."""
    file = tmp_path / "x.db"
    first = PersistentDict(dict, {"a": 1}, filename=str(file))
    first["b"]["c"] = 2
    first.sync()
    second = PersistentDict(list, filename=file)
    second["own"].append(1)
    assert second.load() is None  # type: ignore[func-returns-value]  # nor did the release return it
    assert second == {"a": 1, "b": {"c": 2}, "own": [1]}


def test_the_file_is_a_plain_pickled_dict(tmp_path: Path) -> None:
    """So the release reads it too."""
    with PersistentDict(lambda: 1, filename=tmp_path / "x.db") as held:
        assert held["a"] == 1
    assert pickle.loads((tmp_path / "x.db").read_bytes()) == {"a": 1}


def test_a_failed_sync_keeps_the_old_file(tmp_path: Path) -> None:
    """And leaves no other file."""
    held = PersistentDict(filename=tmp_path / "x.db", a=1)
    held.sync()
    held["b"] = lambda: 1
    with pytest.raises((pickle.PicklingError, AttributeError)):
        held.sync()
    assert [path.name for path in tmp_path.iterdir()] == ["x.db"]
    assert pickle.loads((tmp_path / "x.db").read_bytes()) == {"a": 1}


def test_close_empties_the_dict_once(tmp_path: Path) -> None:
    """Closing or syncing again does not empty the file."""
    held = PersistentDict(filename=tmp_path / "x.db", a=1)
    held.close()
    assert held == {}
    held.close()
    held.sync()
    held.load()
    assert held == {"a": 1}


def test_the_block_is_written_also_when_it_fails(tmp_path: Path) -> None:
    """The error goes on."""

    def fail() -> None:
        with PersistentDict(filename=tmp_path / "x.db") as held:
            held["a"] = 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (tmp_path / "x.db").exists()


def test_a_missing_file_is_an_error_and_an_empty_one_is_not(tmp_path: Path) -> None:
    """A damaged one is, too."""
    held = PersistentDict(filename=tmp_path / "x.db")
    with pytest.raises(FileNotFoundError):
        held.load()
    (tmp_path / "x.db").touch()
    held.load()
    assert held == {}
    (tmp_path / "x.db").write_bytes(b"garbage")
    with pytest.raises(pickle.UnpicklingError):
        held.load()


def test_flag_and_mode(tmp_path: Path) -> None:
    """`"r"` writes nothing; a mode is given to the file."""
    held = PersistentDict(filename=tmp_path / "x.db", a=1)
    held.flag = "r"
    held.sync()
    assert not (tmp_path / "x.db").exists()
    held.flag, held.mode = "c", 0o600
    held.sync()
    assert (tmp_path / "x.db").stat().st_mode & 0o777 == 0o600


def test_it_can_be_pickled(tmp_path: Path) -> None:
    """With its content and file name."""
    held = pickle.loads(pickle.dumps(PersistentDict(dict, {"a": 1}, filename="x.db")))
    assert held == {"a": 1}
    assert held.filename == "x.db"
    assert held["b"] == {}


def fill(saver: InMemorySaver, config: Any, checkpoint: Any) -> Any:
    """Put a checkpoint with a value and a write."""
    put_at = saver.put(config(), checkpoint("a", {"x": 1}, {"x": "1"}), {}, {"x": "1"})
    saver.put_writes(put_at, [("x", 1)], "task")
    return saver.get_tuple(config())


def load(saver: InMemorySaver) -> None:
    """Load what the saver before it wrote."""
    for held in (saver.storage, saver.writes, saver.blobs):
        held.load()  # type: ignore[union-attr]  # they are PersistentDicts here


@pytest.mark.parametrize("one_name", [True, False])
def test_a_saver_survives_in_files(tmp_path: Path, config: Any, checkpoint: Any, one_name: bool) -> None:
    """One file name for all three dicts is enough: they do not overwrite each other."""

    def factory() -> Any:
        names: Iterator[int] = iter(range(3))
        if one_name:
            return partial(PersistentDict, filename=str(tmp_path / "x.db"))
        return lambda *args: PersistentDict(*args, filename=str(tmp_path / f"{next(names)}.db"))

    with InMemorySaver(factory=factory()) as saver:
        expected = fill(saver, config, checkpoint)
    assert saver.storage == {}
    assert len(list(tmp_path.iterdir())) == 3
    again = InMemorySaver(factory=factory())
    load(again)
    assert again.get_tuple(config()) == expected


async def test_the_async_block_writes_too(tmp_path: Path, config: Any, checkpoint: Any) -> None:
    """As the other."""
    async with InMemorySaver(factory=partial(PersistentDict, filename=tmp_path / "x.db")) as saver:
        fill(saver, config, checkpoint)
    assert (tmp_path / "x.db").exists()


async def test_a_plain_saver_keeps_its_content_after_the_block(config: Any, checkpoint: Any) -> None:
    """There is nothing to close."""
    with InMemorySaver() as saver:
        expected = fill(saver, config, checkpoint)
    async with saver as same:
        assert same is saver
    assert saver.get_tuple(config()) == expected


def test_a_factory_is_called_as_the_release_does() -> None:
    """Three times: with a default factory of namespaces, with `dict`, with nothing."""
    calls: list[Any] = []

    class Held(dict[Any, Any]):
        def __enter__(self) -> None:
            calls.append("entered")

        def __exit__(self, *exc_info: object) -> None:
            calls.append("left")

    def factory(*args: Any) -> Any:
        calls.append(args)
        return Held()

    with InMemorySaver(factory=factory):
        namespaces = calls[0][0]()
        assert namespaces["ns"] == {}
    assert calls[1:] == [(dict,), (), "entered", "entered", "entered", "left", "left", "left"]
