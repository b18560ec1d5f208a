"""The graphs whose checkpoints the golden databases hold.

Deterministic but for ids and timestamps. `RUNS` counts how often each node ran in this
process, so a test can tell that a resumed run did not run finished nodes again.
"""

from __future__ import annotations

import collections
import datetime
import operator
import uuid
from typing import Annotated, Any, TypedDict

from golden_types import Address, Color, Pair, Person, Point
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, Send, interrupt

RUNS: collections.Counter[str] = collections.Counter()
FAIL = {"flaky": True}


class Chat(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    turns: int
    profile: dict[str, Any]


def answer(state: Chat) -> dict[str, Any]:
    RUNS["answer"] += 1
    n = state.get("turns", 0) + 1
    return {"messages": [AIMessage(f"reply {n}", id=f"ai-{n}")], "turns": n}


def chat(saver):
    g = StateGraph(Chat)
    g.add_node("answer", answer)
    g.add_edge(START, "answer")
    g.add_edge("answer", END)
    return g.compile(checkpointer=saver)


class Fan(TypedDict, total=False):
    items: list[int]
    squares: Annotated[list[int], operator.add]


def square(item: dict[str, int]) -> dict[str, Any]:
    RUNS["square"] += 1
    return {"squares": [item["n"] ** 2]}


def fan(saver):
    g = StateGraph(Fan)
    g.add_node("spread", lambda s: {"items": [1, 2, 3, 4]})
    g.add_node("square", square)
    g.add_node("join", lambda s: {"items": [sum(s["squares"])]})
    g.add_edge(START, "spread")
    g.add_conditional_edges("spread", lambda s: [Send("square", {"n": n}) for n in s["items"]], ["square"])
    g.add_edge("square", "join")
    g.add_edge("join", END)
    return g.compile(checkpointer=saver)


class Flow(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    said: str


def ask(state: Flow) -> dict[str, Any]:
    RUNS["ask"] += 1
    said = interrupt({"question": "go on?"})
    return {"said": said, "log": ["asked"]}


def steady(state: Flow) -> dict[str, Any]:
    RUNS["steady"] += 1
    return {"log": ["steady"]}


def flaky(state: Flow) -> dict[str, Any]:
    RUNS["flaky"] += 1
    if FAIL["flaky"]:
        raise RuntimeError("first time fails")
    return {"log": ["flaky"]}


def interrupted(saver):
    g = StateGraph(Flow)
    g.add_node("first", lambda s: {"log": ["first"]})
    g.add_node("ask", ask)
    g.add_node("last", lambda s: {"log": ["last"]})
    g.add_edge(START, "first")
    g.add_edge("first", "ask")
    g.add_edge("ask", "last")
    g.add_edge("last", END)
    return g.compile(checkpointer=saver)


def failed(saver):
    g = StateGraph(Flow)
    g.add_node("begin", lambda s: {"log": ["begin"]})
    g.add_node("steady", steady)
    g.add_node("flaky", flaky)
    g.add_edge(START, "begin")
    g.add_edge("begin", "steady")
    g.add_edge("begin", "flaky")
    g.add_edge(["steady", "flaky"], END)
    return g.compile(checkpointer=saver)


def nested(saver):
    inner = StateGraph(Flow)
    inner.add_node("ask", ask)
    inner.add_node("after", lambda s: {"log": ["after"]})
    inner.add_edge(START, "ask")
    inner.add_edge("ask", "after")
    inner.add_edge("after", END)
    g = StateGraph(Flow)
    g.add_node("outer", lambda s: {"log": ["outer"]})
    g.add_node("sub", inner.compile())
    g.add_edge(START, "outer")
    g.add_edge("outer", "sub")
    g.add_edge("sub", END)
    return g.compile(checkpointer=saver)


class Typed(TypedDict, total=False):
    point: Any
    color: Any
    person: Any
    when: Any
    ids: Any
    pair: Any
    step: int


def make_types(state: Typed) -> dict[str, Any]:
    return {
        "point": Point(1, 2),
        "color": Color.BLUE,
        "person": Person(
            name="ann",
            born=datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc),
            id=uuid.UUID(int=5),
            address=Address(street="s", zip="1"),
            tags={"x"},
        ),
        "when": datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc),
        "ids": {3, 1, 2},
        "pair": Pair(1, [2]),
        "step": 1,
    }


def types(saver):
    g = StateGraph(Typed)
    g.add_node("make", make_types)
    g.add_node("keep", lambda s: {"step": s["step"] + 1})
    g.add_edge(START, "make")
    g.add_edge("make", "keep")
    g.add_edge("keep", END)
    return g.compile(checkpointer=saver)


GRAPHS = {
    "chat": chat,
    "fan": fan,
    "interrupted": interrupted,
    "failed": failed,
    "nested": nested,
    "types": types,
    "forked": chat,
}


def config(thread: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": thread}, "metadata": {"made_for": "golden", "n": 7}}


def fill(saver) -> None:
    """Run every graph once on its own thread, leaving some unfinished."""
    FAIL["flaky"] = True
    g = chat(saver)
    for n in range(3):
        g.invoke(
            {"messages": [HumanMessage(f"hello {n}", id=f"h-{n}")], "profile": {"lang": "en"}}, config("chat")
        )
    fan(saver).invoke({"items": [0]}, config("fan"))
    interrupted(saver).invoke({"log": ["in"]}, config("interrupted"))
    try:
        failed(saver).invoke({"log": ["in"]}, config("failed"))
    except RuntimeError:
        pass
    nested(saver).invoke({"log": ["in"]}, config("nested"))
    types(saver).invoke({"step": 0}, config("types"))
    g = chat(saver)
    for n in range(2):
        g.invoke({"messages": [HumanMessage(f"hello {n}", id=f"h-{n}")]}, config("forked"))
    old = [s for s in g.get_state_history(config("forked")) if s.metadata["step"] == 1][0]
    branch = g.update_state(old.config, {"turns": 40})
    g.invoke(
        {"messages": [HumanMessage("from the fork", id="h-fork")]},
        {**config("forked"), "configurable": {**branch["configurable"]}},
    )


def finish(saver) -> dict[str, Any]:
    """Resume what `fill` left unfinished; what a fresh process must get."""
    FAIL["flaky"] = False
    RUNS.clear()
    out: dict[str, Any] = {}
    out["interrupted"] = interrupted(saver).invoke(Command(resume="yes"), config("interrupted"))
    out["failed"] = failed(saver).invoke(None, config("failed"))
    out["nested"] = nested(saver).invoke(Command(resume="deep"), config("nested"))
    out["runs"] = dict(RUNS)
    return out


def describe(saver) -> dict[str, Any]:
    """What the engine sees of every thread, as plain JSON."""
    out: dict[str, Any] = {}
    for thread, make in GRAPHS.items():
        g = make(saver)
        rows = []
        for s in g.get_state_history(config(thread)):
            rows.append(
                {
                    "checkpoint_id": s.config["configurable"]["checkpoint_id"],
                    "parent_id": s.parent_config["configurable"]["checkpoint_id"] if s.parent_config else None,
                    "source": s.metadata.get("source"),
                    "step": s.metadata.get("step"),
                    "made_for": s.metadata.get("made_for"),
                    "next": list(s.next),
                    "values": {k: plain(v) for k, v in sorted(s.values.items())},
                    "tasks": [
                        {
                            "name": t.name,
                            "error": t.error is not None,
                            "interrupts": [plain(i.value) for i in t.interrupts],
                        }
                        for t in s.tasks
                    ],
                }
            )
        out[thread] = rows
    return out


def raw(saver) -> list[dict[str, Any]]:
    """What `saver.list(None)` gives, as plain JSON, by thread, namespace and id."""
    rows = []
    for t in saver.list(None):
        c = t.config["configurable"]
        rows.append(
            {
                "thread_id": c["thread_id"],
                "checkpoint_ns": c["checkpoint_ns"].split(":")[0],
                "checkpoint_id": c["checkpoint_id"],
                "parent_id": t.parent_config["configurable"]["checkpoint_id"] if t.parent_config else None,
                "v": t.checkpoint["v"],
                "channels": sorted(t.checkpoint["channel_values"]),
                "versions": sorted(t.checkpoint["channel_versions"]),
                "seen": sorted(t.checkpoint["versions_seen"]),
                "writes": sorted([w[1] for w in t.pending_writes or []]),
            }
        )
    return sorted(rows, key=lambda r: (r["thread_id"], r["checkpoint_ns"], r["checkpoint_id"]))


def plain(v: Any) -> Any:
    if isinstance(v, dict):
        return {str(k): plain(x) for k, x in v.items()}
    if isinstance(v, (set, frozenset)):
        return {"set": sorted(map(plain, v))}
    if isinstance(v, tuple) and hasattr(v, "_fields"):
        return {type(v).__name__: [plain(x) for x in v]}
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    if isinstance(v, (str, int, float, bool, type(None))):
        return v
    if hasattr(v, "content") and hasattr(v, "type"):
        return {"message": v.type, "content": v.content, "id": v.id}
    return repr(v)
