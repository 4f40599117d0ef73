"""An explored graph, as the core hands it out: rows of numbers, and the execution or the class that they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from porf.execution import INITIAL, NO_VALUE, OP_LETTERS, ORDER_NAMES, Execution, Op, Order
from porf.programs.form import Opcode, Place, Program, pointer
from porf.programs.lower import instruction

COLUMNS = 11
ROLES = ("", "lock", "trylock", "unlock")
SPAWN, JOIN, FREE, CHOOSE, BARRIER = 4, 5, 6, 7, 8

Name = tuple[int, int]  # a thread, and an index among its accesses, fences and choices
Listed = tuple[str, int, int, Name | None, int | None, int | None]
Class = tuple[tuple[Listed, ...], ...]
Written = tuple[tuple[int, tuple[Name, ...]], ...]


@dataclass(frozen=True)
class Row:
    """One event. Its source is a row, INITIAL, or None if it does not read."""

    thread: int
    index: int
    op: int  # an Op, SPAWN, ...
    role: str
    pointer: int
    order: Order
    source: int | None
    read: int
    written: int
    pc: int
    other: int  # the thread that it starts or joins, the object that it frees, the barrier

    @property
    def access(self) -> bool:
        return self.op <= Op.FENCE

    @property
    def reads(self) -> bool:
        return self.op in (Op.READ, Op.UPDATE)

    @property
    def writes(self) -> bool:
        return self.op in (Op.WRITE, Op.UPDATE)

    @property
    def waits(self) -> bool:
        """A lock that never got its mutex."""
        return self.role == "lock" and self.op == Op.READ


def rows_of(columns: npt.NDArray[np.int64]) -> list[Row]:
    """The core's numbers as rows, in the order in which events were added."""
    return [
        Row(t, i, op & 255, ROLES[op >> 8], p, Order(o), None if s == -2 else s, r, w, pc, other)
        for t, i, op, p, o, s, r, w, pc, other, _ in columns.reshape(-1, COLUMNS).tolist()
    ]


def names_of(rows: list[Row]) -> dict[int, Name]:
    """What is listed of each thread, in program order: accesses, fences and choices, but no lock that waits."""
    count: dict[int, int] = {}
    names: dict[int, Name] = {}
    listed = (n for n, r in enumerate(rows) if (r.access or r.op == CHOOSE) and not r.waits)
    for n in sorted(listed, key=lambda n: rows[n].index):
        thread = rows[n].thread
        names[n] = (thread, count.get(thread, 0))
        count[thread] = names[n][1] + 1
    return names


def class_of(program: Program, columns: npt.NDArray[np.int64]) -> Class:
    """What tells executions apart: of each thread its accesses and fences, with their sources, and its choices."""
    rows = rows_of(columns)
    names = names_of(rows)
    started = (r.other + 1 for r in rows if r.op == SPAWN)
    threads = max([len(program.starts), *started, *(r.thread + 1 for r in rows)])
    listed: list[list[Listed]] = [[] for _ in range(threads)]
    for n in names:
        row = rows[n]
        source = None if row.source is None or row.source == INITIAL else names[row.source]
        read, written = row.read if row.reads or row.op == CHOOSE else None, row.written if row.writes else None
        letter = "c" if row.op == CHOOSE else OP_LETTERS[row.op]
        listed[row.thread].append((letter, row.pointer, int(row.order), source, read, written))
    return tuple(tuple(events) for events in listed)


def written_of(columns: npt.NDArray[np.int64], order: npt.NDArray[np.int32]) -> Written:
    """A modification order: of each place that is written, its writers."""
    rows = rows_of(columns)
    names = names_of(rows)
    places: dict[int, list[Name]] = {}
    for n in order.tolist():
        places.setdefault(rows[n].pointer, []).append(names[n])
    return tuple((place, tuple(places[place])) for place in sorted(places))


@dataclass(frozen=True, eq=False)
class Shown(Execution):
    """An execution whose events are told in the program's words: locks as locks, pointers as `&x`."""

    words: tuple[str, ...] = ()

    def describe(self, ref: int) -> str:
        return self.words[ref] if ref >= 0 else super().describe(ref)


def execution_of(
    program: Program, rows: list[Row], names: Sequence[str], part: Collection[int], thread: int
) -> tuple[Shown, list[int]]:
    """The execution for tables and pictures, and which rows it has: accesses and fences, each after what it needs.

    It is only of a part of the rows, which has all that these rows need; the thread is there even if it has none.
    """
    order = [n for n in _readable_order(rows) if n in part]
    place = {n: position for position, n in enumerate(order)}
    kept = [rows[n] for n in order]
    pointers = sorted({r.pointer for r in kept if r.pointer})
    threads = sorted({r.thread for r in kept} | {thread})
    initial = {pointer(n, c.offset): c.initial or 0 for n, o in enumerate(program.objects) for c in o.cells}
    sources = [INITIAL if r.source is None or r.source == INITIAL else place[r.source] for r in kept]
    return Shown(
        thread=np.array([threads.index(r.thread) for r in kept], np.int32),
        op=np.array([r.op for r in kept], np.uint8),
        loc=np.array([pointers.index(r.pointer) if r.pointer else -1 for r in kept], np.int32),
        order=np.array([int(r.order) for r in kept], np.uint8),
        rf=np.array(sources, np.int32),
        thread_names=[names[t] for t in threads],
        loc_names=[program.label(p) for p in pointers],
        init_value=np.array([initial.get(p, 0) for p in pointers], np.int64),
        read_value=np.array([r.read if r.reads else NO_VALUE for r in kept], np.int64),
        written_value=np.array([r.written if r.writes else NO_VALUE for r in kept], np.int64),
        source=program.source or program.name,
        words=tuple(told_row(program, row) for row in kept),
    ), order


def told_row(program: Program, row: Row) -> str:
    """An event in the words of the text format, or as the operation on a mutex that it is."""
    if row.op == Op.FENCE:
        return f"f {ORDER_NAMES[row.order]}"
    label = program.label(row.pointer)
    if row.role:
        waits = " (waits)" if row.waits else " (fails)" if row.role == "trylock" and not row.writes else ""
        return f"{row.role} {label}{waits}"
    read, written = told_value(program, row.read), told_value(program, row.written)
    value = f"{read}->{written}" if row.op == Op.UPDATE else read if row.op == Op.READ else written
    order = "" if row.order == Order.RLX else f" {ORDER_NAMES[row.order]}"
    return f"{OP_LETTERS[row.op]} {label} {value}{order}"


def told_value(program: Program, value: int) -> str:
    """A number; or, if it is the address of something that has a name, that."""
    if value & 1 << 62 and value > 0:
        return "&(local)"
    index, offset = (value >> 32) - 1, value & 0xFFFFFFFF
    if not 0 <= index < len(program.objects):
        return str(value)
    item = program.objects[index]
    if item.template >= 0 or (offset == 0 and item.cells and item.cells[0].label.startswith(f"{item.name}.")):
        return f"&{item.name}"  # a function, or a whole structure
    return f"&{program.label(value)}" if any(c.offset == offset for c in item.cells) else str(value)


def prefix_of(rows: Sequence[Row], ends: Collection[int]) -> set[int]:
    """Some events, and all that are before them in program order, by reads-from, or as starts and ends of threads."""
    before = _before(rows)
    found: set[int] = set()
    todo = list(ends)
    while todo:
        n = todo.pop()
        if n not in found:
            found.add(n)
            todo += before[n]
    return found


def _before(rows: Sequence[Row]) -> list[set[int]]:
    """What each event comes after at once."""
    last: dict[int, int] = {}
    begun = {r.other: n for n, r in enumerate(rows) if r.op == SPAWN}
    before: list[set[int]] = [set() for _ in rows]
    for n in sorted(range(len(rows)), key=lambda n: rows[n].index):
        row = rows[n]
        previous = last.get(row.thread, begun.get(row.thread))
        if previous is not None:
            before[n].add(previous)
        last[row.thread] = n
        if row.source is not None and row.source != INITIAL:
            before[n].add(row.source)
    for n, row in enumerate(rows):
        if row.op == JOIN and row.other in last:
            before[n].add(last[row.other])
    meetings: dict[tuple[int, int], list[int]] = {}
    for n, row in enumerate(rows):
        if row.op == BARRIER:
            meetings.setdefault((row.other, row.read), []).append(n)
    for meeting in meetings.values():
        arrived = set().union(*(before[n] for n in meeting))
        for n in meeting:
            before[n] |= arrived
    return before


def _readable_order(rows: list[Row]) -> list[int]:
    """The accesses and fences, each after what it reads from and what is before it in program order."""
    before = _before(rows)
    after: list[list[int]] = [[] for _ in rows]
    for n, needed in enumerate(before):
        for m in needed:
            after[m].append(n)
    missing = [len(needed) for needed in before]
    ready = [n for n, count in enumerate(missing) if count == 0]
    order: list[int] = []
    while ready:
        order.append(heappop(ready))
        for n in after[order[-1]]:
            missing[n] -= 1
            if missing[n] == 0:
                heappush(ready, n)
    return [n for n in order if rows[n].access]


def is_call(program: Program, pc: int) -> bool:
    """Whether an instruction is a call of a function."""
    return instruction(program, pc)[1].opcode is Opcode.CALL


def place_of(program: Program, pc: int) -> Place | None:
    """Where in the source an instruction stands."""
    return instruction(program, pc)[1].place
