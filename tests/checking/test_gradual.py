"""Gradual checking of SC and TSO: the criteria in turn, then the completion of the partial store order."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from porf import check, loads
from porf.allowance import SpentError
from porf.checking.budget import Budget, Limit
from porf.checking.criteria import LADDER
from porf.checking.enumeration import complete_by_enumeration
from porf.checking.gradual_sat import refine
from porf.checking.order_graph import StoreOrders
from porf.generate import broken, interleaving
from porf.language.store_order import store_order_problem
from porf.models import MODELS
from tests.checking.small_executions import reads_and_writes
from tests.checking.test_baselines import medium
from tests.checking.test_generic import clauses_as_execution

GRADUAL = ("gradual", "gradual-sat")
FIG_1A = "T0 w x 1\nT0 r x 2\nT1 w x 2\nT1 r x 1\n"
FIG_1C = "T0 w x 1\nT0 w x 2\nT0 r y 1\nT1 w y 1\nT1 w y 2\nT1 r y 2\nT1 r x 1\n"
FIG_1D = """T0 w x 1
T0 r y 0
T0 w y 1
T0 r x 1
T1 w x 2
T1 r y 0
T1 w y 2
T1 r x 2
"""
STALE = "T0 w x 1\nT0 w x 2\nT1 r x 2\nT1 r x 1\n"


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_the_kernel_and_the_generic_procedure(seed: int) -> None:
    rng = random.Random(seed)
    answers: Counter[str] = Counter()
    for _ in range(80):
        g = reads_and_writes(rng)
        for model in LADDER:
            expected = check(g, model, algorithm="kernel").answer
            assert check(g, model, algorithm="generic").answer == expected
            for algorithm in GRADUAL:
                assert check(g, model, algorithm=algorithm, verify=True).answer == expected
            answers[expected] += 1
    assert min(answers["consistent"], answers["inconsistent"]) > 20


@pytest.mark.parametrize("seed", range(12))
def test_histories_of_some_size(seed: int) -> None:
    g = medium(seed)
    for model in LADDER:
        expected = check(g, model).answer
        assert seed % 2 or expected == "consistent"
        for algorithm in GRADUAL:
            assert check(g, model, algorithm=algorithm, verify=True).answer == expected


@pytest.mark.parametrize("model", LADDER)
def test_what_no_criterion_sees_is_searched(model: str) -> None:
    """Clauses as histories: the criteria order little, and both answers need choices and cycles."""
    rng = random.Random(5)
    answers: Counter[str] = Counter()
    chosen = forbidden = 0
    for _ in range(14):
        g = clauses_as_execution(rng, 5, rng.randint(9, 15))
        expected = check(g, model, algorithm="kernel").answer
        notes = {}
        for algorithm in ("sat", *GRADUAL):
            verdict = check(g, model, algorithm=algorithm, verify=True)
            assert verdict.answer == expected
            notes[algorithm] = verdict.note or ""
        answers[expected] += 1
        if expected == "inconsistent" and "choices" in notes["gradual"]:
            chosen += int(notes["gradual"].rsplit(" ", 1)[1]) > 1
            forbidden += int(notes["gradual-sat"].rsplit(" ", 1)[1]) > 1
    assert len(answers) == 2
    assert chosen and forbidden


@pytest.mark.parametrize("algorithm", GRADUAL)
@pytest.mark.parametrize(
    ("text", "note"),
    [(STALE, "not CC"), (FIG_1A, "not CCv"), (FIG_1C, "not CCM"), (FIG_1D, "CC, CCv, CCM hold")],
)
def test_the_note_says_which_criterion_failed(algorithm: str, text: str, note: str) -> None:
    """The proof is one of SC all the same."""
    verdict = check(loads(text), "sc", algorithm=algorithm, verify=True)
    assert verdict.inconsistent and verdict.axiom == "sc"
    assert re.match(rf"{note}\b", verdict.note or "")


def test_the_note_says_how_far_it_got() -> None:
    g = interleaving(300, 6, 3, updates=0, reads=0.4, group_by_thread=True, seed=3)
    whole = check(g, "sc", algorithm="gradual").note or ""
    assert re.fullmatch(r"CC, CCv, CCM hold; \d\d\.\d % of \d+ pairs of writes ordered; choices: \d+", whole)
    never = check(g, "tso", algorithm="gradual", seconds=1e-9)
    assert never.answer == "undecided" and "the time is up" in (never.note or "")


def test_a_budget_of_steps_ends_the_enumeration() -> None:
    """The criteria spend steps of their own, so the completion is asked directly."""
    rng = random.Random(5)
    g = clauses_as_execution(rng, 6, 16)
    orders, problem = StoreOrders(g), store_order_problem(MODELS["sc"].file, g)
    assert problem is not None
    nothing = orders.literal != orders.literal
    with pytest.raises(SpentError) as spent:
        complete_by_enumeration(orders, problem, nothing, Budget(steps=1))
    assert spent.value.limit == Limit.STEPS
    with pytest.raises(SpentError) as spent:
        refine(orders, problem, nothing, Budget(seconds=1e-9))
    assert spent.value.limit == Limit.TIME


def test_progress_is_reported_and_may_interrupt() -> None:
    class StopError(Exception):
        pass

    def stop(_: int) -> None:
        raise StopError

    g = clauses_as_execution(random.Random(5), 6, 16)
    with pytest.raises(StopError):
        check(g, "sc", algorithm="gradual", progress=stop)


def test_a_large_broken_history_has_a_proof() -> None:
    g = broken(interleaving(3000, 6, 20, updates=0, group_by_thread=True, seed=2), 5)
    verdict = check(g, "sc", algorithm="gradual", verify=True)
    assert verdict.answer == check(g, "sc").answer == "inconsistent"
    assert (verdict.note or "").startswith("not CC")
