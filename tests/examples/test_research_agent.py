"""The research agent of `examples/`: its demo as a user runs it, and its graph on the async saver."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import aiosqlite
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "research_agent"
PATIENCE = 120

in_async_runs = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="in async runs the engine's interrupt() needs Python 3.11"
)


@pytest.fixture
def example(monkeypatch):
    """The example's modules, imported as its scripts import each other."""
    monkeypatch.syspath_prepend(str(FOLDER))
    names = ("agent", "demo", "journal", "reading", "story")
    return SimpleNamespace(**{name: import_module(name) for name in names})


@pytest.fixture
def run_demo():
    """Run the demo as a process; end it and its workers, whatever happens."""
    started = []

    def run(*options):
        process = subprocess.Popen(
            [sys.executable, str(FOLDER / "demo.py"), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    yield run
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_demo_resumes_after_a_kill_inside_a_super_step_and_forks(run_demo, tmp_path):
    """Finished tasks do not run again, those in flight run once more, and both branches have a report."""
    code, out, err = run_demo("--json", "--keep", str(tmp_path))
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["killed_by_signal"] == signal.SIGKILL
    assert facts["stored"] > 0
    assert facts["in_flight"] > 0
    assert facts["stored"] + facts["in_flight"] == facts["summaries"]
    assert facts["finished_ran_again"] == 0
    assert facts["in_flight_ran_again"] == facts["in_flight"]
    assert facts["nodes_after_answer"] == ["review", "publish"]
    assert "summarize" not in facts["nodes_of_fork"]
    assert facts["checkpoints_with_fork"] > facts["checkpoints"]

    first, fork = (Path(report).read_text() for report in facts["reports"])
    assert [first.splitlines()[0], fork.splitlines()[0]] == [f"# {title}" for title in facts["titles"]]
    assert len(first.splitlines()) > len(fork.splitlines())
    connection = sqlite3.connect(tmp_path / "research.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()


def test_demo_does_not_touch_a_folder_that_holds_an_earlier_one(example, tmp_path):
    """A second demo in the same folder is refused, and the first one's database stays as it is."""
    (tmp_path / "research.db").write_bytes(b"earlier")
    with pytest.raises(SystemExit) as refusal:
        example.demo.main(["--keep", str(tmp_path)])
    assert refusal.value.code == 2
    assert (tmp_path / "research.db").read_bytes() == b"earlier"


def test_demo_fails_when_a_claim_does_not_hold(example, monkeypatch, tmp_path, capsys):
    """A false claim ends the demo with exit code 1 and is named on standard error."""
    monkeypatch.setattr(example.demo, "play", lambda stage: stage.story.claim("two is one", False))
    assert example.demo.main(["--keep", str(tmp_path)]) == 1
    assert "two is one" in capsys.readouterr().err


@in_async_runs
def test_graph_asks_forks_and_keeps_its_types_on_the_async_saver(example, tmp_path):
    """The answer decides the branch; a fork from before the review reads no file again."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.types import Command

    agent = example.agent
    desk = agent.Desk(example.journal.Journal(tmp_path / "journal.jsonl"), reports=tmp_path)
    config = {"configurable": {"thread_id": "t"}}
    question = {"title": "Three modules", "root": str(FOLDER), "limit": 3}

    async def research():
        async with aiosqlite.connect(tmp_path / "research.db") as connection:
            graph = agent.build(AsyncSqliteSaver(connection, serde=agent.serializer()))
            await graph.ainvoke(question, config, context=desk)
            asked = await graph.aget_state(config)
            refused = await graph.ainvoke(Command(resume="no"), config, context=desk)
            branch = await graph.aupdate_state(asked.config, {"title": "A fork"}, as_node="collect")
            await graph.ainvoke(None, branch, context=desk)
            published = await graph.ainvoke(Command(resume="yes"), config, context=desk)
            history = [snapshot async for snapshot in graph.aget_state_history(config)]
            return asked, refused, published, history

    asked, refused, published, history = asyncio.run(asyncio.wait_for(research(), PATIENCE))
    assert asked.next == ("review",)
    assert asked.interrupts[0].value["answers"] == list(agent.ANSWERS)
    assert asked.values["summaries"] == [example.reading.read_source(Path(path)) for path in asked.values["plan"]]
    assert (refused["verdict"], refused["report"]) == ("no", None)
    assert Path(published["report"]).read_text().startswith("# A fork\n")
    assert published["summaries"] == refused["summaries"]
    assert [path.name for path in tmp_path.glob("*.md")] == ["a-fork.md"]
    assert len(desk.journal.items("start", "summarize")) == 3
    assert {snapshot.values.get("verdict") for snapshot in history} == {None, "no", "yes"}


@in_async_runs
async def test_review_asks_again_until_the_answer_is_a_known_one(example, tmp_path):
    """An answer that is not offered comes back as a new question that names it."""
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    agent = example.agent
    desk = agent.Desk(example.journal.Journal(tmp_path / "journal.jsonl"), reports=tmp_path)
    config = {"configurable": {"thread_id": "t"}}
    graph = agent.build(InMemorySaver(serde=agent.serializer()))
    await graph.ainvoke({"title": "T", "root": str(FOLDER), "limit": 1}, config, context=desk)
    again = await graph.ainvoke(Command(resume="perhaps"), config, context=desk)
    assert again["__interrupt__"][0].value["refused"] == "perhaps"
    done = await graph.ainvoke(Command(resume="short"), config, context=desk)
    assert done["verdict"] == "short"
