"""`AsyncBatchedBaseStore`: calls made in one turn of the event loop reach the backend as one batch.

A call puts its operation and a future on a queue and awaits the future. A task, one for each store, takes all
that is on the queue and hands it to `abatch`. The task knows the store by a weak reference while it waits, so
a store that nobody uses any more is collected, and its task with it.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Coroutine, Iterable
from functools import partial
from typing import Any, TypeVar

from langgraph.checkpoint.errors import WrongThreadError
from langgraph.store.base._distinct import distinct, own
from langgraph.store.base._ops import Op, Result
from langgraph.store.base._store import BaseStore

_T = TypeVar("_T")
_Request = tuple["asyncio.Future[Result]", Op]


class _OwnLoopError(WrongThreadError, asyncio.InvalidStateError):
    """A store's synchronous method was called on its own event loop; what the release raises, too."""


class AsyncBatchedBaseStore(BaseStore):
    """A store whose asynchronous calls are gathered into batches. A backend implements `abatch`.

    Make it where its event loop runs; its asynchronous methods belong to that loop. The synchronous ones are
    for other threads, and raise on that loop, which they would block for ever. Cancelling a call takes its
    operation out of the batch if that has not begun, and disturbs no other. An error of `abatch` goes to
    every call in it.
    """

    __slots__ = ("_aqueue", "_arrived", "_loop", "_task")

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._aqueue: deque[_Request] = deque()
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ensure_task()

    def __del__(self) -> None:
        # Subclasses may fail before they come to our `__init__`. Collection may happen in any thread.
        task, loop = getattr(self, "_task", None), getattr(self, "_loop", None)
        if task is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    def _ensure_task(self) -> None:
        """Start the task, also again after somebody has cancelled it."""
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(_run(self._aqueue, self._arrived, weakref.ref(self)))
            self._task.add_done_callback(partial(_resume, weakref.ref(self)))
            # It waits for ever by design: a loop that is closed under it is no reason for a warning.
            self._task._log_destroy_pending = False  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue] — as `asyncio.gather` does

    async def _aperform_op(self, op: Op) -> Any:
        self._ensure_task()
        future: asyncio.Future[Result] = self._loop.create_future()
        self._aqueue.append((future, op))
        self._arrived.set()
        return await future

    def _perform_op(self, op: Op) -> Any:
        return self._from_other_thread(self._aperform_op(op))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Perform several operations as one, from another thread than the loop's.

        Args:
            ops: the operations.

        Returns:
            A result for each, in order.

        Raises:
            WrongThreadError: if called on the store's own event loop.
        """
        return self._from_other_thread(self.abatch(ops))

    def _from_other_thread(self, call: Coroutine[Any, Any, _T]) -> _T:
        if _running_loop() is self._loop:
            call.close()
            raise _OwnLoopError(
                f"A synchronous method of {type(self).__name__} was called on the store's own event loop, "
                "which it would block for ever. Await the asynchronous one instead: `aget` for `get`, "
                "`aput` for `put`, and so on."
            )
        return asyncio.run_coroutine_threadsafe(call, self._loop).result()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _resume(store: weakref.ReferenceType[AsyncBatchedBaseStore], _task: asyncio.Task[None]) -> None:
    """Go on with what came onto the queue while the task was being cancelled."""
    alive = store()
    if alive is not None and alive._aqueue:  # pyright: ignore[reportPrivateUsage] — of this module
        alive._ensure_task()  # pyright: ignore[reportPrivateUsage] — of this module


async def _run(aqueue: deque[_Request], arrived: asyncio.Event, store: weakref.ReferenceType[BaseStore]) -> None:
    """Perform what is on the queue, batch by batch, until the task is cancelled."""
    while True:
        # Not an `asyncio.Queue`: destroyed while it waits on a loop that is closed, it complains.
        await arrived.wait()
        arrived.clear()
        # Those whose callers have been cancelled are not worth doing.
        waiting = [request for request in aqueue if not request[0].done()]
        aqueue.clear()
        alive = store()
        if alive is not None and waiting:
            await _perform(alive, waiting)
        del alive, waiting  # nothing here may keep the store while this waits


async def _perform(store: BaseStore, requests: list[_Request]) -> None:
    futures = [future for future, _ in requests]
    ops, places = distinct([op for _, op in requests])
    try:
        results = list(own(await store.abatch(ops), places))
    except asyncio.CancelledError:
        for future in futures:
            future.cancel()
        raise
    except Exception as error:
        for future in futures:
            if not future.done():
                future.set_exception(error)
        return
    for future, result in zip(futures, results, strict=True):
        if not future.done():
            future.set_result(result)
