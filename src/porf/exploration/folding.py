"""Which events of an execution that shows a bug play no part in it: what a table says in one line for many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from porf.execution import Op

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug

FEWEST = 4  # events in a row that become one line


def folded(bug: Bug) -> list[range]:
    """Rows that follow each other, of one thread, and play no part: accesses of what no other thread accesses, events
    inside a library, and what is written before there is another thread. The rows at fault, those that explain it and
    the writes that these read are shown."""
    e = bug.execution
    quiet = _of_one_thread(bug)
    quiet[list(e.alone)] = True
    for row, place in enumerate(bug.places):
        quiet[row] |= place is not None and place.internal
    quiet[sorted(needed(bug))] = False
    found: list[range] = []
    row = 0
    while row < len(e):
        end = row
        while end < len(e) and quiet[end] and e.thread[end] == e.thread[row]:
            end += 1
        if end - row >= FEWEST:
            found.append(range(row, end))
        row = max(end, row + 1)
    return found


def _of_one_thread(bug: Bug) -> npt.NDArray[np.bool_]:
    """The events at places that only one thread accesses."""
    e = bug.execution
    quiet = np.zeros(len(e), bool)
    for loc in range(e.locations):
        rows = np.flatnonzero(e.loc == loc)
        if len(set(e.thread[rows].tolist())) == 1:
            quiet[rows] = e.op[rows] != Op.FENCE
    return quiet


def needed(bug: Bug) -> set[int]:
    """The rows that a reader must see: those at fault, those that say why, the last of each thread, and the writes that
    these read."""
    e = bug.execution
    rows = set(bug.marked)
    if bug.why is not None:
        rows |= {row for a, _, b in bug.why.edges for row in (a, b)}
    for thread in range(e.threads):
        rows |= set(np.flatnonzero(e.thread == thread)[-1:].tolist())
    return rows | {int(e.rf[row]) for row in rows if e.rf[row] >= 0}
