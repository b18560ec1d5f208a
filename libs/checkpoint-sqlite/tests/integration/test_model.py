"""The saver against a model that is too simple to be wrong, over random calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langgraph.checkpoint.base import matches
from langgraph.checkpoint.sqlite import SqliteSaver

Place = tuple[str, str, str]
threads = st.sampled_from(["t", "u"])
spaces = st.sampled_from(["", "a"])
ids = st.sampled_from(["1", "2", "3", "30"])
channels = st.sampled_from(["x", "y"])
versions = st.sampled_from(["1", "2", 1, 2.5])
numbers = st.integers(0, 2)

calls = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            threads,
            spaces,
            ids,
            st.none() | ids,
            st.dictionaries(channels, st.tuples(versions, numbers)),
            numbers,
        ),
        st.tuples(
            st.just("write"), threads, spaces, ids, st.sampled_from(["a", "b"]), st.lists(numbers, max_size=3)
        ),
        st.tuples(st.just("delete_thread"), threads),
        st.tuples(st.just("copy_thread"), threads, threads),
        st.tuples(st.just("delete_for_runs"), st.lists(numbers, max_size=2)),
        st.tuples(st.just("prune"), threads),
    ),
    max_size=25,
)


@dataclass
class Model:
    """Checkpoints and writes by place. A checkpoint is `(values, parent, metadata)`."""

    checkpoints: dict[Place, Any] = field(default_factory=dict)
    writes: dict[Place, dict[tuple[str, int], Any]] = field(default_factory=dict)

    def put(self, thread: str, ns: str, id: str, parent: str | None, values: Any, run: int) -> None:
        held = {name: value for name, (_, value) in values.items()}
        self.checkpoints[thread, ns, id] = (held, parent, {"run_id": str(run), "n": run})

    def write(self, thread: str, ns: str, id: str, task: str, values: list[int]) -> None:
        held = self.writes.setdefault((thread, ns, id), {})
        for place, value in enumerate(values):
            held.setdefault((task, place), value)

    def remove(self, places: set[Place], *, relink: bool) -> None:
        relinked = {place: self.ancestor(place, places) if relink else None for place in self.children(places)}
        for place in places:
            del self.checkpoints[place]
            self.writes.pop(place, None)
        for place, parent in relinked.items():
            values, _, metadata = self.checkpoints[place]
            self.checkpoints[place] = (values, parent, metadata)

    def children(self, places: set[Place]) -> list[Place]:
        return [p for p, held in self.checkpoints.items() if p not in places and (*p[:2], held[1]) in places]

    def ancestor(self, place: Place, gone: set[Place]) -> str | None:
        seen = {place[2]}
        parent = self.checkpoints[place][1]
        while parent is not None and parent not in seen and (*place[:2], parent) in gone:
            seen.add(parent)
            parent = self.checkpoints[(*place[:2], parent)][1]
        return parent if (*place[:2], parent) in self.checkpoints and parent not in seen else None

    def delete_thread(self, thread: str) -> None:
        for held in (self.checkpoints, self.writes):
            for place in [place for place in held if place[0] == thread]:
                del held[place]

    def copy_thread(self, source: str, target: str) -> None:
        if any(place[0] == target for place in self.checkpoints):
            return
        for place in [place for place in self.checkpoints if place[0] == source]:
            self.checkpoints[(target, *place[1:])] = self.checkpoints[place]
        for place in [place for place in self.writes if place[0] == source]:
            there = (target, *place[1:])
            self.writes[there] = self.writes.get(there, {}) | self.writes[place]

    def delete_for_runs(self, runs: list[int]) -> None:
        self.remove({place for place, held in self.checkpoints.items() if held[2]["n"] in runs}, relink=True)

    def prune(self, thread: str) -> None:
        places = [place for place in self.checkpoints if place[0] == thread]
        latest = {max(place for place in places if place[1] == ns) for ns in {place[1] for place in places}}
        self.remove(set(places) - latest, relink=False)

    def item(self, place: Place) -> Any:
        values, parent, metadata = self.checkpoints[place]
        writes = sorted((task, idx, value) for (task, idx), value in self.writes.get(place, {}).items())
        return place, values, parent, metadata, [(task, "w", value) for task, _, value in writes]

    def listed(self, thread: str | None, ns: str | None, before: str | None, filter: Any, limit: Any) -> Any:
        chosen = [
            place
            for place, held in self.checkpoints.items()
            if thread in (None, place[0])
            and ns in (None, place[1])
            and (before is None or place[2] < before)
            and matches(held[2], filter)
        ]
        chosen.sort(key=lambda place: (place[2], place[0], place[1]), reverse=True)
        return [self.item(place) for place in chosen[:limit]]


def perform(saver: SqliteSaver, call: Any) -> None:
    name, *args = call
    if name == "put":
        thread, ns, number, parent, values, run = args
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": parent}}
        checkpoint: Any = {
            "v": 4,
            "id": number,
            "ts": "",
            "channel_values": {channel: value for channel, (_, value) in values.items()},
            "channel_versions": {channel: version for channel, (version, _) in values.items()},
            "versions_seen": {},
            "updated_channels": None,
        }
        saver.put(config, checkpoint, {"run_id": str(run), "n": run}, checkpoint["channel_versions"])
    elif name == "write":
        thread, ns, number, task, values = args
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": number}}
        saver.put_writes(config, [("w", value) for value in values], task)
    elif name == "delete_for_runs":
        saver.delete_for_runs([str(run) for run in args[0]])
    elif name == "prune":
        saver.prune(args)
    else:
        getattr(saver, name)(*args)


def described(item: Any) -> Any:
    address = item.config["configurable"]
    return (
        (address["thread_id"], address["checkpoint_ns"], address["checkpoint_id"]),
        item.checkpoint["channel_values"],
        item.parent_config and item.parent_config["configurable"]["checkpoint_id"],
        item.metadata,
        item.pending_writes,
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    calls,
    st.none() | threads,
    st.none() | spaces,
    st.none() | ids,
    st.dictionaries(st.sampled_from(["n", "missing"]), numbers, max_size=1),
    st.none() | st.integers(0, 5),
)
def test_the_saver_is_the_model(
    calls: Any, thread: str | None, ns: str | None, before: str | None, filter: Any, limit: int | None
) -> None:
    """After any calls, what is listed and got is what the model says."""
    from langgraph.checkpoint.errors import ConflictError

    model = Model()
    with SqliteSaver.from_conn_string(":memory:") as saver:
        for call in calls:
            getattr(model, call[0])(*call[1:])
            try:
                perform(saver, call)
            except ConflictError:
                assert call[0] == "copy_thread"
        assert [described(item) for item in saver.list(None)] == model.listed(None, None, None, {}, None)
        if thread is None:
            ns, config = None, None
        else:
            address = {"thread_id": thread} | ({} if ns is None else {"checkpoint_ns": ns})
            config = {"configurable": address}
        bound = None if before is None else {"configurable": {"checkpoint_id": before}}
        listed = saver.list(config, before=bound, filter=filter, limit=limit)
        assert [described(item) for item in listed] == model.listed(thread, ns, before, filter, limit)
        for place in model.checkpoints:
            names = dict(zip(("thread_id", "checkpoint_ns", "checkpoint_id"), place, strict=True))
            assert described(saver.get_tuple({"configurable": names})) == model.item(place)
        leftover = saver.conn.execute(
            "SELECT count(*) FROM blobs "
            "WHERE id NOT IN (SELECT i.value FROM checkpoints c, json_each(c.blob_ids) i)"
        )
        assert leftover.fetchone() == (0,)
