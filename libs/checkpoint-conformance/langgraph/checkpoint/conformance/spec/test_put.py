"""The clauses on `put` under the release's names."""

from langgraph.checkpoint.conformance._clauses import put as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_put_returns_config = spec(clauses.put_returns_config)
test_put_roundtrip = spec(clauses.put_roundtrip)
test_put_preserves_channel_values = spec(clauses.put_preserves_channel_values)
test_put_preserves_channel_versions = spec(clauses.put_preserves_channel_versions)
test_put_preserves_versions_seen = spec(clauses.put_preserves_versions_seen)
test_put_preserves_metadata = spec(clauses.put_preserves_metadata)
test_put_root_namespace = spec(clauses.put_root_namespace)
test_put_child_namespace = spec(clauses.put_child_namespace)
test_put_default_namespace = spec(clauses.put_default_namespace)
test_put_multiple_checkpoints_same_thread = spec(clauses.put_multiple_checkpoints_same_thread)
test_put_multiple_threads_isolated = spec(clauses.put_multiple_threads_isolated)
test_put_parent_config = spec(clauses.put_parent_config)
test_put_incremental_channel_update = spec(clauses.put_incremental_channel_update)
test_put_new_channel_added = spec(clauses.put_new_channel_added)
test_put_channel_removed = spec(clauses.put_channel_removed)
test_put_preserves_run_id = spec(clauses.put_preserves_run_id)
test_put_preserves_versions_seen_values = spec(clauses.put_preserves_versions_seen_values)

run_put_tests = runner(Capability.PUT)
