"""Time travel: running on from an old checkpoint, and branching off one, with both branches intact."""

import operator
from typing import Annotated, TypedDict

from langgraph.graph import START, StateGraph


class Log(TypedDict, total=False):
    log: Annotated[list, operator.add]
    word: str


def chain(ran, *names):
    """Nodes in a row; each adds its name and the word to the log."""

    def node(name):
        def run(state):
            ran.append(name)
            return {"log": [f"{name}:{state['word']}"]}

        return run

    graph = StateGraph(Log)
    for before, name in zip((START, *names), names, strict=False):
        graph.add_node(name, node(name))
        graph.add_edge(before, name)
    return graph


async def test_history_is_the_line_of_parents_newest_first(engine, config, ran):
    """Each state's parent is the next one; the first has none; steps count down to -1."""
    app = chain(ran, "a", "b", "c").compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": [], "word": "x"}, config)
    history = await engine.history(app, config)
    assert [state.metadata["step"] for state in history] == [3, 2, 1, 0, -1]
    assert [state.next for state in history] == [(), ("c",), ("b",), ("a",), ("__start__",)]
    assert [state.parent_config for state in history[:-1]] == [state.config for state in history[1:]]
    assert history[-1].parent_config is None
    limited = await engine.history(app, config, limit=2, before=history[1].config)
    assert [state.config for state in limited] == [state.config for state in history[2:4]]
    assert [s.config for s in await engine.history(app, config, filter={"step": 1})] == [history[2].config]


async def test_fork_leaves_both_branches_readable_and_runnable(engine, config, ran):
    """The fork runs on with its change; the first branch still reads, replays and runs as it was."""
    app = chain(ran, "a", "b", "c").compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": [], "word": "x"}, config)
    history = await engine.history(app, config)
    after_a = next(state for state in history if state.next == ("b",))

    fork = await engine.update_state(app, after_a.config, {"word": "y"})
    await engine.reopen()
    app = chain(ran, "a", "b", "c").compile(checkpointer=engine.saver)
    forked = await engine.get_state(app, fork)
    assert (forked.metadata["source"], forked.next) == ("update", ("b",))
    assert forked.parent_config == after_a.config
    ran.clear()
    done = await engine.invoke(app, None, fork)
    assert done == {"log": ["a:x", "b:y", "c:y"], "word": "y"}
    assert ran == ["b", "c"]

    first = await engine.get_state(app, history[0].config)
    assert first.values == {"log": ["a:x", "b:x", "c:x"], "word": "x"}
    assert (await engine.get_state(app, config)).values == done
    both = await engine.history(app, config)
    assert [state.config for state in both[-len(history) :]] == [state.config for state in history]
    assert [state.values for state in both[-len(history) :]] == [state.values for state in history]
    assert [state.values["log"] for state in both[: -len(history)]] == [
        ["a:x", "b:y", "c:y"],
        ["a:x", "b:y"],
        ["a:x"],
    ]

    ran.clear()
    again = await engine.invoke(app, None, after_a.config)
    assert again == first.values
    assert ran == ["b", "c"]
    assert (await engine.get_state(app, fork)).values["word"] == "y"


async def test_forks_of_one_checkpoint_do_not_mix(engine, config, ran):
    """Ten branches from one place each keep their own values, though their versions have equal numbers."""
    app = chain(ran, "a", "b").compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": [], "word": "x"}, config)
    after_a = next(state for state in await engine.history(app, config) if state.next == ("b",))
    ends = []
    for number in range(10):
        fork = await engine.update_state(app, after_a.config, {"word": str(number)})
        await engine.invoke(app, None, fork)
        ends.append((await engine.get_state(app, config)).config)
    logs = [(await engine.get_state(app, end)).values["log"] for end in ends]
    assert logs == [["a:x", f"b:{number}"] for number in range(10)]


async def test_replay_from_an_old_checkpoint_runs_what_came_after_it(engine, config, ran):
    """`invoke(None, old)` runs the later nodes again, on a branch of its own."""
    app = chain(ran, "a", "b", "c").compile(checkpointer=engine.saver)
    await engine.invoke(app, {"log": [], "word": "x"}, config)
    history = await engine.history(app, config)
    ran.clear()
    done = await engine.invoke(app, None, history[1].config)
    assert ran == ["c"]
    assert done["log"] == ["a:x", "b:x", "c:x"]
    newest = await engine.get_state(app, config)
    assert newest.config != history[0].config
    assert (await engine.get_state(app, history[0].config)).values == done


async def test_update_as_a_node_and_an_update_of_an_empty_thread(engine, config, ran):
    """A state can be written before any run, as if a node had returned it."""
    app = chain(ran, "a", "b").compile(checkpointer=engine.saver)
    written = await engine.update_state(app, config, {"log": ["by hand"], "word": "z"}, as_node="a")
    assert (await engine.get_state(app, written)).next == ("b",)
    done = await engine.invoke(app, None, config)
    assert done["log"] == ["by hand", "b:z"]
    assert ran == ["b"]


async def test_new_input_goes_on_from_a_finished_thread(engine, config, ran):
    """A second run of a thread starts from the state of the first, and its history holds both."""
    app = chain(ran, "a").compile(checkpointer=engine.saver)
    for word in ("x", "y", "z"):
        await engine.invoke(app, {"word": word}, config)
        await engine.reopen()
        app = chain(ran, "a").compile(checkpointer=engine.saver)
    state = await engine.get_state(app, config)
    assert state.values == {"log": ["a:x", "a:y", "a:z"], "word": "z"}
    assert len(await engine.history(app, config)) == 9


async def test_threads_do_not_see_each_other(engine, ran):
    """Equal namespaces and steps in two threads are two different places; ids may be numbers."""
    app = chain(ran, "a").compile(checkpointer=engine.saver)
    for thread in (1, 2):
        await engine.invoke(app, {"word": str(thread)}, {"configurable": {"thread_id": thread}})
    for thread in ("1", "2"):
        state = await engine.get_state(app, {"configurable": {"thread_id": thread}})
        assert state.values["log"] == [f"a:{thread}"]
