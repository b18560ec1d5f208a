"""The functional API: an entrypoint whose tasks are stored one by one."""

from collections import Counter

import pytest

from langgraph.func import entrypoint, task
from langgraph.types import Command, interrupt

pytestmark = pytest.mark.usefixtures("interrupts")


class Broken(RuntimeError):
    """What the failing task fails with."""


def workflow(saver, ran, *, broken=()):
    @task
    def double(number):
        ran.append(number)
        if number in broken:
            raise Broken(number)
        return number * 2

    @entrypoint(checkpointer=saver)
    def work(numbers):
        doubled = [double(number).result() for number in numbers]
        return {"doubled": doubled, "answer": interrupt(doubled)}

    return work


async def test_tasks_that_finished_before_an_interrupt_are_not_run_again(engine, config, ran):
    """The workflow starts anew on resume and gets the stored results."""
    stopped = await engine.invoke(workflow(engine.saver, ran), [1, 2, 3], config)
    assert [asked.value for asked in stopped["__interrupt__"]] == [[2, 4, 6]]
    await engine.reopen()
    done = await engine.invoke(workflow(engine.saver, ran), Command(resume="ok"), config)
    assert done == {"doubled": [2, 4, 6], "answer": "ok"}
    assert Counter(ran) == {1: 1, 2: 1, 3: 1}


async def test_failed_task_alone_is_run_again(engine, config, ran):
    """A run that failed in its last task goes on with what the earlier ones returned."""
    with pytest.raises(Broken):
        await engine.invoke(workflow(engine.saver, ran, broken=[3]), [1, 2, 3], config, durability="sync")
    assert sorted(ran) == [1, 2, 3]
    await engine.reopen()
    stopped = await engine.invoke(workflow(engine.saver, ran), None, config)
    assert [asked.value for asked in stopped["__interrupt__"]] == [[2, 4, 6]]
    assert Counter(ran) == {1: 1, 2: 1, 3: 2}


async def test_previous_value_reaches_the_next_run(engine, config):
    """`entrypoint.final` saves another value than it returns, and the next run gets that."""

    def total(saver):
        @entrypoint(checkpointer=saver)
        def add(number: int, *, previous: int | None = None) -> entrypoint.final[str, int]:
            value = (previous or 0) + number
            return entrypoint.final(value=f"total {value}", save=value)

        return add

    told = []
    for number in (1, 2, 3):
        told.append(await engine.invoke(total(engine.saver), number, config))
        await engine.reopen()
    assert told == ["total 1", "total 3", "total 6"]
