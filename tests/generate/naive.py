"""RA consistency in the plainest way: every modification order, and the axioms as they are written."""

from __future__ import annotations

import itertools

from porf.execution import INITIAL, Execution


def happens_before(execution: Execution) -> list[set[int]]:
    """For each row the rows before it in (po ∪ rf)+, or a row in its own set where that is cyclic."""
    n = len(execution)
    before: list[set[int]] = [set() for _ in range(n)]
    for b in range(n):
        before[b] |= {a for a in range(b) if execution.thread[a] == execution.thread[b]}
        if execution.reads(b) and execution.rf[b] != INITIAL:
            before[b].add(int(execution.rf[b]))
    for k, i, j in itertools.product(range(n), repeat=3):
        if k in before[j] and i in before[k]:
            before[j].add(i)
    return before


def consistent_ra(execution: Execution) -> bool:
    hb = happens_before(execution)
    if any(row in hb[row] for row in range(len(execution))):
        return False
    return all(_some_order(execution, hb, loc) for loc in range(execution.locations))


def _some_order(execution: Execution, hb: list[set[int]], loc: int) -> bool:
    """RA's axioms speak of one location at a time, so each location chooses its order alone."""
    rows = [row for row in range(len(execution)) if execution.loc[row] == loc]
    writes = [row for row in rows if execution.writes(row)]
    return any(_good_order(execution, hb, rows, order) for order in itertools.permutations(writes))


def _good_order(execution: Execution, hb: list[set[int]], rows: list[int], order: tuple[int, ...]) -> bool:
    place = {INITIAL: -1, **{row: at for at, row in enumerate(order)}}
    for a, b in itertools.combinations(order, 2):
        if b in hb[a]:  # write coherence
            return False
    for row in rows:
        if not execution.reads(row):
            continue
        source = place[int(execution.rf[row])]
        if any(place[w] > source and w in hb[row] for w in order):  # read coherence
            return False
        if execution.writes(row) and place[row] != source + 1:  # atomicity
            return False
    return True
