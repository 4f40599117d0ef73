"""Executions for the tests of papers: written by hand in a line, drawn at random, or all small ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from porf.execution import Execution, Op, Order
from porf.formats import loads
from tests.checking.brute_force import orders, small_executions
from tests.checking.small_executions import execution


def history(line: str) -> Execution:
    """Threads between `|`, events between `;`, as in the text format without the thread: `w x 1; r y 0 | w y 1`."""
    rows = []
    for number, thread in enumerate(line.split("|")):
        rows += [f"T{number} {event.strip()}" for event in thread.split(";")]
    return loads("\n".join(rows))


def border_execution(rng: random.Random) -> Execution:
    """Few locations, many reads, every read with a writer: about half of them are inconsistent."""
    while True:
        events, threads = rng.randint(4, 7), rng.choice((2, 2, 3))
        locations = rng.choice((1, 1, 2))
        shape = []
        for _ in range(events):
            op = rng.choices((Op.READ, Op.WRITE, Op.UPDATE), (5, 3, 2))[0]
            shape.append((rng.randrange(threads), op, rng.randrange(locations), rng.choice((1, 1, 2, 3, 4))))
        g = _with_writers(rng, shape, threads, locations)
        if g is not None and orders(g) <= 150:
            return g


def _with_writers(
    rng: random.Random, shape: list[tuple[int, Op, int, int]], threads: int, locations: int
) -> Execution | None:
    rows, updated = [], set()
    for row, (thread, op, loc, order) in enumerate(shape):
        rf = -1
        if op != Op.WRITE:
            options = [w for w, s in enumerate(shape) if s[2] == loc and s[1] != Op.READ and w != row]
            if op == Op.UPDATE:
                options = [w for w in options if w not in updated]
            near = [w for w in options if w < row or shape[w][0] != thread]
            if not near:
                return None
            rf = rng.choice(near)
            if op == Op.UPDATE:
                updated.add(rf)
        rows.append((thread, int(op), loc, order, rf))
    return execution(rows, threads, locations)


def all_small(events: int, locations: int) -> Iterator[Execution]:
    """Every relaxed execution of so many accesses in which every read has a writer."""
    for g in small_executions(events, events, locations, (1,)):
        if all(g.rf[e] >= 0 for e in range(len(g)) if g.reads(e)) and not (g.op == Op.FENCE).any():
            yield g


def ordered(rng: random.Random, g: Execution, orders: tuple[Order, ...], fences: tuple[Order, ...]) -> Execution:
    """With orders drawn anew, those of accesses apart from those of fences."""
    drawn = [rng.choice(fences if op == Op.FENCE else orders) for op in g.op]
    return replace(g, order=np.array(drawn, np.uint8))


def critical_cycle(rng: random.Random) -> Execution:
    """A litmus test: thread i accesses location i - 1 and then location i, and the threads' accesses of a location are
    joined by rf, fr or mo, all the way round. Now and then a fence or a dependency is between the two, and a first
    write is an update. A reader of its own shows an order of two writes. SC forbids it; who else does, depends.
    """
    size = rng.choice((2, 2, 2, 3, 3, 4))
    kinds = [rng.choice(("rf", "fr", "mo")) for _ in range(size)]
    rows: list[tuple[int, int, int, int, int]] = []
    dependencies: dict[str, list[tuple[int, int]]] = {"addr": [], "data": [], "ctrl": []}
    leaving, coming = [0] * size, [0] * size  # the row at each end of a location's edge
    for thread in range(size):
        reads, location = kinds[thread - 1] == "rf", (thread - 1) % size
        coming[location] = len(rows)
        rows.append((thread, int(Op.READ if reads else Op.WRITE), location, 1, -1))
        if rng.random() < 0.5:
            rows.append((thread, int(Op.FENCE), -1, 1, -1))
        leaving[thread] = len(rows)
        update = kinds[thread] != "fr" and rng.random() < 0.1
        op = Op.READ if kinds[thread] == "fr" else Op.UPDATE if update else Op.WRITE
        rows.append((thread, int(op), thread, 1, -1))
        if reads and rng.random() < 0.5:
            dependencies[rng.choice(("addr", "data", "ctrl"))].append((coming[location], leaving[thread]))
    for location, kind in enumerate(kinds):
        if kind == "rf":
            rows[coming[location]] = (*rows[coming[location]][:4], leaving[location])
        if kind == "mo":
            rows += [(size + location, int(Op.READ), location, 1, at[location]) for at in (leaving, coming)]
    return execution(rows, 2 * size, size, dependencies)
