"""PSO and RMO: a total order of all writes, set by set.

Chini and Saivasan 2020: such a model holds iff the writes can be put in one order that leaves each of its graphs
acyclic. What matters of the writes that have come is their set, so sets are visited, each once. The kernel first finds
what the reads force on every order, which leaves few sets; `--algorithm subsets` is Theorem 1's table over all of them.
"""

import time
from dataclasses import replace

from porf import _core
from porf.checking import global_order
from porf.checking.budget import LIMITS, Budget
from porf.checking.forced import forced_pairs
from porf.checking.shrink import with_small_proof
from porf.checking.verdict import REFUTED, Answer, Outcome, ordered_share
from porf.execution import Execution
from porf.models.registry import MODELS, Model

_TSO_STEPS = 50  # an event, for the attempt by TSO


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides PSO or RMO. Both allow what TSO allows, and histories of real executions mostly are TSO."""
    started = time.monotonic()
    steps = _TSO_STEPS * len(execution) + 10_000
    attempt = replace(budget, steps=min(steps, budget.steps or steps))
    stronger = global_order.run(execution, MODELS["tso"], attempt)
    if stronger.answer == Answer.CONSISTENT:
        witness = global_order.witness_of(execution, stronger.order, interleaving=False)
        return Outcome(Answer.CONSISTENT, "global-order", witness=witness)
    if budget.over(started):
        return Outcome(Answer.UNDECIDED, "global-order", note=global_order.progress(stronger))
    return by_subsets(execution, model, budget.since(started), forced=True)


def by_subsets(execution: Execution, model: Model, budget: Budget, *, forced: bool) -> Outcome:
    """Decides one of the four models over sets of writes, with or without what is forced first."""
    algorithm = "forced-subsets" if forced else "subsets"
    found = run(execution, model, budget, forced=forced)
    answer = found.answer
    if answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, algorithm, note=_progress(found))
    if answer == Answer.CONSISTENT:
        witness = global_order.witness_of(execution, found.order, interleaving=False)
        return Outcome(Answer.CONSISTENT, algorithm, witness=witness)

    def inconsistent(part: Execution, steps: int) -> bool | None:
        return REFUTED[run(part, model, Budget(steps=steps), forced=True).answer]

    return with_small_proof(execution, model, budget, inconsistent, algorithm, None, forced_pairs)


def run(execution: Execution, model: Model, budget: Budget, *, forced: bool) -> _core.StoreOrder:
    """The core's answer for one of the four models."""
    assert model.store_order is not None
    return _core.decide_store_order(execution.core, model.store_order, forced, budget.start())


def _progress(found: _core.StoreOrder) -> str:
    """How far it got when the budget ended."""
    parts = (LIMITS[found.limit], ordered_share(found.ordered, found.pairs))
    return "; ".join([*filter(None, parts), f"{found.subsets} sets of writes reached"])
