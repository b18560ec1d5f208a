"""The release reads what we write, at least as well as what it writes itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RELEASE = os.environ.get("LANGGRAPH_RELEASE_PYTHON")
SCRIPT = str(Path(__file__).with_name("release_reads_ours.py"))


@pytest.mark.skipif(not RELEASE, reason="the released packages are not beside ours: run `make release`")
def test_the_release_reads_every_vector() -> None:
    """No golden vector comes out worse from our bytes than from the release's own."""
    written = subprocess.run([sys.executable, SCRIPT, "write"], capture_output=True, check=True)
    read = subprocess.run([RELEASE, SCRIPT, "read"], input=written.stdout, capture_output=True)
    assert read.returncode == 0, read.stdout.decode() + read.stderr.decode()
