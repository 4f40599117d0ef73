"""What each mo or fr edge of a proof rests on, and one line that says so: for words, records and pictures.

A proof is walked with a work list, never by recursion: it may hold a hundred thousand steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from porf.evidence.data import Edge, Proof, Step
from porf.execution import UNKNOWN, Execution, Op
from porf.record import Record

INFERRED = ("mo", "fr")  # the relations that no recording shows; every other edge speaks for itself
INITIAL_FIRST = "the initial write comes first"
ATOMIC = "nothing comes between a write and its update"


class Frame(Record, eq=False):
    """A proof in its place: the whole one, or the refutation of step `at` of the frame around it."""

    proof: Proof
    parent: Frame | None = None
    at: int = 0

    @cached_property
    def _index(self) -> dict[tuple[int, int], int]:
        index: dict[tuple[int, int], int] = {}
        for at, step in enumerate(self.proof.steps):
            index.setdefault((step.before, step.after), at)
        return index

    @cached_property
    def _inside(self) -> dict[int, Frame]:
        return {}

    def inside(self, at: int) -> Frame:
        """The refutation of one step; the same object each time, so that it can stand for the step."""
        found = self._inside.get(at)
        if found is None:
            found = self._inside[at] = Frame(self.proof.steps[at].refutation, self, at)
        return found

    @property
    def step(self) -> Step:
        """The step that this frame refutes the opposite of."""
        if self.parent is None:
            raise ValueError("the whole proof is nobody's refutation")
        return self.parent.proof.steps[self.at]

    def find(self, pair: tuple[int, int]) -> Ground:
        """Where an mo edge of this frame's cycle comes from: a step here, the assumption, or further out."""
        frame: Frame | None = self
        limit = len(self.proof.steps)
        while frame is not None:
            at = frame._index.get(pair, limit) if frame.proof.steps else limit
            if at < limit:
                return Ground("step", frame.inside(at))
            if frame.parent is not None and (frame.step.after, frame.step.before) == pair:
                return Ground("supposed", frame)
            limit, frame = frame.at, frame.parent
        return Ground("given")


class Ground(Record):
    """What an edge rests on: `base`, `initial`, a `step`, what a frame `supposed`, or `given`."""

    kind: str
    frame: Frame | None = None


Cite = Callable[[Frame], str]  # how a text refers to a step: " [3]", or nothing


def no_cite(frame: Frame) -> str:
    return ""


def mo_pair(execution: Execution, edge: Edge) -> tuple[int, int] | None:
    """The mo edge under an mo or fr edge; None for base edges and where the reads-from is not known."""
    if edge.relation == "mo":
        return edge.source, edge.target
    if edge.relation != "fr" or not execution.reads(edge.source) or execution.rf[edge.source] == UNKNOWN:
        return None
    return execution.writer(edge.source), edge.target


def ground(execution: Execution, frame: Frame, edge: Edge) -> Ground:
    if edge.relation not in INFERRED:
        return Ground("base")
    pair = mo_pair(execution, edge)
    if pair is None:
        return Ground("given")
    return Ground("initial") if pair[0] < 0 else frame.find(pair)


def needed(execution: Execution, root: Frame, cap: int | None = None) -> list[Frame]:
    """The steps that the closing cycle stands on, each as its refutation, nearest to the cycle first."""
    found: dict[Frame, None] = {}
    work = [root]
    for frame in work:
        for edge in frame.proof.cycle:
            inner = ground(execution, frame, edge)
            if inner.kind == "step" and inner.frame is not None and inner.frame not in found:
                if cap is not None and len(found) >= cap:
                    return list(found)
                found[inner.frame] = None
                work.append(inner.frame)
    return list(found)


def shape(proof: Proof) -> str:
    """A cycle, mostly; what breaks an axiom that some relation is empty need not come round."""
    return "path" if proof.cycle and proof.cycle[0].source != proof.cycle[-1].target else "cycle"


def chain(execution: Execution, cycle: Sequence[Edge], mark: Callable[[Edge], str], longest: int = 8) -> str:
    """A path in one line: `a -po-> b -rf-> c`; the middle of a long one is counted, not shown."""
    if not cycle:
        return ""
    head, tail = (len(cycle), 0) if len(cycle) <= longest else (longest - 2, 2)
    out = [execution.name(cycle[0].source)]
    for edge in cycle[:head]:
        out.append(f"-{edge.relation}-> {execution.name(edge.target)}{mark(edge)}")
    if tail:
        out.append(f"… {len(cycle) - head - tail} more edges … {execution.name(cycle[-tail].source)}")
        out.extend(f"-{e.relation}-> {execution.name(e.target)}{mark(e)}" for e in cycle[-tail:])
    return " ".join(out)


def marked(execution: Execution, frame: Frame, cycle: Sequence[Edge], cite: Cite) -> str:
    """A cycle in one line, with what its edges rest on."""

    def mark(edge: Edge) -> str:
        under = ground(execution, frame, edge)
        if under.kind == "step" and under.frame is not None:
            return cite(under.frame)
        return " (supposed)" if under.kind == "supposed" else ""

    return chain(execution, cycle, mark)


def claim(execution: Execution, refutation: Frame) -> str:
    step = refutation.step
    return f"mo: {execution.name(step.before)} before {execution.name(step.after)}"


def reason(execution: Execution, refutation: Frame, cite: Cite = no_cite) -> str:
    """Why a step holds, in one line, in the field's words where its refutation has a well-known shape."""
    proof, step = refutation.proof, refutation.step
    if is_split(execution, refutation):
        return (
            f"supposing instead {execution.name(step.after)} before {execution.name(step.before)}, "
            f"a cycle would break {proof.axiom}: {marked(execution, refutation, proof.cycle, cite)}"
        )
    cycle = _folded(proof.cycle)
    said = (
        _one_inferred(execution, refutation, cycle)
        or _atomicity(execution, refutation, cycle, cite)
        or _climb(execution, refutation, cycle, cite)
    )
    shown = marked(execution, refutation, proof.cycle, cite)
    return said or f"otherwise this cycle would break {proof.axiom}: {shown}"


def is_split(execution: Execution, refutation: Frame) -> bool:
    """Does the refutation need steps of its own? Then it is a case of a proof by cases."""
    if not refutation.proof.steps:
        return False
    grounds = [ground(execution, refutation, edge) for edge in refutation.proof.cycle]
    return any(under.kind == "step" and under.frame and under.frame.parent is refutation for under in grounds)


def _folded(cycle: Sequence[Edge]) -> list[Edge]:
    """rf^-1 and then mo is what fr means: the shapes below know only fr."""
    edges = list(cycle)
    if edges and edges[0].relation == "mo" and edges[-1].relation == "rf^-1":
        edges = [edges[-1], *edges[:-1]]
    out: list[Edge] = []
    for edge in edges:
        if out and edge.relation == "mo" and out[-1].relation == "rf^-1":
            out[-1] = Edge(out[-1].source, "fr", edge.target)
        else:
            out.append(edge)
    return out


def _one_inferred(execution: Execution, refutation: Frame, cycle: Sequence[Edge]) -> str | None:
    """The coherence shapes: the assumed edge, or an fr edge that it makes, closed by a path of base edges."""
    at = [i for i, edge in enumerate(cycle) if edge.relation in INFERRED]
    if len(at) != 1:
        return None
    edge, path = cycle[at[0]], [*cycle[at[0] + 1 :], *cycle[: at[0]]]
    if not path or mo_pair(execution, edge) != (refutation.step.after, refutation.step.before):
        return None
    start, end = execution.name(path[0].source), execution.name(path[-1].target)
    way = f" ({chain(execution, path, lambda _: '')})" if len(path) > 1 else ""
    if edge.relation == "fr":
        return f"{start} happens before {end}, which reads {execution.name(refutation.step.after)}{way}"
    if len(path) == 1 and path[0].relation == "rf":
        return f"{end} reads {start}"
    return f"{start} happens before {end}{way}"


def _atomicity(execution: Execution, refutation: Frame, cycle: Sequence[Edge], cite: Cite) -> str | None:
    """u -fr-> v -mo-> u with an update u: v is either after u or before the write that u updates."""
    if {edge.relation for edge in cycle} != {"fr", "mo"} or len(cycle) != 2:
        return None
    fr, mo = cycle if cycle[0].relation == "fr" else (cycle[1], cycle[0])
    pair = mo_pair(execution, fr)
    if pair is None or int(execution.op[fr.source]) != Op.UPDATE:
        return None
    opposite = (refutation.step.after, refutation.step.before)
    update, other, written = execution.name(fr.source), execution.name(fr.target), execution.name(pair[0])
    if pair == opposite:
        known = _cited(execution, refutation, mo, cite)
        return f"{update} updates {written}, {other} is before {update}{known}, and {ATOMIC}"
    if (mo.source, mo.target) == opposite:
        known = _cited(execution, refutation, fr, cite)
        return f"{update} updates {written}, {other} is after {written}{known}, and {ATOMIC}"
    return None


def _climb(execution: Execution, refutation: Frame, cycle: Sequence[Edge], cite: Cite) -> str | None:
    """u -mo-> v -mo-> w -rf-> u with the first edge supposed: v precedes w, and so what updates w."""
    if [edge.relation for edge in cycle] != ["mo", "mo", "rf"]:
        return None
    if mo_pair(execution, cycle[0]) != (refutation.step.after, refutation.step.before):
        return None
    update, low, write = (execution.name(edge.source) for edge in cycle)
    return f"{update} reads {write}, which is after {low}{_cited(execution, refutation, cycle[1], cite)}"


def _cited(execution: Execution, frame: Frame, edge: Edge, cite: Cite) -> str:
    under = ground(execution, frame, edge)
    if under.kind == "step" and under.frame is not None:
        return cite(under.frame)
    return " (supposed)" if under.kind == "supposed" else ""
