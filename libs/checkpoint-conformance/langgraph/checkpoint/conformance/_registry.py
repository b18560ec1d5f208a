"""The clauses, each registered once; whatever runs them takes them from here.

A clause is an async function that takes a `Probe`; its docstring is the clause, its name the id. Clauses use
threads and runs of their own, so they may share a store in any order.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from langgraph.checkpoint.conformance._probe import Probe
from langgraph.checkpoint.conformance.capabilities import Capability

Clause = Callable[[Probe], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Case:
    """A clause and where it belongs.

    Attributes:
        id: `capability.name`, such as `put.roundtrip`. Users write it down, so renaming one breaks them.
        name: the function's name, such as `put_roundtrip`.
        text: what a saver must do.
    """

    id: str
    capability: Capability
    name: str
    text: str
    clause: Clause


_CASES: dict[str, Case] = {}


def case(capability: Capability) -> Callable[[Clause], Clause]:
    """Register the decorated function as a clause on `capability`."""

    def register(clause: Clause) -> Clause:
        name = clause.__name__
        prefix = f"{capability.value}_"
        if not clause.__doc__ or not name.startswith(prefix):
            raise TypeError(f"clause {name} needs a docstring and a name that starts with {prefix}")
        case_id = f"{capability.value}.{name.removeprefix(prefix)}"
        if case_id in _CASES:
            raise TypeError(f"clause {case_id} is registered twice")
        _CASES[case_id] = Case(case_id, capability, name, clause.__doc__, clause)
        return clause

    return register


def registered(capability: Capability | None = None) -> tuple[Case, ...]:
    """Return the cases registered so far, in order: all, or those of one capability.

    Take this from `_clauses`, whose import has registered all.
    """
    return tuple(c for c in _CASES.values() if capability in (None, c.capability))
