"""In the long run, a test reaches just the classes of (po, rf) that exploration finds, under every model that it has;
and every execution that it makes is consistent."""

from __future__ import annotations

import pytest

from porf import check
from porf.exploration.bugs import thread_names
from porf.exploration.classes import classes
from porf.exploration.graph import execution_of
from porf.models.registry import find_model
from porf.testing.request import kept_models
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_programs import KINDS
from tests.exploration.test_exactness import newer_for, program_for
from tests.testing.running import executions, reached

MODELS = kept_models()
FEW = 200  # classes: to meet each of more than these takes long
QUICK, MANY = 2, 60  # programs of each kind


def same(model: str, kind: str, seed: int) -> None:
    program = program_for(model, kind, seed) if kind in KINDS else newer_for(model, kind, seed)[0]
    expected = set(classes(program, model)[0])
    if len(expected) > FEW:
        return
    found = reached(program, model, expected)
    assert found <= expected, (program.name, model)
    assert found == expected, (program.name, model, f"{len(found)} of {len(expected)}")


@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same(model, kind, seed)


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
