"""Every page runs: the Python blocks of a file, in order, are one script.

A block that can not be run stands behind `<!-- not run: reason -->`.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 300

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "libs/*/*.md", "examples/**/*.md")
    for path in ROOT.glob(pattern)
)
BLOCK = re.compile(
    r"(?:^<!-- not run:(?P<reason>[^\n]*)-->\n\n?)?^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?://|mailto:|#)(?P<target>[^)#\s]+)")


def script(text: str) -> str:
    """Return the blocks to run, each at its own lines, so that a traceback points into the page."""
    lines = [""] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        if block["reason"] is None:
            first = text.count("\n", 0, block.start("code"))
            code = block["code"].splitlines()
            lines[first : first + len(code)] = code
    return "\n".join(lines)


@pytest.mark.parametrize("page", [page for page in PAGES if script((ROOT / page).read_text()).strip()])
def test_python_blocks_of_a_page_run(page, tmp_path):
    """What a reader copies from the page works, without a warning, in an empty folder."""
    (tmp_path / "page.py").write_text(script((ROOT / page).read_text()))
    done = subprocess.run(
        [sys.executable, "-W", "error", "page.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{page}, lines as in the page:\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES)
def test_block_that_is_not_run_says_why(page):
    """Every Python block is found, and those left out give a reason."""
    text = (ROOT / page).read_text()
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == len(re.findall(r"^\s*```(?:python|py)\b", text, re.MULTILINE))
    assert text.count("<!-- not run:") == sum(block["reason"] is not None for block in blocks)
    assert [block["code"] for block in blocks if block["reason"] is not None and not block["reason"].strip()] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_somewhere(page):
    """A relative link names a file or a folder that is there."""
    source = ROOT / page
    targets = [link["target"] for link in LINK.finditer(source.read_text())]
    assert [target for target in targets if not (source.parent / target).exists()] == []


def test_pages_are_found():
    """The front page and the page of each package are among those that run."""
    packages = {f"libs/{lib.name}/README.md" for lib in (ROOT / "libs").iterdir()}
    assert {"README.md", "CONTRIBUTING.md", *packages} <= {*PAGES}
