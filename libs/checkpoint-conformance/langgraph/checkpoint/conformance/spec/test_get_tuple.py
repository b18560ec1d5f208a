"""The clauses on `get_tuple` under the release's names."""

from langgraph.checkpoint.conformance._clauses import get_tuple as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_get_tuple_nonexistent_returns_none = spec(clauses.get_tuple_nonexistent_returns_none)
test_get_tuple_latest_when_no_checkpoint_id = spec(clauses.get_tuple_latest_when_no_checkpoint_id)
test_get_tuple_specific_checkpoint_id = spec(clauses.get_tuple_specific_checkpoint_id)
test_get_tuple_config_structure = spec(clauses.get_tuple_config_structure)
test_get_tuple_checkpoint_fields = spec(clauses.get_tuple_checkpoint_fields)
test_get_tuple_metadata = spec(clauses.get_tuple_metadata)
test_get_tuple_parent_config = spec(clauses.get_tuple_parent_config)
test_get_tuple_pending_writes = spec(clauses.get_tuple_pending_writes)
test_get_tuple_respects_namespace = spec(clauses.get_tuple_respects_namespace)
test_get_tuple_nonexistent_checkpoint_id = spec(clauses.get_tuple_nonexistent_checkpoint_id)

run_get_tuple_tests = runner(Capability.GET_TUPLE)
