"""How SC, TSO, PSO and RMO are decided by default: the kernel as long as it is quick, otherwise a SAT solver.

The kernels decide histories of real executions in near-linear time, but their search may lose its way in histories that
were made to be hard. A solver learns from its mistakes, at a price that is quadratic in the history. So the kernel has
some steps an event first; then the solver, where the history is not too large; then the kernel again, to the end.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from porf.checking.budget import Budget
from porf.checking.criteria import only_accesses
from porf.checking.forced import forced_pairs
from porf.checking.shrink import Refutes, with_small_proof
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.execution import Execution
from porf.models.registry import Model

Decide = Callable[[Execution, Model, Budget], Outcome]

_STEPS = 40  # of the kernel, an event
_FIRST_STEPS = 50_000
_PART_SECONDS = 2.0  # for the solver to decide a part, when a refutation is made small
_SOLVER_EVENTS = 8_000  # beyond, the solver's matrices cost more than they give


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides one of the four, each procedure with what the one before has left of the budget."""
    assert model.kernel is not None
    kernel: Decide = import_module(f"porf.checking.{model.kernel.module}").decide
    if budget.steps is not None or len(execution) > _SOLVER_EVENTS:
        return kernel(execution, model, budget)
    started = time.monotonic()
    outcome = kernel(execution, model, replace(budget, steps=_FIRST_STEPS + _STEPS * len(execution)))
    for decide_next in (_solve, kernel):
        if outcome.answer != Answer.UNDECIDED or budget.over(started):
            break
        outcome = decide_next(execution, model, budget.since(started))
    return outcome


def _solve(execution: Execution, model: Model, budget: Budget) -> Outcome:
    from porf.checking import sat  # the solver and the model language take time to start
    from porf.checking.gradual import climb
    from porf.checking.gradual_sat import refine

    started = time.monotonic()
    if only_accesses(execution) and model.memory is not None:
        return climb(execution, model, budget, "gradual-sat", refine, _refutes(model))
    answer, witness, note = sat.solve(execution, model, budget)
    if answer == Answer.INCONSISTENT:
        left = budget.since(started)
        return with_small_proof(execution, model, left, _refutes(model), "sat", note, forced_pairs)
    return Outcome(answer, "sat", witness, note=note)


def _refutes(model: Model) -> Refutes:
    """For shrinking what a solver refuted: a kernel alone may not come to an end."""
    from porf.checking import sat

    def inconsistent(part: Execution, steps: int) -> bool | None:
        return REFUTED[sat.solve(part, model, Budget(seconds=_PART_SECONDS))[0]]

    return inconsistent
