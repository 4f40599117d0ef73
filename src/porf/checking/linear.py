"""Linearizability of registers whose reads say which write they take: by zones of time.

What refutes a history is a few operations, with the writes that they read and the updates between these. They are
proved by the generic procedure, whose cycles are the shortest, or where chains of updates are long by the global order.
"""

import numpy as np

from porf import _core
from porf.checking import generic, global_order, registers
from porf.checking.budget import LIMITS, Budget
from porf.checking.shrink import outward
from porf.checking.verdict import Answer, Outcome
from porf.evidence.data import Proof, Witness
from porf.execution import Execution, Int32
from porf.models.registry import Model
from porf.record import replace

_SMALL = 64  # events that the generic procedure proves something of


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides linearizability."""
    assert model.kernel is not None
    left_open = registers.open_locations(execution)
    if left_open.any():
        sure = execution.restrict(np.flatnonzero(~left_open[execution.loc]))
        if len(sure.rows):
            outcome = decide(sure.execution, model, budget)
            if outcome.proof is not None:
                return replace(outcome, proof=outward(outcome.proof, sure))
        return registers.decide(execution, budget)
    algorithm = model.kernel.algorithm
    found = _core.check_zones(execution.core, execution.timing, budget.start())
    if found.answer == Answer.UNDECIDED:
        return Outcome(found.answer, algorithm, note=LIMITS[found.limit])
    if found.answer == Answer.CONSISTENT:
        return Outcome(found.answer, algorithm, witness=Witness(found.mo, found.mo_start))
    part = execution.restrict(with_writers(execution, found.part))
    proof = None
    if len(part.rows) <= _SMALL:
        proof = generic.search(part.execution, model.file)[1]
    if not isinstance(proof, Proof):
        proof = global_order.told(part.execution, model, global_order.run(part.execution, model, Budget()))
    return Outcome(found.answer, algorithm, proof=outward(proof, part))


def with_writers(execution: Execution, rows: Int32) -> Int32:
    """These rows, the writes that they read, and those that they read if they are updates."""
    kept = set(rows.tolist())
    stack = list(kept)
    while stack:
        writer = int(execution.rf[stack.pop()])
        if writer >= 0 and writer not in kept:
            kept.add(writer)
            stack.append(writer)
    return np.array(sorted(kept), np.int32)
