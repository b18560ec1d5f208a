"""A kit that tells whether a checkpoint saver keeps the contract of `BaseCheckpointSaver`.

Clauses (`_clauses/`) are registered once (`_registry`) and reach a saver in either colour through a `Probe`.
Ways in: `validate` with `@checkpointer_test` and its report, the release's functions in `spec/`, and, for
pytest, `langgraph.checkpoint.conformance.suite.CheckpointerTests`.
"""

from langgraph.checkpoint.conformance.initializer import checkpointer_test
from langgraph.checkpoint.conformance.validate import validate

__all__ = ["checkpointer_test", "validate"]
