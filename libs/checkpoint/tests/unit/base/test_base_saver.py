"""The base class: what it offers by itself, and the helpers beside it."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest

from langgraph.checkpoint.base import (
    ERROR,
    INTERRUPT,
    LATEST_VERSION,
    RESUME,
    SCHEDULED,
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointKey,
    CheckpointTuple,
    EmptyChannelError,
    EncryptedSerializer,
    JsonPlusSerializer,
    UnsupportedOperationError,
    copy_checkpoint,
    create_checkpoint,
    empty_checkpoint,
    next_text_version,
    writes_sort_key,
)

CONFIG: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}


class Tiny(BaseCheckpointSaver[int]):
    """A saver that can only get: checkpoints by id, with their parents."""

    def __init__(self, *found: tuple[str, str | None, dict[str, Any], list[Any]]) -> None:
        super().__init__()
        self.found = {
            name: CheckpointTuple(
                CheckpointKey("t", "", name).config(),
                {**empty_checkpoint(), "id": name, "channel_values": values},  # type: ignore[typeddict-item]
                {},
                CheckpointKey("t", "", parent).config() if parent else None,
                writes,
            )
            for name, parent, values, writes in found
        }
        self.asked: list[str] = []

    def get_tuple(self, config: Any) -> CheckpointTuple | None:
        key = CheckpointKey.from_config(config)
        self.asked.append(key.checkpoint_id or "latest")
        return self.found.get(key.checkpoint_id or max(self.found, default=""))

    async def aget_tuple(self, config: Any) -> CheckpointTuple | None:
        return self.get_tuple(config)


ARGUMENTS: Any = {
    "get_tuple": (CONFIG,),
    "list": (CONFIG,),
    "put": (CONFIG, {}, {}, {}),
    "put_writes": (CONFIG, [], "task"),
    "delete_thread": ("t",),
    "delete_for_runs": (["r"],),
    "copy_thread": ("a", "b"),
    "prune": (["t"],),
}


class TestUnsupported:
    """A saver that lacks an operation says so."""

    @pytest.mark.parametrize("name", ARGUMENTS)
    def test_sync(self, name: str) -> None:
        """With its class and the method, as the `NotImplementedError` that callers catch."""
        with pytest.raises(NotImplementedError) as caught:
            getattr(BaseCheckpointSaver(), name)(*ARGUMENTS[name])
        assert isinstance(caught.value, UnsupportedOperationError)
        assert caught.value.operation == name
        assert str(caught.value) == f"BaseCheckpointSaver does not implement {name}"

    @pytest.mark.parametrize("name", ARGUMENTS)
    async def test_async(self, name: str) -> None:
        """The twin too, when it is awaited or iterated."""
        result = getattr(BaseCheckpointSaver(), f"a{name}")(*ARGUMENTS[name])
        with pytest.raises(UnsupportedOperationError) as caught:
            await (anext(result) if inspect.isasyncgen(result) else result)
        assert caught.value.operation == f"a{name}"


class TestGet:
    """`get` is `get_tuple` without the rest."""

    async def test_get(self) -> None:
        """In both colours; `None` if there is none."""
        saver = Tiny(("a", None, {"x": 1}, []))
        for found in (saver.get(CONFIG), await saver.aget(CONFIG)):
            assert found is not None
            assert found["channel_values"] == {"x": 1}
        assert Tiny().get(CONFIG) is None
        assert await Tiny().aget(CONFIG) is None


class TestDeltaHistory:
    """The walk that a saver has which only has `get_tuple`."""

    SAVER = (
        ("1", None, {"e": "old"}, [("t", "e", 1)]),
        ("2", "1", {"d": "seed"}, [("t1", "d", 2), ("t1", "e", 2), ("t2", "d", 3)]),
        ("3", "2", {}, [("t", "d", 4)]),
        ("4", "3", {"d": "own"}, [("t", "d", 99)]),
    )

    async def test_history(self) -> None:
        """Seed and writes of the nearest ancestor that stored it, and of all between; not one's own."""
        expected: Any = {
            "d": {"writes": [("t1", "d", 2), ("t2", "d", 3), ("t", "d", 4)], "seed": "seed"},
            "e": {"writes": [("t", "e", 1), ("t1", "e", 2)], "seed": "old"},
            "f": {"writes": []},
        }
        saver = Tiny(*self.SAVER)
        assert saver.get_delta_channel_history(config=CONFIG, channels=["d", "e", "f"]) == expected
        assert await saver.aget_delta_channel_history(config=CONFIG, channels=["d", "e", "f"]) == expected

    def test_it_goes_no_further_than_the_seeds(self) -> None:
        """An ancestor behind them is not read."""
        saver = Tiny(*self.SAVER)
        saver.get_delta_channel_history(config=CONFIG, channels=["d"])
        assert saver.asked == ["latest", "3", "2"]

    def test_a_value_of_none_is_a_seed(self) -> None:
        """It was stored."""
        saver = Tiny(("1", None, {"d": None}, []), ("2", "1", {}, []))
        assert saver.get_delta_channel_history(config=CONFIG, channels=["d"]) == {
            "d": {"writes": [], "seed": None}
        }

    @pytest.mark.parametrize("parents", [{"1": None}, {"1": "gone"}, {"1": "1"}, {"1": "0", "0": "1"}, {}])
    def test_it_ends_where_the_thread_does(self, parents: dict[str, str | None]) -> None:
        """At the first, at one that is gone, in a ring, or at once."""
        saver = Tiny(*((name, parent, {}, [("t", "d", name)]) for name, parent in parents.items()))
        history = saver.get_delta_channel_history(config=CONFIG, channels=["d"])["d"]
        assert "seed" not in history
        assert len(history["writes"]) == sum(parent in parents for parent in parents.values())


class TestAllowlist:
    """A copy whose serializer admits more."""

    ADDED = (("some.module", "Name"),)

    def test_the_saver_is_cloned(self) -> None:
        """It shares all but the serializer."""
        saver = Tiny(("a", None, {}, []))
        saver.serde = JsonPlusSerializer(allowed_msgpack_modules=None)
        clone = saver.with_allowlist(self.ADDED)
        assert type(clone) is Tiny
        assert clone.found is saver.found
        assert clone.serde is not saver.serde

    def test_wrappers_are_looked_through(self) -> None:
        """However many there are; they stay as they were."""

        class Cipher:
            def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
                return "rev", plaintext[::-1]

            def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
                return ciphertext[::-1]

        class Counting:
            def __init__(self, serde: Any) -> None:
                self.serde = serde

            def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
                return self.serde.dumps_typed(obj)  # type: ignore[no-any-return]

            def loads_typed(self, data: tuple[str, bytes]) -> Any:
                return self.serde.loads_typed(data)

        inner = JsonPlusSerializer(allowed_msgpack_modules=None)
        middle = EncryptedSerializer(Cipher(), inner)
        outer = Counting(middle)
        clone: Any = BaseCheckpointSaver(serde=outer).with_allowlist(self.ADDED).serde
        assert type(clone) is Counting
        assert type(clone.serde) is EncryptedSerializer
        assert clone.serde.serde is not inner
        assert (outer.serde, middle.serde) == (middle, inner)
        assert clone.loads_typed(outer.dumps_typed([1])) == [1]

    def test_nothing_to_change_is_the_saver_itself(self) -> None:
        """With nothing to add, or a serializer that has no list."""

        class Own:
            def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
                return "own", b""

            def loads_typed(self, data: tuple[str, bytes]) -> Any:
                return None

        for saver in (BaseCheckpointSaver[int](), BaseCheckpointSaver[int](serde=Own())):
            assert saver.with_allowlist([] if isinstance(saver.serde, JsonPlusSerializer) else self.ADDED) is saver


def test_a_serializer_without_types_is_accepted() -> None:
    """It gets typed methods around it."""

    class Old:
        def dumps(self, obj: Any) -> bytes:
            return repr(obj).encode()

        def loads(self, data: bytes) -> Any:
            return int(data)

    serde = BaseCheckpointSaver(serde=Old()).serde  # type: ignore[arg-type]
    assert serde.loads_typed(serde.dumps_typed(5)) == 5
    assert BaseCheckpointSaver().config_specs == []


class TestVersions:
    """How versions are counted."""

    def test_the_base_counts_with_numbers(self) -> None:
        """Of either kind, and refuses text."""
        saver: BaseCheckpointSaver[Any] = BaseCheckpointSaver()
        assert [saver.get_next_version(version, None) for version in (None, 1, 1.5)] == [1, 2, 2.5]
        with pytest.raises(NotImplementedError, match="override get_next_version"):
            saver.get_next_version("1", None)

    def test_text_versions_grow_as_text(self) -> None:
        """Across the digits, and on from numbers."""
        versions = [next_text_version(None)]
        for _ in range(12):
            versions.append(next_text_version(versions[-1]))
        assert versions == sorted(versions)
        assert all(len(version) == 32 + 1 + 16 for version in versions)
        for current in (9, 9.7, versions[8]):
            assert next_text_version(current).startswith(f"{10:032}.")

    def test_two_sides_of_a_fork_differ(self) -> None:
        """Also in a program that seeds `random`."""
        versions: set[str] = set()
        for _ in range(5):
            random.seed(1)
            versions.add(next_text_version(None))
        assert len(versions) == 5


class TestHelpers:
    """What older engines and other savers import."""

    def test_special_writes_have_slots(self) -> None:
        """The release's."""
        assert WRITES_IDX_MAP == {ERROR: -1, SCHEDULED: -2, INTERRUPT: -3, RESUME: -4}

    def test_writes_are_ordered_by_path_task_index(self) -> None:
        """In this order."""
        assert writes_sort_key("p", "t", 3) == ("p", "t", 3)
        assert writes_sort_key("p") == ("p", "", 0)

    def test_an_empty_checkpoint(self) -> None:
        """Of the old format."""
        checkpoint: Any = empty_checkpoint()
        assert checkpoint["v"] == LATEST_VERSION == 2
        assert checkpoint["pending_sends"] == []
        assert checkpoint["channel_values"] == checkpoint["channel_versions"] == checkpoint["versions_seen"] == {}

    def test_a_copy_can_be_changed(self) -> None:
        """Without changing the original; values are shared."""
        value = [1]
        original: Any = {
            **empty_checkpoint(),
            "channel_values": {"x": value},
            "versions_seen": {"n": {"x": 1}},
            "updated_channels": ["x"],
        }
        copy: Any = copy_checkpoint(original)
        assert copy == original
        copy["channel_values"]["y"] = copy["channel_versions"]["y"] = 1
        copy["versions_seen"]["n"]["y"] = 1
        copy["updated_channels"].append("y")
        copy["pending_sends"].append("s")
        assert copy["channel_values"]["x"] is value
        assert original["channel_values"] == {"x": [1]}
        assert original["channel_versions"] == {}
        assert original["versions_seen"] == {"n": {"x": 1}}
        assert original["updated_channels"] == ["x"]
        assert original["pending_sends"] == []

    def test_a_created_checkpoint_asks_channels_that_have_a_version(self) -> None:
        """Empty ones and unknown ones are left out."""

        class Channel:
            def __init__(self, value: Any) -> None:
                self.value = value

            def checkpoint(self) -> Any:
                if self.value is None:
                    raise EmptyChannelError
                return self.value

        before: Any = {**empty_checkpoint(), "channel_versions": {"x": 1, "empty": 1}, "channel_values": {"x": 0}}
        channels: Any = {"x": Channel(5), "empty": Channel(None), "other": Channel(6)}
        created = create_checkpoint(before, channels, 3)
        assert created["channel_values"] == {"x": 5}
        assert created["channel_versions"] == {"x": 1, "empty": 1}
        assert created["id"] > before["id"]
        kept = create_checkpoint(before, None, 3, id="given")
        assert (kept["id"], kept["channel_values"]) == ("given", {"x": 0})
