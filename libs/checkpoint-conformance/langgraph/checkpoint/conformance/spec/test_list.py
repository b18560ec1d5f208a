"""The clauses on `list` under the release's names."""

from langgraph.checkpoint.conformance._clauses import list as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_list_all = spec(clauses.list_all)
test_list_by_thread = spec(clauses.list_by_thread)
test_list_by_namespace = spec(clauses.list_by_namespace)
test_list_ordering = spec(clauses.list_ordering)
test_list_metadata_filter_single_key = spec(clauses.list_metadata_filter_single_key)
test_list_metadata_filter_step = spec(clauses.list_metadata_filter_step)
test_list_before = spec(clauses.list_before)
test_list_limit = spec(clauses.list_limit)
test_list_limit_plus_before = spec(clauses.list_limit_plus_before)
test_list_combined_thread_and_filter = spec(clauses.list_combined_thread_and_filter)
test_list_empty_result = spec(clauses.list_empty_result)
test_list_includes_pending_writes = spec(clauses.list_includes_pending_writes)
test_list_multiple_namespaces = spec(clauses.list_multiple_namespaces)
test_list_metadata_filter_multiple_keys = spec(clauses.list_metadata_filter_multiple_keys)
test_list_metadata_filter_no_match = spec(clauses.list_metadata_filter_no_match)
test_list_metadata_custom_keys = spec(clauses.list_metadata_custom_keys)

run_list_tests = runner(Capability.LIST)
