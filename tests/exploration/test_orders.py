"""Exploration under the models that ask for one total order: SC, TSO, PSO, SRA."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from porf import check
from porf.execution import Execution, Order
from porf.exploration import explore
from porf.exploration.classes import classes
from porf.programs.assemble import Assembler
from porf.programs.form import Modify, Opcode, Program, Start, pointer
from tests.checking.small_executions import execution
from tests.exploration import known_programs as known
from tests.exploration.known_programs import Code, assembled, load, store
from tests.exploration.random_programs import random_program
from tests.exploration.reference import ordered_classes
from tests.exploration.run import Class

MODELS = ("sc", "tso", "x86", "pso", "sra")
WEAKER = {
    "sc": "ra",
    "sra": "ra",
    "tso": "relaxed",
    "x86": "relaxed",
    "pso": "relaxed",
}  # each has an engine of another kind


@pytest.mark.parametrize(
    ("program", "model", "count"),
    [
        (known.fib_bench(4), "sc", 19605),
        (known.fib_bench(4), "sra", 34205),
        (known.fib_bench(4), "tso", 34205),
        (known.fib_bench(5), "sc", 218243),
        (known.lastzero(15), "sc", 147456),
        *((known.lastzero(10), model, 3328) for model in MODELS),
        *((known.readers(10), model, 2**10) for model in MODELS),
        *((known.ainc(6), model, math.factorial(6)) for model in MODELS),
        *((known.redundant_co(6), model, 3 * 36 + 3 * 6 + 1) for model in MODELS),
        *((known.control_flow(6), model, 77) for model in MODELS),
        *((known.pthread_demo(5), model, math.comb(10, 5)) for model in ("sc", "tso", "sra")),
    ],
    ids=lambda value: value.name if isinstance(value, Program) else str(value),
)
def test_the_counts_of_the_papers(program: Program, model: str, count: int) -> None:
    found = explore(program, model, self_check=True)
    assert found.executions == count
    assert (found.blocked, found.duplicates, found.statistics["dead"]) == (0, 0, 0)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("writers", [70, 300])
def test_graphs_larger_than_a_row_of_bits(model: str, writers: int) -> None:
    assert explore(known.n_writers_a_reader(writers), model).executions == writers + 1


def test_a_graph_that_is_too_large_leaves_it_undecided() -> None:
    assert explore(known.n_writers_a_reader(4200), "sc").verdict == "undecided"


def contended(threads: int, rounds: int, updates: bool = False) -> Program:
    """Every thread writes and reads the same two places: nothing orders most of the writes."""

    def code(t: int) -> Code:
        def emit(a: Assembler) -> None:
            for i in range(rounds):
                store(a, 0, a.constant(10 * t + i + 1))
                load(a, 1)
                if updates:
                    where, one = a.constant(pointer(1)), a.constant(1)
                    a.emit(Opcode.RMW, a=a.register(), b=where, c=one, kind=Modify.ADD, width=8, order=Order.SC)
                else:
                    store(a, 1, a.constant(10 * t + i + 1))
                load(a, 0)

        return emit

    return assembled("contended", {"x": 0, "y": 0}, [code(t) for t in range(threads)])


def as_execution(c: Class) -> Execution:
    number = {(t, i): 0 for t, line in enumerate(c) for i in range(len(line))}
    number = {name: n for n, name in enumerate(number)}
    places = sorted({e[1] for line in c for e in line if e[1]})
    rows = [
        (t, "rwuf".index(op), places.index(p) if p else -1, order, -1 if source is None else number[source])
        for t, line in enumerate(c)
        for op, p, order, source, _, _ in line
    ]
    return execution(rows, len(c), len(places))


def same_as_checked(program: Program, model: str) -> tuple[int, int]:
    """The classes are those of a weaker model that `porf.check` allows; how many, of how many."""
    found = classes(program, model)
    weaker = classes(program, WEAKER[model])
    for mine, theirs in zip(found, weaker, strict=True):
        allowed = [c for c in theirs if check(as_execution(c), model).answer == "consistent"]
        assert Counter(mine) == Counter(allowed), (program.name, model)
    return sum(map(len, found)), sum(map(len, weaker))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("program", [contended(2, 2), contended(3, 1), contended(3, 1, updates=True)])
def test_writes_that_nothing_orders(program: Program, model: str) -> None:
    allowed, of = same_as_checked(program, model)
    assert 0 < allowed <= of


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["plain", "litmus", "updates", "fences", "control"])
def test_programs_too_large_for_brute_force(model: str, kind: str) -> None:
    forbidden = 0
    for seed in range(8):
        allowed, of = same_as_checked(random_program(seed, kind, most=12), model)
        forbidden += of - allowed
    if model == "sc":
        assert forbidden > 0


@pytest.mark.parametrize("kind", ["litmus", "updates", "fences", "threads"])
@pytest.mark.parametrize("model", ["tso", "pso", "sra"])
def test_modification_orders(model: str, kind: str) -> None:
    for seed in range(20):
        program = random_program(seed, kind, most=6)
        found = classes(program, model, equivalence="mo")[0]
        assert Counter(found) == Counter(ordered_classes(program, model)), (program.name, model)


def spawning(main: Code, child: Code) -> Program:
    program = assembled("spawning", {"x": 0, "y": 0}, [main, child])
    return Program(program.name, program.objects, program.templates, (Start(0),))


def spawn(a: Assembler) -> int:
    handle = a.register()
    a.emit(Opcode.SPAWN, a=handle, c=1, d=a.arguments(()))
    return handle


@pytest.mark.parametrize("model", MODELS)
def test_a_thread_sees_what_was_before_its_start(model: str) -> None:
    def main(a: Assembler) -> None:
        store(a, 0, a.constant(1))
        spawn(a)

    def child(a: Assembler) -> None:
        load(a, 0)

    assert explore(spawning(main, child), model).executions == 1


@pytest.mark.parametrize("model", MODELS)
def test_who_joins_sees_what_the_thread_did(model: str) -> None:
    def main(a: Assembler) -> None:
        a.emit(Opcode.JOIN, a=a.register(), b=spawn(a))
        load(a, 0)

    assert explore(spawning(main, lambda a: store(a, 0, a.constant(1))), model).executions == 1


@pytest.mark.parametrize(
    ("model", "apart", "joined"), [("sc", 3, 3), ("tso", 4, 3), ("x86", 4, 3), ("pso", 4, 3), ("sra", 4, 4)]
)
def test_a_join_empties_the_store_buffer(model: str, apart: int, joined: int) -> None:
    """Store buffering, with or without a join between the write and the read of each thread."""

    def buffering(join: bool) -> Program:
        def code(mine: int, other: int) -> Code:
            def emit(a: Assembler) -> None:
                store(a, mine, a.constant(1))
                if join:
                    handle = a.register()
                    a.emit(Opcode.SPAWN, a=handle, c=2, d=a.arguments(()))
                    a.emit(Opcode.JOIN, a=a.register(), b=handle)
                load(a, other)

            return emit

        program = assembled("sb", {"x": 0, "y": 0}, [code(0, 1), code(1, 0), lambda a: None])
        return Program(program.name, program.objects, program.templates, (Start(0), Start(1)))

    assert (explore(buffering(False), model).executions, explore(buffering(True), model).executions) == (apart, joined)
