"""Processes for the tests, forked off one that has imported everything: `python worker.py JOB PATH [NUMBER]`.

- `loop`: for each line on stdin fork a child that puts for ever and prints what was acknowledged. The child
  prints its process number first, and the parent prints `dead` when it is gone.
- `many`: fork children that fill one thread each, all at once.
- `setup`: fork children that open the file, all at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver


def say(*words: object) -> None:
    """Print in one piece, without a buffer that a kill would lose."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def at(thread_id: str, checkpoint_id: str | None = None) -> dict[str, Any]:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": checkpoint_id}}


def checkpoint(turn: int, number: int) -> dict[str, Any]:
    """`every` changes with each checkpoint, `seldom` with each fifth one; both follow from its id."""
    name = f"{turn:03}-{number:06}"
    versions = {"every": name, "seldom": f"{turn:03}-{number - number % 5:06}"}
    return {
        "v": 4,
        "id": name,
        "ts": "",
        "channel_values": {channel: [version] * 300 for channel, version in versions.items()},
        "channel_versions": versions,
        "versions_seen": {},
        "updated_channels": None,
    }


def put_for_ever(path: str, turn: int) -> None:
    with SqliteSaver.from_conn_string(path) as saver:
        latest = saver.get_tuple(at("t"))
        say("found", latest.checkpoint["id"] if latest else "-")
        config = latest.config if latest else at("t")
        for number in count():
            made = checkpoint(turn, number)
            new = {name: v for name, v in made["channel_versions"].items() if v == made["id"]}
            config = saver.put(config, made, {"step": number}, new)
            say("put", made["id"])
            saver.put_writes(config, [("a", [made["id"]] * 300), ("b", number)], "task")
            say("writes", made["id"])


def fill(path: str, number: int) -> None:
    with SqliteSaver.from_conn_string(path) as saver:
        config = at(f"thread-{number}")
        for step in range(200):
            config = saver.put(config, made := checkpoint(number, step), {"step": step}, made["channel_versions"])
            saver.put_writes(config, [("a", step), ("b", [step])], "task")


def open_it(path: str, number: int) -> None:
    with SqliteSaver.from_conn_string(path) as saver:
        saver.setup()
        saver.put(at(f"thread-{number}"), made := checkpoint(number, 0), {}, made["channel_versions"])


def fork(run: Callable[[], None]) -> int:
    """Run a function in a child, which never comes back."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            run()
            code = 0
        finally:
            os._exit(code)
    return pid


def at_once(job: Callable[[str, int], None], path: str, number: int) -> bool:
    """Run `job` in so many children, who all wait for the start; tell whether all succeeded."""
    gate, start = os.pipe()

    def run(child: int) -> None:
        os.close(start)
        os.read(gate, 1)  # ends when the parent closes its side
        try:
            job(path, child)
        except BaseException as error:
            say("child", child, repr(error))
            raise

    children = [fork(lambda child=child: run(child)) for child in range(number)]
    os.close(start)
    results = [os.waitpid(child, 0)[1] == 0 for child in children]
    return all(results)  # after waiting for each


def main(job: str, path: str, number: str = "0") -> int:
    if job != "loop":
        return not at_once({"many": fill, "setup": open_it}[job], path, int(number))
    for turn, _ in enumerate(sys.stdin):
        pid = fork(lambda turn=turn: put_for_ever(path, turn))
        say("pid", pid)
        os.waitpid(pid, 0)
        say("dead")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
