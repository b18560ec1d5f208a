"""Every example in a docstring of ours shows what happens."""

import doctest
import io
from importlib import import_module
from pathlib import Path

import pytest

LIBS = Path(__file__).parents[2] / "libs"


def module_name(file: Path) -> str:
    parts = file.relative_to(LIBS).with_suffix("").parts[1:]
    return ".".join(parts).removesuffix(".__init__")


MODULES = sorted(
    module_name(file) for file in LIBS.glob("*/langgraph/**/*.py") if ">>>" in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_show_what_happens(name, tmp_path, monkeypatch):
    """Each `>>>` line of the module is run, and prints what stands below it."""
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    told = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for example in doctest.DocTestFinder(exclude_empty=True).find(module):
        runner.run(example, out=told.write)
    written = Path(module.__file__).read_text(encoding="utf-8").count(">>> ")
    assert runner.failures == 0, told.getvalue()
    assert runner.tries == written


def test_examples_are_found():
    """The savers that users meet first show how they are used."""
    assert {"langgraph.checkpoint.sqlite._saver", "langgraph.checkpoint.memory._saver"} <= set(MODULES)
