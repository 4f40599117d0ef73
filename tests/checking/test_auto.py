"""SC, TSO, PSO and RMO by default: schedules are repaired, a solver helps; an undecided verdict says how far it got."""

from __future__ import annotations

import random
from itertools import product

import pytest

import porf
from porf.checking.budget import Budget
from porf.checking.global_order import run
from porf.execution import Execution
from porf.generate import coherence, sat
from porf.generate.dimacs import Formula
from porf.models import MODELS
from tests.checking.brute_force import hard_execution
from tests.checking.small_executions import reads_and_writes
from tests.seeds import seeds


def random_formula(rng: random.Random, variables: int, clauses: int) -> Formula:
    return Formula(
        variables,
        tuple(
            tuple(rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), min(3, variables)))
            for _ in range(clauses)
        ),
    )


def satisfiable(formula: Formula) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in formula.clauses)
        for values in product((False, True), repeat=formula.variables)
    )


@pytest.mark.parametrize("seed", seeds(1, 2))
@pytest.mark.parametrize("model", ["sc", "tso", "pso"])
def test_formulas_that_lead_the_kernels_astray_are_decided(model: str, seed: int) -> None:
    rng = random.Random(2 + seed)
    deciders, answers = set(), set()
    for _ in range(3):
        formula = random_formula(rng, rng.randint(5, 7), 28)
        verdict = porf.check(sat(formula, model), model, seconds=60)
        assert verdict.answer == ("consistent" if satisfiable(formula) else "inconsistent")
        if verdict.witness or verdict.proof:
            verdict.verify()
        deciders.add(verdict.algorithm)
        answers.add(verdict.answer)
    assert deciders & {"gradual-sat", "sat"}


@pytest.mark.parametrize(("cpus", "addresses", "reads"), [(32, 50, 0.5), (24, 8, 0.3), (64, 200, 0.7), (8, 300, 0.1)])
@pytest.mark.parametrize("memory", ["sc", "tso"])
def test_schedules_of_many_threads_are_repaired(cpus: int, addresses: int, reads: float, memory: str) -> None:
    g = coherence(6_000, cpus, addresses, memory=memory, reads=reads, seed=cpus)
    found = run(g, MODELS[memory], Budget(steps=40 * len(g)))
    assert (found.answer, found.states) == ("consistent", 0)
    porf.check(g, memory, algorithm="kernel", verify=True)


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_the_frontier_alone_agrees(model: str) -> None:
    rng = random.Random(4)
    answers = set()
    for _ in range(400):
        g = hard_execution(rng)
        verdict = porf.check(g, model, algorithm="frontier", verify=True)
        assert verdict.algorithm == "frontier"
        assert verdict.answer == porf.check(g, model, algorithm="generic").answer
        answers.add(verdict.answer)
    assert len(answers) == 2


def hard() -> Execution:
    return sat(random_formula(random.Random(0), 9, 37), "sc")


def test_an_undecided_verdict_says_how_far_it_got() -> None:
    verdict = porf.check(hard(), "sc", algorithm="kernel", steps=60_000)
    assert verdict.answer == "undecided"
    assert verdict.note is not None
    assert verdict.note.startswith("the steps are used up; CC, CCv, CCM hold; ")
    assert "pairs of writes ordered" in verdict.note
    assert "frontiers visited" in verdict.note
    early = porf.check(hard(), "sc", algorithm="kernel", steps=1)
    assert (early.answer, early.note) == ("undecided", "the steps are used up")


@pytest.mark.parametrize(("model", "criteria"), [("sc", ("cc", "ccv", "ccm")), ("tso", ("cc", "ccv", "wccm"))])
def test_what_reads_force_implies_the_criteria(model: str, criteria: tuple[str, ...]) -> None:
    """So that an undecided verdict may say that they hold."""
    rng = random.Random(9)
    told = 0
    for _ in range(1500):
        g = reads_and_writes(rng)
        found = run(g, MODELS[model], Budget())
        if found.saturated:
            told += 1
            assert all(porf.check(g, name, algorithm="kernel").consistent for name in criteria)
    assert told > 300


def test_a_stopped_check_is_undecided() -> None:
    class Stop:
        interrupted = False

        def __call__(self, steps: int) -> None:
            self.interrupted = True

    verdict = porf.check(hard(), "sc", algorithm="kernel", progress=Stop())
    assert verdict.answer == "undecided"
    assert (verdict.note or "").startswith("interrupted")
