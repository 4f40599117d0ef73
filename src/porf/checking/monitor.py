"""Checking as events happen: which writes may a read take, and which event is the first to break the model?"""

from collections.abc import Sequence
from operator import index
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from porf import _core
from porf.checking import check
from porf.checking.choose import no_such_order
from porf.checking.verdict import Verdict
from porf.errors import UsageError, nearest, wrong_type
from porf.execution import INITIAL, NO_VALUE, ORDER_NAMES, Execution, Op, Order
from porf.language.header import ORDERS
from porf.models.registry import MODELS, Model, find_model
from porf.said import Spelling

MONITORED = tuple(name for name, model in MODELS.items() if model.monitor is not None)


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

    Threads may share a monitor: each call is done as a whole, and events count in the order of the calls.
    """

    def __init__(self, model: str | Path | Model) -> None:
        self.model = find_model(model)
        if self.model.monitor is None:
            raise UsageError(f"{self.model.name} cannot be monitored", hint=f"use one of {', '.join(MONITORED)}")
        self._core = _core.Monitor(self.model.monitor)
        self._without_updates = self.model.monitor == _core.CoherenceModel.SRA
        self._left_out = {order for word, order in ORDERS.items() if word not in self.model.header.orders}
        self._lock = Lock()
        self._threads: dict[str, int] = {}
        self._locs: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int, int, int, int]] = []
        self._ids: dict[int, str] = {}
        self.broken_at: int | None = None  # the first event that breaks the model

    def __len__(self) -> int:
        return len(self._rows)

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
        # A name that no event has used yet is asked about under the next free number, and not taken in.
        number, place = self._threads.get(thread, len(self._threads)), self._locs.get(loc, len(self._locs))
        rows = self._core.may_read(number, place, update)
        return [int(row) for row in rows]

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
        table = np.array(self._rows, np.int64).reshape(-1, 7)
        values = table[:, 5:]
        recorded = bool((values != NO_VALUE).any())
        named = sorted(self._ids)
        return Execution(
            thread=table[:, 0].astype(np.int32),
            op=table[:, 1].astype(np.uint8),
            loc=table[:, 2].astype(np.int32),
            order=table[:, 3].astype(np.uint8),
            rf=table[:, 4].astype(np.int32),
            thread_names=list(self._threads),
            loc_names=list(self._locs),
            init_value=np.array(init_value if init_value is not None else [0] * len(self._locs), np.int64),
            read_value=np.ascontiguousarray(values[:, 0]) if recorded else None,
            written_value=np.ascontiguousarray(values[:, 1]) if recorded else None,
            id_rows=np.array(named, np.int32),
            id_names=[self._ids[row] for row in named],
            source=source,
            spelling=spelling,
        )

    def verdict(self, **names: Any) -> Verdict:
        """The verdict on everything fed so far, with its evidence."""
        return check(self.execution(**names), self.model)

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
        row = len(self._rows)
        number = self._number(self._threads, thread)
        kind = int(op)
        self._rows.append((number, kind, place, code, rf, read_value, written_value))
        if not self._core.feed(number, kind, place, code, rf) and self.broken_at is None:
            self.broken_at = row
        return row

    def _refuse(self, op: Op, order: int) -> None:
        if order in self._left_out:
            message, hint = no_such_order(self.model, op, Order(order))
            raise UsageError(message, hint=hint)
        if self._without_updates and op == Op.UPDATE:
            hint = "record the history and check it: with updates SRA needs a search"
            raise UsageError("sra can be monitored only without updates", hint=hint)

    def _check_writer(self, rf: int, op: Op, loc: str | None) -> None:
        if rf == len(self._rows) and op == Op.UPDATE:
            return  # an update that reads itself: a cycle, not a mistake
        earlier = 0 <= rf < len(self._rows)
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
