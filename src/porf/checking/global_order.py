"""SC and TSO at scale: what the reads force on a global order, to a fixpoint, then a search over frontiers.

The core derives edges from two rules: a write before a read of w is before w; a write after w is after every read of w.
Each derived edge stands on a path of earlier ones, so a cycle becomes a proof edge by edge.
"""

import numpy as np

from porf import _core
from porf._core import Ground, Uniprocessor
from porf.checking.budget import LIMITS, Budget
from porf.checking.criteria import LADDER, NAMES, only_accesses
from porf.checking.derivation import merge_po
from porf.checking.forced import forced_pairs
from porf.checking.shrink import kernel_refutes, with_small_proof
from porf.checking.verdict import Answer, Outcome, ordered_share
from porf.evidence.data import Edge, Proof, Step, Witness
from porf.execution import Execution, Int32, Op
from porf.models.registry import Model

_RELATIONS = {Ground.PO: "po", Ground.RF: "rf", Ground.BEFORE: "mo", Ground.AFTER: "fr", Ground.OWN: "mo"} | {
    Ground.TIME: "rt"
}
_UNIPROCESSOR = "uniprocessor"


def decide(execution: Execution, model: Model, budget: Budget, *, saturate: bool = True) -> Outcome:
    """Decides SC or TSO."""
    assert model.kernel is not None
    found = run(execution, model, budget, saturate=saturate)
    algorithm = "frontier" if found.states or not saturate else model.kernel.algorithm
    answer = found.answer
    if answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, algorithm, note=progress(found, execution, model))
    if answer == Answer.CONSISTENT:
        plain = model.memory == _core.Memory.SC and model.time == _core.RealTime.IGNORED
        witness = witness_of(execution, found.order, interleaving=plain)
        return Outcome(Answer.CONSISTENT, algorithm, witness=witness)
    if found.breach != Uniprocessor.NONE:
        return Outcome(Answer.INCONSISTENT, algorithm, proof=_one_thread(execution, found))
    if len(found.cycle):
        return Outcome(Answer.INCONSISTENT, algorithm, proof=told(execution, model, found))

    note = f"none of {found.states} frontiers leads to the end" if found.states else None
    forced = forced_pairs if model.store_order is not None else None
    return with_small_proof(execution, model, budget, kernel_refutes(model), algorithm, note, forced)


def progress(found: _core.GlobalOrder, execution: Execution | None = None, model: Model | None = None) -> str:
    """How far it got within the budget: the criteria of Zennou et al. 2019 that hold, the share of writes ordered."""
    parts: list[str | None] = [LIMITS[found.limit]]
    if found.saturated and execution is not None and model is not None and only_accesses(execution):
        parts.append(f"{', '.join(NAMES[name] for name in LADDER[model.name])} hold")
    parts.append(ordered_share(found.ordered, found.pairs))
    if found.states:
        parts.append(f"{found.states} frontiers visited")
    return "; ".join(part for part in parts if part)


def run(execution: Execution, model: Model, budget: Budget, *, saturate: bool = True) -> _core.GlobalOrder:
    """The core's answer for SC or TSO."""
    assert model.memory is not None
    return _core.check_global_order(
        execution.core, execution.timing, model.memory, model.time, saturate, budget.start()
    )


def witness_of(execution: Execution, rows: Int32, *, interleaving: bool) -> Witness:
    """The modification order of all rows in the order in which they take place."""
    writes = rows[execution.writing[rows]]
    by_loc = writes[np.argsort(execution.loc[writes], kind="stable")]
    counts = np.bincount(execution.loc[writes], minlength=execution.locations)
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Witness(by_loc.astype(np.int32), start, rows if interleaving else None)


def _one_thread(execution: Execution, found: _core.GlobalOrder) -> Proof:
    """A thread's accesses of one location that cannot be: the read misses the thread's own last write."""
    read, own = found.read, found.own
    writer = execution.writer(read)
    if found.breach == Uniprocessor.FROM_LATER:
        back = () if writer == read else (Edge(read, "po", writer),)
        return Proof(_UNIPROCESSOR, (Edge(writer, "rf", read), *back))
    cycle = (Edge(read, "fr", own), Edge(own, "po", read))
    if writer < 0:
        return Proof(_UNIPROCESSOR, cycle)
    refuted = Proof(_UNIPROCESSOR, (Edge(own, "mo", writer), Edge(writer, "po", own)))
    return Proof(_UNIPROCESSOR, cycle, (Step(writer, own, refuted),))


def told(execution: Execution, model: Model, found: _core.GlobalOrder) -> Proof:
    """The proof for a cycle that the core found."""
    axioms = {_core.RealTime.ALONE: "linearizability"}
    name = axioms.get(model.time) or ("tso" if model.memory == _core.Memory.TSO else "sc")
    return _Told(execution, name, found).proof()


class _Told:
    """The core's explanation of a cycle as a proof: derived edges become steps, in the order of their derivation."""

    def __init__(self, execution: Execution, axiom: str, found: _core.GlobalOrder) -> None:
        self._x = execution
        self._axiom = axiom
        self._edges = found.edges
        self._path_start = found.path_start
        self._path = found.path
        self._cycle = found.cycle

    def proof(self) -> Proof:
        steps: dict[tuple[int, int], Step] = {}
        for number, edge in enumerate(self._edges):
            source, target, ground, read = edge.source, edge.target, edge.ground, edge.read
            path = self._path[self._path_start[number] : self._path_start[number + 1]]
            if ground == Ground.OWN:
                refuted = Proof(_UNIPROCESSOR, (Edge(read, "fr", source), Edge(source, "po", read)))
                steps.setdefault((source, target), Step(source, target, refuted))
            elif _RELATIONS[ground] == "mo":
                refuted = Proof(self._axiom, (Edge(read, "fr", source), *self._walk(path)))
                steps.setdefault((source, target), Step(source, target, refuted))
            elif _RELATIONS[ground] == "fr" and path:
                writer = self._x.writer(source)
                refuted = Proof(self._axiom, (Edge(target, "mo", writer), *self._walk(path)))
                steps.setdefault((writer, target), Step(writer, target, refuted))
        cycle = merge_po(self._edge_list(self._cycle), closed=True, keeps=self._kept)
        return Proof(self._axiom, cycle, tuple(steps.values()))

    def _walk(self, path: list[int]) -> tuple[Edge, ...]:
        return merge_po(self._edge_list(path), closed=False, keeps=self._kept)

    def _kept(self, before: int, after: int) -> bool:
        """Whether the model keeps this pair of program order: TSO does not keep a write and a later read."""
        return self._axiom != "tso" or self._x.op[before] != Op.WRITE or self._x.op[after] != Op.READ

    def _edge_list(self, numbers: list[int]) -> list[Edge]:
        edges = [self._edges[number] for number in numbers]
        n = len(self._x)
        at = next((at for at, edge in enumerate(edges) if edge.source < n), 0)
        out: list[Edge] = []
        source = -1
        for edge in edges[at:] + edges[:at]:  # a cycle may begin at a moment of real time; a path does not
            source = edge.source if edge.source < n else source
            if edge.target < n:
                out.append(Edge(source, _RELATIONS[edge.ground], edge.target))
        return out
