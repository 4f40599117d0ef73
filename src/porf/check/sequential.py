"""SC at scale: what the reads force on a global order, to a fixpoint, then a search over frontiers.

The core derives edges from two rules: a write before a read of w is before w; a write after w is after every read of w.
Each derived edge stands on a path of earlier ones, so a cycle becomes a proof edge by edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from porf import _core
from porf.check.budget import Budget
from porf.check.derivation import merge_po
from porf.check.shrink import with_small_proof
from porf.check.verdict import ANSWERS, LIMITS, Outcome
from porf.evidence.data import Edge, Proof, Step, Witness
from porf.execution import Execution, Int32, Op
from porf.models.registry import Model

_RELATIONS = ("po", "rf", "mo", "fr")
_AXIOM = "sc"


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC."""
    found = _core.check_sequential(
        **execution.columns(),
        seconds=budget.seconds or 0.0,
        steps=budget.steps or 0,
        bytes=budget.bytes,
        progress=budget.progress,
    )
    assert model.kernel is not None
    algorithm = "frontier" if found["states"] else model.kernel.algorithm
    answer = ANSWERS[found["answer"]]
    if answer == "undecided":
        return Outcome("undecided", algorithm, note=LIMITS[found["limit"]])
    if answer == "consistent":
        return Outcome("consistent", algorithm, witness=witness_of(execution, found["order"]))
    if len(found["cycle"]):
        return Outcome("inconsistent", algorithm, proof=_Told(execution, found).proof())

    def inconsistent(part: Execution, steps: int) -> bool:
        again: int = _core.check_sequential(**part.columns(), steps=steps)["answer"]
        return ANSWERS[again] == "inconsistent"

    note = f"none of {found['states']} frontiers leads to the end" if found["states"] else None
    return with_small_proof(execution, model, budget, inconsistent, algorithm, note)


def witness_of(execution: Execution, rows: Int32) -> Witness:
    """The modification order of an interleaving."""
    writes = rows[np.isin(execution.op[rows], (Op.WRITE, Op.UPDATE))]
    by_loc = writes[np.argsort(execution.loc[writes], kind="stable")]
    counts = np.bincount(execution.loc[writes], minlength=execution.locations)
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Witness(by_loc.astype(np.int32), start, interleaving=rows)


class _Told:
    """The core's explanation of a cycle as a proof: derived edges become steps, in the order of their derivation."""

    def __init__(self, execution: Execution, found: dict[str, Any]) -> None:
        self._x = execution
        self._edges = [tuple(row) for row in found["edges"].reshape(-1, 4).tolist()]  # from, to, ground, read
        self._path_start = found["path_start"].tolist()
        self._path = found["path"].tolist()
        self._cycle = found["cycle"].tolist()

    def proof(self) -> Proof:
        steps: dict[tuple[int, int], Step] = {}
        for number, (source, target, ground, read) in enumerate(self._edges):
            path = self._path[self._path_start[number] : self._path_start[number + 1]]
            if _RELATIONS[ground] == "mo":
                refuted = Proof(_AXIOM, (Edge(read, "fr", source), *self._walk(path)))
                steps.setdefault((source, target), Step(source, target, refuted))
            elif _RELATIONS[ground] == "fr" and path:
                writer = self._x.writer(source)
                refuted = Proof(_AXIOM, (Edge(target, "mo", writer), *self._walk(path)))
                steps.setdefault((writer, target), Step(writer, target, refuted))
        return Proof(_AXIOM, merge_po(self._edge_list(self._cycle), closed=True), tuple(steps.values()))

    def _walk(self, path: list[int]) -> tuple[Edge, ...]:
        return merge_po(self._edge_list(path), closed=False)

    def _edge_list(self, numbers: list[int]) -> list[Edge]:
        edges = (self._edges[number] for number in numbers)
        return [Edge(source, _RELATIONS[ground], target) for source, target, ground, _ in edges]
