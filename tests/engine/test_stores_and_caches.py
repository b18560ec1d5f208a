"""Stores and caches that are handed to the engine beside a saver."""

import operator
from typing import Annotated, TypedDict

from langgraph.cache.memory import InMemoryCache
from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import CachePolicy


class Log(TypedDict, total=False):
    log: Annotated[list, operator.add]


async def test_store_is_shared_by_threads_and_not_part_of_the_state(engine):
    """A node gets the store by its annotation; what one thread puts, another finds."""

    def note(state: Log, *, store: BaseStore):
        seen = len(store.search(("notes",)))
        store.put(("notes",), str(seen), {"text": state["log"][-1]})
        return {"log": [f"saw {seen}"]}

    graph = StateGraph(Log)
    graph.add_node("note", note)
    graph.add_edge(START, "note")
    store = InMemoryStore()
    app = graph.compile(checkpointer=engine.saver, store=store)
    logs = [
        await engine.invoke(app, {"log": [thread]}, {"configurable": {"thread_id": thread}}) for thread in "ab"
    ]
    assert [log["log"] for log in logs] == [["a", "saw 0"], ["b", "saw 1"]]
    assert store.get(("notes",), "1").value == {"text": "b"}


async def test_cached_node_is_not_run_again_in_another_thread(engine, ran):
    """The cache answers for equal input, and the saver stores the result all the same."""

    def slow(state: Log):
        ran.append(state["log"])
        return {"log": ["slow"]}

    graph = StateGraph(Log)
    graph.add_node("slow", slow, cache_policy=CachePolicy())
    graph.add_edge(START, "slow")
    app = graph.compile(checkpointer=engine.saver, cache=InMemoryCache())
    for thread, word in (("1", "x"), ("2", "x"), ("3", "y")):
        config = {"configurable": {"thread_id": thread}}
        await engine.invoke(app, {"log": [word]}, config)
        assert (await engine.get_state(app, config)).values["log"] == [word, "slow"]
    assert ran == [["x"], ["y"]]
