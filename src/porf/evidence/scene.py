"""What a picture shows: the events and arrows around the evidence, chosen here and placed in layout.py."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from porf.evidence.data import Core, Edge, Proof, Witness
from porf.evidence.derived import Derived
from porf.evidence.reasons import Frame, claim, ground, mo_pair, needed, reason
from porf.execution import DEPENDENCIES, UNKNOWN, Execution
from porf.record import Record
from porf.said import natural_order

MOST_THREADS = 20  # columns of a picture without evidence
MOST_SORTED = 1000  # of more threads the first ones are those of the file
FEW_THREADS = 8  # a violation among more threads shows only the part around it
MOST_REASONS = 24  # inferred edges that are drawn beside the cycle's own


class Arrow(Record):
    source: int
    relation: str
    target: int
    cycle: bool = False
    inferred: bool = False
    elided: int = 0  # po only: the events of the thread between the two that are not shown
    note: str = ""


@dataclass
class Scene:
    """References of the shown events, initial writes first, and the arrows among them."""

    events: list[int]
    cycle: set[int] = field(default_factory=set)
    arrows: list[Arrow] = field(default_factory=list)
    before: dict[int, int] = field(default_factory=dict)  # thread -> events left out above the first shown one
    after: dict[int, int] = field(default_factory=dict)  # thread -> events left out below the last shown one
    reasons: list[str] = field(default_factory=list)  # why the inferred edges hold, nearest to the cycle first
    total: int = 0
    chosen: bool = False  # what is shown was given
    evidence_cut: bool = False  # the evidence alone exceeds the limit, so that a part of it is missing

    @property
    def left_out(self) -> int:
        return self.total - sum(ref >= 0 for ref in self.events)


def compose(
    execution: Execution,
    proof: Proof | None,
    witness: Witness | None,
    limit: int,
    core: Core | None = None,
    rows: Collection[int] | None = None,
    edges: Sequence[Edge] = (),
) -> Scene:
    """Without a proof: the given rows, or the first ones. The given edges stand out as those of a cycle do."""
    scene = Scene([], total=len(execution), chosen=rows is not None)
    root = Frame(proof) if proof is not None else None
    reasons = needed(execution, root, MOST_REASONS) if root is not None else []
    if root is None:
        if rows is None:
            rows = _first_part(execution, limit) if core is None else core.rows[:limit]
        scene.evidence_cut = core is not None and len(core.rows) > limit
        refs = {*rows} | {execution.writer(row) for row in rows if _reads_initial(execution, row)}
    else:
        refs = _around(execution, root, reasons, limit, scene)
        scene.cycle = {ref for edge in root.proof.cycle for ref in (edge.source, edge.target)} & refs
    scene.events = sorted(refs, key=lambda ref: (ref >= 0, ref if ref >= 0 else ~ref))
    found: dict[tuple[int, str, int], Arrow] = {}
    if root is not None:
        _cycle_arrows(execution, root, refs, found)
        firm = [frame for frame in reasons if frame.parent is root]  # the others hold only within a case
        _reason_arrows(execution, firm, refs, found)
        scene.reasons = [f"{claim(execution, frame)}, because {reason(execution, frame)}" for frame in firm]
        _derived_arrows(execution, root.proof, scene, refs, found)
    for edge in edges:
        if edge.relation != "po":
            _add(found, refs, Arrow(edge.source, edge.relation, edge.target, True))
    scene.cycle |= {ref for edge in edges for ref in (edge.source, edge.target)} & refs
    _recorded_arrows(execution, refs, found)
    if core is not None and root is None:
        for before, after in core.forced:
            _add(found, refs, Arrow(before, "mo", after, inferred=True))
    if witness is not None:
        _witness_arrows(execution, witness, refs, found)
    _po_arrows(execution, scene, root.proof.cycle if root is not None else edges, found)
    scene.arrows = list(found.values())
    return scene


def _first_part(execution: Execution, limit: int) -> list[int]:
    """All rows, or as many of each thread's first ones as the limit allows."""
    if len(execution) <= limit:
        return list(range(len(execution)))
    threads = np.unique(execution.thread).tolist()
    if len(threads) <= MOST_SORTED:
        threads = natural_order(execution.thread_names, threads)
    threads = threads[: min(MOST_THREADS, limit)]
    each = max(1, limit // len(threads))
    return [int(row) for thread in threads for row in np.flatnonzero(execution.thread == thread)[:each]]


def _reads_initial(execution: Execution, row: int) -> bool:
    return execution.reads(row) and execution.rf[row] != UNKNOWN and execution.writer(row) < 0


def _around(execution: Execution, root: Frame, reasons: list[Frame], limit: int, scene: Scene) -> set[int]:
    """The cycle, what its reasons mention, the writes it reads, and neighbours as far as the limit goes."""
    refs: dict[int, None] = {}
    frames = [root, *reasons]
    paths = [edge for derivation in root.proof.derivations[:MOST_REASONS] for edge in derivation.path]
    for frame in frames:
        for edge in frame.proof.cycle:
            refs.setdefault(edge.source)
            refs.setdefault(edge.target)
        for edge in frame.proof.cycle:
            pair = mo_pair(execution, edge)
            if pair is not None and (frame is root or pair[0] >= 0):
                refs.setdefault(pair[0])
    refs.update(dict.fromkeys(ref for edge in paths for ref in (edge.source, edge.target)))
    if len(refs) > limit:
        scene.evidence_cut = True
        return set(list(refs)[:limit])
    if len(execution) <= limit and execution.threads <= FEW_THREADS:
        return set(refs) | set(range(len(execution)))
    for row in [ref for ref in refs if ref >= 0]:
        own = np.flatnonzero(execution.thread == execution.thread[row])
        at = int(np.searchsorted(own, row))
        for near in (at - 1, at + 1):
            if 0 <= near < len(own) and len(refs) < limit:
                refs.setdefault(int(own[near]))
    return set(refs)


def _add(found: dict[tuple[int, str, int], Arrow], refs: set[int], arrow: Arrow) -> None:
    key = (arrow.source, arrow.relation, arrow.target)
    if arrow.source in refs and arrow.target in refs and key not in found:
        found[key] = arrow


def _derived_arrows(
    execution: Execution, proof: Proof, scene: Scene, refs: set[int], found: dict[tuple[int, str, int], Arrow]
) -> None:
    """The inferred edges of the causal criteria, in the cycle or beside it, with their reasons."""
    derived = Derived(execution, proof)
    for at, derivation in enumerate(derived.all[:MOST_REASONS]):
        source, relation, target = derivation.edge.source, derivation.edge.relation, derivation.edge.target
        lit = derivation.edge in proof.cycle
        found.pop((source, relation, target), None)
        _add(found, refs, Arrow(source, relation, target, lit, note=f"because {derived.reason(at)}"))
    scene.reasons += [derived.sentence(at) for at in range(min(MOST_REASONS, len(derived.all)))]


def _cycle_arrows(execution: Execution, root: Frame, refs: set[int], found: dict[tuple[int, str, int], Arrow]) -> None:
    for edge in root.proof.cycle:
        if edge.relation == "po" and _same_thread(execution, edge):
            continue
        source, relation, target = edge.source, edge.relation, edge.target
        if relation == "rf^-1":
            source, relation, target = target, "rf", source
        under = ground(execution, root, edge)
        note = ""
        if under.kind == "step" and under.frame is not None:
            note = f"{claim(execution, under.frame)}, because {reason(execution, under.frame)}"
        inferred = relation == "mo" and under.kind == "step"
        _add(found, refs, Arrow(source, relation, target, True, inferred, note=note))
    for edge in root.proof.cycle:
        pair = mo_pair(execution, edge)
        if edge.relation == "fr" and pair is not None:
            under = ground(execution, root, edge)
            inferred = under.kind == "step"
            note = "" if under.frame is None else f"because {reason(execution, under.frame)}"
            _add(found, refs, Arrow(pair[0], "mo", pair[1], inferred=inferred, note=note))


def _reason_arrows(
    execution: Execution, reasons: list[Frame], refs: set[int], found: dict[tuple[int, str, int], Arrow]
) -> None:
    for frame in reasons:
        note = f"because {reason(execution, frame)}"
        _add(found, refs, Arrow(frame.step.before, "mo", frame.step.after, inferred=True, note=note))


def _recorded_arrows(execution: Execution, refs: set[int], found: dict[tuple[int, str, int], Arrow]) -> None:
    for row in sorted(ref for ref in refs if ref >= 0):
        if execution.reads(row) and execution.rf[row] != UNKNOWN:
            _add(found, refs, Arrow(execution.writer(row), "rf", row))
    for kind in DEPENDENCIES:
        if kind in execution.dependencies:
            rows = np.array(sorted(ref for ref in refs if ref >= 0), np.int64)
            sources, targets = execution.dependencies[kind]
            inside = np.isin(sources, rows) & np.isin(targets, rows)
            for source, target in zip(sources[inside].tolist(), targets[inside].tolist(), strict=True):
                _add(found, refs, Arrow(source, kind, target))


def _witness_arrows(
    execution: Execution, witness: Witness, refs: set[int], found: dict[tuple[int, str, int], Arrow]
) -> None:
    for loc in sorted({execution.location(ref) for ref in refs} - {-1}):
        order = [~loc] if ~loc in refs else []
        order += [row for row in witness.of(loc).tolist() if row in refs]
        for source, target in pairwise(order):
            _add(found, refs, Arrow(source, "mo", target))


def _same_thread(execution: Execution, edge: Edge) -> bool:
    return edge.source >= 0 <= edge.target and execution.thread[edge.source] == execution.thread[edge.target]


def _po_arrows(
    execution: Execution, scene: Scene, cycle: Sequence[Edge], found: dict[tuple[int, str, int], Arrow]
) -> None:
    """po between neighbours among the shown; a po edge of the cycle lights up every link that it passes."""
    spans = [(edge.source, edge.target) for edge in cycle if edge.relation == "po" and _same_thread(execution, edge)]
    shown: dict[int, list[int]] = {}
    for row in scene.events:
        if row >= 0:
            shown.setdefault(int(execution.thread[row]), []).append(row)
    for thread, rows in shown.items():
        place = np.searchsorted(np.flatnonzero(execution.thread == thread), rows)
        scene.before[thread] = int(place[0])
        scene.after[thread] = int(np.count_nonzero(execution.thread == thread) - 1 - place[-1])
        own = [(a, b) for a, b in spans if execution.thread[a] == thread]
        for i, (source, target) in enumerate(pairwise(rows)):
            lit = any(a <= source and target <= b for a, b in own)
            elided = int(place[i + 1] - place[i] - 1)
            found[source, "po", target] = Arrow(source, "po", target, lit, elided=elided)
