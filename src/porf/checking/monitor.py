"""Checking as events happen: which writes may a read take, and which event is the first to break the model?"""

from collections.abc import Collection, Sequence
from operator import index
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from porf import _core
from porf.checking import check
from porf.checking.choose import no_such_order
from porf.checking.verdict import Answer, Verdict
from porf.errors import UsageError, nearest, wrong_type
from porf.execution import INITIAL, NO_VALUE, ORDER_NAMES, Execution, Op, Order
from porf.language.header import ORDERS
from porf.models.registry import MODELS, Model, find_model
from porf.said import Spelling

_FOLLOWED = ("sc", "tso")  # in bounded memory
MONITORED = (*_FOLLOWED, *(name for name, model in MODELS.items() if model.monitor is not None))
_STALE = "the last event reads a write that was overwritten long before, and what would prove that is forgotten"
_PIECEWISE = (
    "the events are consistent piece by piece; what is forgotten was not looked at together with what came later"
)
_ROW = np.dtype(
    [("thread", "i4"), ("op", "u1"), ("loc", "i4"), ("order", "u1"), ("rf", "i4"), ("read", "i8"), ("written", "i8")]
)
_LOOK_EVERY = 4096  # events, after which what the core has forgotten is forgotten


class Monitor:
    """Events one at a time, each after the events it follows in its thread and after the write it reads.

    >>> import porf
    >>> monitor = porf.Monitor("ra")
    >>> a = monitor.write("T0", "x")
    >>> b = monitor.write("T0", "x")
    >>> monitor.read("T1", "x", rf=b)
    2
    >>> monitor.may_read("T1", "x")
    [1]

    `sc` and `tso` are monitored in bounded memory: events should come in the order in which the threads ran them, and
    what was overwritten long before is forgotten. Everything else is kept.

    Threads may share a monitor: each call is done as a whole, and events count in the order of the calls.
    """

    def __init__(self, model: str | Path | Model) -> None:
        self.model = find_model(model)
        followed = MODELS.get(self.model.name) is self.model and self.model.name in _FOLLOWED
        if self.model.monitor is None and not followed:
            raise UsageError(f"{self.model.name} cannot be monitored", hint=f"use one of {', '.join(MONITORED)}")
        self._core: _core.Monitor | None = None
        self._follower: _core.Follower | None = None
        if self.model.monitor is not None:
            self._core = _core.Monitor(self.model.monitor)
        elif self.model.memory is not None:
            self._follower = _core.Follower(self.model.memory)
        self._without_updates = self.model.monitor == _core.CoherenceModel.SRA
        self._left_out = {order for word, order in ORDERS.items() if word not in self.model.header.orders}
        self._lock = Lock()
        self._threads: dict[str, int] = {}
        self._locs: dict[str, int] = {}
        self._rows: dict[int, tuple[int, int, int, int, int, int, int]] = {}  # those that are kept, ascending
        self._size = 0
        self._ids: dict[int, str] = {}
        self.broken_at: int | None = None  # the first event that breaks the model

    def __len__(self) -> int:
        return self._size

    @property
    def kept(self) -> Collection[int]:
        """The events that are kept: all, except under sc and tso."""
        return self._rows.keys()

    @property
    def consistent(self) -> bool:
        """Whether everything fed so far satisfies the model."""
        return self.broken_at is None

    @property
    def locations(self) -> list[str]:
        """The locations met so far, in order of appearance."""
        return list(self._locs)

    def read(self, thread: str, loc: str, *, rf: int, order: str = "rlx", value: int = NO_VALUE) -> int:
        """A read of the write in row `rf` (INITIAL for the initial value); returns its own row."""
        return self._feed(thread, Op.READ, loc, order, rf, value, NO_VALUE)

    def write(self, thread: str, loc: str, *, order: str = "rlx", value: int = NO_VALUE) -> int:
        return self._feed(thread, Op.WRITE, loc, order, INITIAL, NO_VALUE, value)

    def update(
        self, thread: str, loc: str, *, rf: int, order: str = "rlx", read: int = NO_VALUE, value: int = NO_VALUE
    ) -> int:
        return self._feed(thread, Op.UPDATE, loc, order, rf, read, value)

    def fence(self, thread: str, *, order: str) -> int:
        return self._feed(thread, Op.FENCE, None, order, INITIAL, NO_VALUE, NO_VALUE)

    def may_read(self, thread: str, loc: str, *, update: bool = False) -> list[int]:
        """The rows of the writes (INITIAL among them) that the thread's next read, or update, of loc may take."""
        with self._lock:
            return self._may_read(thread, loc, update)

    def _may_read(self, thread: str, loc: str, update: bool) -> list[int]:
        if self.broken_at is not None:
            return []
        if self._core is None:
            return self._may_read_by_trying(thread, loc, update)
        # A name that no event has used yet is asked about under the next free number, and not taken in.
        number, place = self._threads.get(thread, len(self._threads)), self._locs.get(loc, len(self._locs))
        rows = self._core.may_read(number, place, update)
        return [int(row) for row in rows]

    def _may_read_by_trying(self, thread: str, loc: str, update: bool) -> list[int]:
        """The writes that are kept, each with the read after all that is kept."""
        place = self._locs.get(loc)
        writes = [row for row, said in self._rows.items() if said[2] == place and said[1] in (Op.WRITE, Op.UPDATE)]
        kind = Op.UPDATE if update else Op.READ
        found = []
        for writer in (INITIAL, *writes):
            numbers = self._threads.get(thread, len(self._threads)), len(self._locs) if place is None else place
            said = (numbers[0], int(kind), numbers[1], 1, writer, NO_VALUE, NO_VALUE)
            names = [*self._threads, *([thread] if thread not in self._threads else [])]
            locs = [*self._locs, *([loc] if place is None else [])]
            tried = self._execution_of({**self._rows, self._size: said}, "<monitor>", names, locs)
            if check(tried, self.model).consistent:
                found.append(writer)
        return found

    def name(self, row: int, name: str) -> None:
        """Gives an event the name that evidence will use for it."""
        with self._lock:
            self._ids[row] = name

    def execution(
        self,
        source: str = "<monitor>",
        init_value: Sequence[int] | None = None,
        spelling: Spelling | None = None,
    ) -> Execution:
        """Everything fed so far; `spelling` has the names that values stand for."""
        with self._lock:
            return self._execution(source, init_value, spelling)

    def _execution(self, source: str, init_value: Sequence[int] | None, spelling: Spelling | None) -> Execution:
        rows = self._rows
        if self._follower is not None and self._follower.stale:
            rows = {row: said for row, said in rows.items() if row != self._size - 1}
        return self._execution_of(rows, source, list(self._threads), list(self._locs), init_value, spelling)

    def _execution_of(
        self,
        rows: dict[int, tuple[int, int, int, int, int, int, int]],
        source: str,
        threads: list[str],
        locs: list[str],
        init_value: Sequence[int] | None = None,
        spelling: Spelling | None = None,
    ) -> Execution:
        whole = not rows or next(reversed(rows)) == len(rows) - 1
        # Without a list between: this is how it is told that there is not enough memory, too.
        table = np.fromiter(rows.values() if whole else self._by_place(rows), _ROW, len(rows))
        recorded = bool((table["read"] != NO_VALUE).any() or (table["written"] != NO_VALUE).any())
        ids = self._ids if whole else {row: f"e{row}" for row in rows} | self._ids
        named = [(at, ids[row]) for at, row in enumerate(rows) if row in ids] if ids else []
        return Execution(
            thread=np.ascontiguousarray(table["thread"]),
            op=np.ascontiguousarray(table["op"]),
            loc=np.ascontiguousarray(table["loc"]),
            order=np.ascontiguousarray(table["order"]),
            rf=np.ascontiguousarray(table["rf"]),
            thread_names=threads,
            loc_names=locs,
            init_value=np.array(init_value if init_value is not None else [0] * len(locs), np.int64),
            read_value=np.ascontiguousarray(table["read"]) if recorded else None,
            written_value=np.ascontiguousarray(table["written"]) if recorded else None,
            id_rows=np.array([at for at, _ in named], np.int32),
            id_names=[name for _, name in named],
            source=source,
            spelling=spelling,
        )

    @staticmethod
    def _by_place(
        rows: dict[int, tuple[int, int, int, int, int, int, int]],
    ) -> list[tuple[int, int, int, int, int, int, int]]:
        """Rows that read each other by their places; an update whose writer is forgotten is a write."""
        place = {row: at for at, row in enumerate(rows)}
        out = []
        for thread, op, loc, order, rf, read, written in rows.values():
            if rf != INITIAL and rf not in place:
                op, rf, read = int(Op.WRITE), INITIAL, NO_VALUE
            out.append((thread, op, loc, order, place.get(rf, INITIAL), read, written))
        return out

    def verdict(self, **names: Any) -> Verdict:
        """The verdict on everything fed so far, with its evidence, which is of what is kept."""
        execution = self.execution(**names)
        if self._follower is not None:
            note = _STALE if self._follower.stale else None
            if note is None and self.consistent and not self._follower.exact:
                note = _PIECEWISE
            if note is not None:
                return Verdict(execution, self.model, Answer.UNDECIDED, "monitor", 0.0, note=note)
        return check(execution, self.model)

    def _feed(
        self, thread: str, op: Op, loc: str | None, order: str, rf: int, read_value: int, written_value: int
    ) -> int:
        with self._lock:
            return self._feed_alone(thread, op, loc, order, rf, read_value, written_value)

    def _feed_alone(
        self, thread: str, op: Op, loc: str | None, order: str, rf: int, read_value: int, written_value: int
    ) -> int:
        if order not in ORDER_NAMES:
            raise UsageError(f"unknown order '{order}'", hint=nearest(order, ORDER_NAMES))
        if not (type(rf) is type(read_value) is type(written_value) is int):
            rf, read_value, written_value = map(_whole, (rf, read_value, written_value))
        code = ORDER_NAMES.index(order)
        self._refuse(op, code)
        if rf != INITIAL:
            self._check_writer(rf, op, loc)
        place = -1 if loc is None else self._number(self._locs, loc)
        row = self._size
        number = self._number(self._threads, thread)
        kind = int(op)
        self._rows[row] = (number, kind, place, code, rf, read_value, written_value)
        self._size += 1
        if self._core is not None:
            fine = self._core.feed(number, kind, place, code, rf)
        else:
            fine = self._follow(number, kind, place, rf)
        if not fine and self.broken_at is None:
            self.broken_at = row
        return row

    def _follow(self, thread: int, op: int, loc: int, rf: int) -> bool:
        follower = self._follower
        assert follower is not None
        fine = follower.feed(thread, op, loc, rf)
        if self._size % _LOOK_EVERY == 0 and follower.forgotten:
            self._rows = {row: self._rows[row] for row in follower.kept()}
            self._ids = {row: name for row, name in self._ids.items() if row in self._rows}
        return fine

    def _refuse(self, op: Op, order: int) -> None:
        if order in self._left_out:
            message, hint = no_such_order(self.model, op, Order(order))
            raise UsageError(message, hint=hint)
        if self._without_updates and op == Op.UPDATE:
            hint = "record the history and check it: with updates SRA needs a search"
            raise UsageError("sra can be monitored only without updates", hint=hint)

    def _check_writer(self, rf: int, op: Op, loc: str | None) -> None:
        if rf == self._size and op == Op.UPDATE:
            return  # an update that reads itself: a cycle, not a mistake
        earlier = rf in self._rows
        if not earlier and 0 <= rf < self._size:
            return  # it is forgotten
        if earlier and self._rows[rf][1] in (Op.WRITE, Op.UPDATE) and self._rows[rf][2] == self._locs.get(loc or ""):
            return
        hint = "rf is a row that write() or update() returned for this location, or INITIAL"
        raise UsageError(f"row {rf} is not an earlier write of {loc}", hint=hint)

    @staticmethod
    def _number(table: dict[str, int], name: str) -> int:
        number = table.get(name)
        if number is None:
            if not isinstance(name, str):
                raise wrong_type("a monitor", "names of threads and locations", name)
            number = table[name] = len(table)
        return number


def _whole(number: int) -> int:
    """A number of numpy, too, as Python's own."""
    try:
        return index(number)
    except TypeError:
        raise wrong_type("a monitor", "whole numbers for rf and values", number) from None
