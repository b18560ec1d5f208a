"""Run the agent in a process of its own: `run`, `resume`, `fork` and `history` on a SQLite file.

python worker.py run     --db research.db --thread t1
python worker.py resume  --db research.db --thread t1                 # after a crash
python worker.py resume  --db research.db --thread t1 --answer yes    # after the question
python worker.py history --db research.db --thread t1
python worker.py fork    --db research.db --thread t1 --checkpoint ID --title "Another title" --answer short
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from agent import ANSWERS, Agent, Desk, Question, build, serializer
from journal import Journal
from langchain_core.runnables import RunnableConfig

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

DEFAULT_TITLE = "How Python's standard library explains itself"


def open_saver(path: Path) -> AbstractContextManager[SqliteSaver]:
    """Open the saver on the file at `path`, with the agent's classes registered."""
    return SqliteSaver.from_conn_string(str(path), serde=serializer())


def run(graph: Agent, config: RunnableConfig, desk: Desk, options: argparse.Namespace) -> None:
    """Start a new piece of research."""
    question = Question(title=options.title, root=options.root, limit=options.limit)
    graph.invoke(question, config, context=desk)


def resume(graph: Agent, config: RunnableConfig, desk: Desk, options: argparse.Namespace) -> None:
    """Go on from where the thread is: after a crash without an answer, after the question with one."""
    graph.invoke(Command(resume=options.answer) if options.answer else None, config, context=desk)


def fork(graph: Agent, config: RunnableConfig, desk: Desk, options: argparse.Namespace) -> None:
    """Go back to a checkpoint, change the title there and finish from there with another answer."""
    there = {"thread_id": options.thread, "checkpoint_ns": "", "checkpoint_id": options.checkpoint}
    branch = graph.update_state({"configurable": there}, {"title": options.title}, as_node="collect")
    graph.invoke(None, config | branch, context=desk)
    graph.invoke(Command(resume=options.answer), config, context=desk)


def history(graph: Agent, config: RunnableConfig, desk: Desk, options: argparse.Namespace) -> None:
    """Print the thread's checkpoints, newest first."""
    for snapshot in graph.get_state_history(config):
        metadata: Mapping[str, Any] = snapshot.metadata or {}
        print(
            f"{snapshot.config['configurable']['checkpoint_id']}  step {metadata['step']:>2}"
            f"  {metadata['source']:<6}  next: {', '.join(dict.fromkeys(snapshot.next)) or '(end)'}"
        )


def _tell(graph: Agent, config: RunnableConfig) -> None:
    state = graph.get_state(config)
    for question in state.interrupts:
        print(f"waiting for an answer ({', '.join(question.value['answers'])}): {question.value['question']}")
    if not state.next:
        print(f"finished: {state.values['report'] or 'nothing published'}")


def _parse(arguments: list[str]) -> argparse.Namespace:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--db", type=Path, default=Path("research.db"))
    shared.add_argument("--thread", default="research")
    shared.add_argument("--folder", type=Path, default=Path(), help="where the report and the journal go")
    shared.add_argument("--pace", type=float, default=0.0, help="extra seconds for each file")
    shared.add_argument("--parallel", type=int, default=8, help="tasks at a time")
    shared.add_argument("--hold", default="", help="numbers of tasks that wait for the file GATE in the folder")
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)

    start = commands.add_parser("run", parents=[shared], help=run.__doc__)
    start.add_argument("--title", default=DEFAULT_TITLE)
    start.add_argument("--root", default=sysconfig.get_paths()["stdlib"])
    start.add_argument("--limit", type=int, default=32, help="how many files to read")

    go_on = commands.add_parser("resume", parents=[shared], help=resume.__doc__)
    go_on.add_argument("--answer", choices=ANSWERS)

    branch = commands.add_parser("fork", parents=[shared], help=fork.__doc__)
    branch.add_argument("--checkpoint", required=True)
    branch.add_argument("--title", required=True)
    branch.add_argument("--answer", choices=ANSWERS, required=True)

    commands.add_parser("history", parents=[shared], help=history.__doc__)
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> None:
    """Run one command."""
    options = _parse(arguments)
    config: RunnableConfig = {
        "configurable": {"thread_id": options.thread},
        "max_concurrency": options.parallel,
    }
    desk = Desk(
        journal=Journal(options.folder / "journal.jsonl"),
        reports=options.folder,
        pace=options.pace,
        held=frozenset(int(number) for number in options.hold.split(",") if number),
        gate=options.folder / "GATE",
    )
    command = {"run": run, "resume": resume, "fork": fork, "history": history}[options.command]
    with open_saver(options.db) as saver:
        graph = build(saver)
        command(graph, config, desk, options)
        if options.command != "history":
            _tell(graph, config)


if __name__ == "__main__":
    main(sys.argv[1:])
