"""`AsyncBatchedBaseStore`: one batch for the calls of one turn of the event loop."""

import asyncio
import gc
import logging
import weakref
from collections.abc import Iterable
from typing import Any

import pytest

from langgraph.checkpoint.errors import WrongThreadError
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, Op, PutOp, Result, SearchOp
from langgraph.store.base.batch import AsyncBatchedBaseStore
from langgraph.store.memory import InMemoryStore

N = ("n",)


class Batched(AsyncBatchedBaseStore):
    """Keeps its items in memory and remembers its batches; with a gate, a batch waits until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = InMemoryStore()
        self.batches: list[list[Op]] = []
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        ops = list(ops)
        self.batches.append(ops)
        self.begun.set()
        await self.gate.wait()
        if self.error:
            raise self.error
        return await self.kept.abatch(ops)


async def test_calls_of_one_turn_are_one_batch_and_each_gets_its_result() -> None:
    """Equal reads are done once, of several puts to an address the last counts, reads see what was before."""
    store = Batched()
    await store.aput(N, "old", {"v": 0})
    store.batches.clear()
    results = await asyncio.gather(
        store.aput(N, "k", {"v": 1}),
        store.aget(N, "old"),
        store.aget(N, "k"),
        store.aput(N, "k", {"v": 2}),
        store.aget(N, "old"),
        store.alist_namespaces(),
    )
    assert store.batches == [[PutOp(N, "k", {"v": 2}), GetOp(N, "old"), GetOp(N, "k"), ListNamespacesOp(())]]
    assert results[0] is results[2] is results[3] is None
    assert results[1] == results[4]
    assert results[5] == [N]
    assert (await store.asearch(N, filter={"v": 2}))[0].key == "k"


async def test_callers_who_ask_the_same_do_not_share_the_answer() -> None:
    """What one does to its item the other does not see."""
    store = Batched()
    await store.aput(N, "k", {"v": []})
    one, other = await asyncio.gather(store.aget(N, "k"), store.aget(N, "k"))
    assert len(store.batches) == 2
    assert one is not None
    assert other is not None
    one.value["v"].append(1)
    assert other.value == {"v": []}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"filter": {"x": 1}}, {"filter": {"x": True}}),
        ({"filter": {"x": 1}}, {"filter": {"x": [1]}}),
        ({"limit": 1}, {"limit": 2}),
        ({"refresh_ttl": True}, {"refresh_ttl": False}),
        ({"filter": {"x": bytearray()}}, {"filter": {"x": bytearray()}}),
    ],
)
async def test_reads_that_ask_differently_are_kept_apart(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Also where Python takes the two for equal; what can not be compared is not merged."""
    store = Batched()
    await asyncio.gather(store.asearch(N, **one), store.asearch(N, **other))
    assert len(store.batches[0]) == 2


async def test_equal_searches_are_merged_whatever_the_order_of_their_filter() -> None:
    """A filter is a set of conditions."""
    store = Batched()
    await asyncio.gather(store.asearch(N, filter={"x": 1, "y": [2]}), store.asearch(N, filter={"y": [2], "x": 1}))
    assert store.batches == [[SearchOp(N, {"x": 1, "y": [2]})]]


async def test_an_error_reaches_every_call_of_its_batch_and_no_other() -> None:
    """The next batch is done as if nothing had been."""
    store = Batched()
    store.error = RuntimeError("down")
    results = await asyncio.gather(store.aget(N, "k"), store.aput(N, "k", {}), return_exceptions=True)
    assert list(results) == [store.error, store.error]
    store.error = None
    await store.aput(N, "k", {})
    assert await store.aget(N, "k") is not None


async def test_too_few_results_are_an_error_and_not_a_hang() -> None:
    """A backend's mistake is shown to its callers."""

    class Forgetful(Batched):
        async def abatch(self, ops: Iterable[Op]) -> list[Result]:
            return []

    with pytest.raises(IndexError):
        await asyncio.wait_for(Forgetful().aget(N, "k"), 5)


async def test_a_cancelled_call_is_left_out_and_disturbs_no_other() -> None:
    """Those before it and beside it go on."""
    store = Batched()
    store.gate.clear()
    first = asyncio.create_task(store.aput(N, "1", {}))
    await store.begun.wait()
    second = asyncio.create_task(store.aput(N, "2", {}))
    third = asyncio.create_task(store.aput(N, "3", {}))
    await asyncio.sleep(0)
    second.cancel()
    first_again = asyncio.create_task(store.aget(N, "1"))
    await asyncio.sleep(0)
    store.gate.set()
    await asyncio.gather(first, third, first_again)
    assert second.cancelled()
    assert store.batches == [[PutOp(N, "1", {})], [PutOp(N, "3", {}), GetOp(N, "1")]]


async def test_a_call_cancelled_in_its_batch_disturbs_no_other() -> None:
    """The batch goes on, and the others get their results."""
    store = Batched()
    store.gate.clear()
    one, other = asyncio.create_task(store.aput(N, "1", {})), asyncio.create_task(store.aget(N, "2"))
    await store.begun.wait()
    one.cancel()
    store.gate.set()
    assert await other is None
    assert one.cancelled()


async def test_the_task_waits_while_nothing_is_asked_and_starts_again_if_cancelled() -> None:
    """Third parties look at it and cancel it when they close."""
    store = Batched()
    await store.aput(N, "k", {})
    task = store._task
    assert task is not None
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.aget(N, "k") is not None
    assert store._task is not task


async def test_a_call_made_while_the_task_is_being_cancelled_is_answered() -> None:
    """It is on the queue of a task that will never look at it again."""
    store = Batched()
    await store.aput(N, "k", {})
    assert store._task is not None
    call = asyncio.create_task(store.aget(N, "k"))
    store._task.cancel()
    assert await asyncio.wait_for(call, 5) is not None


async def test_cancelling_the_task_in_a_batch_cancels_its_calls() -> None:
    """Whether it was done is not known; nobody waits for ever."""
    store = Batched()
    store.gate.clear()
    call = asyncio.create_task(store.aput(N, "k", {}))
    await store.begun.wait()
    assert store._task is not None
    store._task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


SYNC_CALLS: list[Any] = [
    lambda store: store.get(N, "k"),
    lambda store: store.search(N),
    lambda store: store.put(N, "k", {}),
    lambda store: store.delete(N, "k"),
    lambda store: store.list_namespaces(),
    lambda store: store.batch([GetOp(N, "k")]),
]


@pytest.mark.parametrize("call", SYNC_CALLS)
async def test_a_synchronous_call_works_from_another_thread_and_raises_on_the_own_loop(call: Any) -> None:
    """There it would block for ever. The error is the release's kind, too."""
    store = Batched()
    await store.aput(N, "k", {"v": 1})
    with pytest.raises(WrongThreadError, match="Batched was called on the store's own event loop") as caught:
        call(store)
    assert isinstance(caught.value, asyncio.InvalidStateError)
    await asyncio.to_thread(call, store)


async def test_synchronous_methods_do_not_use_a_subclass_s_own_batch() -> None:
    """Some backends override it with something that works elsewhere, or raises."""

    class Own(Batched):
        def batch(self, ops: Iterable[Op]) -> list[Result]:
            raise NotImplementedError

    store = Own()
    await asyncio.to_thread(store.put, N, "k", {"v": 1})
    item = await asyncio.to_thread(store.get, N, "k")
    assert item is not None
    assert item.value == {"v": 1}


async def test_a_bad_namespace_is_refused_before_it_reaches_a_batch() -> None:
    """One caller's mistake is not another's."""
    store = Batched()
    results = await asyncio.gather(store.aget(("a.b",), "k"), store.aget(N, "k"), return_exceptions=True)
    assert isinstance(results[0], InvalidNamespaceError)
    assert results[1] is None


def test_making_one_needs_a_running_loop() -> None:
    """And what was half made is collected without a word."""
    with pytest.raises(RuntimeError, match="no running event loop"):
        Batched()
    gc.collect()


async def test_an_abandoned_store_is_collected_and_its_task_ends() -> None:
    """The task knows it only weakly while it waits."""
    store = Batched()
    await store.aput(N, "k", {})
    task, gone = store._task, weakref.ref(store)
    assert task is not None
    del store
    gc.collect()
    assert gone() is None
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5)


def test_a_loop_closed_under_a_store_gives_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Its task waits for ever by design, so that it is destroyed is no news."""

    async def use() -> Batched:
        store = Batched()
        await store.aput(N, "k", {})
        return store

    loop = asyncio.new_event_loop()
    store = loop.run_until_complete(use())
    loop.close()
    with caplog.at_level(logging.DEBUG, logger="asyncio"):
        del store, loop
        gc.collect()
    assert caplog.records == []
