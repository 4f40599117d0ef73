"""`--algorithm frontier`: SC and TSO by the search over frontiers alone, without what reads force."""

from __future__ import annotations

from porf.check import global_order
from porf.check.budget import Budget
from porf.check.verdict import Outcome
from porf.execution import Execution
from porf.models.registry import Model


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC or TSO."""
    return global_order.decide(execution, model, budget, saturate=False)
