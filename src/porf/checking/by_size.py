"""How models are decided by default whose axioms are walks, and files that have no kernel.

Small histories by the generic procedure, whose proofs are the shortest; large ones by walks; and what is not for walks
by the generic procedure again.
"""

import time
from dataclasses import replace

from porf.checking import generic, walks
from porf.checking.budget import Budget
from porf.checking.verdict import Answer, Outcome
from porf.execution import Execution
from porf.models.registry import Model

_SMALL = 64  # events
_STEPS = 100_000_000  # for the generic procedure to decide these; a matrix is some hundred steps


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides by what is likely to be quick, and then by the other."""
    started = time.monotonic()
    left = budget
    if walks.walks(model.file) is not None:
        if len(execution) <= _SMALL:
            steps = min(_STEPS, budget.steps or _STEPS)
            outcome = generic.decide(execution, model, replace(budget, steps=steps))
            if outcome.answer != Answer.UNDECIDED or steps == budget.steps or budget.over(started):
                return outcome
            left = budget.since(started)
        found = walks.solve(execution, model, left)
        if found is not None:
            return walks.outcome_of(found, execution, model, budget.since(started))
    return generic.decide(execution, model, budget.since(started))
