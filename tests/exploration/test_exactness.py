"""Exploration against brute force: the same classes of (po, rf), each once, on random programs of every kind.

Of calls and wide accesses, brute force runs a program that means the same and has none.

The format in which classes are compared is that of `run.Class`: of each thread, by handle, its events as (op, pointer,
order, source, value read, value written); starts and joins of threads are not listed, a choice is a "c" that read its
number, and a lock is an acquire update, an unlock a release write.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.exploration.classes import classes as explored_classes
from porf.models.registry import FOLDER
from porf.programs.form import Program
from tests.exploration import known_programs as known
from tests.exploration.consistency import C11, MODELS
from tests.exploration.narrow import narrow
from tests.exploration.random_calls import random_calls
from tests.exploration.random_heap import random_heap, without_numbers
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_kinds import random_program as random_newer_program
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes, errors, ordered_classes

QUICK, MANY = 18, 650  # programs of each kind
NEWER = (*MAKERS, "calls")


def program_for(model: str, kind: str, seed: int) -> Program:
    # What starts and joins mean for RC11's SC axiom is nobody's business here.
    sc = model != "rc20" and not (model in C11 and kind == "threads")
    return random_program(seed, kind, sc=sc)


def newer_for(model: str, kind: str, seed: int) -> tuple[Program, Program]:
    """A program of a newer kind, and one that means the same and that brute force can run."""
    sc = model != "rc20" and not (model in C11 and kind in ("barriers", "made"))
    if kind == "calls":
        return random_calls(seed, sc)
    program = random_newer_program(seed, kind, sc)
    return program, narrow(program)


def same(
    program: Program, model: str, plain: Program | None = None, strategy: str = "trust", path: Path | None = None
) -> None:
    """As brute force has it; by its path, a built-in file is one like any other."""
    complete, blocked = classes(plain or program, model)
    found, stuck = explored_classes(program, path or model, strategy)
    assert Counter(found) == Counter(complete), (program.name, model)
    assert Counter(stuck) == Counter(blocked), (program.name, model)
    if strategy == "trust" and path is None:
        found, _ = explored_classes(program, model, all_blocked=False)
        assert Counter(found) == Counter(complete), (program.name, model)


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


@pytest.mark.parametrize("kind", NEWER)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_newer_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        program, plain = newer_for(model, kind, seed)
        same(program, model, plain)


@pytest.mark.parametrize("kind", ["made", "wide", "calls"])
@pytest.mark.parametrize("model", MODELS)
def test_schedules_find_the_classes_of_newer_random_programs(model: str, kind: str) -> None:
    for seed in range(1000, 1000 + QUICK // 2):
        program, plain = newer_for(model, kind, seed)
        same(program, model, plain, "tracer")


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("model", MODELS)
def test_a_file_explores_newer_random_programs_as_its_engine(model: str, kind: str) -> None:
    """With SC events under RC11, too."""
    for seed in range(2000, 2000 + QUICK // 3):
        program = random_newer_program(seed, kind, sc=model != "rc20", most=7)
        same(program, model, narrow(program), path=FOLDER / f"{model}.cat")


@pytest.mark.parametrize("kind", ["choices", "barriers", "made"])
@pytest.mark.parametrize("model", ["sc", "ra", "rc20", "rc11", "cpp20"])
def test_modification_orders_of_newer_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        program = random_newer_program(seed, kind, sc=model not in ("rc20", *C11), most=5)
        found = explored_classes(program, model, equivalence="mo")[0]
        assert Counter(found) == Counter(ordered_classes(narrow(program), model)), (program.name, model)


@pytest.mark.full
@pytest.mark.parametrize("kind", NEWER)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_many_newer_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        program, plain = newer_for(model, kind, seed)
        same(program, model, plain)


def same_with_memory(model: str, seed: int) -> set[str]:
    """Classes and bugs of a program that allocates and frees; the bugs."""
    program = random_heap(seed, sc=model not in ("rc20", *C11))
    for found, judged in zip(explored_classes(program, model), classes(program, model), strict=True):
        named = Counter(without_numbers(program, c) for c in found)
        assert named == Counter(without_numbers(program, c) for c in judged), (program.name, model)
    bugs = {bug.kind for bug in explore(program, model, keep_going=True, leaks=True).bugs}
    bugs -= {"unpublished memory"}  # the judge has no allocations; tests/programs/c/test_waiting.py has these
    expected = errors(program, model)
    # An event that frees for the second time is told as that alone.
    extra = {"use after free"} if "double free" in expected else set()
    assert bugs <= expected <= bugs | extra, (program.name, model)
    return bugs


@pytest.mark.parametrize("model", MODELS)
def test_random_programs_that_allocate_and_free(model: str) -> None:
    met = [bug for seed in range(QUICK) for bug in same_with_memory(model, seed)]
    assert set(met) >= {"use after free", "double free", "invalid free", "uninitialised read", "memory leak"}


@pytest.mark.parametrize("model", MODELS)
def test_ends_of_objects_are_no_fences_to_model_files(model: str) -> None:
    for seed in range(2000, 2000 + QUICK // 2):
        program = random_heap(seed, sc=model != "rc20")
        explored = explored_classes(program, FOLDER / f"{model}.cat")
        for found, judged in zip(explored, classes(program, model), strict=True):
            named = Counter(without_numbers(program, c) for c in found)
            assert named == Counter(without_numbers(program, c) for c in judged), (program.name, model)


@pytest.mark.full
@pytest.mark.parametrize("model", MODELS)
def test_many_random_programs_that_allocate_and_free(model: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same_with_memory(model, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["sc", "ra", "rc20", "rc11", "cpp20"])
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
