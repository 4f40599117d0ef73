"""Loops that wait have the bugs and the outcomes of loops that are followed: random programs, explored both ways."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import find_model
from porf.programs.form import Back, Opcode, Program, Template
from tests.programs.c.loops_fuzz import programs

LIMIT = 4000  # executions; larger programs are left out
TURNS = 4  # of a loop that is followed


def followed(program: Program) -> Program:
    """The program with loops that never wait."""

    def turned(template: Template) -> Template:
        code = (replace(i, kind=Back.NEVER) if i.opcode is Opcode.BACK else i for i in template.code)
        return replace(template, code=tuple(code))

    return replace(program, templates=tuple(map(turned, program.templates)))


def found(program: Program, model: str) -> tuple[set[str], set[tuple[tuple[str, int], ...]]] | None:
    """The kinds of bugs, and what complete executions leave in `out`; None if there is too much."""
    request = request_of(program, find_model(model), keep_going=True, collect=True, unroll=TURNS)
    plan = Plan(keep_going=True, limit=LIMIT)
    totals = run(request, plan)
    if totals.remaining:
        return None
    outcomes = set()
    for rows in totals.findings.executions:
        written = {program.label(r.pointer): r.written for r in rows if r.writes}
        outcomes.add(tuple(sorted((name, value) for name, value in written.items() if name.startswith("out["))))
    return {bug.kind.name for bug in totals.findings.bugs}, outcomes


def judge(text: str, program: Program, model: str) -> str:
    """Compares both ways; says what kind of program it was."""
    right = found(followed(program), model)
    if right is None:
        return "large"
    mine = found(program, model)
    assert mine is not None
    assert (text, model, mine[0]) == (text, model, right[0])
    if right[0]:
        return "race"
    assert (text, model, mine[1]) == (text, model, right[1])
    return "safe"


def judge_all(seed: int, count: int, folder: Path) -> Counter[str]:
    kinds: Counter[str] = Counter()
    sc = seed % 3 == 0
    for text, program in programs(seed, count, sc, folder):
        for model in ("rc11",) if sc else ("rc11", "rc20"):
            kinds[judge(text, program, model)] += 1
        kinds[judge(text, program, ("sc", "tso", "ra", "relaxed")[seed % 4])] += 1
    return kinds


@pytest.mark.parametrize("seed", range(4))
def test_loops_that_wait_hide_nothing(seed: int, tmp_path: Path) -> None:
    kinds = judge_all(seed, 40, tmp_path)
    assert kinds["safe"] > 20 and kinds["race"] > 10 and kinds["large"] < 10


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_loops_that_wait_hide_nothing(seed: int, tmp_path: Path) -> None:
    judge_all(seed, 60, tmp_path)
