"""Linearizability where a value does not say which write was read: each register by itself, by search.

The search keeps all ways to explain what has ended so far (`core/registers/search.cpp`). If none is left, the
operations until then are inconsistent; they are made fewer as long as the rest is.
"""

import time

import numpy as np

from porf import _core
from porf._core import RegisterOperation as Kind
from porf.checking.budget import LIMITS, Budget
from porf.checking.shrink import Mask
from porf.checking.verdict import Answer, Outcome
from porf.evidence.chosen import excluded, reading, values_of
from porf.evidence.data import Core, Witness
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Int32, Int64, Op
from porf.record import Record

_NEVER = 2**63 - 1  # an operation without an end that may have no effect
_SECONDS = 5.0  # to make a refutation small
_STEPS = 2_000_000  # to decide a part


class Register(Record, eq=False):
    """The operations of one location, as the core takes them; `rows` says which they are."""

    rows: Int32
    columns: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
    initial: int

    def search(self, budget: _core.Budget) -> _core.RegisterSearch:
        return _core.search_register(*self.columns, self.initial, budget)


def open_locations(execution: Execution) -> Mask:
    """Which locations have a read that does not say whom it reads."""
    out = np.zeros(execution.locations, np.bool_)
    out[execution.loc[reading(execution) & (execution.rf == UNKNOWN)]] = True
    return out


def decide(execution: Execution, budget: Budget) -> Outcome:
    """Decides linearizability, location by location."""
    core = budget.start()
    rf = execution.rf.copy()
    writes: list[Int32] = []
    start = [0]
    states = 0
    order = np.argsort(execution.loc, kind="stable").astype(np.int32)
    ends = np.searchsorted(execution.loc[order], np.arange(execution.locations), side="right").tolist()
    for loc, (first, last) in enumerate(zip([0, *ends], ends, strict=False)):
        register = register_of(execution, loc, order[first:last])
        found = register.search(core)
        states += found.states
        if found.answer == Answer.UNDECIDED:
            note = f"{LIMITS[found.limit]}; {states} states visited"
            return Outcome(found.answer, "registers", note=note)
        if found.answer == Answer.INCONSISTENT:
            return _refuted(execution, register, found, budget)
        writes.append(_take(execution, loc, register.rows[found.order], rf))
        start.append(start[-1] + len(writes[-1]))
    witness = Witness(np.concatenate([*writes, np.empty(0, np.int32)]), np.array(start, np.int64), rf=rf)
    return Outcome(Answer.CONSISTENT, "registers", witness=witness)


def _take(execution: Execution, loc: int, rows: Int32, rf: Int32) -> Int32:
    """The writes of a location in their order; notes who is read on the way."""
    last = INITIAL
    writes = []
    for row in rows.tolist():
        if execution.reads(row):
            rf[row] = last
        if execution.writes(row):
            writes.append(row)
            last = row
    # Plain writes that had no effect might as well have come last.
    missing = set(np.flatnonzero((execution.loc == loc) & (execution.op == Op.WRITE)).tolist()) - set(writes)
    return np.array([*writes, *sorted(missing)], np.int32)


def register_of(execution: Execution, loc: int, rows: Int32) -> Register:
    """The operations of a location by the numbers of their values."""
    read, written = values_of(execution)
    rf, op = execution.rf[rows], execution.op[rows]
    reads, writes = (op == Op.READ) | (op == Op.UPDATE), op != Op.READ
    unread = excluded(execution, rows)
    named = set(rf[reads & (rf >= 0)].tolist())  # each of these has a number of its own
    # A number for each value, then for each write that is read by name, and for the initial value.
    values: dict[int, int] = {}
    stands_for: list[int] = []

    def number(value: int) -> int:
        if value not in values or value == NO_VALUE:
            values[value] = len(stands_for)
            stands_for.append(values[value])
        return values[value]

    left = np.zeros(len(rows), np.int32)
    own: dict[int, int] = {}
    for at in np.flatnonzero(writes).tolist():
        left[at] = number(int(written[rows[at]]))
        if int(rows[at]) in named:
            own[int(rows[at])] = len(stands_for)
            left[at] = len(stands_for)
            stands_for.append(values[int(written[rows[at]])])
    of_initial = number(int(execution.init_value[loc]))
    initial = len(stands_for)
    stands_for.append(of_initial)
    found = np.zeros(len(rows), np.int32)
    kind = np.where(op == Op.READ, Kind.READ, np.where(op == Op.WRITE, Kind.WRITE, Kind.UPDATE)).astype(np.uint8)
    for at in np.flatnonzero(reads).tolist():
        row = int(rows[at])
        if rf[at] != UNKNOWN:
            found[at] = initial if rf[at] == INITIAL else own[int(rf[at])]
        elif unread[at] != NO_VALUE:
            kind[at], found[at] = Kind.UNLIKE, ~number(int(unread[at]))
        elif read[row] == NO_VALUE:
            kind[at] = Kind.WRITE if op[at] == Op.UPDATE else Kind.UNLIKE  # it says nothing of what it finds
            found[at] = ~number(NO_VALUE)
        else:
            found[at] = ~number(int(read[row]))
    times = execution.times
    begun = np.full(len(rows), NO_VALUE, np.int64) if times is None else times.start[rows]
    ended = np.full(len(rows), _NEVER, np.int64) if times is None else times.end[rows].copy()
    ended[(ended == NO_VALUE) | (begun == NO_VALUE)] = _NEVER
    # Only what may have had no effect has no end at all.
    sure = (ended == _NEVER) & ~((op == Op.WRITE) | ((op == Op.UPDATE) & (rf == UNKNOWN)))
    ended[sure] = _NEVER - 1
    columns = (kind, begun, ended, found, left, np.array(stands_for, np.int32))
    return Register(rows, columns, initial)


def _refuted(execution: Execution, register: Register, found: _core.RegisterSearch, budget: Budget) -> Outcome:
    """The operations until no way was left, as few as there need be."""
    started = time.monotonic()
    seconds = min(budget.seconds or _SECONDS, _SECONDS)
    last = int(register.rows[found.last])
    times = execution.times
    kept = np.zeros(len(execution), np.bool_)
    kept[register.rows] = True
    if times is not None and times.ends[last]:
        whole = kept.copy()
        kept &= ~(times.begins & (times.start > times.end[last]))
        _drop_readers(execution, *values_of(execution), kept, whole)
    if refutes(execution, kept) is not True:
        kept[register.rows] = True
    loc = int(execution.loc[last])
    minimal = _fewer(execution, loc, kept, started + seconds)
    rows = tuple(np.flatnonzero(kept).tolist())
    note = f"none of {found.states} states explains it: at the end of {execution.name(last)} no way is left"
    return Outcome(Answer.INCONSISTENT, "registers", core=Core(rows, (), minimal), note=note)


def refutes(execution: Execution, kept: Mask) -> bool | None:
    """Whether these rows of one location are inconsistent by themselves."""
    rows = np.flatnonzero(kept).astype(np.int32)
    if not len(rows):
        return False
    core = _core.Budget(steps=_STEPS)
    answer = register_of(execution, int(execution.loc[rows[0]]), rows).search(core).answer
    return None if answer == Answer.UNDECIDED else answer == Answer.INCONSISTENT


def _fewer(execution: Execution, loc: int, kept: Mask, deadline: float) -> bool:
    """Leaves out reads, and writes with all that may have read them; returns whether nothing more can go."""
    read, written = values_of(execution)
    run = max(1, int(kept.sum()) // 2)
    while True:
        smaller, sure = False, True
        rows = np.flatnonzero(kept)
        for first in range(0, len(rows), run):
            if time.monotonic() > deadline:
                return False
            gone = np.zeros(len(execution), np.bool_)
            gone[rows[first : first + run]] = True
            candidate = kept & ~gone
            _drop_readers(execution, read, written, candidate, kept)
            if candidate.sum() == kept.sum() or not candidate.any():
                continue
            answer = refutes(execution, candidate)
            sure &= answer is not None
            if answer:
                kept &= candidate
                smaller = True
        if run == 1 and not smaller:
            return sure
        run = max(1, run // 2)


def _drop_readers(execution: Execution, read: Int64, written: Int64, candidate: Mask, kept: Mask) -> None:
    """Of what is left, drops who may have read a write that is gone."""
    while True:
        gone = np.flatnonzero(kept & ~candidate & (execution.op != Op.READ))
        values = written[gone]
        open_reads = candidate & reading(execution) & (execution.rf == UNKNOWN)
        orphans = open_reads & (np.isin(read, values[values != NO_VALUE]))
        orphans |= open_reads & (_unlike(execution) & bool(len(gone)))
        orphans |= candidate & reading(execution) & np.isin(execution.rf, gone) & (execution.rf >= 0)
        if not orphans.any():
            return
        candidate[orphans] = False


def _unlike(execution: Execution) -> Mask:
    rows = np.arange(len(execution), dtype=np.int32)
    found: Mask = excluded(execution, rows) != NO_VALUE
    return found
