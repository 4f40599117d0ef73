"""Gradual checking of SC and TSO (Zennou et al. 2019, Algorithms 1 and 2): ever stronger criteria, then a search.

CC, CCv and CCM (for TSO: wCCM) are each decided in polynomial time; what breaks one breaks the model. The last gives a
partial store order that every store order contains. Enumeration orders the pairs that it leaves open.
"""

import time
from collections.abc import Callable

import numpy as np

from porf.allowance import SpentError
from porf.checking import causal, generic, global_order
from porf.checking.budget import LIMITS, Budget
from porf.checking.criteria import LADDER, NAMES, refuse_all_but_accesses
from porf.checking.enumeration import complete_by_enumeration
from porf.checking.forced import forced_pairs
from porf.checking.order_graph import StoreOrders, closure
from porf.checking.shrink import Refutes, kernel_refutes, mentioned, outward, with_small_proof
from porf.checking.verdict import Answer, Outcome, ordered_share
from porf.evidence.data import Proof
from porf.execution import Execution
from porf.language.store_order import Matrix, StoreOrderProblem, store_order_problem
from porf.models.registry import MODELS, Model

ALGORITHM = "gradual"

# Completes a partial store order: an order if there is one, and a word on how it went. Raises SpentError.
Complete = Callable[[StoreOrders, StoreOrderProblem, Matrix, Budget], tuple[Matrix | None, str]]


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC or TSO on a history of reads and writes; enumeration completes the partial store order."""
    return climb(execution, model, budget, ALGORITHM, complete_by_enumeration)


def climb(
    execution: Execution,
    model: Model,
    budget: Budget,
    algorithm: str,
    complete: Complete,
    refutes: Refutes | None = None,
) -> Outcome:
    """The criteria one after the other, then the completion. `refutes` helps to make a refutation small."""
    refuse_all_but_accesses(execution, algorithm)
    started = time.monotonic()
    held: list[str] = []
    for criterion in LADDER[model.name][:-1]:
        outcome = causal.decide(execution, MODELS[criterion], budget.since(started))
        if outcome.answer == Answer.INCONSISTENT:
            return _refuted(execution, model, budget.since(started), algorithm, criterion, outcome.proof)
        if outcome.answer == Answer.UNDECIDED:
            return Outcome(Answer.UNDECIDED, algorithm, note=_joined(_holding(held), outcome.note))
        held.append(NAMES[criterion])
    last = LADDER[model.name][-1]
    forced = causal.partial_store_order(execution, MODELS[last], budget.since(started))
    if forced.answer == Answer.INCONSISTENT:
        proof = causal.decide(execution, MODELS[last], budget.since(started)).proof
        return _refuted(execution, model, budget.since(started), algorithm, last, proof)
    if forced.answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, algorithm, note=_joined(_holding(held), forced.note))
    held.append(NAMES[last])
    so_far = _joined(_holding(held), ordered_share(forced.ordered, forced.pairs))
    too_large = generic.too_large(execution, model.file, budget.bytes or generic.MEMORY_LIMIT)
    if too_large:
        return Outcome(Answer.UNDECIDED, algorithm, note=_joined(so_far, too_large))
    problem = store_order_problem(model.file, execution)
    assert problem is not None
    orders = StoreOrders(execution)
    try:
        order, how = complete(orders, problem, _closed(orders, forced), budget.since(started))
    except SpentError as spent:
        return Outcome(Answer.UNDECIDED, algorithm, note=_joined(so_far, LIMITS[spent.limit]))
    note = _joined(so_far, how)
    if order is None:
        small = refutes or kernel_refutes(model)
        return with_small_proof(execution, model, budget.since(started), small, algorithm, note, forced_pairs)
    return Outcome(Answer.CONSISTENT, algorithm, orders.witness(order), note=note)


def _closed(orders: StoreOrders, forced: causal.PartialStoreOrder) -> Matrix:
    """The whole partial store order: the pairs that the core gives, closed together with program order."""
    execution = orders.execution
    graph = np.zeros_like(orders.literal, np.bool_)
    graph[forced.before, forced.after] = True
    for x in range(execution.locations):
        line = orders.line(x)
        graph[np.ix_(line, line)] |= np.triu(execution.thread[line][:, None] == execution.thread[line][None, :], 1)
    closed = closure(graph)
    assert closed is not None
    return closed


def _refuted(
    execution: Execution, model: Model, budget: Budget, algorithm: str, criterion: str, proof: Proof | None
) -> Outcome:
    """What breaks a criterion breaks the model: the events of the criterion's proof, proved once more for the model."""
    note = f"not {NAMES[criterion]}"
    if proof is not None:
        part = execution.restrict(mentioned(execution, proof))
        again = global_order.decide(part.execution, model, budget).proof
        if again is not None:
            return Outcome(Answer.INCONSISTENT, algorithm, proof=outward(again, part), note=note)
    return with_small_proof(execution, model, budget, kernel_refutes(model), algorithm, note)


def _holding(held: list[str]) -> str | None:
    return f"{', '.join(held)} {'holds' if len(held) == 1 else 'hold'}" if held else None


def _joined(*parts: str | None) -> str:
    return "; ".join(part for part in parts if part)
