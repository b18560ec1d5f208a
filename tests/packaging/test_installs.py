"""Each wheel alone in an empty environment, with no more than what it says it requires."""

import json

import pytest

IMPORT_ALL = """
import importlib, json, sys
from importlib.metadata import distribution
failed = {}
for file in distribution(NAME).files:
    if file.suffix == ".py":
        module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        if module.endswith("__main__"):
            continue
        try:
            importlib.import_module(module)
        except ImportError as error:
            failed[module] = error.name
print(json.dumps(failed))
"""

NEEDS_EXTRA = {
    "langgraph-checkpoint": set(),
    "langgraph-checkpoint-sqlite": set(),
    "langgraph-checkpoint-postgres": {"psycopg"},
    "langgraph-checkpoint-conformance": {"pytest", "hypothesis"},
}
"""What modules of a package may miss: an extra, or for Postgres the client library that `psycopg` wraps."""

STORE = """
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
config = {"configurable": {"thread_id": "t"}}
checkpoint = empty_checkpoint() | {"channel_values": {"a": (1, {2})}, "channel_versions": {"a": "1"}}
with SqliteSaver.from_conn_string("threads.db") as saver:
    saver.put(config, checkpoint, {"source": "input"}, {"a": "1"})
with SqliteSaver.from_conn_string("threads.db") as saver:
    print(saver.get_tuple(config).checkpoint["channel_values"])
"""

STORE_IN_MEMORY = """
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
config = {"configurable": {"thread_id": "t"}}
saver = InMemorySaver()
saver.put(config, empty_checkpoint(), {"source": "input"}, {})
print(saver.get_tuple(config).metadata)
"""

JUDGE = """
import asyncio
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver

@checkpointer_test(name="InMemorySaver")
async def saver():
    yield InMemorySaver()

report = asyncio.run(validate(saver, capabilities={"put"})).to_dict()
print(report["results"]["put"]["passed"])
"""


@pytest.mark.parametrize("name", NEEDS_EXTRA)
def test_every_module_imports_with_the_declared_requirements(install, name):
    """No module needs what its distribution does not declare, but those that say so by an extra."""
    failed = json.loads(install(name)(IMPORT_ALL.replace("NAME", repr(name))))
    missing = {(module or "").partition(".")[0] for module in failed.values()}
    assert missing <= NEEDS_EXTRA[name], failed


@pytest.mark.parametrize(
    ("name", "code", "printed"),
    [
        ("langgraph-checkpoint", STORE_IN_MEMORY, "{'source': 'input'}"),
        ("langgraph-checkpoint-sqlite", STORE, "{'a': (1, {2})}"),
        ("langgraph-checkpoint-conformance", JUDGE, "True"),
    ],
)
def test_package_does_its_work_where_it_is_installed_alone(install, name, code, printed):
    """Migrations and all are there: a value is stored and read back, a saver is judged."""
    assert install(name)(code).strip().splitlines()[-1] == printed
