"""Crash, resume, answer, go back in time: the research agent on one SQLite file, in real processes.

Each act runs `worker.py` as a process of its own. This process only watches: the journal, in which nodes note
that they ran, and the database, through a saver of its own. A claim that does not hold ends the demo with
exit code 1.

    python demo.py [--keep DIR] [--json]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from pathlib import Path

from reading import read_source
from report import conclude
from stage import THREAD, Stage
from story import ClaimError, Story

from langgraph.types import StateSnapshot

FILES = 32
HELD = (3, 11, 19, 27)
PARALLEL = 8  # more than are held: the engine stores finished tasks on the same threads
TITLE = "The standard library in five lines"


def killed_in_the_middle(stage: Stage) -> tuple[set[str], set[str]]:
    """Run until some of the fan-out are stored and the others in flight, then kill the process."""
    story, journal = stage.story, stage.journal
    free = FILES - len(HELD)
    story.act("A first process reads the standard library and is killed")
    story.say(f"{FILES} files, one task each, all in one super-step. {len(HELD)} of the tasks wait for a")
    story.say("gate that nobody opens, so the kill always lands inside it: by handshake, not by timing.")

    def reached() -> bool:
        story.progress("files read", len(journal.items("done", "summarize")), free)
        return len(journal.items("start", "summarize")) == FILES and len(stage.stored()) == free

    hold = ",".join(map(str, HELD))
    options = ("--limit", str(FILES), "--parallel", str(PARALLEL), "--hold", hold, "--pace", "0.1")
    with stage.worker("run", *options) as process:
        stage.wait(process, reached, f"{free} summaries were stored")
        process.kill()
        process.wait()
    story.progress_ends()
    story.claim(f"process {process.pid} died of SIGKILL", process.returncode == -signal.SIGKILL)

    tasks = [task.name for task in stage.state().tasks]
    stored, started = stage.stored(), set(journal.items("start", "summarize"))
    in_flight = started - set(journal.items("done", "summarize"))
    story.claim("the thread stands inside the super-step", tasks == ["summarize"] * FILES)
    story.claim(
        f"{len(stored)} of {FILES} tasks had finished, and what they wrote is in the file",
        len(stored) == free and stored == started - in_flight,
    )
    story.claim(f"{len(in_flight)} were in flight: {_listed(in_flight)}", len(in_flight) == len(HELD))
    story.say(f"database: {stage.size()}")
    stage.facts |= {
        "killed_by_signal": -process.returncode,
        "stored": len(stored),
        "in_flight": len(in_flight),
    }
    return stored, in_flight


def resumed(stage: Stage, stored: set[str], in_flight: set[str]) -> None:
    """Let a new process go on from the file, and count what runs again."""
    story, journal = stage.story, stage.journal
    story.act("A new process resumes from the file")
    with stage.worker("resume") as process:
        stage.finish(process)
    ran = journal.items("start", "summarize", pid=process.pid)
    again = stored & set(ran)
    story.claim(f"of {len(stored)} finished tasks {len(again)} ran again", not again)
    only_these = sorted(ran) == sorted(in_flight)
    story.claim(f"of {len(in_flight)} tasks in flight {len(ran)} ran again, once each", only_these)
    runs = Counter(Counter(journal.items("start", "summarize")).values())
    times = ", ".join(f"{files} files read {count}x" for count, files in sorted(runs.items()))
    story.say(f"journal: {times}")

    values = stage.state().values
    summaries, sources = values["summaries"], [Path(path) for path in values["plan"]]
    story.claim(
        f"the state holds {len(summaries)} summaries, none twice, in the order of the plan",
        [summary.module for summary in summaries] == [path.stem for path in sources],
    )
    # Equality of the dataclasses is strict about types: a tuple that came back as a list would differ.
    story.claim(
        "values and types are those of a fresh reading of the files",
        summaries == [read_source(path) for path in sources] and values["findings"] == conclude(summaries),
    )
    stage.facts |= {
        "finished_ran_again": len(again),
        "in_flight_ran_again": len(ran),
        "summaries": len(summaries),
    }


def answered(stage: Stage) -> None:
    """Show the question and answer it, in a third process."""
    story = stage.story
    story.act("The agent asks a person before it publishes")
    (question,) = stage.state().interrupts
    for line in question.value["draft"].splitlines():
        story.say("\n".join(textwrap.wrap(line, 96, initial_indent="| ", subsequent_indent="|   ") or ["|"]))
    story.say(f"{question.value['question']} ({'/'.join(question.value['answers'])}) > yes")
    with stage.worker("resume", "--answer", "yes") as process:
        stage.finish(process)
    ran = [entry.node for entry in stage.journal.entries() if entry.pid == process.pid]
    report = Path(stage.state().values["report"])
    story.claim(f"the process ran {', '.join(ran)} and no other node", ran == ["review", "publish"])
    story.claim(f"the report has {len(_lines(report))} lines", report.is_file())
    stage.facts |= {"question": question.value["question"], "nodes_after_answer": ran}


def gone_back(stage: Stage) -> StateSnapshot:
    """List the history and choose the checkpoint before the review."""
    story = stage.story
    story.act("Back in time")
    with stage.graph() as graph:
        history = list(graph.get_state_history(THREAD))
    story.say("step  source  summaries  next           checkpoint")
    for snapshot in history:
        story.say(_row(snapshot))
    before_review = next(snapshot for snapshot in history if snapshot.next == ("review",))
    story.say(f"going back to step {_step(before_review)}, before the review")
    stage.facts["checkpoints"] = len(history)
    return before_review


def forked(stage: Stage, before_review: StateSnapshot) -> None:
    """Fork at that checkpoint with another title, give another answer, and read both branches."""
    story, journal = stage.story, stage.journal
    story.act("A fork with another title and another answer")
    story.say(f"title: {TITLE}")
    story.say("Publish this report? (yes/short/no) > short")
    first = stage.state()
    checkpoint = before_review.config["configurable"]["checkpoint_id"]
    with stage.worker("fork", "--checkpoint", checkpoint, "--title", TITLE, "--answer", "short") as process:
        stage.finish(process)
    ran = [entry.node for entry in journal.entries() if entry.pid == process.pid]
    story.claim(
        f"no file was read again; the fork ran {', '.join(ran)}",
        ran == ["review", "review", "publish"],
    )
    story.say("(review stops at its question, and starts over when there is an answer)")
    with stage.graph() as graph:
        fork, still_first = graph.get_state(THREAD), graph.get_state(first.config)
        history = list(graph.get_state_history(THREAD))
    for branch, of_it in (("first branch", still_first), ("fork", fork)):
        report = Path(of_it.values["report"])
        story.say(f"{branch}: {len(_lines(report))} lines in {report.name}")
    story.claim("the first branch reads as it did before the fork", still_first == first)
    story.claim(
        "the fork is finished, with its own title and report",
        not fork.next and fork.values["title"] == TITLE and fork.values["report"] != first.values["report"],
    )
    story.claim("both hold the same summaries", fork.values["summaries"] == first.values["summaries"])
    story.claim("the fork grows from the checkpoint before the review", _forked_at(history) == [checkpoint])
    story.say(f"{len(history)} checkpoints; database: {stage.size()}")
    stage.facts |= {
        "nodes_of_fork": ran,
        "titles": [still_first.values["title"], fork.values["title"]],
        "reports": [still_first.values["report"], fork.values["report"]],
        "checkpoints_with_fork": len(history),
    }


def play(stage: Stage) -> None:
    """Play all acts."""
    began = time.monotonic()
    stored, in_flight = killed_in_the_middle(stage)
    resumed(stage, stored, in_flight)
    answered(stage)
    forked(stage, gone_back(stage))
    claims, seconds = len(stage.story.claims), time.monotonic() - began
    stage.story.say(f"\nAll {claims} claims held, in {seconds:.1f} seconds.")
    stage.facts |= {"claims": claims, "seconds": round(seconds, 1)}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _lines(report: Path) -> list[str]:
    return report.read_text(encoding="utf-8").splitlines()


def _forked_at(history: list[StateSnapshot]) -> list[str]:
    updates = [it for it in history if it.metadata and it.metadata["source"] == "update" and it.parent_config]
    return [it.parent_config["configurable"]["checkpoint_id"] for it in updates if it.parent_config]


def _step(snapshot: StateSnapshot) -> int:
    return (snapshot.metadata or {})["step"]


def _row(snapshot: StateSnapshot) -> str:
    tasks = Counter(snapshot.next)
    following = ", ".join(f"{name} x{n}" if n > 1 else name for name, n in tasks.items()) or "(end)"
    source = (snapshot.metadata or {})["source"]
    summaries = len(snapshot.values.get("summaries", ()))
    checkpoint = snapshot.config["configurable"]["checkpoint_id"]
    return f"{_step(snapshot):>4}  {source:<6}  {summaries:>9}  {following:<13}  {checkpoint}"


def main(arguments: list[str]) -> int:
    """Run the demo and return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave database, journal and reports here")
    parser.add_argument("--json", action="store_true", help="print the facts as JSON instead of the account")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="research-")))
        folder.mkdir(parents=True, exist_ok=True)
        stage = Stage(folder, Story(quiet=options.json))
        if stage.database.exists():
            parser.error(f"{stage.database} is there already; name a new folder")
        try:
            play(stage)
        except (ClaimError, subprocess.TimeoutExpired) as error:
            print(f"\nThe demo failed: {error}", file=sys.stderr)
            return 1
    if options.json:
        print(json.dumps(stage.facts, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
