"""An explored graph as an execution that people can read: its events in the words of the program."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from porf._core import EventKind, ExploredEvent, Role
from porf.execution import INITIAL, NO_VALUE, OP_LETTERS, ORDER_NAMES, Execution, Order
from porf.programs.form import Program, is_private, object_of, offset_of, pointer


@dataclass(frozen=True, eq=False)
class Shown(Execution):
    """An execution whose events are described in the program's words: locks as locks, pointers as `&x`."""

    words: tuple[str, ...] = ()

    def describe(self, ref: int) -> str:
        return self.words[ref] if ref >= 0 else super().describe(ref)


def execution_of(
    program: Program, rows: Sequence[ExploredEvent], names: Sequence[str], part: Collection[int], thread: int
) -> tuple[Shown, list[int]]:
    """The execution for tables and pictures, and its rows: accesses and fences, each after what it depends on.

    It is only of a part of the rows, which has all that these rows need; the thread is there even if it has none.
    """
    order = [n for n in _readable_order(rows) if n in part]
    place = {n: position for position, n in enumerate(order)}
    kept = [rows[n] for n in order]
    pointers = sorted({r.pointer for r in kept if r.pointer})
    threads = sorted({r.thread for r in kept} | {thread})
    initial = {pointer(n, c.offset): c.initial or 0 for n, o in enumerate(program.objects) for c in o.cells}
    sources = [place[r.source] if r.source >= 0 else INITIAL for r in kept]
    return Shown(
        thread=np.array([threads.index(r.thread) for r in kept], np.int32),
        op=np.array([r.kind for r in kept], np.uint8),
        loc=np.array([pointers.index(r.pointer) if r.pointer else -1 for r in kept], np.int32),
        order=np.array([r.order for r in kept], np.uint8),
        rf=np.array(sources, np.int32),
        thread_names=[names[t] for t in threads],
        loc_names=[program.label(p) for p in pointers],
        init_value=np.array([initial.get(p, 0) for p in pointers], np.int64),
        read_value=np.array([r.read if r.reads else NO_VALUE for r in kept], np.int64),
        written_value=np.array([r.written if r.writes else NO_VALUE for r in kept], np.int64),
        source=program.source or program.name,
        words=tuple(shown_event(program, row) for row in kept),
    ), order


def shown_event(program: Program, row: ExploredEvent) -> str:
    """An event in the words of the text format, or as the operation on a mutex that it is."""
    if row.kind == EventKind.FENCE:
        return f"f {ORDER_NAMES[row.order]}"
    label = program.label(row.pointer)
    if row.role is not Role.NONE:
        fails = row.role is Role.TRYLOCK and not row.writes
        return f"{row.role.name.lower()} {label}{' (waits)' if row.waits else ' (fails)' if fails else ''}"
    read, written = shown_value(program, row.read), shown_value(program, row.written)
    value = f"{read}->{written}" if row.kind == EventKind.UPDATE else read if row.reads else written
    order = "" if row.order == Order.RLX else f" {ORDER_NAMES[row.order]}"
    return f"{OP_LETTERS[row.kind]} {label} {value}{order}"


def shown_value(program: Program, value: int) -> str:
    """A number; or, if it is the address of something that has a name, that."""
    if is_private(value):
        return "&(local)"
    index, offset = object_of(value), offset_of(value)
    if not 0 <= index < len(program.objects):
        return str(value)
    item = program.objects[index]
    if item.template >= 0 or (offset == 0 and item.cells and item.cells[0].label.startswith(f"{item.name}.")):
        return f"&{item.name}"  # a function, or a whole structure
    return f"&{program.label(value)}" if any(c.offset == offset for c in item.cells) else str(value)


def prefix_of(rows: Sequence[ExploredEvent], ends: Collection[int]) -> set[int]:
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


def _before(rows: Sequence[ExploredEvent]) -> list[set[int]]:
    """What each event comes after at once."""
    last: dict[int, int] = {}
    begun = {r.other: n for n, r in enumerate(rows) if r.kind == EventKind.SPAWN}
    before: list[set[int]] = [set() for _ in rows]
    for n in sorted(range(len(rows)), key=lambda n: rows[n].index):
        row = rows[n]
        previous = last.get(row.thread, begun.get(row.thread))
        if previous is not None:
            before[n].add(previous)
        last[row.thread] = n
        if row.source >= 0:
            before[n].add(row.source)
    for n, row in enumerate(rows):
        if row.kind == EventKind.JOIN and row.other in last:
            before[n].add(last[row.other])
    meetings: dict[tuple[int, int], list[int]] = {}
    for n, row in enumerate(rows):
        if row.kind == EventKind.BARRIER:
            meetings.setdefault((row.other, row.read), []).append(n)
    for meeting in meetings.values():
        arrived = set().union(*(before[n] for n in meeting))
        for n in meeting:
            before[n] |= arrived
    return before


def _readable_order(rows: Sequence[ExploredEvent]) -> list[int]:
    """The accesses and fences, each after what it reads from and what is before it in program order."""
    before = _before(rows)
    after: list[list[int]] = [[] for _ in rows]
    for n, needed in enumerate(before):
        for m in needed:
            after[m].append(n)
    missing = [len(needed) for needed in before]
    ready = [n for n, count in enumerate(missing) if count == 0]
    order: list[int] = []
    placed = [False] * len(rows)
    while ready or len(order) < len(rows):
        if not ready:  # a cycle: something comes before what it reads from
            free = (n for n in range(len(rows)) if not placed[n])
            ready.append(next(n for n in free if all(placed[m] for m in before[n] if m != rows[n].source)))
        order.append(heappop(ready))
        if placed[order[-1]]:
            order.pop()
            continue
        placed[order[-1]] = True
        for n in after[order[-1]]:
            missing[n] -= 1
            if missing[n] == 0:
                heappush(ready, n)
    return [n for n in order if rows[n].access]
