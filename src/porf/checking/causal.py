"""The causal criteria of Zennou et al. 2019: CC, CCv, CM, CCM and weak CCM, on executions of plain reads and writes.

CC is what WRA says without updates, and CCv what SRA does, so their kernels decide. The others have their own: the view
of each thread, closed under what its reads say; then one partial store order. What the core infers becomes derivations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from porf import _core
from porf._core import CausalBreach, Keeps
from porf._core import CausalRelation as Relation
from porf.checking.budget import LIMITS, Budget
from porf.checking.derivation import merge_po
from porf.checking.global_order import witness_of
from porf.checking.kernel import decide as decide_by_kernel
from porf.checking.shrink import mentioned, minimal_rows, outward
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.errors import UsageError
from porf.evidence.data import Derivation, Edge, Proof
from porf.execution import Execution, Int32, Op
from porf.models.registry import MODELS, Model

_BY_COHERENCE = {"cc": "wra", "ccv": "sra"}  # without updates the same
_STORE_ORDERS = ("ccm", "wccm")
_AXIOMS_OF_CC = {"po-rf": "causality", "weak-read-coherence": "read-write"}
_ENOUGH = 6  # a proof with more derivations is found again, for a smaller part


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides by the criterion's kernel."""
    kernel = model.kernel
    assert kernel is not None
    if model.name in _BY_COHERENCE:
        outcome = decide_by_kernel(execution, MODELS[_BY_COHERENCE[model.name]], budget)
        if outcome.proof is None:
            return outcome
        if model.name == "cc":
            return replace(outcome, proof=replace(outcome.proof, axiom=_AXIOMS_OF_CC[outcome.proof.axiom]))
    found = _run(execution, model, budget)
    answer = found.answer
    if answer == Answer.UNDECIDED:
        return Outcome(answer, kernel.algorithm, note=LIMITS[found.limit])
    if answer == Answer.CONSISTENT:
        witness = witness_of(execution, found.order, interleaving=False)
        return Outcome(answer, kernel.algorithm, witness=witness)
    return Outcome(answer, kernel.algorithm, proof=_short_proof(execution, model, found, budget))


@dataclass(frozen=True, eq=False)
class PartialStoreOrder:
    """What CCM (or weak CCM) says of any store order of SC (or TSO): `before[i]` comes before `after[i]`.

    For each write and thread the first write that comes after it, so that the closure of these pairs, with program
    order, is the whole. Nothing is given unless the answer is consistent. `pairs` counts the pairs of writes of one
    location, `ordered` those that are ordered here, and `converged` those that CCv orders: (co | cf)+; it is None where
    CCv does not hold.
    """

    answer: Answer
    before: Int32
    after: Int32
    pairs: int
    ordered: int
    converged: int | None
    note: str | None = None


def partial_store_order(execution: Execution, model: Model, budget: Budget | None = None) -> PartialStoreOrder:
    """The partial store order of `ccm` or `wccm`: a start for SC or TSO (Zennou et al. 2019, Algorithms 1 and 2)."""
    if model.criterion is None or model.name not in _STORE_ORDERS:
        raise UsageError(f"{model.name} has no partial store order", hint=f"ask for {' or '.join(_STORE_ORDERS)}")
    if (execution.op > Op.WRITE).any():
        raise UsageError("the partial store order is for reads and writes only", hint="leave updates and fences out")
    found = _core.partial_store_order(execution.core, model.criterion, (budget or Budget()).start())
    converged = found.converged if found.converged_answer == Answer.CONSISTENT else None
    return PartialStoreOrder(
        found.answer, found.before, found.after, found.pairs, found.ordered, converged, LIMITS[found.limit] or None
    )


def _run(execution: Execution, model: Model, budget: Budget) -> _core.CausalResult:
    assert model.criterion is not None
    return _core.check_causal(execution.core, model.criterion, budget.start())


def _short_proof(execution: Execution, model: Model, found: _core.CausalResult, budget: Budget) -> Proof | None:
    """The core's explanation; a long one is cut down to a minimal part of its events, and found again."""
    proof = _Told(execution, model.name, found).proof() if len(found.cycle) else None
    if proof is not None and len(proof.derivations) <= _ENOUGH:
        return proof
    rows = np.arange(len(execution)) if proof is None else mentioned(execution, proof)
    part = execution.restrict(rows)

    def inconsistent(smaller: Execution) -> bool | None:
        return REFUTED[_run(smaller, model, Budget(steps=10_000_000)).answer]

    least = part.execution.restrict(minimal_rows(part.execution, inconsistent, budget)[0])
    again = _run(least.execution, model, Budget())
    if not len(again.cycle):
        return proof
    small = _Told(least.execution, model.name, again).proof()
    return outward(outward(small, least), part)


class _Told:
    """The core's explanation of a cycle as a proof."""

    def __init__(self, execution: Execution, name: str, found: _core.CausalResult) -> None:
        self._x = execution
        self._edges = found.edges
        self._path_start = found.path_start
        self._path = found.path
        self._cycle = found.cycle
        self._keeps = found.keeps
        self._axiom = _axiom(name, found.breach, self._keeps)

    def proof(self) -> Proof:
        derivations = [
            self._derive(number)
            for number, edge in enumerate(self._edges)
            if edge.relation not in (Relation.PO, Relation.RF)
        ]
        cycle = merge_po([self._edge(number) for number in self._cycle], closed=True, keeps=self._kept(self._keeps))
        if cycle[0].target < 0:
            cycle = (*cycle, Edge(cycle[0].target, "po", cycle[0].source))
        return Proof(self._axiom, cycle, derivations=tuple(derivations))

    def _edge(self, number: int) -> Edge:
        edge = self._edges[number]
        return Edge(edge.source, edge.relation.value, edge.target)

    def _derive(self, number: int) -> Derivation:
        edge = self._edges[number]
        target, read = edge.target, edge.read
        numbers = self._path[self._path_start[number] : self._path_start[number + 1]]
        path = merge_po([self._edge(step) for step in numbers], closed=False, keeps=self._kept(edge.keeps))
        if edge.relation == Relation.RW:
            writer = self._x.writer(read)
            if writer < 0:
                path = (Edge(writer, "po", target),)
            path = (Edge(read, "rf^-1", writer), *path)
        else:
            path = (*path, Edge(read, "rf^-1", target))
        thread = int(self._x.thread[read]) if edge.relation == Relation.HB else None
        return Derivation(self._edge(number), path, edge.keeps.value, thread)

    def _kept(self, keeps: Keeps) -> Callable[[int, int], bool]:
        """Which pairs of program order may be shown as one edge: ppo does not keep a write and a later read."""
        op = self._x.op
        return lambda before, after: keeps != Keeps.PPO or bool(op[before] == Op.READ or op[after] == Op.WRITE)


def _axiom(name: str, breach: CausalBreach, keeps: Keeps) -> str:
    """What the model file calls the axiom that the cycle breaks."""
    if name == "ccv":
        return "causality" if breach == CausalBreach.CAUSAL else "conflict"
    if name == "cm":
        return "causality" if breach == CausalBreach.CAUSAL else "happens-before"
    return "store-order-by-location" if keeps == Keeps.PO_LOC else "store-order"
