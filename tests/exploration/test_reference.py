"""Brute force is held to what is known otherwise: the model files, plain interleavings, and counts of the papers."""

from __future__ import annotations

import math
import random

import pytest

from porf import check
from porf.execution import OP_LETTERS, Op, Order
from porf.programs.form import Opcode, Program
from tests.checking.small_executions import execution
from tests.exploration import known_programs as known
from tests.exploration.consistency import MODELS, consistent, modification_orders
from tests.exploration.graph import INITIAL, Graph
from tests.exploration.narrow import narrow
from tests.exploration.random_heap import random_heap
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_kinds import random_program as random_newer_program
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes, every_graph, ordered_classes
from tests.exploration.run import Class, Run

# Of the kinds that models look at: choices and ends of objects are no business of theirs.
LOOKED_AT = (*KINDS, "made", "wide")
EVERY = (*KINDS, *MAKERS, "heap")


def any_program(seed: int, kind: str, sc: bool = True, most: int = 9) -> Program:
    """Of any kind that brute force runs by itself."""
    if kind == "heap":
        return random_heap(seed, sc, most)
    return (
        narrow(random_newer_program(seed, kind, sc, most)) if kind in MAKERS else random_program(seed, kind, sc, most)
    )


def random_run(rng: random.Random, program: Program) -> Run:
    """Any thread goes on, and reads anything: most runs are inconsistent, and many nearly consistent."""
    run = Run(program)
    while ready := [t for t in run.threads() if run.ready(t)]:
        thread = rng.choice(ready)
        options = [*run.options(thread)]
        if not options:
            break
        run.step(thread, rng.choice(options + options[-1:]))
    return run


def as_rows(g: Graph) -> list[tuple[int, int, int, int, int]]:
    """The graph in columns. Threads are started, and their ends seen, by messages through places of their own."""
    places: dict[object, int] = {}
    rows: list[tuple[int, int, int, int, int]] = []
    row_of: dict[int | None, int] = {None: -1, INITIAL: -1}
    spawned = iter(range(len(g.threads) - sum(e.op == "s" for e in g.events), len(g.threads)))

    def message(n: int, sender: int, receiver: int) -> None:
        place = places.setdefault(("message", n), len(places))
        rows.append((sender, Op.FENCE, -1, Order.NA, -1))
        rows.append((sender, Op.WRITE, place, Order.REL, -1))
        rows.append((receiver, Op.READ, place, Order.ACQ, len(rows) - 1))
        rows.append((receiver, Op.FENCE, -1, Order.NA, -1))

    for n, e in enumerate(g.events):
        if e.op == "s":
            message(n, e.thread, next(spawned))
        elif e.op == "j":
            # A thread without events ends where it starts.
            ended = next((g.events[p].thread for p in g.near[n] if g.events[p].thread != e.thread), e.thread)
            message(n, ended, e.thread)
        else:
            row_of[n] = len(rows)
            place = places.setdefault(e.pointer, len(places)) if e.pointer else -1
            rows.append((e.thread, OP_LETTERS.index(e.op), place, int(e.order), row_of[e.source]))
    return rows


@pytest.mark.parametrize("model", MODELS)
def test_the_models_by_hand_are_the_model_files(model: str) -> None:
    rng = random.Random(model)
    verdicts = {True: 0, False: 0}
    for seed in range(500):
        g = random_run(rng, any_program(seed, rng.choice(LOOKED_AT), sc=model != "rc20")).graph
        if model == "relaxed" and any(e.op in "sj" for e in g.events):
            continue  # messages do not order anything there
        rows = as_rows(g)
        graph = execution(rows, len(g.threads), max((r[2] for r in rows), default=-1) + 1)
        verdict = check(graph, model, algorithm="generic").answer == "consistent"
        assert consistent(g, model) is verdict, (model, rows)
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 40, verdicts


def interleavings(program: Program) -> tuple[set[Class], set[Class]]:
    """Sequential consistency as everybody knows it: one thread at a time, and a read takes the last write."""
    run = Run(program)
    found: tuple[set[Class], set[Class]] = set(), set()
    visited = set()

    def explore(memory: dict[int, int]) -> None:
        now = run.as_class()
        key = now, tuple(stop.state for stop in run.stops), frozenset((p, run.name(w)) for p, w in memory.items())
        if key in visited:
            return
        visited.add(key)
        stuck = True
        for thread in run.threads():
            stop = run.stops[thread]
            source = memory.get(stop.pointer, INITIAL) if stop.reads else None
            held = source is not None and stop.instruction.opcode is Opcode.LOCK and run.value(stop, source) != 0
            if not run.ready(thread) or held:
                continue
            stuck = False
            for option in [source] if stop.reads else run.options(thread):
                number = run.step(thread, option)
                explore({**memory, stop.pointer: number} if run.graph.events[number].op in "wu" else memory)
                run.back()
        if stuck and not run.wrong():
            found[not run.complete()].add(now)

    explore({})
    return found


@pytest.mark.parametrize("kind", EVERY)
def test_sequential_consistency_is_interleaving(kind: str) -> None:
    for seed in range(60):
        program = any_program(seed, kind, most=6)
        assert classes(program, "sc") == interleavings(program), program.name


@pytest.mark.parametrize("kind", EVERY)
def test_one_order_of_growth_is_enough(kind: str) -> None:
    for seed in range(60):
        program = any_program(seed, kind, most=5)
        model = MODELS[seed % len(MODELS)]
        assert classes(program, model) == every_graph(program, model), (program.name, model)


COUNTS = [
    (known.n_writers_a_reader(3), 4, 4),
    (known.redundant_co(2), 19, 19),
    (known.redundant_co(3), 37, 37),
    (known.readers(4), 16, 16),
    (known.ainc(4), 24, 24),
    (known.lastzero(3), 12, 12),
    (known.control_flow(2), 9, 9),
    (known.control_flow(3), 15, 15),
    (known.pthread_demo(2), math.comb(4, 2), math.comb(4, 2)),
    (known.pthread_demo(3), math.comb(6, 3), math.comb(6, 3)),
    (known.pthread_demo(1, 3), 6, 6),
]


@pytest.mark.parametrize(("program", "ra", "sc"), COUNTS, ids=[f"{n}-{c[0].name}" for n, c in enumerate(COUNTS)])
def test_counts_of_the_papers(program: Program, ra: int, sc: int) -> None:
    assert [len(classes(program, "ra")[0]), len(classes(program, "sc")[0])] == [ra, sc]


def test_modification_orders_refine_classes() -> None:
    for seed in range(40):
        program = random_program(seed, "updates", most=6)
        for model in MODELS:
            assert {c for c, _ in ordered_classes(program, model)} == classes(program, model)[0]


def test_unread_writes_have_any_order() -> None:
    program = known.n_writers_a_reader(3)
    assert len(ordered_classes(program, "ra")) == math.factorial(4)
    run = Run(program)
    for thread in range(3):
        run.step(thread)
    assert len(list(modification_orders(run.graph, "ra"))) == 6
