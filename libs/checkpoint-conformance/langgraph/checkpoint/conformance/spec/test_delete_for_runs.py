"""The clauses on `delete_for_runs` under the release's names."""

from langgraph.checkpoint.conformance._clauses import delete_for_runs as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_delete_for_runs_single = spec(clauses.delete_for_runs_single)
test_delete_for_runs_multiple = spec(clauses.delete_for_runs_multiple)
test_delete_for_runs_preserves_other_runs = spec(clauses.delete_for_runs_preserves_other_runs)
test_delete_for_runs_removes_writes = spec(clauses.delete_for_runs_removes_writes)
test_delete_for_runs_empty_list_noop = spec(clauses.delete_for_runs_empty_list_noop)
test_delete_for_runs_nonexistent_noop = spec(clauses.delete_for_runs_nonexistent_noop)
test_delete_for_runs_across_namespaces = spec(clauses.delete_for_runs_across_namespaces)

run_delete_for_runs_tests = runner(Capability.DELETE_FOR_RUNS)
