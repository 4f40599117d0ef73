"""Exploration against brute force: the same classes of (po, rf), each once, on random programs of every kind.

The format in which classes are compared is that of `run.Class`: of each thread, by handle, its events as (op, pointer,
order, source, value read, value written); starts and joins of threads are not listed, and a lock is an acquire update,
an unlock a release write.
"""

from __future__ import annotations

from collections import Counter

import pytest

from porf.explore import classes as explored_classes
from porf.programs.form import Program
from tests.explore import known_programs as known
from tests.explore.consistency import MODELS
from tests.explore.random_programs import KINDS, random_program
from tests.explore.reference import classes, ordered_classes

QUICK, MANY = 25, 650  # programs of each kind; there are eight kinds


def program_for(model: str, kind: str, seed: int) -> Program:
    # What starts and joins mean for RC11's SC axiom is nobody's business here.
    sc = model != "rc20" and not (model == "rc11" and kind == "threads")
    return random_program(seed, kind, sc=sc)


def same(program: Program, model: str) -> None:
    complete, blocked = classes(program, model)
    found, stuck = explored_classes(program, model)
    assert Counter(found) == Counter(complete), (program.name, model)
    assert Counter(stuck) == Counter(blocked), (program.name, model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same(program_for(model, kind, seed), model)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_many_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same(program_for(model, kind, seed), model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["sc", "ra", "rc20", "rc11"])
def test_modification_orders_of_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        program = random_program(seed, kind, sc=model != "rc20", most=6)
        found = explored_classes(program, model, equivalence="mo")[0]
        assert Counter(found) == Counter(ordered_classes(program, model)), (program.name, model)


@pytest.mark.parametrize(
    "program",
    [
        known.redundant_co(3),
        known.readers(5),
        known.ainc(4),
        known.fib_bench(1),
        known.fib_bench(2),
        known.lastzero(4),
        known.control_flow(3),
        known.exponential_bug(1),
        known.pthread_demo(3),
        known.pthread_demo(1, 3),
    ],
    ids=lambda program: str(program.name),
)
@pytest.mark.parametrize("model", ["sc", "tso", "ra", "relaxed"])
def test_the_classes_of_known_programs(program: Program, model: str) -> None:
    same(program, model)
