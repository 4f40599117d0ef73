"""Shapes of executions that people know by name. They separate many models, and a search tries them first.

Threads stand between `|` and events between `;`, as in the text format without thread and order.
"""

import itertools
from collections.abc import Iterator
from functools import cache

from porf.comparison.skeletons import Skeleton
from porf.comparison.small import from_execution
from porf.execution import Op
from porf.formats import loads

SHAPES = {
    "CoRW": "r x 1; w x 1",
    "CoWR": "w x 1; r x 0",
    "CoRR": "w x 1 | r x 1; r x 0",
    "CoWR2": "w x 1; r x 2 | w x 2; r x 1",
    "CoRR2": "w x 1 | w x 2 | r x 1; r x 2 | r x 2; r x 1",
    "SB": "w x 1; r y 0 | w y 1; r x 0",
    "SB+rfis": "w x 1; r x 1; r y 0 | w y 1; r y 1; r x 0",
    "SB+rfi+update": "w x 1; r x 1; r y 0 | w y 1; u x 0->2",
    "MP": "w x 1; w y 1 | r y 1; r x 0",
    "LB": "r x 1; w y 1 | r y 1; w x 1",
    "S": "w x 2; w y 1 | r y 1; w x 1; r x 2",
    "R": "w x 1; w y 1; r y 2 | w y 2; r x 0",
    "2+2W": "w x 1; w y 2; r y 1 | w y 1; w x 2; r x 1",
    "WRC": "w x 1 | r x 1; w y 1 | r y 1; r x 0",
    "RWC": "w x 1 | r x 1; r y 0 | w y 1; r x 0",
    "ISA2": "w x 1; w y 1 | r y 1; w z 1 | r z 1; r x 0",
    "IRIW": "w x 1 | w y 1 | r x 1; r y 0 | r y 1; r x 0",
    "MP+own": "w x 1; r x 2 | w x 2; w y 1; r y 1; r x 2",
    "view-and-own": "w z 1; w x 1; w y 1 | w x 2; r z 0; r y 1; r x 2",
    "late": "w x 1; w x 2; r y 1 | w y 1; w y 2; r y 2; r x 1",
    "own-first": "w x 1; r y 0; w y 1; r x 1 | w x 2; r y 0; w y 2; r x 2",
    # Two writes of each of two locations; for each of the four orders, two readers that exclude it.
    "four-orders": (
        "w x 1 | w x 2 | w y 1 | w y 2 | r x 2; r y 1 | r y 2; r x 1 | r x 2; r y 2 | r y 1; r x 1"
        " | r x 1; r y 1 | r y 2; r x 2 | r x 1; r y 2 | r y 1; r x 2"
    ),
}


@cache
def shape(name: str) -> Skeleton:
    return skeleton_of(SHAPES[name])


def skeleton_of(line: str) -> Skeleton:
    rows = []
    for number, thread in enumerate(line.split("|")):
        rows += [f"T{number} {event.strip()}" for event in thread.split(";")]
    return from_execution(loads("\n".join(rows))).skeleton


@cache
def variants(name: str, operations: tuple[int, ...]) -> tuple[Skeleton, ...]:
    """The shape itself; with a fence between any two events of a thread; with some writes made updates."""
    plain = shape(name)
    found = [plain]
    if Op.FENCE in operations:
        found.append(_fenced(plain))
    if Op.UPDATE in operations and len(plain.op) <= 6:
        found += _updating(plain)
    return tuple(s for s in found if set(s.op) <= set(operations))


def _fenced(plain: Skeleton) -> Skeleton:
    columns: list[tuple[int, int, int, int]] = []
    at: dict[int, int] = {-1: -1}
    for row, (thread, op, loc, rf) in enumerate(zip(*plain, strict=True)):
        if row and plain.thread[row - 1] == thread:
            columns.append((thread, int(Op.FENCE), -1, -1))
        at[row] = len(columns)
        columns.append((thread, op, loc, rf))
    threads, ops, locs, writers = zip(*columns, strict=True)
    return Skeleton(threads, ops, locs, tuple(at[w] for w in writers))


def _updating(plain: Skeleton) -> Iterator[Skeleton]:
    """A write becomes an update of the initial value."""
    writes = [row for row, op in enumerate(plain.op) if op == Op.WRITE]
    for size in (1, 2):
        for chosen in itertools.combinations(writes, size):
            op = tuple(int(Op.UPDATE) if row in chosen else kind for row, kind in enumerate(plain.op))
            yield plain._replace(op=op)
