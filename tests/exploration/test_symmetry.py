"""Exploration up to permutations of threads: one execution of each orbit, and in all as many as without symmetry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porf._core import Findings
from porf.exploration import explore
from porf.exploration.classes import classes as explored_classes
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import FOLDER, find_model
from porf.programs.form import Opcode, Program
from porf.programs.litmus import read_litmus
from tests.exploration import known_programs as known
from tests.exploration.consistency import MODELS
from tests.exploration.random_heap import random_heap
from tests.exploration.random_kinds import random_program as random_newer_program
from tests.exploration.random_programs import random_program
from tests.exploration.random_symmetric import orbits, spawned, with_arguments, with_twins
from tests.exploration.reference import classes
from tests.exploration.symmetric_prototype import SymmetricExplorer, groups_of

KINDS = ("plain", "litmus", "updates", "fences", "control", "loops", "locks")
NEWER = ("choices", "made", "wide")
QUICK, MANY = 30, 700


def explored(program: Program, model: str | Path, **flags: bool) -> Findings:
    """What is found, the blocked executions included that show nothing."""
    asked: dict[str, Any] = {"self_check": True, "all_blocked": True, **flags}
    found = run(request_of(program, find_model(model), keep_going=True, **asked), Plan(keep_going=True)).findings
    assert not found.duplicates() and not found.dead, (program.name, model)
    return found


def kinds(found: Findings) -> set[str]:
    return {bug.kind.name for bug in found.bugs}


def program_for(model: str, kind: str, seed: int, most: int = 9) -> Program | None:
    sc = model != "rc20"
    base = random_newer_program(seed, kind, sc, 5) if kind in NEWER else random_program(seed, kind, sc=sc, most=5)
    return with_twins(base, seed, most)


def same(program: Program, model: str | Path, judged: bool = False) -> None:
    """Each orbit is explored, and counted once, with its size."""
    complete, blocked = (
        classes(program, str(model)) if judged else map(set, explored_classes(program, model, all_blocked=True))
    )
    found = explored(program, model)
    assert found.complete == len(complete), (program.name, model)
    assert found.blocked == len(blocked) or "DEADLOCK" in kinds(found), (program.name, model)
    if not any(i.opcode is Opcode.BARRIER for t in program.templates for i in t.code):
        assert found.distinct == len(orbits(complete, groups_of(program))), (program.name, model)
    alone = explored(program, model, symmetry=False)
    assert (alone.complete, alone.blocked, alone.distinct) == (found.complete, found.blocked, alone.complete)
    assert kinds(alone) == kinds(found), (program.name, model)
    without_waits = explored(program, model, all_blocked=False)
    assert (without_waits.complete, kinds(without_waits)) == (found.complete, kinds(found)), (program.name, model)


@pytest.mark.parametrize("kind", (*KINDS, *NEWER))
@pytest.mark.parametrize("model", MODELS)
def test_random_programs_with_threads_that_do_the_same(model: str, kind: str) -> None:
    for seed in range(QUICK):
        if (program := program_for(model, kind, seed)) is not None:
            same(program, model, judged=kind in KINDS and seed < QUICK // 3)


@pytest.mark.full
@pytest.mark.parametrize("kind", (*KINDS, *NEWER))
@pytest.mark.parametrize("model", MODELS)
def test_many_random_programs_with_threads_that_do_the_same(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        if (program := program_for(model, kind, seed)) is not None:
            same(program, model)


@pytest.mark.parametrize("kind", ["updates", "locks", "control"])
@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc11"])
def test_model_files_explore_up_to_symmetry_too(model: str, kind: str) -> None:
    for seed in range(1000, 1000 + QUICK // 3):
        if (program := program_for(model, kind, seed, 7)) is not None:
            same(program, FOLDER / f"{model}.cat")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["sc", "ra", "rc11", "tso"])
def test_threads_that_are_started_one_after_another(model: str, kind: str) -> None:
    fewer = 0
    for seed in range(3000, 3000 + QUICK):
        if (program := program_for(model, kind, seed, 7)) is None:
            continue
        program = spawned(program, seed)
        found, alone = explored(program, model), explored(program, model, symmetry=False)
        assert (found.complete, found.blocked) == (alone.complete, alone.blocked), (program.name, model)
        assert kinds(alone) == kinds(found), (program.name, model)
        fewer += found.distinct < found.complete
    assert fewer


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["sc", "ra", "relaxed", "wra"])
def test_the_prototype_meets_every_orbit(model: str, kind: str) -> None:
    for seed in range(2000, 2006):
        if (program := program_for(model, kind, seed, 6)) is None:
            continue
        found, groups = SymmetricExplorer(program, model).explore(), groups_of(program)
        for met, all_of_them in zip((found.complete, found.blocked), classes(program, model), strict=True):
            assert len(met) == len(set(met)) and set(met) <= all_of_them, (program.name, model)
            assert orbits(met, groups) == orbits(all_of_them, groups), (program.name, model)


def same_with_memory(model: str, seed: int) -> bool:
    """Threads that allocate, and hand on what they got: as many executions as without symmetry."""
    program = with_twins(random_heap(seed, sc=model != "rc20"), seed, 12)
    if program is None:
        return False
    found = explored(program, model, leaks=True)
    alone = explored(program, model, symmetry=False, leaks=True)
    assert (found.complete, found.blocked) == (alone.complete, alone.blocked), (program.name, model)
    # Of an event with several faults one is told, and which one that is depends on the path.
    memory = {"DANGLING", "TWICE_FREED", "UNKNOWN"}
    extra = memory if kinds(found) & memory else set()
    assert kinds(found) <= kinds(alone) <= kinds(found) | extra, (program.name, model)
    return found.distinct < found.complete


@pytest.mark.parametrize("model", MODELS)
def test_threads_with_objects_of_their_own(model: str) -> None:
    assert sum(same_with_memory(model, seed) for seed in range(2 * QUICK)) > 0


@pytest.mark.full
@pytest.mark.parametrize("model", MODELS)
def test_many_threads_with_objects_of_their_own(model: str) -> None:
    for seed in range(2 * QUICK, 2 * QUICK + 2 * MANY):
        same_with_memory(model, seed)


def same_with_arguments(model: str, seed: int) -> bool:
    """As many executions as without symmetry; whether there was some."""
    program = with_arguments(seed, sc=model != "rc20")
    found, alone = explored(program, model), explored(program, model, symmetry=False)
    assert (found.complete, found.blocked) == (alone.complete, alone.blocked), (program.name, model)
    assert kinds(alone) == kinds(found), (program.name, model)
    return found.distinct < found.complete


@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_threads_with_different_arguments(model: str) -> None:
    assert sum(same_with_arguments(model, seed) for seed in range(4 * QUICK)) > QUICK // 3


@pytest.mark.full
@pytest.mark.parametrize("model", MODELS)
def test_many_threads_with_different_arguments(model: str) -> None:
    for seed in range(4 * QUICK, 4 * QUICK + 2 * MANY):
        same_with_arguments(model, seed)


@pytest.mark.parametrize("model", ["sc", "tso", "ra", "relaxed", "rc11"])
def test_known_programs(model: str) -> None:
    increments = explore(known.ainc(8), model)
    assert (increments.executions, increments.up_to_symmetry) == (40320, 1)
    assert increments.statistics["repeated"] == 0 and increments.statistics["graphs"] < 10
    readers = explore(known.readers(5), model)
    assert (readers.executions, readers.up_to_symmetry) == (32, 6)
    assert readers.statistics["repeated"] == 0


def test_watched_threads_are_told_apart() -> None:
    """A condition that names registers of threads with the same code needs all executions."""
    text = "C alike\n{}\nP0(atomic_int *x) { int r = atomic_fetch_add(x, 1); }\n"
    text += text.splitlines()[2].replace("P0", "P1") + "\nexists (0:r=1 /\\ 1:r=0)\n"
    test = read_litmus(text, "alike.litmus")
    found = explore(test, "ra")
    assert found.up_to_symmetry is None and found.executions == 2 and len(found.states) == 2
