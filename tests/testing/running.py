"""Classes of executions that a test makes, in the form in which explored ones are listed."""

from __future__ import annotations

from pathlib import Path

from porf._core import ExploredEvent
from porf.exploration.classes import Class, class_of
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import request_for, settings_of
from porf.testing.run import Plan, run

SHORTS = 1000  # events of a run that engines of exploration keep; with 0, none


def executions(
    program: Program,
    model: str | Path,
    runs: int,
    seed: int = 0,
    scheduler: str = "mix",
    reading: str = "mix",
    shorts: int = SHORTS,
) -> list[list[ExploredEvent]]:
    """The events of every complete run."""
    request = request_for(program, find_model(model), keep_going=True, collect=True)
    how = settings_of(scheduler, 3, reading, seed, 10_000, 1)
    how.shorts = shorts
    found = run(request, Plan(how=how, runs=runs))
    assert found.findings.dead == 0, (program.name, model)
    return found.findings.executions


def made(
    program: Program, model: str | Path, runs: int, seed: int = 0, reading: str = "mix", shorts: int = SHORTS
) -> set[Class]:
    return {class_of(program, rows) for rows in executions(program, model, runs, seed, reading=reading, shorts=shorts)}


def reached(program: Program, model: str, expected: set[Class], most: int = 64, shorts: int = SHORTS) -> set[Class]:
    """The classes that runs reach, until all that are expected were met, or there were very many runs."""
    found: set[Class] = set()
    for round_ in range(most):
        runs, reading = 400 if round_ < 4 else 4000, "mix" if round_ % 2 else "uniform"
        found |= made(program, model, runs, round_, reading, shorts)
        if found >= expected:
            break
    return found
