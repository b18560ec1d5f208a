"""The engine on our store and cache."""

from collections.abc import Callable
from typing import Any, TypedDict

from langgraph.cache.memory import InMemoryCache
from langgraph.config import get_store
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import CachePolicy


class State(TypedDict, total=False):
    number: int
    doubled: int


def remember(state: State, runtime: Runtime, *, store: BaseStore) -> None:
    assert runtime.store is get_store() is store
    store.put(("doubled",), str(state["number"]), {"is": state["doubled"]})


async def aremember(state: State, *, store: BaseStore) -> None:
    await store.aput(("doubled",), str(state["number"]), {"is": state["doubled"]})


class Graph:
    """A graph with a cached node that counts its runs, and one that writes to the store it is given."""

    def __init__(self, remembering: Callable[..., Any]) -> None:
        self.runs = 0
        self.store = InMemoryStore()
        builder = StateGraph(State)
        builder.add_node("double", self._double, cache_policy=CachePolicy(ttl=60))
        builder.add_node("remember", remembering)
        builder.add_edge(START, "double")
        builder.add_edge("double", "remember")
        builder.add_edge("remember", END)
        self.compiled = builder.compile(store=self.store, cache=InMemoryCache())

    def _double(self, state: State) -> State:
        self.runs += 1
        return {"doubled": 2 * state["number"]}


def test_a_graph_caches_a_node_and_reaches_the_store() -> None:
    """The same input runs the node once until the cache is cleared, and every run reaches the store."""
    graph = Graph(remember)
    for number, runs in [(1, 1), (1, 1), (2, 2)]:
        assert graph.compiled.invoke({"number": number}) == {"number": number, "doubled": 2 * number}
        assert graph.runs == runs
    assert {item.key: item.value for item in graph.store.search(("doubled",))} == {
        "1": {"is": 2},
        "2": {"is": 4},
    }
    graph.compiled.clear_cache()
    graph.compiled.invoke({"number": 1})
    assert graph.runs == 3


async def test_a_graph_caches_a_node_and_reaches_the_store_asynchronously() -> None:
    """Async version of the above."""
    graph = Graph(aremember)
    for number, runs in [(1, 1), (1, 1), (2, 2)]:
        assert await graph.compiled.ainvoke({"number": number}) == {"number": number, "doubled": 2 * number}
        assert graph.runs == runs
    assert [item.key for item in await graph.store.asearch(("doubled",))] == ["1", "2"]
    await graph.compiled.aclear_cache()
    await graph.compiled.ainvoke({"number": 1})
    assert graph.runs == 3
