"""In the long run, a test reaches just the classes of (po, rf) that exploration finds, under every model that it has;
and every execution that it makes is consistent. So does what keeps long runs; but with SC events in the order in which
they come, it reaches only such classes, not all."""

from __future__ import annotations

import pytest

from porf import check
from porf.exploration.bugs import thread_names
from porf.exploration.classes import classes
from porf.exploration.graph import execution_of
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import kept_models
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_programs import KINDS
from tests.exploration.random_sc import SHAPES, STYLES
from tests.exploration.random_sc import random_program as random_sc_program
from tests.exploration.test_exactness import newer_for, program_for
from tests.seeds import seeds
from tests.testing.running import SHORTS, executions, made, reached

MODELS = kept_models()
FEW = 200  # classes: to meet each of more than these takes long
QUICK, MANY = 2, 60  # programs of each kind


OTHERWISE = ("sc", "tso")  # models whose long runs are kept in another way than short ones, and as exactly


def same(model: str, kind: str, seed: int, shorts: int = SHORTS) -> None:
    program = program_for(model, kind, seed) if kind in KINDS else newer_for(model, kind, seed)[0]
    expected = set(classes(program, model)[0])
    if len(expected) > FEW:
        return
    found = reached(program, model, expected, most=64 if shorts else 256, shorts=shorts)
    assert found <= expected, (program.name, model)
    assert found == expected, (program.name, model, f"{len(found)} of {len(expected)}")


@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same(model, kind, seed)


@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", OTHERWISE)
def test_the_classes_of_long_runs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same(model, kind, seed, shorts=0)


def some_of(model: str, shape: str, style: str, seed: int) -> None:
    """What keeps long runs makes only classes that there are, and most of them."""
    program = random_sc_program(seed, shape, style, 7)
    expected = set(classes(program, model)[0])
    found = {c for n in range(2) for c in made(program, model, 300, n, shorts=0)}
    assert found <= expected, (program.name, model)
    assert len(found) > len(expected) / 4 or len(expected) > FEW, (program.name, model)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_the_classes_of_long_runs_with_sc_events(model: str, shape: str) -> None:
    for style in STYLES:
        some_of(model, shape, style, 0)


@pytest.mark.full
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_the_classes_of_many_long_runs_with_sc_events(model: str, shape: str) -> None:
    for style in STYLES:
        for seed in range(1, 1 + MANY):
            some_of(model, shape, style, seed)


@pytest.mark.full
@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", OTHERWISE)
def test_the_classes_of_many_long_runs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same(model, kind, seed, shorts=0)


@pytest.mark.full
@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_many_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same(model, kind, seed)


@pytest.mark.parametrize("reading", ["uniform", "old", "new", "unseen"])
@pytest.mark.parametrize("scheduler", ["uniform", "pct", "sticky"])
@pytest.mark.parametrize("model", MODELS)
def test_every_execution_is_consistent(model: str, scheduler: str, reading: str) -> None:
    known = find_model(model)
    for kind in ("litmus", "updates", "fences"):
        program = program_for(model, kind, 7)
        for rows in executions(program, model, 12, scheduler=scheduler, reading=reading):
            execution, _ = execution_of(program, rows, thread_names(program, rows), range(len(rows)), 0)
            assert check(execution, known).answer == "consistent", (program.name, model)


def all_are_consistent(program: Program, model: str, runs: int, seed: int, shorts: int) -> None:
    known = find_model(model)
    for rows in executions(program, model, runs, seed, shorts=shorts):
        execution, _ = execution_of(program, rows, thread_names(program, rows), range(len(rows)), 0)
        assert check(execution, known).answer == "consistent", (program.name, model, shorts)


@pytest.mark.parametrize("shorts", [SHORTS, 0])
@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("first", seeds(1, 12))
def test_every_execution_of_many_programs_is_consistent(first: int, model: str, kind: str, shorts: int) -> None:
    for seed in range(5 * first, 5 * first + 5):
        program = program_for(model, kind, seed) if kind in KINDS else newer_for(model, kind, seed)[0]
        all_are_consistent(program, model, 4, seed, shorts)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_every_execution_of_long_runs_is_consistent(model: str, style: str) -> None:
    for shape in SHAPES:
        all_are_consistent(random_sc_program(3, shape, style), model, 12, 0, 0)
