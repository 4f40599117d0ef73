"""Whether an execution that shows a bug is an interleaving of its threads; if not, what a reader would not expect of
it: the shortest cycle of program order, reads-from and the order of writes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porf._core import ExploredEvent
from porf.execution import INITIAL, Op
from porf.record import Record

if TYPE_CHECKING:
    from porf.evidence.data import Edge

MOST = 20_000  # events; more than that, nobody reads
SECONDS = 1.0


class Weakness(Record):
    """What `sc` says of some rows. Neither a cycle nor an order: it is not known."""

    cycle: tuple[tuple[int, str, int], ...] = ()  # rows, or None for a start
    order: tuple[tuple[int, int], ...] = ()  # what comes before what in an interleaving, beside what the rows say
    is_interleaving: bool = False


def weakness(rows: Sequence[ExploredEvent], part: Collection[int]) -> Weakness:
    """The rows are those of a part, which has all that comes before it."""
    if len(part) > MOST:
        return Weakness()
    from porf.checking import check
    from porf.exploration.history import Graph

    graph = Graph(rows, sorted(part, key=lambda n: rows[n].index))
    history, kept = graph.history(), graph.owners
    verdict = check(history, "sc", seconds=SECONDS)
    if verdict.inconsistent and verdict.proof is not None:
        return Weakness(cycle=tuple(_joined(_of_rows(verdict.proof.cycle, kept))))
    if verdict.witness is None:
        return Weakness()
    order: list[tuple[int, int]] = []
    for loc in range(history.locations):
        writes = [int(row) for row in verdict.witness.of(loc)]
        order += [(kept[a], kept[b]) for a, b in pairwise(writes)]
        after = dict(zip([INITIAL, *writes], writes, strict=False))
        for reader in np.flatnonzero((history.loc == loc) & np.isin(history.op, (Op.READ, Op.UPDATE))).tolist():
            later = after.get(int(history.rf[reader]))
            if later is not None and later != reader:
                order.append((kept[reader], kept[later]))
    return Weakness(order=tuple(order), is_interleaving=True)


def _of_rows(cycle: Sequence[Edge], kept: Sequence[int]) -> list[tuple[int, str, int]]:
    return [(_row(e.source, kept), e.relation, _row(e.target, kept)) for e in cycle]


def _row(reference: int, kept: Sequence[int]) -> int:
    return kept[reference] if reference >= 0 else INITIAL


def _joined(cycle: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Without steps from an event to itself, and with one step where program order, starts and ends follow each other;
    what leads over an initial write is one step from a read."""
    return [edge for edge in cycle if edge[0] != edge[2]]
