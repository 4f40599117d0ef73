"""`--algorithm frontier`: SC and TSO by the search over frontiers alone, without what reads force."""

from porf.checking import global_order
from porf.checking.budget import Budget
from porf.checking.verdict import Outcome
from porf.execution import Execution
from porf.models.registry import Model


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC or TSO."""
    return global_order.decide(execution, model, budget, saturate=False)
