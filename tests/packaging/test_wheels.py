"""What is in the wheels."""

import itertools
import os
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
NAMESPACES = ("langgraph", "langgraph/checkpoint", "langgraph/store", "langgraph/cache")
BASE = "langgraph-checkpoint<5,>=4.4.0"

PACKAGES = {
    "langgraph-checkpoint": (
        "4.4.0",
        ["langchain-core>=0.2.38", "ormsgpack>=1.12.0", "pycryptodome>=3.20; extra == 'encryption'"],
    ),
    "langgraph-checkpoint-sqlite": ("3.2.0", [BASE, "aiosqlite>=0.20", "sqlite-vec>=0.1.6"]),
    "langgraph-checkpoint-postgres": (
        "3.3.0",
        [BASE, "orjson>=3.11.5", "psycopg>=3.2.0", "psycopg-pool>=3.2.0"],
    ),
    "langgraph-checkpoint-conformance": (
        "0.1.0",
        [BASE, "hypothesis>=6.100; extra == 'pytest'", "pytest>=8.3; extra == 'pytest'"],
    ),
}
"""Version and requirements of each distribution."""

LEAVES = {
    "langgraph-checkpoint": {
        *("checkpoint/base", "checkpoint/errors", "checkpoint/memory", "checkpoint/serde"),
        *("store/base", "store/memory", "cache/base", "cache/memory", "cache/redis"),
    },
    "langgraph-checkpoint-sqlite": {"checkpoint/sqlite"},
    "langgraph-checkpoint-postgres": {"checkpoint/postgres"},
    "langgraph-checkpoint-conformance": {"checkpoint/conformance"},
}
"""The packages that each distribution owns, at least; no other distribution has files in them."""

NAMES = pytest.mark.parametrize("name", PACKAGES)


def leaves(wheel):
    return {"/".join(PurePosixPath(file).parts[1:3]) for file in wheel.code}


def test_one_wheel_is_built_of_each_package(wheels):
    """The workspace publishes these four and no more."""
    assert set(wheels) == set(PACKAGES)


@NAMES
def test_wheel_holds_the_package_and_nothing_else(wheels, name):
    """Every file of the package is there, and neither tests nor anything that only the workspace needs."""
    wheel = wheels[name]
    own = {
        file.relative_to(wheel.source).as_posix()
        for file in (wheel.source / "langgraph").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wheel.code == own
    for file in map(PurePosixPath, wheel.code):
        assert "tests" not in file.parts
        assert file.suffix in {".py", ".sql"} or file.name == "py.typed"
        assert file.suffix != ".sql" or file.parent.name == "migrations"
    rest = {file.partition(".dist-info/")[2] for file in wheel.files - wheel.code}
    assert rest == {"METADATA", "RECORD", "WHEEL", "licenses/LICENSE"}


@NAMES
def test_wheel_leaves_the_namespaces_to_all(wheels, name):
    """No `__init__.py` where several distributions meet, else installing two would break one."""
    assert not {f"{namespace}/__init__.py" for namespace in NAMESPACES} & wheels[name].code
    assert not [file for file in wheels[name].code if file.count("/") < 3]


@NAMES
def test_wheel_marks_each_leaf_package_as_typed(wheels, name):
    """Type checkers take the annotations of every package that a wheel brings."""
    wheel = wheels[name]
    assert leaves(wheel) >= LEAVES[name]
    assert [leaf for leaf in leaves(wheel) if f"langgraph/{leaf}/py.typed" not in wheel.code] == []


@NAMES
def test_wheel_tells_what_it_is_and_needs(wheels, name):
    """Name, version, Python and requirements are the ones that the engine and users count on."""
    metadata = wheels[name].metadata
    version, requirements = PACKAGES[name]
    assert (metadata["Name"], metadata["Version"], metadata["Requires-Python"]) == (name, version, ">=3.10")
    assert sorted(metadata.get_all("Requires-Dist")) == sorted(requirements)
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "independent implementation" in metadata["Summary"]
    assert "independent" in metadata.get_payload()[:400]


def test_no_two_wheels_share_a_file_or_a_leaf(wheels):
    """Each package comes from one distribution, so that removing one removes no part of another."""
    for one, other in itertools.combinations(wheels.values(), 2):
        assert not one.files & other.files
        assert not leaves(one) & leaves(other)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_source_tree_has_no_init_in_a_namespace(namespace):
    """Editable installs share the namespaces too."""
    assert not list((ROOT / "libs").glob(f"*/{namespace}/__init__.py"))


MADE = {"dist", "build", "__pycache__"}
OURS = {".ci", ".github"}


def test_only_the_lock_file_names_a_registry():
    """Where packages come from is the machine's choice."""
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
    files: list[Path] = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if (name not in MADE and not name.startswith(".")) or name in OURS]
        files += [Path(folder) / name for name in names if name != "uv.lock"]
    assert files
    naming = [
        str(file.relative_to(ROOT))
        for file in files
        if file.is_file() and any(host.encode() in file.read_bytes() for host in hosts)
    ]
    assert naming == []
