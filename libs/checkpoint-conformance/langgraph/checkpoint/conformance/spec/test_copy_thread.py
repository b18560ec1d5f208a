"""The clauses on `copy_thread` under the release's names."""

from langgraph.checkpoint.conformance._clauses import copy_thread as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_copy_thread_basic = spec(clauses.copy_thread_basic)
test_copy_thread_all_checkpoints = spec(clauses.copy_thread_all_checkpoints)
test_copy_thread_preserves_metadata = spec(clauses.copy_thread_preserves_metadata)
test_copy_thread_preserves_namespaces = spec(clauses.copy_thread_preserves_namespaces)
test_copy_thread_preserves_writes = spec(clauses.copy_thread_preserves_writes)
test_copy_thread_preserves_ordering = spec(clauses.copy_thread_preserves_ordering)
test_copy_thread_source_unchanged = spec(clauses.copy_thread_source_unchanged)
test_copy_thread_nonexistent_source = spec(clauses.copy_thread_nonexistent_source)

run_copy_thread_tests = runner(Capability.COPY_THREAD)
