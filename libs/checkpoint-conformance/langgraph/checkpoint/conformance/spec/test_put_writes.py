"""The clauses on `put_writes` under the release's names."""

from langgraph.checkpoint.conformance._clauses import put_writes as clauses
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner, spec

test_put_writes_basic = spec(clauses.put_writes_basic)
test_put_writes_multiple_writes_same_task = spec(clauses.put_writes_multiple_writes_same_task)
test_put_writes_multiple_tasks = spec(clauses.put_writes_multiple_tasks)
test_put_writes_preserves_task_id = spec(clauses.put_writes_preserves_task_id)
test_put_writes_preserves_channel_and_value = spec(clauses.put_writes_preserves_channel_and_value)
test_put_writes_task_path = spec(clauses.put_writes_task_path)
test_put_writes_idempotent = spec(clauses.put_writes_idempotent)
test_put_writes_special_channels = spec(clauses.put_writes_special_channels)
test_put_writes_across_namespaces = spec(clauses.put_writes_across_namespaces)
test_put_writes_cleared_on_next_checkpoint = spec(clauses.put_writes_cleared_on_next_checkpoint)

run_put_writes_tests = runner(Capability.PUT_WRITES)
