"""State schemas of all kinds come back as they were."""

import operator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Annotated

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from pydantic import BaseModel, Field

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.types import Command, interrupt


class Mood(Enum):
    CALM = "calm"
    LOUD = "loud"


class Inner(BaseModel):
    at: datetime
    price: Decimal
    tags: set[str] = Field(default_factory=set)


@dataclass
class Point:
    x: int
    y: tuple[int, ...] = ()


class ModelState(BaseModel):
    log: Annotated[list[str], operator.add] = Field(default_factory=list)
    inner: Inner | None = None
    mood: Mood = Mood.CALM
    answer: str | None = None


@dataclass
class DataState:
    log: Annotated[list[str], operator.add] = field(default_factory=list)
    point: Point | None = None
    answer: str | None = None


@pytest.fixture(autouse=True)
def known_types(engine):
    """Admit the types of this file, so that reading them warns of nothing."""
    engine.saver.serde = serializer()
    return engine


def serializer():
    return JsonPlusSerializer(allowed_msgpack_modules=[Mood, Inner, Point])


async def test_messages_keep_class_id_and_extras(engine, config):
    """Tool calls, artifacts and ids survive; a removal removes."""

    def answer(state):
        call = {"name": "look", "args": {"where": "here"}, "id": "c1", "type": "tool_call"}
        return {
            "messages": [
                AIMessage("looking", id="a1", tool_calls=[call], usage_metadata=USAGE),
                ToolMessage("found", id="t1", tool_call_id="c1", artifact={"rows": (1, 2)}),
            ]
        }

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    app = graph.compile(checkpointer=engine.saver)
    done = await engine.invoke(app, {"messages": [HumanMessage("hi", id="h1")]}, config)
    await engine.reopen()
    app = graph.compile(checkpointer=engine.saver)
    messages = (await engine.get_state(app, config)).values["messages"]
    assert messages == done["messages"]
    assert [type(message) for message in messages] == [HumanMessage, AIMessage, ToolMessage]
    assert messages[1].tool_calls == done["messages"][1].tool_calls
    assert messages[2].artifact == {"rows": (1, 2)}
    await engine.update_state(app, config, {"messages": [RemoveMessage(id="t1"), AIMessage("new", id="a1")]})
    left = (await engine.get_state(app, config)).values["messages"]
    assert [(message.id, message.content) for message in left] == [("h1", "hi"), ("a1", "new")]
    await engine.update_state(app, config, {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)]})
    assert (await engine.get_state(app, config)).values["messages"] == []


USAGE = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}


@pytest.mark.usefixtures("interrupts")
async def test_pydantic_state_comes_back_with_its_nested_types(engine, config, ran):
    """A node after the resume gets the model with all its nested types."""
    inner = Inner(at=datetime(2026, 1, 2, tzinfo=timezone.utc), price=Decimal("1.10"), tags={"a", "b"})

    def fill(state: ModelState):
        return {"inner": inner, "mood": Mood.LOUD, "log": ["fill"]}

    def ask(state: ModelState):
        ran.append(state)
        return {"answer": interrupt(state.inner)}

    graph = StateGraph(ModelState)
    graph.add_node("fill", fill)
    graph.add_node("ask", ask)
    graph.add_edge(START, "fill")
    graph.add_edge("fill", "ask")
    stopped = await engine.invoke(graph.compile(checkpointer=engine.saver), {"log": ["in"]}, config)
    assert stopped["__interrupt__"][0].value == inner
    await engine.reopen()
    engine.saver.serde = serializer()
    app = graph.compile(checkpointer=engine.saver)
    assert (await engine.get_state(app, config)).interrupts[0].value == inner
    done = await engine.invoke(app, Command(resume="yes"), config)
    assert ModelState.model_validate(done) == ModelState(
        log=["in", "fill"], inner=inner, mood=Mood.LOUD, answer="yes"
    )
    assert ran[0] == ran[1]
    assert type(ran[1].inner) is Inner


@pytest.mark.usefixtures("interrupts")
async def test_dataclass_state_comes_back_with_its_nested_types(engine, config, ran):
    """Dataclasses and the tuples in them keep their types."""

    def fill(state: DataState):
        return {"point": Point(1, (2, 3)), "log": ["fill"]}

    def ask(state: DataState):
        ran.append(state)
        return {"answer": interrupt("?")}

    graph = StateGraph(DataState)
    graph.add_node("fill", fill)
    graph.add_node("ask", ask)
    graph.add_edge(START, "fill")
    graph.add_edge("fill", "ask")
    await engine.invoke(graph.compile(checkpointer=engine.saver), DataState(log=["in"]), config)
    await engine.reopen()
    engine.saver.serde = serializer()
    done = await engine.invoke(graph.compile(checkpointer=engine.saver), Command(resume="yes"), config)
    assert done == {"log": ["in", "fill"], "point": Point(1, (2, 3)), "answer": "yes"}
    assert ran == [DataState(["in", "fill"], Point(1, (2, 3)))] * 2


async def test_long_conversation_reads_the_same_at_every_turn(engine, config):
    """A thread of 40 turns has each of its 40 pasts."""

    def answer(state):
        return {"messages": [AIMessage(f"re {state['messages'][-1].content}", id=f"a{len(state['messages'])}")]}

    class Talk(MessagesState):
        also: Annotated[list[AnyMessage], add_messages]

    graph = StateGraph(Talk)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    app = graph.compile(checkpointer=engine.saver)
    for turn in range(40):
        await engine.invoke(app, {"messages": [HumanMessage(str(turn), id=f"h{turn}")]}, config)
    await engine.reopen()
    history = await engine.history(graph.compile(checkpointer=engine.saver), config)
    finished = [state for state in reversed(history) if not state.next]
    expected = [text for turn in range(40) for text in (str(turn), f"re {turn}")]
    assert [[message.content for message in state.values["messages"]] for state in finished] == [
        expected[: 2 * turn] for turn in range(1, 41)
    ]
