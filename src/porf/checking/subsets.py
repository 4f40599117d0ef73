"""`--algorithm subsets`: the table of Chini and Saivasan 2020, Theorem 1, over all sets of writes."""

from porf import _core
from porf.checking.budget import LIMITS, Budget
from porf.checking.forced import forced_pairs
from porf.checking.global_order import witness_of
from porf.checking.shrink import with_small_proof
from porf.checking.store_order import by_subsets
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.evidence.table import table_of
from porf.execution import Execution
from porf.models.registry import Model


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides by the table; above 28 writes, by those sets that what is forced leaves."""
    if model.store_order is not None:
        too_many = int(execution.writing.sum()) > _core.TABLE_WRITES
        return by_subsets(execution, model, budget, forced=too_many)
    found = table_of(execution, model.file, budget.start())
    answer = found.answer
    if answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, "subsets", note=f"{LIMITS[found.limit]}; {found.subsets} sets reached")
    if answer == Answer.CONSISTENT:
        return Outcome(Answer.CONSISTENT, "subsets", witness=witness_of(execution, found.order, interleaving=False))

    def inconsistent(part: Execution, steps: int) -> bool | None:
        return REFUTED[table_of(part, model.file, _core.Budget(steps=steps)).answer]

    return with_small_proof(execution, model, budget, inconsistent, "subsets", None, forced_pairs)
