"""The research agent: a graph that reads source files, asks a person and writes a report.

    plan ─Send─> summarize (one task a file) ─> collect ─> review ─> publish | shelve

`review` stops at an `interrupt` and goes on with the person's answer. The state is what a checkpoint holds;
the `Desk` is what a run needs from its process (folders, the journal) and is never stored.
"""

from __future__ import annotations

import operator
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from journal import Journal
from reading import FileSummary, Longest, read_source
from report import Findings, conclude, full_report, short_report
from typing_extensions import NotRequired, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send, interrupt

ANSWERS = ("yes", "short", "no")


class Question(TypedDict):
    """What a run starts from."""

    title: str
    root: str
    limit: int


class Research(Question):
    """The state. `summaries` is the only channel that many tasks write in one super-step."""

    plan: NotRequired[list[str]]
    summaries: NotRequired[Annotated[list[FileSummary], operator.add]]
    findings: NotRequired[Findings]
    verdict: NotRequired[str]
    report: NotRequired[str | None]


class Assignment(TypedDict):
    """What one `summarize` task is sent."""

    index: int
    path: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What this process gives to the nodes.

    The summarize tasks numbered in `held` wait until `gate` exists. The demo never creates it in its first
    process, so it knows for certain which tasks are in flight when it kills that process.
    """

    journal: Journal
    reports: Path
    pace: float = 0.0
    held: frozenset[int] = frozenset()
    gate: Path | None = None


Agent: TypeAlias = "CompiledStateGraph[Research, Desk, Question, Research]"


def plan(state: Research, runtime: Runtime[Desk]) -> dict[str, Any]:
    """Walk the sources and choose the largest public modules."""
    runtime.context.journal.note("start", "plan")
    sources = [path for path in Path(state["root"]).glob("*.py") if not path.name.startswith("_")]
    largest = sorted(sources, key=lambda path: (-path.stat().st_size, path.name))[: state["limit"]]
    return {"plan": [str(path) for path in sorted(largest)]}


def fan_out(state: Research) -> list[Send]:
    """Send each file to a task of its own."""
    return [Send("summarize", Assignment(index=i, path=path)) for i, path in enumerate(state["plan"])]


def summarize(state: Assignment, runtime: Runtime[Desk]) -> dict[str, list[FileSummary]]:
    """Read one file."""
    desk, path = runtime.context, Path(state["path"])
    desk.journal.note("start", "summarize", path.stem)
    summary = read_source(path)
    time.sleep(desk.pace)  # stands for the seconds that a model would take
    if state["index"] in desk.held:
        _wait_for(desk.gate)
    desk.journal.note("done", "summarize", path.stem)
    return {"summaries": [summary]}


def collect(state: Research, runtime: Runtime[Desk]) -> dict[str, Findings]:
    """Compare all summaries."""
    runtime.context.journal.note("start", "collect")
    return {"findings": conclude(state["summaries"])}


def review(state: Research, runtime: Runtime[Desk]) -> dict[str, str]:
    """Ask a person; ask again until the answer is one of `ANSWERS`."""
    runtime.context.journal.note("start", "review")
    draft = short_report(state["title"], state["findings"])
    question = {"question": "Publish this report?", "answers": list(ANSWERS), "draft": draft}
    answer = interrupt(question)
    while answer not in ANSWERS:
        answer = interrupt(question | {"refused": answer})
    return {"verdict": answer}


def after_review(state: Research) -> Literal["publish", "shelve"]:
    """Follow the person's answer."""
    return "shelve" if state["verdict"] == "no" else "publish"


def publish(state: Research, runtime: Runtime[Desk]) -> dict[str, str]:
    """Write the report. Running it twice leaves the same file."""
    runtime.context.journal.note("start", "publish", state["title"])
    title, findings = state["title"], state["findings"]
    short = state["verdict"] == "short"
    text = short_report(title, findings) if short else full_report(title, findings, state["summaries"])
    slug = re.sub(r"\W+", "-", title.lower()).strip("-")
    path = runtime.context.reports / f"{slug}.md"
    path.write_text(text, encoding="utf-8")
    return {"report": str(path)}


def shelve(state: Research, runtime: Runtime[Desk]) -> dict[str, None]:
    """Publish nothing."""
    runtime.context.journal.note("start", "shelve", state["title"])
    return {"report": None}


def build(saver: BaseCheckpointSaver[Any]) -> Agent:
    """Compile the agent on any saver."""
    graph = StateGraph(Research, context_schema=Desk, input_schema=Question)
    graph.add_node("plan", plan)
    graph.add_node("summarize", summarize, input_schema=Assignment)
    for node in (collect, review, publish, shelve):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", fan_out, ["summarize"])
    graph.add_edge("summarize", "collect")
    graph.add_edge("collect", "review")
    graph.add_conditional_edges("review", after_review)
    graph.add_edge("publish", END)
    graph.add_edge("shelve", END)
    return graph.compile(checkpointer=saver)


def serializer() -> JsonPlusSerializer:
    """Return a serializer that restores the agent's own classes and no other unknown ones."""
    return JsonPlusSerializer(allowed_msgpack_modules=[FileSummary, Longest, Findings])


def _wait_for(gate: Path | None) -> None:
    while gate is None or not gate.exists():
        time.sleep(0.02)
