"""The names that the engine and other packages import from ours, and that they get ours."""

from importlib import import_module
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from langgraph.graph import StateGraph

LIBS = Path(__file__).parents[2] / "libs"

NAMES = {
    "langgraph.cache.base": "BaseCache FullKey Namespace ValueT",
    "langgraph.checkpoint.base": """
        BaseCheckpointSaver ChannelVersions Checkpoint CheckpointMetadata CheckpointTuple DeltaChannelHistory
        EXCLUDED_METADATA_KEYS EmptyChannelError PendingWrite RunnableConfig SerializerProtocol V WRITES_IDX_MAP
        get_checkpoint_id get_checkpoint_metadata get_serializable_checkpoint_metadata writes_sort_key
        """,
    "langgraph.checkpoint.base.id": "uuid6",
    "langgraph.checkpoint.memory": "InMemorySaver MemorySaver PersistentDict",
    "langgraph.checkpoint.serde": "types",
    "langgraph.checkpoint.serde._msgpack": "STRICT_MSGPACK_ENABLED",
    "langgraph.checkpoint.serde.base": "SerializerProtocol",
    "langgraph.checkpoint.serde.encrypted": "EncryptedSerializer",
    "langgraph.checkpoint.serde.jsonplus": "JsonPlusSerializer",
    "langgraph.checkpoint.serde.types": "ChannelProtocol TASKS _DeltaSnapshot",
    "langgraph.checkpoint.sqlite": "SqliteSaver",
    "langgraph.checkpoint.sqlite.aio": "AsyncSqliteSaver",
    "langgraph.store.base": """
        BaseStore GetOp IndexConfig Item ListNamespacesOp MatchCondition NOT_PROVIDED NamespacePath NotProvided Op
        PutOp Result SearchItem SearchOp TTLConfig _ensure_ttl ensure_embeddings get_text_at_path tokenize_path
        """,
    "langgraph.store.base.batch": "AsyncBatchedBaseStore",
    "langgraph.store.base.embed": "AEmbeddingsFunc EmbeddingsFunc ensure_embeddings get_text_at_path",
    "langgraph.store.memory": "InMemoryStore",
}
"""What the engine, langgraph-prebuilt, langgraph-sdk, langchain and the savers and stores for Redis, MySQL, AWS
and MongoDB import, and the classes that users start from."""


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in NAMES.items() for name in names.split()]
)
def test_name_that_others_import_is_there(module, name):
    """An importer finds the name in the module where it looks."""
    if module == "langgraph.checkpoint.serde" and name == "types":
        import_module(f"{module}.{name}")
    assert hasattr(import_module(module), name)


@pytest.mark.parametrize("module", NAMES)
def test_module_comes_from_this_workspace(module):
    """No released package hides ours."""
    assert LIBS in Path(import_module(module).__file__).parents


def test_namespaces_are_shared_with_the_engine():
    """`langgraph` and the packages below it belong to no distribution."""
    for name in ("langgraph", "langgraph.checkpoint", "langgraph.store", "langgraph.cache"):
        assert import_module(name).__file__ is None


def test_engine_runs_on_our_base():
    """The engine's own import of the saver's base class is the workspace's class."""
    engine = import_module("langgraph.pregel.main")
    assert LIBS not in Path(engine.__file__).parents
    assert engine.BaseCheckpointSaver is import_module("langgraph.checkpoint.base").BaseCheckpointSaver
    with pytest.raises(TypeError):
        StateGraph(dict).compile(checkpointer=object())


def test_engine_accepts_our_version():
    """What the engine requires of `langgraph-checkpoint` holds for ours."""
    needed = [Requirement(text) for text in requires("langgraph")]
    (base,) = [need for need in needed if need.name == "langgraph-checkpoint"]
    assert base.specifier.contains(version("langgraph-checkpoint"))


def test_redis_package_finds_the_private_parts_that_it_calls():
    """The Redis saver's serializer calls `_reviver` of ours and makes `_DeltaSnapshot` objects."""
    serializer = import_module("langgraph.checkpoint.serde.jsonplus").JsonPlusSerializer()
    assert serializer._reviver({"plain": 1}) == {"plain": 1}
    snapshot = import_module("langgraph.checkpoint.serde.types")._DeltaSnapshot([1])
    assert serializer.loads_typed(serializer.dumps_typed(snapshot)).value == [1]
