"""Uses the package as a program does; checked, not run."""

from __future__ import annotations

import psycopg
from langchain_core.runnables import RunnableConfig
from typing_extensions import assert_type

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, JsonPlusSerializer, empty_checkpoint
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver


def use(config: RunnableConfig) -> None:
    """Use the synchronous saver."""
    with PostgresSaver.from_conn_string("postgresql://", pipeline=True) as saver:
        assert_type(saver, PostgresSaver)
        saver.setup()
        assert_type(saver.get_tuple(config), CheckpointTuple | None)
        assert_type(saver.put(config, empty_checkpoint(), {"source": "input"}, {}), RunnableConfig)
        for found in saver.list(config, filter={"source": "input"}, limit=1):
            assert_type(found, CheckpointTuple)
    with psycopg.connect("postgresql://") as conn:
        base: BaseCheckpointSaver[str] = PostgresSaver(conn, serde=JsonPlusSerializer())
        base.delete_thread("1")


async def ause(config: RunnableConfig) -> None:
    """Use the asynchronous saver."""
    async with AsyncPostgresSaver.from_conn_string("postgresql://", serde=JsonPlusSerializer()) as saver:
        assert_type(saver, AsyncPostgresSaver)
        await saver.setup()
        assert_type(await saver.aget_tuple(config), CheckpointTuple | None)
        async for found in saver.alist(config, limit=1):
            assert_type(found, CheckpointTuple)
    async with await psycopg.AsyncConnection.connect("postgresql://") as conn:
        await AsyncPostgresSaver(conn).aprune(["1"])
