"""Clauses on `list`: which checkpoints, in which order, and what happens meanwhile."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any, cast

from langgraph.checkpoint.conformance._expect import expect_equal, expect_error
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, address_of, id_of, ids
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint


@case(Capability.LIST)
async def list_all(probe: Probe) -> None:
    """Without filter, `before` and `limit` (or `None` for each), all checkpoints come, each once."""
    thread = Thread(probe)
    stored = await thread.steps(30)
    expect_equal("ids", sorted(await thread.listed()), stored)
    expect_equal("ids", sorted(await thread.listed(filter=None, before=None, limit=None)), stored)


@case(Capability.LIST)
async def list_all_threads(probe: Probe) -> None:
    """Without config, the checkpoints of all threads come, newest first."""
    threads = [Thread(probe), Thread(probe, ns="child")]
    stored = [id_of(await threads[n % 2].put(lot=threads[0].id)) for n in range(4)]
    found = ids(await probe.list(None, filter={"lot": threads[0].id}))
    expect_equal("ids", found, stored[::-1])


@case(Capability.LIST)
async def list_by_thread(probe: Probe) -> None:
    """A thread lists its own checkpoints, and says so in each config."""
    one, other = Thread(probe), Thread(probe)
    await other.steps(2)
    stored = await one.steps(2)
    found = await probe.list(one.at())
    expect_equal("ids", ids(found), stored[::-1])
    expect_equal("threads", {address_of(t.config)["thread_id"] for t in found}, {one.id})


@case(Capability.LIST)
async def list_by_namespace(probe: Probe) -> None:
    """A namespace lists its own checkpoints: neither the root's nor those of one whose name it begins."""
    root = Thread(probe)
    child, deeper = root.namespace("child"), root.namespace("child|deeper")
    for thread in (root, child, deeper):
        expected = await thread.steps(2)
        expect_equal(f"ids in {thread.ns!r}", await thread.listed(), expected[::-1])
    expect_equal("number in the root", len(await root.listed()), 2)
    expect_equal("number in the child", len(await child.listed()), 2)


@case(Capability.LIST)
async def list_multiple_namespaces(probe: Probe) -> None:
    """A config without namespace, or with `None`, lists all namespaces of the thread, newest first."""
    threads = [Thread(probe)]
    threads += [threads[0].namespace("child"), threads[0].namespace("other:1|inner")]
    stored = [id_of(await thread.put()) for thread in threads * 2]
    for config in (threads[0].anywhere, threads[0].renamed(checkpoint_ns=None)):
        found = await probe.list(config)
        expect_equal("ids", ids(found), stored[::-1])
        expect_equal(
            "namespaces",
            {address_of(t.config)["checkpoint_ns"] for t in found},
            {thread.ns for thread in threads},
        )


@case(Capability.LIST)
async def list_by_checkpoint_id(probe: Probe) -> None:
    """A config with an id lists that checkpoint alone; an unknown id lists nothing."""
    thread = Thread(probe)
    stored = await thread.steps(3)
    expect_equal("ids", ids(await probe.list(thread.at(stored[1]))), [stored[1]])
    expect_equal("ids", ids(await probe.list(thread.at(generate_checkpoint()["id"]))), [])


@case(Capability.LIST)
async def list_ordering(probe: Probe) -> None:
    """The greatest id comes first, in whatever order they were put."""
    thread = Thread(probe)
    made = [generate_checkpoint()["id"] for _ in range(5)]
    for number in (2, 0, 4, 1, 3):
        await thread.put(id=made[number])
    expect_equal("ids", await thread.listed(), made[::-1])


@case(Capability.LIST)
async def list_before(probe: Probe) -> None:
    """`before` lists strictly smaller ids, whether or not such a checkpoint exists."""
    thread = Thread(probe)
    stored = await thread.steps(3)
    await thread.namespace("child").steps(1)
    expect_equal("ids", await thread.listed(before=thread.at(stored[2])), [stored[1], stored[0]])
    expect_equal("before the first", await thread.listed(before=thread.at(stored[0])), [])
    later = generate_checkpoint()["id"]
    expect_equal("before one to come", await thread.listed(before=thread.at(later)), stored[::-1])


@case(Capability.LIST)
async def list_before_without_id(probe: Probe) -> None:
    """A `before` that names no checkpoint restricts nothing."""
    thread = Thread(probe)
    stored = await thread.steps(2)
    expect_equal("ids", await thread.listed(before=thread.at()), stored[::-1])


@case(Capability.LIST)
async def list_limit(probe: Probe) -> None:
    """`limit` lists the newest so many; a large one lists all."""
    thread = Thread(probe)
    stored = await thread.steps(3)
    expect_equal("limit 1", await thread.listed(limit=1), [stored[2]])
    expect_equal("limit 2", await thread.listed(limit=2), [stored[2], stored[1]])
    expect_equal("limit 100", await thread.listed(limit=100), stored[::-1])


@case(Capability.LIST)
async def list_limit_zero(probe: Probe) -> None:
    """`limit=0` lists nothing."""
    thread = Thread(probe)
    await thread.steps(2)
    expect_equal("ids", await thread.listed(limit=0), [])


@case(Capability.LIST)
async def list_limit_negative(probe: Probe) -> None:
    """A negative limit is a `ValueError`."""
    thread = Thread(probe)
    await thread.steps(2)
    with expect_error("list with limit=-1", ValueError):
        await thread.listed(limit=-1)


@case(Capability.LIST)
async def list_limit_plus_before(probe: Probe) -> None:
    """`limit` counts from `before` on."""
    thread = Thread(probe)
    stored = await thread.steps(4)
    expect_equal("ids", await thread.listed(before=thread.at(stored[3]), limit=2), [stored[2], stored[1]])


@case(Capability.LIST)
async def list_limit_counts_after_filter(probe: Probe) -> None:
    """The filter comes before the limit: checkpoints that do not match are not counted."""
    thread = Thread(probe)
    kept = await thread.steps(2, kind="kept")
    await thread.steps(3, kind="other")
    expect_equal("ids", await thread.listed(filter={"kind": "kept"}, limit=1), [kept[1]])


@case(Capability.LIST)
async def list_metadata_filter_single_key(probe: Probe) -> None:
    """A filter lists the checkpoints whose metadata has that value."""
    thread = Thread(probe)
    (inp,) = await thread.steps(1, source="input")
    loops = await thread.steps(2, source="loop")
    expect_equal("input", await thread.listed(filter={"source": "input"}), [inp])
    expect_equal("loop", await thread.listed(filter={"source": "loop"}), loops[::-1])


@case(Capability.LIST)
async def list_metadata_filter_step(probe: Probe) -> None:
    """A filter works on numbers, zero and negative ones too."""
    thread = Thread(probe)
    steps = {step: id_of(await thread.put(step=step)) for step in (-1, 0, 1, 10)}
    for step, checkpoint_id in steps.items():
        expect_equal(f"step {step}", await thread.listed(filter={"step": step}), [checkpoint_id])


@case(Capability.LIST)
async def list_metadata_filter_multiple_keys(probe: Probe) -> None:
    """All keys of a filter must match; an empty filter matches everything."""
    thread = Thread(probe)
    one, two = await thread.steps(2, source="loop")
    expect_equal("both", await thread.listed(filter={"source": "loop", "step": 1}), [two])
    expect_equal("one of two", await thread.listed(filter={"source": "input", "step": 1}), [])
    expect_equal("empty", await thread.listed(filter={}), [two, one])


@case(Capability.LIST)
async def list_metadata_filter_no_match(probe: Probe) -> None:
    """A value that no checkpoint has lists nothing."""
    thread = Thread(probe)
    await thread.steps(2)
    expect_equal("ids", await thread.listed(filter={"source": "fork"}), [])


@case(Capability.LIST)
async def list_metadata_filter_unknown_key(probe: Probe) -> None:
    """A key that a checkpoint lacks matches nothing, also with the value `None`."""
    thread = Thread(probe)
    await thread.steps(1)
    expect_equal("value", await thread.listed(filter={"unknown": 1}), [])
    expect_equal("None", await thread.listed(filter={"unknown": None}), [])


@case(Capability.LIST)
async def list_metadata_custom_keys(probe: Probe) -> None:
    """A filter works on keys of the caller's own, and values with any text."""
    thread = Thread(probe)
    texts = ["plain", "it's", 'say "hi"', "100%_", "a\\b", "grüße 🙂", "", "null", "{}"]
    stored = {text: id_of(await thread.put(note=text)) for text in texts}
    for text, checkpoint_id in stored.items():
        expect_equal(f"note {text!r}", await thread.listed(filter={"note": text}), [checkpoint_id])


async def _expect_matches(probe: Probe, stored: Any, wanted: Any, matches: bool) -> None:
    thread = Thread(probe)
    checkpoint_id = id_of(await thread.put(key=stored))
    found = await thread.listed(filter={"key": wanted})
    expect_equal(f"stored {stored!r}, filtered by {wanted!r}", found, [checkpoint_id] if matches else [])


@case(Capability.LIST)
async def list_metadata_filter_number_or_text(probe: Probe) -> None:
    """`2` is not `"2"`."""
    await _expect_matches(probe, 2, 2, True)
    await _expect_matches(probe, "2", "2", True)
    await _expect_matches(probe, 2, "2", False)
    await _expect_matches(probe, "2", 2, False)


@case(Capability.LIST)
async def list_metadata_filter_bool_or_number(probe: Probe) -> None:
    """`True` is not `1`, `False` is not `0`, and neither is text."""
    for value, number, text in ((True, 1, "true"), (False, 0, "false")):
        await _expect_matches(probe, value, value, True)
        await _expect_matches(probe, value, number, False)
        await _expect_matches(probe, number, value, False)
        await _expect_matches(probe, value, text, False)
        await _expect_matches(probe, text, value, False)


@case(Capability.LIST)
async def list_metadata_filter_none(probe: Probe) -> None:
    """`None` matches a stored `None`, and nothing else."""
    await _expect_matches(probe, None, None, True)
    await _expect_matches(probe, None, "null", False)
    await _expect_matches(probe, None, "None", False)
    nothings: tuple[Any, ...] = (0, "", False, [], "null")
    for value in nothings:
        await _expect_matches(probe, value, None, False)


@case(Capability.LIST)
async def list_metadata_filter_float(probe: Probe) -> None:
    """Numbers are compared exactly, however large or small."""
    for value in (0.1, 1e-9, 1e300, -2.5, 2**53 + 1):
        await _expect_matches(probe, value, value, True)
    await _expect_matches(probe, 2**53 + 1, 2**53, False)
    await _expect_matches(probe, 0.1, 0.2, False)


@case(Capability.LIST)
async def list_metadata_filter_nested(probe: Probe) -> None:
    """A dict or list matches only an equal one, in the type of each part, in any order of keys."""
    await _expect_matches(probe, {"a": 1, "b": [2, {"c": None}]}, {"b": [2, {"c": None}], "a": 1}, True)
    await _expect_matches(probe, {"a": 1, "b": 2}, {"a": 1}, False)
    await _expect_matches(probe, {"a": 1}, {"a": 1, "b": 2}, False)
    await _expect_matches(probe, {"a": 1}, {"a": True}, False)
    await _expect_matches(probe, {"a": 1}, {"a": "1"}, False)
    await _expect_matches(probe, [1, 2], [1, 2], True)
    await _expect_matches(probe, [1, 2], [2, 1], False)
    await _expect_matches(probe, [1, 2], [1], False)
    await _expect_matches(probe, [1], 1, False)
    await _expect_matches(probe, {}, {}, True)
    await _expect_matches(probe, {"a": 1}, {}, False)
    await _expect_matches(probe, [], {}, False)


@case(Capability.LIST)
async def list_metadata_filter_odd_keys(probe: Probe) -> None:
    """A key is a name, not a path or a pattern, whatever is in it."""
    keys = ["a.b", "a b", "it's", 'say "hi"', "$", "$.a", "a[0]", "#-1", "100%", "a\\b", "grüße 🙂", "", "*"]
    for key in keys:
        thread = Thread(probe)
        checkpoint_id = id_of(await thread.put(metadata={key: "value", "a": {"b": "inner"}}))
        expect_equal(f"key {key!r}", await thread.listed(filter={key: "value"}), [checkpoint_id])
        expect_equal(f"key {key!r}, other value", await thread.listed(filter={key: "inner"}), [])


@case(Capability.LIST)
async def list_metadata_filter_nul(probe: Probe) -> None:
    """A filter with a NUL is answered: it matches no text or key without it."""
    thread = Thread(probe)
    await thread.put(key="value")
    expect_equal("NUL in the value", await thread.listed(filter={"key": "value\0"}), [])
    expect_equal("NUL in the key", await thread.listed(filter={"key\0": "value"}), [])


@case(Capability.LIST)
async def list_combined_thread_and_filter(probe: Probe) -> None:
    """Thread, namespace, filter, `before` and `limit` all apply together."""
    thread = Thread(probe)
    stored = [id_of(await thread.put(kind="even" if n % 2 == 0 else "odd")) for n in range(8)]
    for other in (Thread(probe), thread.namespace("child")):
        await other.steps(2, kind="even")
    found = await thread.listed(filter={"kind": "even"}, before=thread.at(stored[6]), limit=2)
    expect_equal("ids", found, [stored[4], stored[2]])


@case(Capability.LIST)
async def list_empty_result(probe: Probe) -> None:
    """An unknown thread lists nothing."""
    expect_equal("ids", await Thread(probe).listed(), [])


@case(Capability.LIST)
async def list_includes_pending_writes(probe: Probe) -> None:
    """Each checkpoint comes with its own pending writes, in their order."""
    thread = Thread(probe)
    await thread.put()
    await thread.write(("a", 2), task="t1", path="p2")
    await thread.write(("a", 1), task="t2", path="p1")
    await thread.put()
    expect_equal(
        "writes",
        [t.pending_writes or [] for t in await probe.list(thread.at())],
        [[], [("t2", "a", 1), ("t1", "a", 2)]],
    )


@case(Capability.LIST)
async def list_equals_get_tuple(probe: Probe) -> None:
    """What is listed is what `get_tuple` returns for its config."""
    thread = Thread(probe, ns="child")
    one = thread.version()
    two = thread.version()
    await thread.put({"a": [1], "b": {"x": 1}}, versions={"a": one, "b": one})
    await thread.write(("a", 2))
    await thread.put({"a": [1, 2], "b": {"x": 1}}, versions={"a": two, "b": one}, new={"a": two}, step=1)
    for listed in await probe.list(thread.anywhere):
        got = await thread.get(listed.config)
        expect_equal("checkpoint", listed.checkpoint, got.checkpoint)
        expect_equal("metadata", listed.metadata, got.metadata)
        expect_equal("parent", id_of(listed.parent_config), id_of(got.parent_config))
        expect_equal("writes", listed.pending_writes or [], got.pending_writes or [])


@case(Capability.LIST)
async def list_is_callers_own(probe: Probe) -> None:
    """What is listed belongs to the caller: changing it changes nothing that is stored."""
    thread = Thread(probe)
    await thread.put({"a": ["stored"]}, tags=["stored"])
    for found in await probe.list(thread.at()):
        found.checkpoint["channel_values"]["a"].append("changed")
        cast("dict[str, Any]", found.metadata)["tags"].append("changed")
    (again,) = await probe.list(thread.at())
    expect_equal("values", again.checkpoint["channel_values"], {"a": ["stored"]})
    expect_equal("tags", cast("dict[str, Any]", again.metadata).get("tags"), ["stored"])


@case(Capability.LIST)
async def list_while_writing(probe: Probe) -> None:
    """While the caller looks at an item, others read and write; nothing comes twice or is lost."""
    thread = Thread(probe)
    stored = await thread.steps(5)
    seen: list[str] = []
    async with aclosing(probe.iterate(thread.at())) as found:
        async for item in found:
            seen.append(id_of(item.config))
            await thread.put(step=len(seen))
            await thread.write(("a", 1), at=item.config)
            await thread.get(item.config)
    expect_equal("ids that were there before", [one for one in seen if one in stored], stored[::-1])
    expect_equal("ids afterwards", len(await thread.listed()), 10)


@case(Capability.LIST)
async def list_left_early(probe: Probe) -> None:
    """A listing that is left after one item holds nothing: the saver goes on."""
    thread = Thread(probe)
    await thread.steps(3)
    async with aclosing(probe.iterate(thread.at())) as found:
        await found.__anext__()
    await thread.put()
    expect_equal("number listed", len(await thread.listed()), 4)


@case(Capability.LIST)
async def list_needs_thread_id(probe: Probe) -> None:
    """A config without thread id is a `KeyError` or `ValueError`; only no config means all threads."""
    with expect_error("list without thread_id", KeyError, ValueError):
        await probe.list({"configurable": {"checkpoint_ns": ""}})
