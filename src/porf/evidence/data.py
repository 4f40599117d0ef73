"""The evidence of a verdict as plain data: a witness for consistent, a proof for inconsistent.

A *proof* is a list of steps and a cycle. Each step establishes one modification-order edge: the opposite edge is
assumed, and refuted by a proof of its own (most often a bare cycle). The closing cycle uses base edges (po, rf, …)
and established or assumed mo edges, and breaks the named axiom of the model. A proof by cases needs no form of its own:
one case is the refutation inside a step, the other is what follows the step. Nothing here decides anything.

Events are references as in `Execution`: a row, or `initial_write(loc)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porf.execution import Int32, Int64


@dataclass(frozen=True)
class Edge:
    """One edge of a cycle: po, rf, mo, fr, rmw, addr, data or ctrl, and rf^-1 where an axiom walks rf backwards.

    An fr edge from r to w stands on the mo edge from r's writer to w.
    """

    source: int
    relation: str
    target: int


@dataclass(frozen=True)
class Step:
    """`before` precedes `after` in mo, because the refutation closes the opposite order."""

    before: int
    after: int
    refutation: Proof


@dataclass(frozen=True)
class Proof:
    """Why no modification order works, or (inside a step) why none works under that step's assumption."""

    axiom: str
    cycle: tuple[Edge, ...]
    steps: tuple[Step, ...] = ()

    def events(self) -> Iterator[int]:
        """Every event that the proof mentions, with repetitions."""
        stack = [self]
        while stack:
            proof = stack.pop()
            for edge in proof.cycle:
                yield edge.source
                yield edge.target
            stack.extend(step.refutation for step in proof.steps)


@dataclass(frozen=True)
class Core:
    """Rows that are inconsistent by themselves while no part of them is: evidence where the proof is a search.

    `forced` are the pairs of writes of a location whose order their reads force, nearest ones only.
    """

    rows: tuple[int, ...]
    forced: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Witness:
    """A modification order for every location: location x's writes are `writes[start[x]:start[x+1]]`, first to last.

    Initial writes come first and are not listed. `interleaving` is given where the whole execution was found to be a
    sequential interleaving: all rows, in that order.
    """

    writes: Int32
    start: Int64
    interleaving: Int32 | None = None

    def of(self, loc: int) -> Int32:
        return self.writes[int(self.start[loc]) : int(self.start[loc + 1])]
