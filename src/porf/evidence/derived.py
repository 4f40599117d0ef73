"""What an inferred edge of the causal criteria rests on, in one line: for words, records and pictures."""

from collections.abc import Callable

from porf.evidence.data import Derivation, Edge, Proof
from porf.evidence.reasons import INITIAL_FIRST, chain
from porf.execution import Execution

CiteDerivation = Callable[[int], str]  # how a text refers to a derivation, by its place in the proof


def no_number(at: int) -> str:
    return ""


class Derived:
    """The derivations of a proof, found by their edges."""

    def __init__(self, execution: Execution, proof: Proof) -> None:
        self._x = execution
        self.all = proof.derivations
        self._places: dict[Edge, list[int]] = {}
        for at, derivation in enumerate(self.all):
            self._places.setdefault(derivation.edge, []).append(at)

    def find(self, edge: Edge, inside: Derivation | None = None) -> int | None:
        """The place of an edge's derivation: within that of another hb edge, the one of the same view."""
        places = self._places.get(edge, [])
        if inside is not None and inside.thread is not None:
            views = [(self.all[at].thread, self.all[at].keeps) for at in places]
            here = (inside.thread, inside.keeps)
            return places[views.index(here)] if here in views else None
        return places[0] if places else None

    def claim(self, at: int) -> str:
        derivation = self.all[at]
        edge = derivation.edge
        name = self._x.name
        order = "" if derivation.keeps == "po" else f" of {derivation.keeps}"
        view = "" if derivation.thread is None else f" in {self._x.thread_names[derivation.thread]}'s view{order}"
        return f"{edge.relation}: {name(edge.source)} before {name(edge.target)}{view}"

    def reason(self, at: int, cite: CiteDerivation = no_number) -> str:
        """Why it stands: the path, and the rule in the field's words."""
        derivation = self.all[at]
        edge, path = derivation.edge, derivation.path
        name = self._x.name
        if edge.relation == "rw":
            written = name(path[0].target)
            if path[0].target < 0:
                return f"{name(edge.source)} reads {written}, and {INITIAL_FIRST}"
            way = self._way(path[1:], derivation, cite)
            return f"{name(edge.source)} reads {written}, which is before {name(edge.target)}{way}"
        way = self._way(path[:-1], derivation, cite)
        return f"{name(edge.source)} is before {name(path[-1].source)}{way}, which reads {name(edge.target)}"

    def sentence(self, at: int, cite: CiteDerivation = no_number) -> str:
        return f"{self.claim(at)}, because {self.reason(at, cite)}"

    def _way(self, path: tuple[Edge, ...], inside: Derivation, cite: CiteDerivation) -> str:
        def mark(edge: Edge) -> str:
            at = self.find(edge, inside)
            return "" if at is None else cite(at)

        if len(path) == 1:
            return mark(path[0])
        return f" ({chain(self._x, path, mark)})"
