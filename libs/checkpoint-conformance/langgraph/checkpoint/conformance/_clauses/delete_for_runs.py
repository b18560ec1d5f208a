"""Clauses on `delete_for_runs`: a run's checkpoints go, and the line closes behind them."""

from __future__ import annotations

from uuid import uuid4

from langgraph.checkpoint.conformance._expect import expect_equal
from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance._registry import case
from langgraph.checkpoint.conformance._thread import Thread, id_of
from langgraph.checkpoint.conformance.capabilities import Capability


def _run() -> str:
    return str(uuid4())


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_single(probe: Probe) -> None:
    """The checkpoints whose metadata carries the run id go."""
    thread, run = Thread(probe), _run()
    first, _ = await thread.steps(2, run_id=run)
    await probe.delete_for_runs([run])
    await thread.missing()
    await thread.missing(thread.at(first))


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_multiple(probe: Probe) -> None:
    """Several runs go in one call, in several threads."""
    one, other = Thread(probe), Thread(probe)
    runs = [_run(), _run()]
    for run in runs:
        await one.put(run_id=run)
        await other.put(run_id=run)
    await probe.delete_for_runs(runs)
    await one.missing()
    await other.missing()


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_preserves_other_runs(probe: Probe) -> None:
    """Checkpoints of other runs and of none stay, with their writes."""
    thread, run = Thread(probe), _run()
    await thread.put({"a": 1}, run_id=_run())
    await thread.write(("a", 1))
    await thread.put({"b": 2})
    kept = await thread.dump()
    await thread.put(run_id=run)
    await probe.delete_for_runs([run])
    expect_equal("the thread", await thread.dump(), kept)


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_matches_whole_id(probe: Probe) -> None:
    """A run id is compared whole, and only with `run_id`."""
    thread, run = Thread(probe), _run()
    (kept,) = await thread.steps(1, run_id=run + "0", note=run, nested={"run_id": run})
    await probe.delete_for_runs([run, "%"])
    expect_equal("ids", await thread.listed(), [kept])


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_removes_writes(probe: Probe) -> None:
    """Writes of a removed checkpoint go too."""
    thread, run = Thread(probe), _run()
    stored = await thread.put(run_id=run)
    await thread.write(("a", 1))
    await probe.delete_for_runs([run])
    await thread.put(parent=thread.at(), id=id_of(stored))
    expect_equal("writes", await thread.writes(), [])


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_relinks_parents(probe: Probe) -> None:
    """A checkpoint that followed removed ones gets its nearest remaining ancestor as parent, or none."""
    thread, run = Thread(probe), _run()
    await thread.put(run_id=run)
    first = await thread.put()
    await thread.steps(2, run_id=run)
    second = await thread.put()
    await probe.delete_for_runs([run])
    expect_equal("ids", await thread.listed(), [id_of(second), id_of(first)])
    expect_equal("second's parent", id_of((await thread.get(second)).parent_config), id_of(first))
    expect_equal("first's parent", (await thread.get(first)).parent_config, None)


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_keeps_shared_channels(probe: Probe) -> None:
    """A value that a removed checkpoint stored stays for those that refer to its version."""
    thread, run = Thread(probe), _run()
    one = thread.version()
    two = thread.version()
    await thread.put({"a": [1], "b": [1]}, versions={"a": one, "b": one}, run_id=run)
    await thread.put({"a": [1], "b": [2]}, versions={"a": one, "b": two}, new={"b": two})
    await probe.delete_for_runs([run])
    expect_equal("values", await thread.values(), {"a": [1], "b": [2]})


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_keeps_delta_history(probe: Probe) -> None:
    """A remaining checkpoint replays its delta channels from the same seed and writes."""
    thread, run = Thread(probe), _run()
    await thread.delta_steps(0, 1)
    await thread.delta_steps(2, run_id=run)
    await thread.delta_steps(3)
    before = await probe.delta_history(thread.head, "d")
    await probe.delete_for_runs([run])
    expect_equal("history", await probe.delta_history(thread.head, "d"), before)


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_empty_list_noop(probe: Probe) -> None:
    """Without run ids nothing happens."""
    thread = Thread(probe)
    await thread.steps(2)
    before = await thread.dump()
    await probe.delete_for_runs([])
    expect_equal("the thread", await thread.dump(), before)


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_nonexistent_noop(probe: Probe) -> None:
    """An unknown run is no error."""
    thread = Thread(probe)
    await thread.steps(2, run_id=_run())
    before = await thread.dump()
    await probe.delete_for_runs([_run()])
    expect_equal("the thread", await thread.dump(), before)


@case(Capability.DELETE_FOR_RUNS)
async def delete_for_runs_across_namespaces(probe: Probe) -> None:
    """A run's checkpoints go in all namespaces."""
    root, run = Thread(probe), _run()
    child = root.namespace("child")
    for thread in (root, child):
        await thread.put(run_id=run)
    kept = id_of(await child.put())
    await probe.delete_for_runs([run])
    await root.missing()
    expect_equal("ids in the child", await child.listed(), [kept])
