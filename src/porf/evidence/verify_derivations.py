"""The verifier's part for derivations: every inferred edge of the causal criteria by its rule, from those before it."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from porf.errors import EvidenceError
from porf.evidence.data import Derivation, Edge
from porf.execution import Execution, Op

DERIVED = ("hb", "cf", "rw")
_KEEPS = ("po", "ppo", "po-loc")


class DerivationChecker:
    """Knows which inferred edges are established, and where they may be used."""

    def __init__(self, execution: Execution, check_recorded: Callable[[Edge], object]) -> None:
        self._x = execution
        self._check_recorded = check_recorded  # raises unless an edge of po, rf or rf^-1 is there
        self._views: set[tuple[int, int, str, int | None]] = set()  # hb: source, target, keeps, thread
        self._established: set[Edge] = set()

    def establish(self, derivations: Sequence[Derivation]) -> None:
        for derived in derivations:
            self._check(derived)
            edge = derived.edge
            self._established.add(edge)
            if edge.relation == "hb":
                self._views.add((edge.source, edge.target, derived.keeps, derived.thread))

    def holds(self, edge: Edge) -> bool:
        return edge in self._established

    def _check(self, derived: Derivation) -> None:
        edge, path = derived.edge, derived.path
        if edge.relation not in DERIVED or derived.keeps not in _KEEPS or not path:
            raise EvidenceError("a derivation without a rule")
        if path[0].source != edge.source or path[-1].target != edge.target:
            raise EvidenceError("a derivation is not about its edge")
        if any(a.target != b.source for a, b in pairwise(path)):
            raise EvidenceError("the edges of a derivation do not meet")
        if edge.source == edge.target:
            raise EvidenceError("a derivation leads from an event to itself")
        if edge.relation in ("hb", "cf"):
            self._check_conflict(derived)
        else:
            self._check_read_write(derived)

    def _check_conflict(self, derived: Derivation) -> None:
        """A write before a read of another: in one thread's view, by that thread's read; else by all of them."""
        edge, (*walk, back) = derived.edge, derived.path
        if not walk or back.relation != "rf^-1":
            raise EvidenceError(f"a derivation of {edge.relation} does not end in a read of its target")
        self._check_writes(edge.source, edge.target)
        self._check_recorded(back)
        if edge.relation == "hb" and derived.thread != int(self._x.thread[back.source]):
            raise EvidenceError("a view takes only its own thread's reads")
        if edge.relation == "cf" and not self._external(back.target, back.source, derived.keeps):
            raise EvidenceError("cf takes only reads of other threads' writes here")
        self._check_walk(derived, walk)

    def _check_read_write(self, derived: Derivation) -> None:
        """A read before what follows the write that it reads, in the partial store order."""
        edge, (back, *walk) = derived.edge, derived.path
        if not walk or back.relation != "rf^-1":
            raise EvidenceError("a derivation of rw does not start with what is read")
        self._check_recorded(back)
        self._check_writes(back.target, edge.target)
        self._check_walk(derived, walk)

    def _check_writes(self, first: int, second: int) -> None:
        x = self._x
        if not (x.writes(first) and x.writes(second) and x.location(first) == x.location(second)):
            raise EvidenceError("a derivation does not relate writes of one location")

    def _check_walk(self, derived: Derivation, walk: Sequence[Edge]) -> None:
        for step in walk:
            if step.relation in ("po", "rf"):
                self._check_recorded(step)
                if not self._kept(step, derived.keeps):
                    raise EvidenceError(f"a {step.relation} edge of a derivation is not in {derived.keeps}")
            elif not self._usable(step, derived):
                names = f"{self._x.name(step.source)} to {self._x.name(step.target)}"
                raise EvidenceError(f"a derivation takes {step.relation} from {names}, which it may not")

    def _usable(self, step: Edge, derived: Derivation) -> bool:
        key = (step.source, step.target, derived.keeps)
        match derived.edge.relation, step.relation:
            case "hb", "hb":
                return (*key, derived.thread) in self._views
            case "cf", "hb":
                return any((*key, thread) in self._views for thread in range(self._x.threads))
            case "rw", "hb":
                return step in self._established
            case "rw", "cf":
                same = self._x.location(step.source) == self._x.location(derived.edge.target)
                return same and step in self._established
        return False

    def _kept(self, step: Edge, keeps: str) -> bool:
        x, source, target = self._x, step.source, step.target
        if step.relation == "rf":
            return self._external(source, target, keeps)
        if keeps == "ppo":
            return not (x.writes(source) and x.op[target] == Op.READ)
        return keeps == "po" or x.location(source) == x.location(target)

    def _external(self, writer: int, reader: int, keeps: str) -> bool:
        return keeps == "po" or writer < 0 or bool(self._x.thread[writer] != self._x.thread[reader])
