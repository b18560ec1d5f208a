"""The clauses on `prune` under the release's names."""

from langgraph.checkpoint.conformance._clauses import prune as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_prune_keep_latest_single_thread = spec(clauses.prune_keep_latest_single_thread)
test_prune_keep_latest_multiple_threads = spec(clauses.prune_keep_latest_multiple_threads)
test_prune_keep_latest_across_namespaces = spec(clauses.prune_keep_latest_across_namespaces)
test_prune_keep_latest_preserves_writes = spec(clauses.prune_keep_latest_preserves_writes)
test_prune_delete_all = spec(clauses.prune_delete_all)
test_prune_preserves_other_threads = spec(clauses.prune_preserves_other_threads)
test_prune_empty_list_noop = spec(clauses.prune_empty_list_noop)
test_prune_nonexistent_noop = spec(clauses.prune_nonexistent_noop)

run_prune_tests = runner(Capability.PRUNE)
