"""A thread goes on in another process, with nothing but the file in common."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE = 120

GRAPH = """
import sys, json
from dataclasses import dataclass
from typing import Annotated, TypedDict
import operator
from pydantic import BaseModel
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

class Model(BaseModel):
    word: str

@dataclass
class Point:
    x: int

class State(TypedDict, total=False):
    log: Annotated[list, operator.add]
    model: Model
    point: Point

ran = []

def fill(state):
    ran.append("fill")
    return {"model": Model(word="w"), "point": Point(3), "log": ["fill"]}

def ask(state):
    ran.append("ask")
    kinds = [type(state["model"]).__name__, type(state["point"]).__name__]
    return {"log": [interrupt("?"), *kinds]}

graph = StateGraph(State)
graph.add_node("fill", fill)
graph.add_node("ask", ask)
graph.add_edge(START, "fill")
graph.add_edge("fill", "ask")
config = {"configurable": {"thread_id": "t"}}
"""

FIRST = """
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    app = graph.compile(checkpointer=saver)
    asked = app.invoke({"log": ["in"]}, config)["__interrupt__"]
print(json.dumps({"ran": ran, "asked": [question.value for question in asked]}))
"""

SECOND = """
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    app = graph.compile(checkpointer=saver)
    done = app.invoke(Command(resume="yes"), config)
print(json.dumps({"ran": ran, "log": done["log"]}))
"""


def run(script, *arguments, **environment):
    """Run a script in a process of its own; return what it printed as JSON, and its standard error."""
    process = subprocess.run(
        [sys.executable, "-W", "error", str(script), *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout), process.stderr


@pytest.fixture
def scripts(tmp_path: Path):
    """Two scripts that define the same graph; classes are `__main__`'s in both."""
    for name, rest in (("first.py", FIRST), ("second.py", SECOND)):
        (tmp_path / name).write_text(GRAPH + rest)
    return tmp_path


def test_second_process_resumes_what_the_first_one_stopped_at(scripts):
    """Only the asking node runs in the second process, with the values that the first one stored."""
    file = scripts / "threads.db"
    first, _ = run(scripts / "first.py", file)
    second, _ = run(scripts / "second.py", file)
    assert first == {"ran": ["fill", "ask"], "asked": ["?"]}
    assert second == {"ran": ["ask"], "log": ["in", "fill", "yes", "Model", "Point"]}


def test_strict_msgpack_admits_the_types_of_the_schema(scripts):
    """The engine names the schema's types to a strict serializer, so they come back without a warning."""
    file = scripts / "threads.db"
    run(scripts / "first.py", file, LANGGRAPH_STRICT_MSGPACK="true")
    second, told = run(scripts / "second.py", file, LANGGRAPH_STRICT_MSGPACK="true")
    assert second == {"ran": ["ask"], "log": ["in", "fill", "yes", "Model", "Point"]}
    assert told == ""


def test_strict_msgpack_blocks_types_that_the_schema_does_not_name(scripts):
    """A class that is not in the schema comes back as its fields, with a word on standard error."""
    hidden = (GRAPH + SECOND).replace("    point: Point\n", "    point: object\n")
    (scripts / "hidden.py").write_text(hidden)
    file = scripts / "threads.db"
    run(scripts / "first.py", file)
    second, told = run(scripts / "hidden.py", file, LANGGRAPH_STRICT_MSGPACK="true")
    assert second["log"] == ["in", "fill", "yes", "Model", "dict"]
    assert "Point" in told
