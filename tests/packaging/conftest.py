"""The wheels as they would be published, built once per session, and empty environments to put them in."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 300


@dataclass(frozen=True)
class Wheel:
    """One built wheel and the folder it was built from."""

    path: Path
    source: Path

    @property
    def name(self) -> str:
        return f"langgraph-{self.source.name}"

    @property
    def files(self) -> set[str]:
        with zipfile.ZipFile(self.path) as archive:
            return set(archive.namelist())

    @property
    def code(self) -> set[str]:
        return {file for file in self.files if ".dist-info/" not in file}

    @property
    def metadata(self) -> Message:
        (name,) = [file for file in self.files if file.endswith(".dist-info/METADATA")]
        with zipfile.ZipFile(self.path) as archive:
            return BytesParser().parsebytes(archive.read(name))


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command that has to succeed; return what it printed."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def uv() -> Path:
    """The uv that the Makefile uses."""
    found = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".tools" / "bin"))
    if found is None:
        pytest.fail("uv is neither on the path nor in .tools/bin; `make .tools/bin/uv` installs it")
    return Path(found)


@pytest.fixture(scope="session")
def wheels(uv, tmp_path_factory) -> dict[str, Wheel]:
    """All wheels, by the name of their distribution."""
    out = tmp_path_factory.mktemp("wheels")
    run(uv, "build", "--quiet", "--all-packages", "--wheel", "--out-dir", out)
    sources = {f"langgraph_{lib.name.replace('-', '_')}": lib for lib in (ROOT / "libs").iterdir()}
    built = [Wheel(path, sources[path.name.split("-")[0]]) for path in out.glob("*.whl")]
    return {wheel.name: wheel for wheel in built}


@pytest.fixture(scope="session")
def constraints(uv, wheels, tmp_path_factory) -> Path:
    """The locked versions, so that installing needs nothing that the workspace has not got already."""
    file = tmp_path_factory.mktemp("constraints") / "constraints.txt"
    locked = run(
        uv, "export", "--quiet", "--locked", "--all-packages", "--no-emit-workspace", "--no-hashes", "--no-header"
    )
    base = wheels["langgraph-checkpoint"].path.as_uri()
    file.write_text(
        "\n".join([locked.replace("\nlanggraph==", "\n# langgraph=="), f"langgraph-checkpoint @ {base}"])
    )
    return file


@pytest.fixture
def install(uv, wheels, constraints, tmp_path):
    """Put one wheel into an empty environment; return a function that runs Python code there."""

    def put(name: str):
        environment = tmp_path / "environment"
        python = environment / "bin" / "python"
        wheel = wheels[name]
        run(uv, "venv", "--quiet", "--python", sys.executable, environment)
        run(
            *(uv, "pip", "install", "--quiet", "--python", python, "--constraints", constraints),
            *("--find-links", wheel.path.parent, wheel.path),
        )
        return lambda code: run(python, "-W", "error", "-c", code, cwd=tmp_path)

    return put
