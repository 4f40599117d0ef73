"""The causal criteria: their files against the paper's words by hand, their evidence, and what they refuse."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import porf
from porf.checking.budget import Budget
from porf.checking.choose import decide
from porf.language import evaluate
from porf.models import MODELS as BUILT_IN
from tests.checking.causal_by_hand import MODELS, CausalByHand
from tests.checking.small_executions import reads_and_writes


@pytest.mark.parametrize("seed", range(8))
def test_the_files_say_what_the_paper_says(seed: int) -> None:
    rng = random.Random(seed)
    answers: Counter[tuple[str, bool]] = Counter()
    for _ in range(300):
        g = reads_and_writes(rng)
        hand = CausalByHand(g)
        expected = hand.consistent()
        for model in MODELS:
            verdict = porf.check(g, model, algorithm="generic", verify=True)
            assert verdict.consistent == (model in expected), (model, g)
            answers[model, verdict.consistent] += 1
        assert evaluate(BUILT_IN["ccm"].file, g, []).relation("pww") == hand.pww
        assert evaluate(BUILT_IN["wccm"].file, g, []).relation("wpww") == hand.wpww
    for model in MODELS:
        assert min(answers[model, True], answers[model, False]) > 30, answers


@pytest.mark.parametrize("model", MODELS)
def test_evidence_stands_on_the_events_that_it_shows(model: str) -> None:
    """Every axiom is monotone and its cycles are whole, so the verifier looks at no other event."""
    for axiom in BUILT_IN[model].file.axioms:
        assert axiom.monotone and axiom.restrictable and not axiom.uses_mo


@pytest.mark.parametrize("seed", range(4))
def test_inferred_edges_are_told_in_base_edges(seed: int) -> None:
    rng = random.Random(seed)
    told = 0
    for _ in range(120):
        g = reads_and_writes(rng)
        for model in MODELS:
            verdict = porf.check(g, model, algorithm="generic")
            if verdict.inconsistent:
                assert verdict.proof is not None and not verdict.proof.steps
                assert {edge.relation for edge in verdict.proof.cycle} <= {"po", "po^-1", "rf", "rf^-1"}
                told += 1
    assert told > 50


HISTORY = "T0 w x 1\nT0 u x 1->2 id=up\nT0 f sc id=fence\nT1 f acq\nT1 u x 2->3\n"


@pytest.mark.parametrize("model", MODELS)
def test_updates_and_fences_are_refused_with_their_place(model: str, tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(HISTORY)
    with pytest.raises(porf.PorfError) as raised:
        porf.check(porf.load(path), model)
    text = str(raised.value)
    assert f"mixed.txt:2:4: {model} does not interpret updates and fences" in text
    assert "up 'u x 1->2', fence 'f sc', e3 'f acq' and 1 more" in text
    assert "T0 u x 1->2 id=up\n     ^" in text
    assert "it is a model of reads and writes" in text


def test_every_algorithm_refuses_them() -> None:
    g = porf.loads("T0 f sc\n")
    for algorithm in ("auto", "row-order", "generic"):
        with pytest.raises(porf.PorfError, match="does not interpret fences: e0 'f sc'"):
            decide(g, BUILT_IN["cc"], algorithm, Budget())


def test_a_users_model_may_say_what_it_interprets(tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    path.write_text("(* Interprets: reads, writes, updates *)\nacyclic po | rf as porf\n")
    assert porf.check(porf.loads("T0 w x 1\nT0 u x 1->2\n"), path).consistent
    with pytest.raises(porf.PorfError, match="mine does not interpret fences"):
        porf.check(porf.loads(HISTORY), path)
