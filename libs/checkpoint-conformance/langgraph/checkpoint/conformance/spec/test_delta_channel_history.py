"""The clauses on `get_delta_channel_history`."""

from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.spec._functions import runner

run_delta_channel_history_tests = runner(Capability.DELTA_CHANNEL_HISTORY)
