"""An execution with a bug as a history, so that a model's kernel says whether it is one with other orders, too.

What orders threads besides their accesses becomes accesses: a thread that starts another releases a location that only
the other acquires, and so does the end of a thread that is joined, and everybody at a barrier. Whether happens-before
leaves two events unordered, is asked by two more locations: a write directly before the one event, and a read directly
after the other that takes the initial value, which coherence forbids if the write happens before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from porf._core import BugReport, EventKind, ExploredEvent, HappensBefore, Op, Order
from porf.checking import check
from porf.execution import INITIAL, Execution
from porf.exploration.graph import prefix_of

if TYPE_CHECKING:
    from porf.models.registry import Model

SYNCHRONISE = (HappensBefore.OWN_WRITES, HappensBefore.ATOMIC_ORDERS)  # by releases and acquisitions, as in C
KINDS = {EventKind.READ: Op.READ, EventKind.WRITE: Op.WRITE, EventKind.UPDATE: Op.UPDATE, EventKind.FENCE: Op.FENCE}
UNORDERED = ("data race",)
ALONE = ("assertion", "uninitialised read", "indeterminate value", "invalid pointer", "out of bounds", "condition")


class Graph:
    """The part of an execution that shows a bug. Rows of the history stem from rows of the report; those that were
    added from none."""

    def __init__(self, rows: Sequence[ExploredEvent], part: Sequence[int], pairs: Sequence[tuple[int, int]]) -> None:
        self._rows = rows
        self.columns: list[tuple[int, Op, int, Order]] = []  # thread, operation, location, order
        self.origin: list[int] = []
        self._sources: list[int] = []  # rows of the history
        self._location: dict[object, int] = {}
        self._row: dict[object, int] = {}
        self._later: list[tuple[int, object]] = []  # reads whose source may come later
        last = {rows[n].thread: n for n in part}
        begun = {rows[n].other: n for n in part if rows[n].kind == EventKind.SPAWN}
        met: set[int] = set()
        for n in part:
            row = rows[n]
            if row.thread not in met:
                met.add(row.thread)
                if row.thread in begun:
                    self._acquire(row.thread, ("start", row.thread))
            for at, (write, _) in enumerate(pairs):
                if write == n:
                    self._add(row.thread, Op.WRITE, ("pair", at), Order.RLX)
            self._event(n, row, part)
            for at, (_, read) in enumerate(pairs):
                if read == n:
                    self._add(row.thread, Op.READ, ("pair", at), Order.RLX)
            if last[row.thread] == n:
                self._release(row.thread, ("end", row.thread))
        for at, source in self._later:
            self._sources[at] = self._row.get(source, INITIAL)

    def _add(self, thread: int, op: Op, location: object, order: Order, origin: int = -1) -> int:
        number = -1 if location is None else self._location.setdefault(location, len(self._location))
        self.columns.append((thread, op, number, order))
        self.origin.append(origin)
        self._sources.append(INITIAL)
        return len(self.columns) - 1

    def _release(self, thread: int, name: object) -> None:
        self._row[name] = self._add(thread, Op.WRITE, name, Order.REL)

    def _acquire(self, thread: int, name: object) -> None:
        self._later.append((self._add(thread, Op.READ, name, Order.ACQ), name))

    def _event(self, n: int, row: ExploredEvent, part: Sequence[int]) -> None:
        if row.kind == EventKind.SPAWN:
            self._release(row.thread, ("start", row.other))
        elif row.kind == EventKind.JOIN:
            self._acquire(row.thread, ("end", row.other))
        elif row.kind == EventKind.BARRIER:
            meeting = [m for m in part if self._meets(m, row)]
            self._release(row.thread, ("meeting", n))
            for m in meeting:
                if m != n:
                    self._acquire(row.thread, ("meeting", m))
        elif row.kind in KINDS and not row.waits:
            op = KINDS[EventKind(row.kind)]
            location = None if op is Op.FENCE else ("place", row.pointer)
            self._row["event", n] = at = self._add(row.thread, op, location, Order(row.order), n)
            if row.reads and row.source >= 0:
                self._later.append((at, ("event", row.source)))

    def _meets(self, m: int, row: ExploredEvent) -> bool:
        other = self._rows[m]
        return other.kind == EventKind.BARRIER and (other.other, other.read) == (row.other, row.read)

    def history(self) -> Execution:
        threads = sorted({thread for thread, _, _, _ in self.columns})
        return Execution(
            thread=np.array([threads.index(thread) for thread, _, _, _ in self.columns], np.int32),
            op=np.array([int(op) for _, op, _, _ in self.columns], np.uint8),
            loc=np.array([loc for _, _, loc, _ in self.columns], np.int32),
            order=np.array([int(order) for _, _, _, order in self.columns], np.uint8),
            rf=np.array(self._sources, np.int32),
            thread_names=[f"T{thread}" for thread in threads],
            loc_names=[f"x{n}" for n in range(len(self._location))],
            init_value=np.zeros(len(self._location), np.int64),
        )


class Kept:
    """An execution with a bug, asked about with other orders."""

    def __init__(self, history: Execution, origin: Sequence[int], model: Model) -> None:
        self.history = history
        self.origin = origin  # of each row, the event of the report that it is; -1 for none
        self._model = model

    def stays(self, orders: Mapping[int, Order]) -> bool:
        """Whether it is one, with the bug, if some rows have other orders."""
        order = self.history.order.copy()
        for row, other in orders.items():
            order[row] = int(other)
        return check(replace(self.history, order=order), self._model).consistent


def kept(report: BugReport, kind: str, model: Model) -> Kept | None:
    """A bug's execution; nothing if this model or this kind of bug cannot be asked about other orders."""
    if model.races not in SYNCHRONISE or kind not in (*UNORDERED, *ALONE):
        return None
    rows = report.events
    ends = [n for n in (report.event, report.other) if n >= 0]
    part = range(len(rows)) if kind == "condition" else sorted(prefix_of(rows, ends))
    pairs = []
    if kind in UNORDERED:
        if len(ends) < 2:
            return None
        pairs = [(ends[0], ends[1]), (ends[1], ends[0])]
    graph = Graph(rows, part, pairs)
    found = Kept(graph.history(), graph.origin, model)
    return found if found.stays({}) else None
