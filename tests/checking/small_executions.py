"""Random small executions for tests: any op, order and writer, so that models are sometimes satisfied."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np

from porf.execution import Execution, Op


def execution(
    rows: list[tuple[int, int, int, int, int]],
    threads: int,
    locations: int,
    dependencies: dict[str, list[tuple[int, int]]] | None = None,
) -> Execution:
    """Rows of (thread, op, loc, order, rf)."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    return Execution(
        thread=np.array(columns[0], np.int32),
        op=np.array(columns[1], np.uint8),
        loc=np.array(columns[2], np.int32),
        order=np.array(columns[3], np.uint8),
        rf=np.array(columns[4], np.int32),
        thread_names=[f"T{t}" for t in range(threads)],
        loc_names=[f"x{x}" for x in range(locations)],
        init_value=np.zeros(locations, np.int64),
        dependencies={
            kind: (
                np.array([a for a, _ in pairs], np.int32),
                np.array([b for _, b in pairs], np.int32),
            )
            for kind, pairs in (dependencies or {}).items()
        },
    )


def random_execution(
    rng: random.Random,
    events: int,
    threads: int,
    locations: int,
    weights: tuple[int, int, int, int] = (4, 4, 2, 1),
) -> Execution:
    """Mostly reads of earlier rows, as a real run would have; sometimes of anything."""
    shape = []
    for _ in range(events):
        op = rng.choices((Op.READ, Op.WRITE, Op.UPDATE, Op.FENCE), weights)[0]
        loc = -1 if op == Op.FENCE else rng.randrange(locations)
        shape.append((rng.randrange(threads), op, loc, rng.randrange(1, 5)))
    writers = {
        x: [row for row, event in enumerate(shape) if event[2] == x and event[1] in (Op.WRITE, Op.UPDATE)]
        for x in range(locations)
    }
    rows = []
    for row, (thread, kind, loc, order) in enumerate(shape):
        rf = -1
        if kind in (Op.READ, Op.UPDATE):
            anywhere = rng.random() < 0.15
            options = [w for w in writers[loc] if w != row and (anywhere or w < row)]
            rf = rng.choice([-1, *options, *options[-2:]])
        rows.append((thread, int(kind), loc, order, rf))
    dependencies: dict[str, list[tuple[int, int]]] = {"addr": [], "data": [], "ctrl": []}
    for a, b in itertools.combinations(range(events), 2):
        if rows[a][0] == rows[b][0] and rows[a][1] in (0, 2) and rows[b][1] != 3 and rng.random() < 0.25:
            dependencies[rng.choice(("addr", "data", "ctrl"))].append((a, b))
    return execution(rows, threads, locations, dependencies)


def litmus_execution(rng: random.Random) -> Execution:
    """Threads that each touch both locations, reads of anything that is not absurd: where models differ."""
    threads = rng.choice((2, 2, 3, 4))
    shape: list[tuple[int, int, int, int]] = []
    for thread in range(threads):
        locations = [0, 1] if rng.random() < 0.5 else [1, 0]
        for loc in locations + ([rng.randrange(2)] if threads == 2 and rng.random() < 0.7 else []):
            if rng.random() < 0.12:
                shape.append((thread, Op.FENCE, -1, rng.choice((2, 3, 4))))
            op = rng.choices((Op.READ, Op.WRITE, Op.UPDATE), (9, 9, 1))[0]
            shape.append((thread, op, loc, rng.choice((1, 1, 2, 3, 4))))
    rows = []
    dependencies: dict[str, list[tuple[int, int]]] = {"addr": [], "data": []}
    for row, (thread, kind, loc, order) in enumerate(shape):
        rf = -1
        if kind in (Op.READ, Op.UPDATE):
            own = [e for e in range(row) if shape[e][0] == thread and shape[e][2] == loc and shape[e][1] in (1, 2)]
            others = [e for e, s in enumerate(shape) if s[0] != thread and s[2] == loc and s[1] in (1, 2)]
            rf = rng.choice(own[-1:] + others or [-1]) if own else rng.choice([-1, *others])
        rows.append((thread, int(kind), loc, order, rf))
        follows_read = row > 0 and rows[row - 1][0] == thread and rows[row - 1][1] in (0, 2)
        if follows_read and op != Op.FENCE and rng.random() < 0.4:
            dependencies[rng.choice(("addr", "data"))].append((row - 1, row))
    return execution(rows, threads, 2, dependencies)


def modification_orders(g: Execution) -> Iterator[list[tuple[int, ...]]]:
    """Every choice of one total order of the writes of each location."""
    writes = [[e for e in range(len(g)) if g.loc[e] == x and g.writes(e)] for x in range(g.locations)]
    for choice in itertools.product(*(itertools.permutations(line) for line in writes)):
        yield list(choice)


def reads_and_writes(rng: random.Random, most_events: int = 9) -> Execution:
    """Reads and writes only: threads that mostly write first and read then, where causal models differ.

    A read takes a write of another thread, the last of its own, or (seldom) anything, even what follows it.
    """
    threads, locations = rng.choice((2, 2, 3, 4)), rng.choice((1, 2, 2, 2, 3))
    events = max(rng.randint(3, most_events) for _ in range(3))
    lengths = [events // threads + (t < events % threads) for t in range(threads)]
    shape = []
    for thread, length in enumerate(lengths):
        for at in range(length):
            read = rng.random() < (0.1 + 0.8 * at / max(1, length - 1) if threads < 4 else 0.6)
            shape.append((thread, Op.READ if read else Op.WRITE, rng.randrange(locations)))
    wild = rng.choice((0.0, 0.0, 0.0, 0.2))
    rows = []
    for row, (thread, op, loc) in enumerate(shape):
        rf = -1
        if op == Op.READ:
            writers = [w for w, (_, o, x) in enumerate(shape) if x == loc and o == Op.WRITE]
            own = [w for w in writers if w < row and shape[w][0] == thread]
            fair = [w for w in writers if shape[w][0] != thread] + (own[-1:] or [-1])
            rf = rng.choice([-1, *writers] if rng.random() < wild else fair)
        rows.append((thread, int(op), loc, 1, rf))
    return execution(rows, threads, locations)
