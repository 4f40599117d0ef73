"""Long runs: what is forgotten makes no difference, under any model; and what is kept does not grow with the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import porf
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import kept_models, request_for, settings_of
from porf.testing.run import Plan, Totals, run
from tests.exploration.random_heap import random_heap
from tests.exploration.random_kinds import MAKERS
from tests.exploration.random_programs import KINDS
from tests.exploration.random_sc import SHAPES, STYLES
from tests.exploration.random_sc import random_program as random_sc_program
from tests.exploration.test_exactness import newer_for, program_for

MODELS = kept_models()
LONG = Path(__file__).parents[2] / "benchmarks" / "long_runs"
QUICK, MANY = 2, 60


def runs_of(program: Program, model: str, runs: int, window: int, seed: int = 0) -> Totals:
    """Runs that forget as soon as they have so many events; no engine of exploration keeps them."""
    how = settings_of("mix", 3, "mix", seed, 100_000, 1)
    how.window, how.shorts = window, 0
    return run(request_for(program, find_model(model), keep_going=True), Plan(how=how, runs=runs))


def seen(totals: Totals) -> list[Any]:
    """All that runs see."""
    found, coverage = totals.findings, totals.coverage
    numbers = [found.complete, found.blocked, found.erroneous, found.dead, totals.events]
    states = sorted((tuple(state.values), state.executions) for state in found.states)
    bugs = sorted((bug.kind.value, bug.pc, bug.other_pc) for bug in found.bugs)
    return [*numbers, coverage.classes, coverage.edges, [coverage.met(n) for n in range(1, 9)], states, bugs]


def same(program: Program, model: str, seed: int) -> None:
    at_once, never = (seen(runs_of(program, model, 200, window, seed)) for window in (1, 1 << 30))
    assert at_once == never, (program.name, model)


def programs(model: str, kind: str, seed: int) -> list[Program]:
    if kind == "heap":
        return [random_heap(seed, sc=model != "rc20")]
    if kind in SHAPES:
        return [random_sc_program(seed, kind, style) for style in STYLES] if model in ("rc11", "cpp20") else []
    return [program_for(model, kind, seed) if kind in KINDS else newer_for(model, kind, seed)[0]]


EVERY = [*KINDS, *MAKERS, "heap", *SHAPES]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("model", MODELS)
def test_forgetting_changes_nothing(model: str, kind: str) -> None:
    for seed in range(QUICK):
        for program in programs(model, kind, seed):
            same(program, model, seed)


@pytest.mark.full
@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("model", MODELS)
def test_forgetting_changes_nothing_in_many_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        for program in programs(model, kind, seed):
            same(program, model, seed)


@pytest.mark.parametrize("model", MODELS)
def test_forgetting_changes_nothing_in_long_runs(model: str) -> None:
    """Generations of threads, updates, fences, allocated memory and a race, in runs of some hundred events."""
    orders = {"STORE": "memory_order_release", "LOAD": "memory_order_acquire"} if model == "rc20" else {}
    program = porf.load_program(LONG / "everything.c", defines={"ROUNDS": 6, **orders})
    assert isinstance(program, Program)
    never = seen(runs_of(program, model, 12, 1 << 30))
    assert never[0] + never[1] > 0, "no run came to its end"
    for window in (1, 30, 200):
        assert seen(runs_of(program, model, 12, window)) == never, (model, window)


@pytest.mark.parametrize("model", MODELS)
def test_a_run_is_longer_than_a_graph_can_be(model: str) -> None:
    program = porf.load_program(LONG / ("ring.c" if model == "rc20" else "ring_sc.c"), defines={"N": 5000})
    found = porf.test(program, model, runs=1, memory=100_000_000)
    assert (found.runs, found.complete, found.reasons) == (1, 1, ())
    assert found.events > 40_000
