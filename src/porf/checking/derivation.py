"""From what a kernel found to a proof: each modification-order edge that coherence forces, as a step with its reason.

The kernels say which access `a` happens before which event `e`, and that is enough: read-coherence, write-coherence and
atomicity (Tunç et al. 2023, Lemma 3.2) do the rest, a small refutation per edge. See docs/design/evidence.md.
"""

from collections.abc import Callable
from itertools import pairwise

from porf import _core
from porf._core import Sync
from porf.evidence.data import Edge, Proof, Step
from porf.execution import Execution, Op
from porf.models.registry import Model
from porf.record import Record

_MOST_TRIED = 32  # entries of a po-rf cycle from which a shorter one is sought


class _Forced(Record):
    """The steps that take mo from a forced edge's value to the next edge's; the walk along them, start included."""

    steps: list[Step]
    walk: list[int]


class Derivation:
    """Builds proofs over one execution under one way of synchronising."""

    def __init__(self, execution: Execution, model: Model) -> None:
        self._x = execution
        self._sync = model.sync
        self._write_coherence = "strong-write-coherence" if model.strong else "write-coherence"

    def po_rf(self, pairs: list[int]) -> Proof:
        """A shortest cycle of po and rf through one of the rf edges of a cycle: `pairs` of a writer and its reader."""
        best: list[Edge] = []
        for at in range(0, min(len(pairs), _MOST_TRIED), 2):
            writer, reader = pairs[at], pairs[at + 1]
            back = [] if writer == reader else self._path(reader, writer, sync=Sync.ALL)
            if not best or len(back) < len(best) - 1:
                best = [Edge(writer, "rf", reader), *back]
        return Proof("po-rf", tuple(best))

    def two_updates(self, update: int) -> Proof:
        """Two updates read one write: whichever comes first, it comes between that write and the other."""
        writer, other = self._x.writer(update), self._rival(update)
        steps = [self._up(writer, u) for u in (other, update) if writer >= 0]
        refuted = Proof("atomicity", (Edge(other, "fr", update), Edge(update, "mo", other)))
        closing = (Edge(update, "fr", other), Edge(other, "mo", update))
        return Proof("atomicity", closing, (*steps, Step(other, update, refuted)))

    def two_updates_weakly(self, update: int) -> Proof:
        """Two updates read one write, where the model says so itself."""
        writer, other = self._x.writer(update), self._rival(update)
        return Proof("weak-atomicity", (Edge(other, "rf^-1", writer), Edge(writer, "rf", update)))

    def _rival(self, update: int) -> int:
        x = self._x
        same = (x.op == Op.UPDATE) & (x.rf == x.rf[update]) & (x.loc == x.loc[update])
        return next(int(row) for row in same.nonzero()[0] if row != update)

    def overwritten(self, other: int, event: int) -> Proof:
        """`event` reads a write that happens before `other`, which happens before `event`."""
        writer = self._x.writer(event)
        first = [Edge(writer, "po", other)] if writer < 0 else self._path(writer, other)
        edges = (*first, *self._path(other, event), Edge(event, "rf^-1", writer))
        return Proof("weak-read-coherence", edges)

    def before_initial(self, access: int, event: int) -> Proof:
        """The value that `access` leaves would have to precede the initial write, in whose chain `event` reads."""
        steps = [self._read_step(access, event)]
        while steps[-1].after >= 0:
            steps.append(self._down(steps[-1].before, steps[-1].after))
        last = steps.pop()
        return Proof(last.refutation.axiom, last.refutation.cycle, tuple(steps))

    def back_in_chain(self, access: int, event: int) -> Proof:
        """`event` reads a write from which, update after update, the value that `access` leaves was made."""
        climb = self._climb(self._x.writer(event), self._left_by(access))
        return self._close(self._read_step(access, event), climb.walk, climb.steps)

    def chain_cycle(self, grounds: list[tuple[int, int]]) -> Proof:
        """Forced edges that form a cycle: pairs of an access and an event, each targeting the next one's chain."""
        values = [self._left_by(access) for access, _ in grounds]
        forced = []
        for at, (access, event) in enumerate(grounds):
            forced.append(self._force(access, event, values[(at + 1) % len(values)]))
        # Close with the edge whose own refutation is shortest: the walk round is the same for all.
        last = min(range(len(forced)), key=lambda i: len(forced[i].steps[-1].refutation.cycle))
        turned = forced[last + 1 :] + forced[: last + 1]
        steps = [step for part in turned for step in part.steps]
        closing = steps.pop()
        walk = [event for part in turned for event in part.walk[:-1]]
        at = walk.index(closing.before, len(walk) - len(turned[-1].walk) + 1)
        return self._close(closing, walk[at + 1 :] + walk[: at + 1], steps)

    def strong_cycle(self, edges: list[_core.GroundedEdge]) -> Proof:
        """A cycle of happens-before and forced edges; without an access, an edge is one step of po or rf."""
        steps: list[Step] = []
        cycle: list[Edge] = []
        for edge in edges:
            source, target = edge.source, edge.target
            if edge.access >= 0:
                steps.extend(self._force(edge.access, edge.event, target).steps)
                cycle.append(Edge(source, "mo", target))
            elif self._x.thread[source] == self._x.thread[target]:
                cycle.append(Edge(source, "po", target))
            else:
                cycle.append(Edge(source, "rf", target))
        return Proof(self._write_coherence, merge_po(cycle, closed=True), tuple(steps))

    def _left_by(self, access: int) -> int:
        return access if self._x.writes(access) else self._x.writer(access)

    def _path(self, source: int, target: int, sync: Sync | None = None) -> list[Edge]:
        """How `source` happens before `target`, in few steps of po and rf."""
        way = self._sync if sync is None else sync
        path = _core.happens_before_path(self._x.core, way, source, target)
        return [Edge(a, name, b) for (a, b), name in zip(pairwise(path.rows), path.relations, strict=True)]

    def _seen(self, access: int, event: int) -> list[Edge]:
        """From the value that `access` leaves to `event`: the read of it if it was one, then happens-before."""
        value = self._left_by(access)
        read = [] if value == access else [Edge(value, "rf", access)]
        return read + self._path(access, event)

    def _read_step(self, access: int, event: int) -> Step:
        value = self._left_by(access)
        cycle = (Edge(event, "fr", value), *self._seen(access, event))
        return Step(value, self._x.writer(event), Proof("read-coherence", cycle))

    def _write_step(self, access: int, event: int) -> Step:
        value = self._left_by(access)
        cycle = (Edge(event, "mo", value), *self._seen(access, event))
        return Step(value, event, Proof(self._write_coherence, cycle))

    def _up(self, write: int, update: int) -> Step:
        """An update comes after the write that it reads."""
        cycle = (Edge(update, "mo", write), Edge(write, "rf", update))
        return Step(write, update, Proof(self._write_coherence, cycle))

    def _above(self, low: int, write: int, update: int) -> Step:
        """What precedes a write precedes its update."""
        if low == write:
            return self._up(write, update)
        cycle = (Edge(update, "mo", low), Edge(low, "mo", write), Edge(write, "rf", update))
        return Step(low, update, Proof(self._write_coherence, cycle))

    def _down(self, value: int, update: int) -> Step:
        """What precedes an update, and is not what it reads, precedes that too."""
        cycle = (Edge(update, "fr", value), Edge(value, "mo", update))
        return Step(value, self._x.writer(update), Proof("atomicity", cycle))

    def _chain_below(self, write: int) -> list[int]:
        """A write and, as long as it is an update, what it reads: down to the top of its chain."""
        chain = [write]
        while chain[-1] >= 0 and self._x.op[chain[-1]] == Op.UPDATE:
            chain.append(self._x.writer(chain[-1]))
        return chain

    def _climb(self, low: int, high: int) -> _Forced:
        """From `low` up a chain to `high`: low precedes each in turn, so that no cycle is as long as the chain."""
        below = self._chain_below(high)
        chain = below[: below.index(low) + 1][::-1]
        steps: list[Step] = []
        if low >= 0:  # the initial write comes first without a reason
            steps = [self._above(low, a, b) for a, b in pairwise(chain)]
        return _Forced(steps, [low] if low == high else [low, high])

    def _force(self, access: int, event: int, goal: int) -> _Forced:
        """The value that `access` leaves precedes what `event` targets; from there along the chain to `goal`."""
        plain = self._x.op[event] == Op.WRITE
        first = self._write_step(access, event) if plain else self._read_step(access, event)
        below = self._chain_below(first.after)
        if goal in below:
            steps = [first]
            while steps[-1].after != goal:
                steps.append(self._down(first.before, steps[-1].after))
            return _Forced(steps, [first.before, goal])
        climb = self._climb(first.after, goal)
        return _Forced([*climb.steps, first], [first.before, *climb.walk])

    def _close(self, last: Step, walk: list[int], steps: list[Step]) -> Proof:
        """The refutation of `last`, with the walk from its `after` to its `before` in place of the assumption."""
        first, *rest = last.refutation.cycle
        hops = [Edge(a, "mo", b) for a, b in pairwise(walk)]
        axiom = last.refutation.axiom
        if first.relation == "fr" and hops[0].target == first.source:
            # An update, by way of itself: nothing is from-read before itself, and mo from there on is enough.
            axiom, hops = self._write_coherence, hops[1:]
        elif first.relation == "fr":
            hops[0] = Edge(first.source, "fr", hops[0].target)
        return Proof(axiom, (*hops, *rest), tuple(steps))


def merge_po(
    edges: list[Edge], *, closed: bool, keeps: Callable[[int, int], bool] = lambda *_: True
) -> tuple[Edge, ...]:
    """Runs of po become one edge, where the model keeps that pair of it; in a closed cycle also across its ends."""
    merged: list[Edge] = []
    for edge in edges:
        if merged and _joins(merged[-1], edge, keeps):
            merged[-1] = Edge(merged[-1].source, "po", edge.target)
        else:
            merged.append(edge)
    if closed and len(merged) > 1 and _joins(merged[-1], merged[0], keeps):
        tail = merged.pop()
        merged[0] = Edge(tail.source, "po", merged[0].target)
    return tuple(merged)


def _joins(first: Edge, second: Edge, keeps: Callable[[int, int], bool]) -> bool:
    return first.relation == second.relation == "po" and keeps(first.source, second.target)
