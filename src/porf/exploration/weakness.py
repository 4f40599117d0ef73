"""Whether an execution that shows a bug is an interleaving of its threads; if not, what a reader would not expect of
it: the shortest cycle of program order, reads-from and the order of writes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porf._core import EventKind, ExploredEvent
from porf.execution import INITIAL, Execution, Op, Order
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
    if len(part) > MOST or any(row.kind == EventKind.BARRIER for row in rows):
        return Weakness()
    from porf.checking import check

    history, kept = _history(rows, part)
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


def _history(rows: Sequence[ExploredEvent], part: Collection[int]) -> tuple[Execution, list[int]]:
    """The part as a history in which starts and ends of threads are written and read, and its rows."""
    kept = [n for n in part if rows[n].access or rows[n].kind in (EventKind.SPAWN, EventKind.JOIN)]
    kept.sort(key=lambda n: rows[n].index)
    places: dict[tuple[str, int], int] = {}
    columns: list[tuple[int, int, int, int]] = []  # thread, op, location, source as a row of the history
    numbers: dict[tuple[str, int], int] = {}  # of a row, and of the end of a thread: its row in the history
    owners: list[int] = []

    def add(n: int, thread: int, op: Op, place: tuple[str, int] | None, source: int = INITIAL) -> int:
        loc = -1 if place is None else places.setdefault(place, len(places))
        columns.append((thread, op, loc, source))
        owners.append(n)
        return len(columns) - 1

    begun = {rows[n].other: n for n in kept if rows[n].kind == EventKind.SPAWN}
    todo = {t: [n for n in kept if rows[n].thread == t] for t in sorted({rows[n].thread for n in kept})}
    pending: list[tuple[int, tuple[str, int]]] = []  # a row of the history, and what it reads from
    for t, own in todo.items():
        if t in begun:
            pending.append((add(own[0], t, Op.READ, ("start", t)), ("row", begun[t])))
        for n in own:
            row = rows[n]
            if row.kind == EventKind.SPAWN:
                numbers["row", n] = add(n, t, Op.WRITE, ("start", row.other))
            elif row.kind == EventKind.JOIN:
                pending.append((add(n, t, Op.READ, ("end", row.other)), ("end", row.other)))
            else:
                op = Op.READ if row.waits else Op(row.kind)
                place = ("place", row.pointer) if row.pointer else None
                at = numbers["row", n] = add(n, t, op, place)
                if row.reads and row.source >= 0:
                    pending.append((at, ("row", row.source)))
        numbers["end", t] = add(own[-1], t, Op.WRITE, ("end", t))
    source = [INITIAL] * len(columns)
    for at, key in pending:
        source[at] = numbers.get(key, INITIAL)
    threads = list(todo)
    return Execution(
        thread=np.array([threads.index(c[0]) for c in columns], np.int32),
        op=np.array([c[1] for c in columns], np.uint8),
        loc=np.array([c[2] for c in columns], np.int32),
        order=np.full(len(columns), Order.SC, np.uint8),
        rf=np.array(source, np.int32),
        thread_names=[f"T{t}" for t in threads],
        loc_names=[f"x{n}" for n in range(len(places))],
        init_value=np.zeros(len(places), np.int64),
    ), owners


def _of_rows(cycle: Sequence[Edge], kept: Sequence[int]) -> list[tuple[int, str, int]]:
    return [(_row(e.source, kept), e.relation, _row(e.target, kept)) for e in cycle]


def _row(reference: int, kept: Sequence[int]) -> int:
    return kept[reference] if reference >= 0 else INITIAL


def _joined(cycle: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Without steps from an event to itself, and with one step where program order, starts and ends follow each other;
    what leads over an initial write is one step from a read."""
    return [edge for edge in cycle if edge[0] != edge[2]]
