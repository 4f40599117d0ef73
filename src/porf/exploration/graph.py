"""An explored graph as an execution that people can read: its events in the words of the program."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from porf._core import EventKind, ExploredEvent, Role
from porf.execution import INITIAL, NO_VALUE, OP_LETTERS, ORDER_NAMES, Execution, Op, Order
from porf.programs.form import Place, Program, is_private, object_of, offset_of, pointer
from porf.programs.lower import instruction


@dataclass(frozen=True, eq=False)
class Shown(Execution):
    """An execution whose events are described in the program's words: locks as locks, pointers as `&x`."""

    words: tuple[str, ...] = ()
    places: tuple[Place | None, ...] = ()
    alone: tuple[int, ...] = ()  # rows of a time in which there is one thread

    def describe(self, ref: int) -> str:
        return self.words[ref] if ref >= 0 else super().describe(ref)

    def remarks(self, ref: int) -> str:
        """Where in the source it comes from."""
        return PurePath(self.place(ref)).name

    def place(self, ref: int) -> str:
        place = self.places[ref] if 0 <= ref < len(self.places) else None
        return "" if place is None else f"{place.file or self.source}:{place.line}"


def execution_of(
    program: Program,
    rows: Sequence[ExploredEvent],
    names: Sequence[str],
    part: Collection[int],
    thread: int,
    also: Collection[tuple[int, int]] = (),
) -> tuple[Shown, list[int]]:
    """The execution for tables and pictures, and its rows: accesses, fences and ends of objects, each after what it
    depends on, and as `also` says.

    It is only of a part of the rows, which has all that these rows need; the thread is there even if it has none. The
    end of an object is a write to a place that stands for the whole of it.
    """
    order = [n for n in chronological(rows, part, also) if rows[n].access or rows[n].kind == EventKind.FREE]
    place = {n: position for position, n in enumerate(order)}
    kept = [rows[n] for n in order]
    ended = {r.other: f"end({program.objects[r.other - 1].name})" for r in kept if r.kind == EventKind.FREE}
    pointers = sorted({r.pointer for r in kept if r.pointer})
    locations = {("place", p): program.label(p) for p in pointers} | {("object", o): ended[o] for o in sorted(ended)}
    number = {key: at for at, key in enumerate(locations)}
    threads = sorted({r.thread for r in kept} | {thread})
    initial = {pointer(n, c.offset): c.initial or 0 for n, o in enumerate(program.objects) for c in o.cells}
    sources = [place[r.source] if r.source >= 0 else INITIAL for r in kept]
    free = [r.kind == EventKind.FREE for r in kept]
    locs = [
        number["object", r.other] if ends else number["place", r.pointer] if r.pointer else -1
        for r, ends in zip(kept, free, strict=True)
    ]
    return Shown(
        thread=np.array([threads.index(r.thread) for r in kept], np.int32),
        op=np.array([Op.WRITE if ends else r.kind for r, ends in zip(kept, free, strict=True)], np.uint8),
        loc=np.array(locs, np.int32),
        order=np.array([Order.NA if ends else r.order for r, ends in zip(kept, free, strict=True)], np.uint8),
        rf=np.array(sources, np.int32),
        thread_names=[names[t] for t in threads],
        loc_names=list(locations.values()),
        init_value=np.array([initial.get(p, 0) if kind == "place" else 0 for kind, p in locations], np.int64),
        read_value=np.array([r.read if r.reads else NO_VALUE for r in kept], np.int64),
        written_value=np.array(
            [0 if ends else r.written if r.writes else NO_VALUE for r, ends in zip(kept, free, strict=True)], np.int64
        ),
        source=program.source or program.name,
        words=tuple(shown_event(program, row) for row in kept),
        places=tuple(instruction(program, row.pc)[1].place for row in kept),
        alone=tuple(place[n] for n in _alone(rows) if n in place),
    ), order


def _alone(rows: Sequence[ExploredEvent]) -> list[int]:
    """The events before the first start of a thread, if all others are started."""
    starts = [row for row in rows if row.kind == EventKind.SPAWN]
    first = {row.thread for row in rows} - {row.other for row in starts}
    if len(first) != 1:
        return []
    [root] = first
    until = min((row.index for row in starts if row.thread == root), default=0)
    return [n for n, row in enumerate(rows) if row.thread == root and row.index < until]


def shown_event(program: Program, row: ExploredEvent) -> str:
    """An event in the words of the text format, or as the operation on a mutex that it is."""
    if row.kind == EventKind.FENCE:
        return f"f {ORDER_NAMES[row.order]}"
    if row.kind == EventKind.FREE:
        return f"free {program.objects[row.other - 1].name}"
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
    before = before_at_once(rows)
    found: set[int] = set()
    todo = list(ends)
    while todo:
        n = todo.pop()
        if n not in found:
            found.add(n)
            todo += before[n]
    return found


def before_at_once(rows: Sequence[ExploredEvent]) -> list[set[int]]:
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


def chronological(
    rows: Sequence[ExploredEvent], part: Collection[int] | None = None, also: Collection[tuple[int, int]] = ()
) -> list[int]:
    """The rows, or a part that has all that comes before it: each after what it comes after by program order and
    reads-from, and by what is given. One thread goes on for as long as it can. Where all that is a cycle, something
    comes before what it reads from."""
    before = before_at_once(rows)
    for a, b in also:
        before[b].add(a)
    wanted = range(len(rows)) if part is None else part
    queues: dict[int, list[int]] = {}
    for n in sorted(wanted, key=lambda n: rows[n].index, reverse=True):
        queues.setdefault(rows[n].thread, []).append(n)
    order: list[int] = []
    placed: set[int] = set()
    threads = sorted(queues)

    def ready(t: int, without: bool = False) -> bool:
        if not queues[t]:
            return False
        n = queues[t][-1]
        return all(m in placed or (without and m == rows[n].source) for m in before[n])

    on = threads[0] if threads else 0
    while len(order) < len(wanted):
        if not ready(on):
            found = next((t for t in threads if ready(t)), None)
            on = next(t for t in threads if ready(t, without=True)) if found is None else found
        n = queues[on].pop()
        order.append(n)
        placed.add(n)
    return order
