"""Sync calls from a coroutine, in a thread that nobody waits for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")


async def in_thread(call: Callable[[], _T]) -> _T:
    """Run `call` in a new daemon thread and wait for it.

    `asyncio.to_thread` would do but for savers that deadlock: the threads of a pool are joined when the loop
    and the interpreter end, so one stuck call would hang the whole run instead of failing its clause.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_T] = loop.create_future()

    def settle(setter: Callable[[Any], None], outcome: object) -> None:
        if not done.done():  # cancelled: the clause ran out of time
            setter(outcome)

    def report(setter: Callable[[Any], None], outcome: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, nobody waits any more
            loop.call_soon_threadsafe(settle, setter, outcome)

    def work() -> None:
        try:
            result = call()
        except BaseException as error:  # whatever it is, it is the caller's
            report(done.set_exception, error)
        else:
            report(done.set_result, result)

    Thread(target=copy_context().run, args=(work,), daemon=True).start()
    return await done
