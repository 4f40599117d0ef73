"""The model file's own axioms over every modification order: slow, and beyond doubt as far as the evaluator is."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator

import numpy as np

from porf.execution import Execution
from porf.language.evaluation import Evaluation, evaluator
from porf.language.model_file import ModelFile
from tests.checking.small_executions import execution


def satisfiable(g: Execution, model: ModelFile) -> bool:
    core = evaluator(model, g)
    lines = [np.flatnonzero((g.loc == x) & ((g.op == 1) | (g.op == 2))).tolist() for x in range(g.locations)]
    for choice in itertools.product(*(itertools.permutations(line) for line in lines)):
        pairs = [pair for line in choice for pair in itertools.pairwise(line)]
        if not Evaluation(model, g, core, pairs).violated:
            return True
    return False


def orders(g: Execution) -> int:
    """How many modification orders there are."""
    writes = (g.op == 1) | (g.op == 2)
    return math.prod(math.factorial(int((writes & (g.loc == x)).sum())) for x in range(g.locations))


_MIXES = ((4, 4, 0, 0), (5, 3, 2, 1), (3, 2, 4, 1), (4, 4, 1, 2), (2, 3, 5, 0), (6, 3, 0, 1))


def hard_execution(rng: random.Random, most_events: int = 9) -> Execution:
    """Few locations, reads of nearly anything, updates that seldom share a writer: near the models' borders."""
    while True:
        events, threads = rng.randint(3, most_events), rng.randint(1, 4)
        locations, mix = rng.choice((1, 1, 2, 2, 2, 3)), rng.choice(_MIXES)
        shape = []
        for _ in range(events):
            op = rng.choices((0, 1, 2, 3), mix)[0]
            shape.append((rng.randrange(threads), op, -1 if op == 3 else rng.randrange(locations)))
        g = execution(list(_with_writers(rng, shape)), threads, locations)
        if orders(g) <= 150:
            return g


def _with_writers(rng: random.Random, shape: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int, int, int]]:
    updated: set[tuple[int, int]] = set()
    for row, (thread, op, loc) in enumerate(shape):
        rf = -1
        if op in (0, 2):
            options = [w for w, (_, o, x) in enumerate(shape) if x == loc and o in (1, 2) and w != row]
            options = [w for w in options if w < row or rng.random() < 0.08]
            if op == 2 and rng.random() < 0.95:
                options = [w for w in options if (loc, w) not in updated]
            if options and rng.random() < 0.9:
                rf = rng.choice(options)
            if op == 2:
                updated.add((loc, rf))
        yield thread, op, loc, rng.randrange(5), rf


def small_executions(events: int, threads: int, locations: int, orders: tuple[int, ...]) -> Iterator[Execution]:
    """Every execution of so many events, threads used in order of first appearance; rf anything of the location."""
    kinds = [(op, x) for x in range(locations) for op in (0, 1, 2)] + [(3, -1)]
    for assigned in itertools.product(range(threads), repeat=events):
        if any(t > max(assigned[:i], default=-1) + 1 for i, t in enumerate(assigned)):
            continue
        if list(assigned) != sorted(assigned):
            continue  # rows of different threads interleave freely: one representative will do
        for shape in itertools.product(kinds, repeat=events):
            writers = [
                [-1, *(w for w in range(events) if shape[w][1] == x and shape[w][0] in (1, 2))]
                if op in (0, 2)
                else [-1]
                for op, x in shape
            ]
            for rf in itertools.product(*writers):
                for order in itertools.product(orders, repeat=events):
                    rows = [(assigned[i], *shape[i], order[i], rf[i]) for i in range(events)]
                    yield execution(rows, threads, locations)
