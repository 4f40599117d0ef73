"""Small evidence from a large refutation: a part of an execution that is inconsistent while no smaller one tried is."""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.checking.budget import Budget
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.evidence.data import Core, Derivation, Edge, Proof, Step
from porf.execution import Execution, Int32, Int64, Part
from porf.models.registry import Model

Mask = npt.NDArray[np.bool_]
Refutes = Callable[[Execution, int], bool | None]  # is a part inconsistent? within so many steps; None: undecided

_STEPS, _STEPS_AN_EVENT = 100_000, 200  # a part that takes longer to decide is not taken for a smaller one
_SECONDS = 10.0  # for all of it, unless the budget says less
_SMALL = 1_000  # events, up to which the generic procedure may prove the whole soon
_MOST_STEPS = 60  # a longer proof is no reading matter: the part itself says more


def with_small_proof(
    execution: Execution,
    model: Model,
    budget: Budget,
    inconsistent: Refutes,
    algorithm: str,
    note: str | None,
    forced: Callable[[Execution, Model], tuple[tuple[int, int], ...]] | None = None,
) -> Outcome:
    """A refutation that is no single cycle: the proof is of a minimal part, by the procedure that can give one.

    `inconsistent` decides a part, within so many steps. With `forced`, which finds the order that a part's reads force
    on its writes, the part itself is evidence. A small execution is proved as a whole first: what the proof mentions is
    a part that is quickly made smaller.
    """
    from porf.checking import generic

    def refuted(part: Execution) -> bool | None:
        return inconsistent(part, _STEPS + _STEPS_AN_EVENT * len(part))

    started = time.monotonic()
    left = Budget(seconds=min(budget.seconds or _SECONDS, _SECONDS))
    rows = np.arange(len(execution), dtype=np.int32)
    if len(execution) <= _SMALL:
        quarter = left.seconds / 4 if left.seconds else None
        answer, evidence = generic.search(execution, model.file, seconds=quarter)
        if answer == Answer.INCONSISTENT and isinstance(evidence, Proof):
            rows = mentioned(execution, evidence)
    first = execution.restrict(rows)
    if len(rows) < len(execution) and not refuted(first.execution):
        first = execution.restrict(np.arange(len(execution), dtype=np.int32))
    inner, minimal = minimal_rows(first.execution, refuted, left.since(started))
    rows = first.rows[inner]
    part = execution.restrict(rows)
    core = None
    if forced is not None:
        pairs = forced(part.execution, model)
        outside = tuple((part.outward(a), part.outward(b)) for a, b in pairs)
        core = Core(tuple(rows.tolist()), outside, minimal)
    answer, evidence = generic.search(part.execution, model.file, seconds=left.since(started).seconds)
    if (
        answer == Answer.INCONSISTENT
        and isinstance(evidence, Proof)
        and (core is None or _steps(evidence) <= _MOST_STEPS)
    ):
        return Outcome(Answer.INCONSISTENT, algorithm, proof=outward(evidence, part), core=core, note=note)
    if core is not None:
        return Outcome(Answer.INCONSISTENT, algorithm, core=core, note=note)
    unproved = f"no short proof was found; {len(rows)} events are an inconsistent part"
    return Outcome(Answer.INCONSISTENT, algorithm, note=f"{note}; {unproved}" if note else unproved)


def mentioned(execution: Execution, proof: Proof) -> Int32:
    """The rows of a proof, and the writes that its reads take, and those that they take if they are updates."""
    rows = {event for event in proof.events() if event >= 0}
    front = rows
    while front:
        front = {int(execution.rf[row]) for row in front if execution.reads(row) and execution.rf[row] >= 0} - rows
        rows = rows | front
    return np.array(sorted(rows), np.int32)


def _steps(proof: Proof) -> int:
    return len(proof.steps) + sum(_steps(step.refutation) for step in proof.steps)


def kernel_refutes(model: Model) -> Refutes:
    """The kernel of SC or TSO, for shrinking what another procedure refuted."""
    memory = model.memory
    assert memory is not None

    def inconsistent(part: Execution, steps: int) -> bool | None:
        found = _core.check_global_order(part.core, part.timing, memory, model.time, True, _core.Budget(steps=steps))
        return REFUTED[found.answer]

    return inconsistent


def minimal_rows(
    execution: Execution, inconsistent: Callable[[Execution], bool | None], budget: Budget
) -> tuple[Int32, bool]:
    """Rows of an inconsistent part that keeps each kept read's writer, and whether none of its rows can be dropped.

    Removes ever smaller runs of locations, then of rows (with the readers of what they write), as long as the rest
    stays inconsistent. A violation is mostly one of a few locations, and the rest is gone soon.
    """
    search = _Shrinking(execution, inconsistent, time.monotonic() + (budget.seconds or _SECONDS))
    if execution.locations > 1:
        search.by(execution.loc)
    minimal = search.by(np.arange(len(execution)))
    return np.flatnonzero(search.kept).astype(np.int32), minimal


class _Shrinking:
    def __init__(self, execution: Execution, inconsistent: Callable[[Execution], bool | None], deadline: float) -> None:
        self._x = execution
        self._inconsistent = inconsistent
        self._deadline = deadline
        self.kept: Mask = np.ones(len(execution), np.bool_)

    def by(self, key: Int32 | Int64) -> bool:
        """Drops rows key by key, in ever shorter runs; returns whether no remaining key can be dropped."""
        run = max(1, len(np.unique(key)) // 2)
        while True:
            smaller, sure = False, True  # sure: every part of this round was decided
            keys = np.unique(key[self.kept])
            for start in range(0, len(keys), run):
                if time.monotonic() > self._deadline:
                    return False
                found = self._without(np.isin(key, keys[start : start + run]))
                smaller |= found is True
                sure &= found is not None
            if run == 1 and not smaller:
                return sure
            run = max(1, run // 2)

    def _without(self, rows: Mask) -> bool | None:
        """Takes rows away if the rest is still inconsistent; None if that could not be decided."""
        candidate = self.kept & ~rows
        if not (self.kept & rows).any() or not candidate.any():
            return False
        _drop_orphans(self._x, candidate)
        if not candidate.any():
            return False
        answer = self._inconsistent(self._x.restrict(np.flatnonzero(candidate)).execution)
        if answer:
            self.kept = candidate
        return answer


def _drop_orphans(execution: Execution, kept: Mask) -> None:
    """Drops reads whose writer is gone, and the readers of the updates among them, and so on."""
    reading = execution.rf >= 0
    writers = np.where(reading, execution.rf, 0)
    while True:
        orphans = kept & reading & ~kept[writers]
        if not orphans.any():
            return
        kept[orphans] = False


def outward(proof: Proof, part: Part) -> Proof:
    """A proof about a part, in the references of the whole."""

    def edge(e: Edge) -> Edge:
        return Edge(part.outward(e.source), e.relation, part.outward(e.target))

    def derivation(d: Derivation) -> Derivation:
        thread = None if d.thread is None else int(part.threads[d.thread])
        return Derivation(edge(d.edge), tuple(map(edge, d.path)), d.keeps, thread)

    steps = tuple(Step(part.outward(s.before), part.outward(s.after), outward(s.refutation, part)) for s in proof.steps)
    return Proof(proof.axiom, tuple(map(edge, proof.cycle)), steps, tuple(map(derivation, proof.derivations)))
