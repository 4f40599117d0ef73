"""The evidence of a verdict as plain data: a witness for consistent, a proof for inconsistent.

A *proof* is a list of steps and a cycle. Each step establishes one modification-order edge: the opposite edge is
assumed, and refuted by a proof of its own (most often a bare cycle). The closing cycle uses base edges (po, rf, …)
and established or assumed mo edges, and breaks the named axiom of the model. A proof by cases needs no form of its own:
one case is the refutation inside a step, the other is what follows the step. The causal criteria have no mo: there, a
proof holds *derivations* of the edges that reads imply. Nothing here decides anything.

Events are references as in `Execution`: a row, or `initial_write(loc)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porf.execution import Int32, Int64
from porf.record import Record


class Edge(Record):
    """One edge of a cycle: po, rf, mo, fr, rmw, addr, data or ctrl, and rf^-1 where an axiom walks rf backwards.

    An fr edge from r to w stands on the mo edge from r's writer to w. Of the causal criteria: hb, cf and rw, each
    with its derivation.
    """

    source: int
    relation: str
    target: int


class Step(Record):
    """`before` precedes `after` in mo, because the refutation closes the opposite order."""

    before: int
    after: int
    refutation: Proof


class Derivation(Record):
    """Why an inferred edge of the causal criteria (Zennou et al. 2019) stands: a path of edges known before it.

    - `hb`, in the view of `thread`: from a write to a read of that thread, then rf^-1 to the other write. Its hb edges
      are of the same view.
    - `cf`: the same for any read, over all views.
    - `rw`: from a read by rf^-1 to its write, then on to another write, over all views and cf of that location.

    `keeps` is the program order that counts: po, ppo (all but a write and a later read) or po-loc.
    """

    edge: Edge
    path: tuple[Edge, ...]
    keeps: str = "po"
    thread: int | None = None


class Proof(Record):
    """Why no modification order works, or (inside a step) why none works under that step's assumption."""

    axiom: str
    cycle: tuple[Edge, ...]
    steps: tuple[Step, ...] = ()
    derivations: tuple[Derivation, ...] = ()  # each after those that it stands on

    def events(self) -> Iterator[int]:
        """Every event that the proof mentions, with repetitions."""
        stack = [self]
        while stack:
            proof = stack.pop()
            for edge in (*proof.cycle, *(edge for derived in proof.derivations for edge in derived.path)):
                yield edge.source
                yield edge.target
            stack.extend(step.refutation for step in proof.steps)


class Core(Record):
    """Rows that are inconsistent by themselves: evidence where the proof is a search.

    `forced` are the pairs of writes of a location whose order their reads force, nearest ones only. `minimal`: no part
    of them is inconsistent; a budget may have ended the search for the smallest.
    """

    rows: tuple[int, ...]
    forced: tuple[tuple[int, int], ...] = ()
    minimal: bool = True


Choice = tuple[int, int]  # a read whose writer nobody knows, and a candidate: a row, or -1 for the initial value


class Lemma(Record):
    """Choices that cannot all be: a proof, or a part that is inconsistent, once they are made.

    Without either, they are two reads of different values of a start that nobody knows.
    """

    choices: tuple[Choice, ...]
    proof: Proof | None = None
    core: Core | None = None


class Refusal(Record):
    """Why no choice of writers is consistent: open reads, and lemmas that leave them none."""

    reads: tuple[int, ...]
    lemmas: tuple[Lemma, ...]


class Witness(Record, eq=False):
    """A modification order for every location: location x's writes are `writes[start[x]:start[x+1]]`, first to last.

    Initial writes come first and are not listed. `interleaving` is given where the whole execution was found to be a
    sequential interleaving: all rows, in that order.
    """

    writes: Int32
    start: Int64
    interleaving: Int32 | None = None
    rf: Int32 | None = None  # where the history leaves it open who is read: the writer of each row

    def of(self, loc: int) -> Int32:
        return self.writes[int(self.start[loc]) : int(self.start[loc + 1])]
