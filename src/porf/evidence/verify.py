"""The independent verifier: a witness against the model's axioms, a proof against them edge by edge.

It shares no code with the kernels. A proof is checked locally: every edge is there, every mo edge is established by an
earlier step, assumed, or initial; and the events of each cycle, taken alone, break the named axiom of the model file.
What breaks an axiom in a part of an execution breaks it in the whole, for axioms that only grow with their
relations; other axioms are evaluated on the whole execution.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from porf import _core
from porf._core import Answer, CausalAxioms, Check, RealTime, WitnessAxioms, WitnessFault
from porf.allowance import look
from porf.errors import EvidenceError
from porf.evidence.chosen import closed
from porf.evidence.data import Core, Edge, Proof, Witness
from porf.evidence.table import table_of
from porf.evidence.verify_derivations import DERIVED, DerivationChecker
from porf.evidence.verify_registers import linearizable
from porf.execution import UNKNOWN, Execution, initial_write
from porf.language.evaluation import evaluate
from porf.models.registry import Model

Pair = tuple[int, int]

_SMALL = 64  # events up to which the file of a causal criterion is evaluated
_CORE_SECONDS = 60.0  # for a part that has too many writes for the table
_FAULTS = {
    WitnessFault.NOT_AN_ORDER: "the modification order does not list each location's writes once",
    WitnessFault.PO_RF_CYCLIC: "po and rf are cyclic",
    WitnessFault.ATOMICITY: "an update does not follow the write it reads",
    WitnessFault.COHERENCE: "coherence is broken",
    WitnessFault.CYCLIC: "the model's acyclicity is broken",
}


def verify(
    execution: Execution,
    model: Model,
    answer: str,
    witness: Witness | None,
    proof: Proof | None,
    core: Core | None = None,
) -> None:
    """Raises EvidenceError unless the evidence proves the answer. Undecided needs no evidence."""
    if answer == "consistent":
        if witness is None:
            raise EvidenceError("consistent without a witness")
        _verify_witness(execution, model, witness)
    elif answer == "inconsistent":
        if proof is None and core is None:
            raise EvidenceError("inconsistent without a proof")
        if proof is not None:
            _ProofChecker(execution, model).check(proof, set())
        if core is not None and (proof is None or _writes(execution, core) <= _core.TABLE_WRITES):
            _verify_core(execution, model, core)


def _verify_core(execution: Execution, model: Model, core: Core) -> None:
    """Decides the part once more, by the table over all sets of its writes, on the graphs of the model file."""
    part = execution.restrict(core.rows).execution
    if model.time == RealTime.ALONE:
        if linearizable(part):
            raise EvidenceError("the part said to be inconsistent is not")
        return
    if (part.rf == UNKNOWN).any():
        raise EvidenceError("the part has a read without its write")
    answer = table_of(part, model.file, _core.Budget(_CORE_SECONDS)).answer
    look()  # if that was not enough time, this is no fault of the evidence
    if answer != Answer.INCONSISTENT:
        short = "is not" if answer == Answer.CONSISTENT else f"could not be decided again in {_CORE_SECONDS:.0f} s"
        raise EvidenceError(f"the part said to be inconsistent {short}")


def _writes(execution: Execution, core: Core) -> int:
    return sum(execution.writes(row) for row in core.rows)


def _verify_witness(execution: Execution, model: Model, witness: Witness) -> None:
    execution, witness = closed(execution, witness)
    if witness.interleaving is not None:
        if not model.allows_sequential:
            raise EvidenceError(f"nothing says that {model.name} allows every sequential interleaving")
        if not _core.is_interleaving(execution.core, witness.interleaving):
            raise EvidenceError("the interleaving is not one")
    # An interleaving's own modification order satisfies SC, and so every model that allows interleavings.
    axioms = WitnessAxioms.SC if witness.interleaving is not None else model.witness
    if isinstance(axioms, WitnessAxioms):
        found = _core.check_witness(execution.core, axioms, witness.writes, witness.start, execution.timing)
        if found.fault == WitnessFault.NONE:
            return
        if witness.interleaving is not None or not model.witness_is_stronger:
            where = f" at {execution.name(found.row)}" if found.row >= 0 else ""
            raise EvidenceError(f"the witness fails: {_FAULTS[found.fault]}{where}")
    _check_listing(execution, witness)
    # The causal criteria have no mo, so that a witness says nothing more.
    if isinstance(axioms, CausalAxioms) and len(execution) > _SMALL:
        if not _core.satisfies_causal(execution.core, axioms):
            raise EvidenceError(f"the witness fails: {_FAULTS[WitnessFault.CYCLIC]}")
        return
    violated = evaluate(model.file, execution, _pairs(witness)).violated
    if violated:
        raise EvidenceError(f"under the witness, {violated[0]} of {model.name} fails")


def _check_listing(execution: Execution, witness: Witness) -> None:
    writes = np.flatnonzero(execution.writing)
    lengths = np.diff(witness.start)
    whole = len(witness.start) == execution.locations + 1 and witness.start[0] == 0 and bool((lengths >= 0).all())
    if not whole or not np.array_equal(np.sort(witness.writes), writes):
        raise EvidenceError(_FAULTS[WitnessFault.NOT_AN_ORDER])
    locations = np.repeat(np.arange(execution.locations), lengths)
    if not np.array_equal(execution.loc[witness.writes], locations):
        raise EvidenceError(_FAULTS[WitnessFault.NOT_AN_ORDER])


def _pairs(witness: Witness) -> Iterable[Pair]:
    for loc in range(len(witness.start) - 1):
        rows = witness.of(loc).tolist()
        yield from pairwise(rows)


class _ProofChecker:
    def __init__(self, execution: Execution, model: Model) -> None:
        self._x = execution
        self._model = model
        self._axioms = {axiom.name: axiom for axiom in model.file.axioms if not axiom.flagged}
        self._derived = DerivationChecker(execution, lambda edge: self._check_edge(edge, set()))

    def check(self, proof: Proof, known: set[Pair]) -> None:
        """Checks a proof given mo edges that are known or assumed; what its steps add is gone when it returns."""
        self._derived.establish(proof.derivations)
        added = []
        for step in proof.steps:
            self._check_pair(step.before, step.after)
            assumed = (step.after, step.before)
            fresh = assumed not in known
            known.add(assumed)
            self.check(step.refutation, known)
            if fresh:
                known.discard(assumed)
            established = (step.before, step.after)
            if established not in known:
                known.add(established)
                added.append(established)
        self._check_cycle(proof, known)
        known.difference_update(added)

    def _check_pair(self, before: int, after: int) -> None:
        x = self._x
        self._check_reference(before)
        self._check_reference(after)
        fine = before != after and x.writes(before) and x.writes(after)
        if not fine or x.location(before) != x.location(after):
            raise EvidenceError("a step does not order two writes of one location")

    def _check_reference(self, ref: int) -> None:
        if not -self._x.locations <= ref < len(self._x):
            raise EvidenceError(f"there is no event {ref}")

    def _check_cycle(self, proof: Proof, known: set[Pair]) -> None:
        axiom = self._axioms.get(proof.axiom)
        if axiom is None:
            raise EvidenceError(f"{self._model.name} has no axiom {proof.axiom}")
        if not proof.cycle and axiom.restrictable:
            raise EvidenceError("a proof without a cycle")
        if not axiom.final and not self._is_total(known):
            raise EvidenceError(f"{proof.axiom} may hold again under more of mo, and the steps do not order all of it")
        mo = [pair for edge in proof.cycle for pair in self._check_edge(edge, known)]
        for edge, onward in pairwise(proof.cycle):
            if edge.target != onward.source:
                raise EvidenceError("the edges of a cycle do not meet")
        if proof.cycle and axiom.check != Check.EMPTY and proof.cycle[-1].target != proof.cycle[0].source:
            raise EvidenceError("a cycle does not close")
        if axiom.restrictable:
            edges = [*proof.cycle, *(edge for derived in proof.derivations for edge in derived.path)]
            part = self._x.restrict({row for edge in edges for ref in self._events(edge) for row in self._rows(ref)})
            pairs = [(part.inward(a), part.inward(b)) for a, b in mo]
            violated = evaluate(self._model.file, part.execution, pairs).violated
        else:
            violated = evaluate(self._model.file, self._x, known).violated
        if proof.axiom not in violated:
            raise EvidenceError(f"the cycle given for {proof.axiom} does not break it")

    def _is_total(self, known: set[Pair]) -> bool:
        """Whether the known edges leave no two writes of a location unordered."""
        x = self._x
        for loc in range(x.locations):
            left = {row for row in np.flatnonzero(x.loc == loc).tolist() if x.writes(row)}
            while left:
                first = [row for row in left if not any((other, row) in known for other in left)]
                if len(first) != 1:
                    return False
                left.remove(first[0])
        return True

    def _events(self, edge: Edge) -> Iterable[int]:
        yield edge.source
        yield edge.target
        if edge.relation.startswith("fr"):
            yield self._x.writer(edge.source if edge.relation == "fr" else edge.target)

    def _rows(self, ref: int) -> Iterable[int]:
        """An event itself; an initial write is in a part with any event of its location."""
        return (ref,) if ref >= 0 else np.flatnonzero(self._x.loc == self._x.location(ref))[:1].tolist()

    def _check_edge(self, edge: Edge, known: set[Pair]) -> list[Pair]:
        """Checks that an edge is there; the mo edges that it stands on."""
        x = self._x
        source, target = edge.source, edge.target
        self._check_reference(source)
        self._check_reference(target)
        relation = edge.relation.removesuffix("^-1")
        if relation != edge.relation:
            source, target = target, source
        stands = False
        mo: list[Pair] = []
        if relation == "po":
            after = target >= 0 and (source < 0 or (source < target and x.thread[source] == x.thread[target]))
            stands = bool(after)
        elif relation == "rf":
            stands = x.reads(target) and x.writer(target) == source
        elif relation == "mo" or (relation == "fr" and x.reads(source) and source != target):
            before = x.writer(source) if relation == "fr" else source
            if before != target and x.writes(target) and x.location(before) == x.location(target):
                initial = before == initial_write(x.location(target))
                stands = (before, target) in known or initial
                mo = [] if initial else [(before, target)]
        elif relation in DERIVED:
            stands = edge.relation == relation and self._derived.holds(edge)
        elif relation == "rt":
            stands = x.times is not None and min(source, target) >= 0 and x.times.before(source, target)
        elif relation == "rmw":
            stands = source == target and x.reads(source) and x.writes(source)
        elif relation in x.dependencies:
            sources, targets = x.dependencies[relation]
            stands = bool(((sources == source) & (targets == target)).any())
        elif relation in ("loc", "int", "ext", "id", "any"):  # only where a user's axiom walks them
            same = x.location(source) == x.location(target) >= 0
            together = source == target or (min(source, target) >= 0 and x.thread[source] == x.thread[target])
            facts = {"loc": same, "int": together, "ext": not together, "id": source == target, "any": True}
            stands = bool(facts[relation])
        if not stands:
            names = f"{x.name(edge.source)} to {x.name(edge.target)}"
            raise EvidenceError(f"there is no {edge.relation} edge from {names}")
        return mo
