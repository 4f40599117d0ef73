"""An explored execution, or a part of one, as a history, of which other models can be asked, or other orders.

What orders threads besides their accesses becomes accesses: a thread that starts another releases a location that only
the other acquires, and so does the end of a thread that is joined, and everybody at a barrier. Whether happens-before
leaves two events unordered, is asked by two more locations: a write directly before the one event, and a read directly
after the other that takes the initial value, which coherence forbids if the write happens before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from porf._core import EventKind, ExploredEvent, Op, Order
from porf.execution import INITIAL, Execution
from porf.exploration.bugs import thread_names
from porf.exploration.graph import Shown, shown_event
from porf.exploration.sources import place_text
from porf.programs.form import Program
from porf.programs.lower import instruction

KINDS = {EventKind.READ: Op.READ, EventKind.WRITE: Op.WRITE, EventKind.UPDATE: Op.UPDATE, EventKind.FENCE: Op.FENCE}


class Graph:
    """A part of an execution, which has all that comes before it. Rows of the history stem from events; those that were
    added from none, but all have an owner, the event at which they were added. `pairs` are events that happens-before
    must not order that way."""

    def __init__(
        self, rows: Sequence[ExploredEvent], part: Sequence[int], pairs: Sequence[tuple[int, int]] = ()
    ) -> None:
        self._rows = rows
        self.columns: list[tuple[int, Op, int, Order]] = []  # thread, operation, location, order
        self.origin: list[int] = []
        self.owners: list[int] = []
        self._sources: list[int] = []  # rows of the history
        self._location: dict[tuple[Any, ...], int] = {}
        self._row: dict[tuple[Any, ...], int] = {}
        self._later: list[tuple[int, tuple[Any, ...]]] = []  # reads whose source may come later
        last = {rows[n].thread: n for n in part}
        begun = {rows[n].other: n for n in part if rows[n].kind == EventKind.SPAWN}
        joined = {rows[n].other for n in part if rows[n].kind == EventKind.JOIN}
        met: set[int] = set()
        for n in part:
            row = rows[n]
            self._owner = n
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
            if last[row.thread] == n and row.thread in joined:
                self._release(row.thread, ("end", row.thread))
        for at, source in self._later:
            self._sources[at] = self._row.get(source, INITIAL)

    def _add(self, thread: int, op: Op, location: tuple[Any, ...] | None, order: Order, origin: int = -1) -> int:
        number = -1 if location is None else self._location.setdefault(location, len(self._location))
        self.columns.append((thread, op, number, order))
        self.origin.append(origin)
        self.owners.append(self._owner)
        self._sources.append(INITIAL)
        return len(self.columns) - 1

    def _release(self, thread: int, name: tuple[Any, ...]) -> None:
        self._row[name] = self._add(thread, Op.WRITE, name, Order.REL)

    def _acquire(self, thread: int, name: tuple[Any, ...]) -> None:
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
        return Execution(**self.fields())

    def shown(self, program: Program) -> Shown:
        """The history in the words of the program, with its places."""
        names = thread_names(program, self._rows)
        words = []
        for n in self.origin:
            row = self._rows[n] if n >= 0 else None
            place = instruction(program, row.pc)[1].place if row is not None else None
            said = shown_event(program, row) if row is not None else "start or end"
            words.append(f"{said}  {place_text(place, program.source)}" if place is not None else said)
        threads = sorted({thread for thread, _, _, _ in self.columns})
        labels = [program.label(name[1]) if name[0] == "place" else " ".join(map(str, name)) for name in self._location]
        fields = {**self.fields(), "thread_names": [names[t] for t in threads], "loc_names": labels}
        return Shown(**fields, words=tuple(words), source=program.source or program.name)

    def fields(self) -> dict[str, Any]:
        """What a history consists of."""
        threads = sorted({thread for thread, _, _, _ in self.columns})
        return {
            "thread": np.array([threads.index(thread) for thread, _, _, _ in self.columns], np.int32),
            "op": np.array([int(op) for _, op, _, _ in self.columns], np.uint8),
            "loc": np.array([loc for _, _, loc, _ in self.columns], np.int32),
            "order": np.array([int(order) for _, _, _, order in self.columns], np.uint8),
            "rf": np.array(self._sources, np.int32),
            "thread_names": [f"T{thread}" for thread in threads],
            "loc_names": [f"x{n}" for n in range(len(self._location))],
            "init_value": np.zeros(len(self._location), np.int64),
        }
