"""Long runs: what is forgotten makes no difference, and memory does not grow with the length of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import porf
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import request_for, settings_of
from porf.testing.run import Plan, run
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_programs import KINDS
from tests.exploration.test_exactness import newer_for, program_for

LIVE = ("relaxed", "rc20", "ra", "rc11", "cpp20")
RING = Path(__file__).parents[2] / "benchmarks" / "long_runs" / "ring.c"
QUICK, MANY = 3, 60


def seen(program: Program, model: str, seed: int, window: int) -> list[Any]:
    """All that runs see, if they forget as soon as they have so many events."""
    how = settings_of("mix", 3, "mix", seed, 10_000, 1)
    how.window = window
    totals = run(request_for(program, find_model(model), keep_going=True), Plan(how=how, runs=200))
    found, coverage = totals.findings, totals.coverage
    numbers = [found.complete, found.blocked, found.erroneous, found.dead, totals.events]
    states = sorted((tuple(state.values), state.executions) for state in found.states)
    bugs = sorted((bug.kind.value, bug.pc, bug.other_pc) for bug in found.bugs)
    return [*numbers, coverage.classes, coverage.edges, [coverage.met(n) for n in range(1, 9)], states, bugs]


def same(model: str, kind: str, seed: int) -> None:
    program = program_for(model, kind, seed) if kind in KINDS else newer_for(model, kind, seed)[0]
    assert seen(program, model, seed, 1) == seen(program, model, seed, 4096), (program.name, model)


@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", LIVE)
def test_forgetting_changes_nothing(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same(model, kind, seed)


@pytest.mark.full
@pytest.mark.parametrize("kind", [*KINDS, *MAKERS])
@pytest.mark.parametrize("model", LIVE)
def test_forgetting_changes_nothing_in_many_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same(model, kind, seed)


def test_a_run_is_longer_than_a_graph_can_be() -> None:
    program = porf.load_program(RING, defines={"N": 20_000})
    found = porf.test(program, "ra", runs=1)
    assert (found.runs, found.complete, found.events) == (1, 1, 160_008)
