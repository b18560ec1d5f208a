"""What the in-memory saver promises beyond the contract, which the conformance kit checks."""

from __future__ import annotations

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from langgraph.checkpoint.base import DecodeError, EncodeError, InvalidConfigError, JsonPlusSerializer
from langgraph.checkpoint.memory import InMemorySaver, MemorySaver
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, TASKS


class Plain:
    """A class that no serializer knows."""


def test_the_old_name_is_the_same_class() -> None:
    """`MemorySaver` is `InMemorySaver`."""
    assert MemorySaver is InMemorySaver


class TestShapes:
    """The three dicts look as the release's do, for programs that look into them."""

    def test_storage(self, saver: InMemorySaver, put: Any) -> None:
        """Thread, namespace and id lead to checkpoint, metadata and parent id."""
        put("a", {"x": 1}, {"x": "1"})
        put("b", {"x": 1}, {"x": "1"}, ns="inner", parent="a", metadata={"step": 3})
        header, metadata, parent = saver.storage["1"]["inner"]["b"]
        assert "channel_values" not in saver.serde.loads_typed(header)
        assert saver.serde.loads_typed(metadata) == {"step": 3}
        assert parent == "a"
        assert saver.storage["1"][""]["a"][2] is None
        assert list(saver.storage) == ["1"]

    def test_blobs(self, saver: InMemorySaver, put: Any) -> None:
        """Thread, namespace, channel and version lead to a value; an empty channel has a tag of its own."""
        put("a", {"x": 1}, {"x": "1", "gone": "2"})
        assert saver.blobs == {
            ("1", "", "x", "1"): saver.serde.dumps_typed(1),
            ("1", "", "gone", "2"): ("empty", b""),
        }

    def test_writes(self, saver: InMemorySaver, put: Any) -> None:
        """The checkpoint's address, then task and index, lead to the write."""
        saver.put_writes(put("a"), [("x", 1), (INTERRUPT, 2)], "task", "path")
        assert saver.writes == {
            ("1", "", "a"): {
                ("task", 0): ("task", "x", saver.serde.dumps_typed(1), "path"),
                ("task", -3): ("task", INTERRUPT, saver.serde.dumps_typed(2), "path"),
            }
        }
        assert all(type(key) is tuple for key in saver.writes)

    def test_no_writes_make_no_entry(self, saver: InMemorySaver, put: Any) -> None:
        """An empty batch leaves nothing."""
        saver.put_writes(put("a"), [], "task")
        assert not saver.writes


class TestValues:
    """Which value a channel has."""

    def test_unchanged_channels_are_stored_once(self, saver: InMemorySaver, put: Any) -> None:
        """A second checkpoint with the same version adds no blob."""
        put("a", {"x": 1}, {"x": "1"})
        config = put("b", {"x": 1}, {"x": "1"}, new={})
        assert len(saver.blobs) == 1
        assert saver.get(config)["channel_values"] == {"x": 1}  # type: ignore[index]

    def test_a_value_left_out_of_new_versions_is_not_lost(self, saver: InMemorySaver, put: Any) -> None:
        """Its version is not stored yet, so it is stored."""
        config = put("a", {"x": 1}, {"x": "1"}, new={})
        assert saver.get(config)["channel_values"] == {"x": 1}  # type: ignore[index]

    def test_a_value_without_version_stays_with_its_checkpoint(self, saver: InMemorySaver, put: Any) -> None:
        """It is found in this checkpoint only."""
        first, second = put("a", {"x": 1}), put("b", parent="a")
        assert saver.get(first)["channel_values"] == {"x": 1}  # type: ignore[index]
        assert saver.get(second)["channel_values"] == {}  # type: ignore[index]
        assert not saver.blobs

    def test_a_value_left_out_is_found_by_its_version(self, saver: InMemorySaver, put: Any) -> None:
        """The checkpoint need only name the version."""
        put("a", {"x": [1]}, {"x": "1"})
        config = put("b", {}, {"x": "1"}, new={})
        assert saver.get(config)["channel_values"] == {"x": [1]}  # type: ignore[index]

    def test_a_new_version_without_value_is_empty(self, saver: InMemorySaver, put: Any) -> None:
        """The channel has no value any more."""
        put("a", {"x": 1}, {"x": "1"})
        config = put("b", {}, {"x": "2"})
        assert saver.get(config)["channel_values"] == {}  # type: ignore[index]

    def test_what_was_put_is_frozen(self, saver: InMemorySaver, checkpoint: Any, config: Any) -> None:
        """Changing the values and the checkpoint afterwards changes nothing."""
        values = {"x": [1], "y": bytearray(b"a"), "inline": [1]}
        stored = checkpoint("a", values, {"x": "1", "y": "1"})
        metadata: Any = {"parents": {}}
        saver.put(config(), stored, metadata, {"x": "1", "y": "1"})
        values["x"].append(2)  # type: ignore[attr-defined]
        values["y"].extend(b"b")  # type: ignore[attr-defined]
        values["inline"].append(2)  # type: ignore[attr-defined]
        stored["versions_seen"]["node"] = {}
        metadata["parents"]["x"] = "y"
        found = saver.get_tuple(config())
        assert found is not None
        assert found.checkpoint["channel_values"] == {"x": [1], "y": bytearray(b"a"), "inline": [1]}
        assert found.checkpoint["versions_seen"] == {}
        assert found.metadata == {"parents": {}}

    def test_what_is_returned_is_the_callers_own(self, saver: InMemorySaver, put: Any) -> None:
        """Changing it changes nothing in the saver."""
        config = put("a", {"x": [1], "y": bytearray(b"a")}, {"x": "1", "y": "1"})
        saver.put_writes(config, [("x", [1])], "task")
        first, second = saver.get_tuple(config), saver.get_tuple(config)
        assert first
        assert first == second
        first.checkpoint["channel_values"]["x"].append(2)
        first.checkpoint["channel_values"]["y"].extend(b"b")
        first.checkpoint["channel_versions"].clear()
        first.metadata["step"] = 5
        first.pending_writes[0][2].append(2)  # type: ignore[index]
        assert saver.get_tuple(config) == second

    def test_metadata_is_exact(self, saver: InMemorySaver, checkpoint: Any) -> None:
        """The config's scalars go with it, and nothing is stripped from text."""
        config: Any = {"configurable": {"thread_id": "1", "own": "a\0b"}, "metadata": {"more": 2}}
        config = saver.put(config, checkpoint("a"), {"step": 1}, {})
        assert saver.get_tuple(config).metadata == {"step": 1, "more": 2, "own": "a\0b"}  # type: ignore[union-attr]


class TestOrder:
    """Greatest id first, whatever the order of puts."""

    def test_the_greatest_id_is_the_latest(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """Also when it was put first."""
        for one in ("c", "a", "d", "b"):
            put(one)
        assert saver.get(config())["id"] == "d"  # type: ignore[index]
        assert [found.checkpoint["id"] for found in saver.list(config())] == ["d", "c", "b", "a"]

    def test_list_orders_across_threads_and_namespaces(self, saver: InMemorySaver, put: Any) -> None:
        """By id, then thread, then namespace, all descending."""
        for thread_id, ns, one in (
            ("a", "", "2"),
            ("b", "x", "2"),
            ("b", "", "2"),
            ("c", "", "1"),
            ("a", "", "3"),
        ):
            put(one, thread_id=thread_id, ns=ns)
        listed = [tuple(found.config["configurable"].values()) for found in saver.list(None)]
        assert listed == [("a", "", "3"), ("b", "x", "2"), ("b", "", "2"), ("a", "", "2"), ("c", "", "1")]
        assert [tuple(found.config["configurable"].values()) for found in saver.list(None, limit=3)] == listed[:3]

    def test_list_goes_on_while_the_thread_changes(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """What comes meanwhile is not listed, what goes is left out."""
        for one in "abcd":
            put(one)
        listing = saver.list(config())
        assert next(listing).checkpoint["id"] == "d"
        put("e")
        put("aa")
        del saver.storage["1"][""]["b"]
        assert [found.checkpoint["id"] for found in listing] == ["c", "a"]

    def test_before_and_id_select(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """`before` is exclusive, an id selects itself."""
        for one in "abc":
            put(one)
        assert [f.checkpoint["id"] for f in saver.list(config(), before=config("1", "c"))] == ["b", "a"]
        assert [f.checkpoint["id"] for f in saver.list(config("1", "b"))] == ["b"]
        assert list(saver.list(config("1", "b"), before=config("1", "b"))) == []

    def test_arguments_of_list_are_checked_at_once(self, saver: InMemorySaver) -> None:
        """Not when the first item is asked for."""
        with pytest.raises(InvalidConfigError):
            saver.list(None, limit=-1)
        with pytest.raises(InvalidConfigError):
            saver.alist(None, limit=-1)

    def test_filter_compares_kinds(self, saver: InMemorySaver, put: Any) -> None:
        """A number is not its text; the limit counts after the filter."""
        put("a", metadata={"step": 2})
        put("b", metadata={"step": "2"})
        put("c", metadata={"step": 2})
        assert [f.checkpoint["id"] for f in saver.list(None, filter={"step": 2}, limit=5)] == ["c", "a"]
        assert [f.checkpoint["id"] for f in saver.list(None, filter={"step": 2}, limit=1)] == ["c"]


class TestWrites:
    """Pending writes."""

    def test_ordinary_writes_keep_and_special_ones_replace(self, saver: InMemorySaver, put: Any) -> None:
        """In one batch, each goes by its own rule."""
        config = put("a")
        saver.put_writes(config, [("x", 1), (ERROR, "one")], "task")
        saver.put_writes(config, [("x", 2), (ERROR, "two"), ("y", 3)], "task")
        writes = saver.get_tuple(config).pending_writes  # type: ignore[union-attr]
        assert writes == [("task", ERROR, "two"), ("task", "x", 1), ("task", "y", 3)]

    def test_order_is_path_task_index(self, saver: InMemorySaver, put: Any) -> None:
        """Not the order of puts."""
        config = put("a")
        saver.put_writes(config, [("x", 1), ("x", 2)], "t1", "p2")
        saver.put_writes(config, [("x", 3)], "t9", "p1")
        saver.put_writes(config, [("x", 4)], "t0", "p2")
        writes = saver.get_tuple(config).pending_writes  # type: ignore[union-attr]
        assert [value for _, _, value in writes or ()] == [3, 4, 1, 2]

    def test_writes_may_come_before_their_checkpoint(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """They are there once the checkpoint is, and stay when it is put again."""
        saver.put_writes(config("1", "a"), [("x", 1)], "task")
        assert saver.get_tuple(config()) is None
        put("a")
        put("a", {"x": 1}, {"x": "1"})
        assert saver.get_tuple(config()).pending_writes == [("task", "x", 1)]  # type: ignore[union-attr]

    def test_writes_need_a_checkpoint_id(self, saver: InMemorySaver, config: Any) -> None:
        """The error names the field."""
        with pytest.raises(InvalidConfigError) as caught:
            saver.put_writes(config(), [("x", 1)], "task")
        assert caught.value.field == "checkpoint_id"


class TestOldFormats:
    """Checkpoints of formats before 4."""

    def test_sends_of_the_parent_move_into_the_channel(self, saver: InMemorySaver, put: Any) -> None:
        """In the order of path, task and index, with the greatest version."""
        parent = put("a", {}, {"x": "3"}, v=3)
        saver.put_writes(parent, [(TASKS, "s2"), ("x", 0), (TASKS, "s3")], "t2", "p1")
        saver.put_writes(parent, [(TASKS, "s1")], "t9", "p0")
        found = saver.get(put("b", {}, {"x": "5", "y": "4"}, parent="a", v=3))
        assert found is not None
        assert found["channel_values"][TASKS] == ["s1", "s2", "s3"]
        assert found["channel_versions"][TASKS] == "5"

    @pytest.mark.parametrize("v", [3, 4])
    def test_without_sends_or_of_today_nothing_moves(self, saver: InMemorySaver, put: Any, v: int) -> None:
        """Format 4 keeps its own; format 3 without sends is left alone."""
        parent = put("a", v=v)
        if v == 4:
            saver.put_writes(parent, [(TASKS, "s1")], "t", "p")
        assert saver.get(put("b", parent="a", v=v))["channel_versions"] == {}  # type: ignore[index]


class TestErrors:
    """Errors of the serializer say where."""

    def test_a_value_that_can_not_be_stored_stores_nothing(
        self, saver: InMemorySaver, put: Any, config: Any
    ) -> None:
        """The error has the path and the whole address."""
        with pytest.raises(EncodeError) as caught:
            put("a", {"fine": 1, "bad": [Plain()]}, {"fine": "1", "bad": "1"})
        assert caught.value.path == "channel_values['bad'][0]"
        assert caught.value.address == {
            "thread_id": "1",
            "checkpoint_ns": "",
            "checkpoint_id": "a",
            "channel": "bad",
        }
        assert isinstance(caught.value.__cause__, EncodeError)
        assert not saver.storage
        assert not saver.blobs

    def test_an_unchanged_value_that_can_not_be_stored(self, saver: InMemorySaver, put: Any) -> None:
        """Is met after the lock was released, and stores nothing either."""
        with pytest.raises(EncodeError, match="bad"):
            put("a", {"bad": Plain()}, {"bad": "1"}, new={})
        assert not saver.storage

    def test_metadata_and_inline_values(self, saver: InMemorySaver, put: Any) -> None:
        """Have paths of their own."""
        with pytest.raises(EncodeError) as caught:
            put("a", metadata={"parents": {"x": Plain()}})
        assert caught.value.path.startswith("metadata")
        with pytest.raises(EncodeError) as caught:
            put("a", {"inline": Plain()})
        assert caught.value.path.startswith("checkpoint")

    def test_a_batch_of_writes_is_stored_whole_or_not(self, saver: InMemorySaver, put: Any) -> None:
        """The error names the task."""
        config = put("a")
        with pytest.raises(EncodeError) as caught:
            saver.put_writes(config, [("x", 1), ("y", Plain())], "task")
        assert caught.value.path == "writes[1]"
        assert caught.value.address["task_id"] == "task"
        assert caught.value.address["channel"] == "y"
        assert not saver.writes

    @pytest.mark.parametrize("where", ["header", "metadata", "blob", "write"])
    def test_damaged_bytes_are_an_error(self, saver: InMemorySaver, put: Any, where: str) -> None:
        """Never a missing value."""
        config = put("a", {"x": 1}, {"x": "1"})
        saver.put_writes(config, [("x", 1)], "task", "path")
        broken = ("msgpack", b"\xc1")
        header, metadata, parent = saver.storage["1"][""]["a"]
        if where == "header":
            saver.storage["1"][""]["a"] = (broken, metadata, parent)
        elif where == "metadata":
            saver.storage["1"][""]["a"] = (header, broken, parent)
        elif where == "blob":
            saver.blobs["1", "", "x", "1"] = broken
        else:
            saver.writes["1", "", "a"]["task", 0] = ("task", "x", broken, "path")
        with pytest.raises(DecodeError) as caught:
            saver.get_tuple(config)
        assert caught.value.address["checkpoint_id"] == "a"

    def test_one_damaged_value_among_many_is_named(self, saver: InMemorySaver, put: Any) -> None:
        """Though they are decoded in one go."""
        names = [f"x{number}" for number in range(9)]
        config = put("a", dict.fromkeys(names, 1), dict.fromkeys(names, "1"))
        saver.put_writes(config, [(name, name) for name in names], "task")
        saver.blobs["1", "", "x5", "1"] = ("msgpack", b"\xc1")
        with pytest.raises(DecodeError) as caught:
            saver.get_tuple(config)
        assert caught.value.address["channel"] == "x5"
        saver.blobs["1", "", "x5", "1"] = ("null", b"")
        found = saver.get_tuple(config)
        assert found is not None
        assert found.checkpoint["channel_values"] == {**dict.fromkeys(names, 1), "x5": None}
        assert found.pending_writes == [("task", name, name) for name in names]

    def test_a_serializer_of_ones_own_decodes_each_value(self, put: Any, saver: InMemorySaver) -> None:
        """Though it is derived from ours, and keeps our tags."""

        class Reversed(JsonPlusSerializer):
            def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
                tag, stored = super().dumps_typed(obj)
                return tag, stored[::-1]

            def loads_typed(self, data: tuple[str, bytes]) -> Any:
                return super().loads_typed((data[0], data[1][::-1]))

        saver.serde = Reversed()
        values = {f"x{number}": [number] for number in range(9)}
        config = put("a", values, dict.fromkeys(values, "1"))
        assert saver.get(config)["channel_values"] == values  # type: ignore[index]

    @pytest.mark.parametrize("id", [None, "", 5])
    def test_a_checkpoint_needs_an_id(self, put: Any, id: Any) -> None:
        """The error names the field."""
        with pytest.raises(InvalidConfigError) as caught:
            put(id)
        assert caught.value.field == "id"


class TestReadsCreateNothing:
    """`storage` and `writes` are defaultdicts, which grow when they are asked."""

    async def test_reads_of_unknown_threads(self, saver: InMemorySaver, config: Any) -> None:
        """All reading methods leave the dicts empty."""
        assert saver.get_tuple(config()) is None
        assert saver.get(config("1", "a")) is None
        assert list(saver.list(config())) == []
        assert [found async for found in saver.alist(config())] == []
        assert saver.get_delta_channel_history(config=config(), channels=["x"]) == {"x": {"writes": []}}
        saver.delete_thread("1")
        saver.delete_for_runs(["1"])
        saver.copy_thread("1", "2")
        saver.prune(["1"])
        assert (saver.storage, saver.writes, saver.blobs) == ({}, {}, {})

    def test_reads_of_known_threads(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """An unknown namespace or id leaves no trace."""
        put("a")
        assert saver.get_tuple(config("1", None, "other")) is None
        assert saver.get_tuple(config("1", "b")) is None
        assert dict(saver.storage["1"]).keys() == {""}
        assert not saver.writes


class TestForeignHands:
    """Programs reach into the dicts; what the saver knows beside them must follow."""

    def test_a_deleted_checkpoint(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """The next greatest id is the latest."""
        for one in "abc":
            put(one)
        assert saver.get(config())["id"] == "c"  # type: ignore[index]
        del saver.storage["1"][""]["c"]
        assert saver.get(config())["id"] == "b"  # type: ignore[index]

    def test_a_replaced_checkpoint(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """One went and one came, so there are as many as before."""
        for one in "abc":
            put(one)
        checkpoints = saver.storage["1"][""]
        checkpoints["d"] = checkpoints.pop("b")
        assert [found.config["configurable"]["checkpoint_id"] for found in saver.list(config())] == ["d", "c", "a"]

    def test_a_deleted_thread(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """It can be begun anew."""
        put("b")
        del saver.storage["1"]
        assert saver.get_tuple(config()) is None
        put("a")
        assert saver.get(config())["id"] == "a"  # type: ignore[index]

    def test_foreign_keys_are_deleted_with_their_thread(self, saver: InMemorySaver, put: Any) -> None:
        """Blobs and writes that the saver did not put are found."""
        put("a", {"x": 1}, {"x": "1"})
        saver.blobs["1", "", "x", "2"] = ("msgpack", b"\x01")
        saver.writes["1", "", "z"] = {}
        saver.blobs["2", "", "x", "2"] = ("msgpack", b"\x01")
        saver.delete_thread("1")
        assert list(saver.blobs) == [("2", "", "x", "2")]
        assert not saver.writes

    def test_dicts_may_be_exchanged(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """The attributes are what counts."""
        put("a", {"x": 1}, {"x": "1"})
        other = InMemorySaver()
        other.storage, other.writes, other.blobs = saver.storage, saver.writes, saver.blobs
        assert other.get_tuple(config()) == saver.get_tuple(config())


class TestCopies:
    """Copies of a saver."""

    def test_a_deep_copy_is_on_its_own(self, saver: InMemorySaver, put: Any, config: Any) -> None:
        """It has the content, and its changes do not come back."""
        put("a", {"x": 1}, {"x": "1"})
        twin = copy.deepcopy(saver)
        assert twin.get_tuple(config()) == saver.get_tuple(config())
        twin.delete_thread("1")
        assert saver.get_tuple(config()) is not None

    def test_with_allowlist_shares_the_content(self, put: Any, config: Any, checkpoint: Any) -> None:
        """Both see what the other puts."""
        saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        twin = saver.with_allowlist([("some.module", "Name")])
        assert twin is not saver
        twin.put(config(), checkpoint("a"), {}, {})
        assert saver.get(config())["id"] == "a"  # type: ignore[index]
        saver.put(config(), checkpoint("b"), {}, {})
        assert twin.get(config())["id"] == "b"  # type: ignore[index]

    def test_the_content_can_be_pickled(self, saver: InMemorySaver, put: Any) -> None:
        """The dicts hold nothing but plain types."""
        config = put("a", {"x": 1}, {"x": "1"})
        saver.put_writes(config, [("x", 1)], "task")
        other = InMemorySaver()
        content = pickle.loads(pickle.dumps((saver.storage, saver.writes, saver.blobs)))
        other.storage, other.writes, other.blobs = content
        assert other.get_tuple(config) == saver.get_tuple(config)


class TestThreads:
    """One saver, many threads."""

    def test_puts_reads_and_removals_at_once(self, saver: InMemorySaver, checkpoint: Any, config: Any) -> None:
        """No read fails or sees half a checkpoint, no value is lost."""
        workers, rounds = 4, 60
        start = threading.Barrier(workers)

        def work(number: int) -> None:
            start.wait()
            for step in range(rounds):
                name, version = f"{step:04}-{number}", f"{step}.{number}"
                values, versions = {"x": [name] * 3, "y": name}, {"x": version, "y": version}
                put_at = saver.put(config("shared"), checkpoint(name, values, versions), {"step": step}, versions)
                saver.put_writes(put_at, [("x", name)], "task")
                own = saver.get_tuple(put_at)
                if own:
                    assert own.checkpoint["channel_values"] == values
                for found in saver.list(config("shared"), limit=3):
                    assert found.checkpoint["channel_values"]["y"] == found.checkpoint["id"]
                if step % 10 == number:
                    saver.prune(["shared"])

        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(work, number) for number in range(workers)]:
                done.result()
        saver.prune(["shared"])
        assert saver.get(config("shared"))["id"] == f"{rounds - 1:04}-{workers - 1}"  # type: ignore[index]
        assert len(saver.blobs) == 2

    def test_a_blob_that_goes_before_the_put_is_stored_again(
        self, saver: InMemorySaver, put: Any, config: Any, checkpoint: Any
    ) -> None:
        """A put whose unchanged value was pruned meanwhile keeps it."""
        put("a", {"x": 1}, {"x": "1"})

        class DeletesFirst(JsonPlusSerializer):
            def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
                saver.blobs.clear()
                return super().dumps_typed(obj)

        saver.serde = DeletesFirst()
        saver.put(config("1", "a"), checkpoint("b", {"x": 1, "y": 2}, {"x": "1", "y": "1"}), {}, {"y": "1"})
        saver.serde = JsonPlusSerializer()
        assert saver.get(config())["channel_values"] == {"x": 1, "y": 2}  # type: ignore[index]
