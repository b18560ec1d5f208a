"""The clauses on `delete_thread` under the release's names."""

from langgraph.checkpoint.conformance._clauses import delete_thread as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_delete_thread_removes_checkpoints = spec(clauses.delete_thread_removes_checkpoints)
test_delete_thread_removes_writes = spec(clauses.delete_thread_removes_writes)
test_delete_thread_removes_all_namespaces = spec(clauses.delete_thread_removes_all_namespaces)
test_delete_thread_preserves_other_threads = spec(clauses.delete_thread_preserves_other_threads)
test_delete_thread_nonexistent_noop = spec(clauses.delete_thread_nonexistent_noop)

run_delete_thread_tests = runner(Capability.DELETE_THREAD)
