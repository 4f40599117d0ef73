"""The kernels of the causal criteria against the paper's definitions and the model files; all evidence verifies."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from porf import UsageError, check, loads
from porf.checking.budget import Budget
from porf.checking.causal import partial_store_order
from porf.execution import Execution
from porf.generate import broken, interleaving, weak
from porf.language import evaluate
from porf.models import MODELS
from tests.checking.causal_by_hand import MODELS as NAMES
from tests.checking.causal_by_hand import CausalByHand, plus
from tests.checking.small_executions import execution, reads_and_writes
from tests.seeds import seeds

# Zennou et al. 2019, Fig. 2, and CC below all but weak CCM: what the left side allows, the right side does.
WEAKER = [("sc", "ccm"), ("ccm", "cm"), ("ccm", "ccv"), ("ccm", "wccm"), ("tso", "wccm"), ("cm", "cc"), ("ccv", "cc")]

FIG_1 = {
    "a": ("T0 w x 1\nT0 r x 2\nT1 w x 2\nT1 r x 1\n", {"cc", "cm"}),
    "b": ("T0 w z 1\nT0 w x 1\nT0 w y 1\nT1 w x 2\nT1 r z 0\nT1 r y 1\nT1 r x 2\n", {"cc", "ccv", "wccm", "tso"}),
    "c": ("T0 w x 1\nT0 w x 2\nT0 r y 1\nT1 w y 1\nT1 w y 2\nT1 r y 2\nT1 r x 1\n", {"cc", "ccv", "cm", "wccm", "tso"}),
    "d": (
        "T0 w x 1\nT0 r y 0\nT0 w y 1\nT0 r x 1\nT1 w x 2\nT1 r y 0\nT1 w y 2\nT1 r x 2\n",
        {"cc", "ccv", "cm", "ccm", "wccm", "tso"},
    ),
}


def shown(g: Execution) -> tuple[list[int], ...]:
    return g.thread.tolist(), g.op.tolist(), g.loc.tolist(), g.rf.tolist()


def allowed(g: Execution, names: tuple[str, ...] = NAMES) -> set[str]:
    """The models that the kernels find g consistent in; evidence verified."""
    return {name for name in names if check(g, name, algorithm="kernel", verify=True).consistent}


def satisfied(g: Execution) -> set[str]:
    """The same by the model files, which do not look at mo."""
    return {name for name in NAMES if not evaluate(MODELS[name].file, g, []).violated}


@pytest.mark.parametrize("seed", seeds(4, 8))
def test_as_the_model_files_say(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[frozenset[str]] = Counter()
    for _ in range(1100):
        g = reads_and_writes(rng)
        found = allowed(g)
        assert found == satisfied(g), shown(g)
        seen[frozenset(found)] += 1
    assert {frozenset(), frozenset(NAMES), frozenset({"cc", "cm"})} <= set(seen)  # the criteria are told apart
    assert sum(count for sets, count in seen.items() if len(sets) < len(NAMES)) > 200


@pytest.mark.parametrize("seed", seeds(2, 4))
def test_as_the_paper_says(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(400):
        g = reads_and_writes(rng)
        assert allowed(g) == CausalByHand(g).consistent(), shown(g)


@pytest.mark.parametrize("seed", seeds(2, 4))
def test_the_stronger_allows_no_more(seed: int) -> None:
    rng = random.Random(200 + seed)
    for _ in range(500):
        g = reads_and_writes(rng)
        found = allowed(g, (*NAMES, "sc", "tso"))
        for strong, weaker in WEAKER:
            assert strong not in found or weaker in found, (strong, weaker, shown(g))


@pytest.mark.parametrize("name", FIG_1)
def test_fig_1(name: str) -> None:
    history, models = FIG_1[name]
    assert allowed(loads(history), (*NAMES, "sc", "tso")) == models


@pytest.mark.parametrize("seed", range(12))
def test_longer_histories_as_the_model_files_say(seed: int) -> None:
    base = interleaving(60 + 10 * seed, 4, 4, updates=0, group_by_thread=True, seed=seed)
    for g in (base, broken(base, seed), weak(50, 4, 3, updates=0, seed=seed, window=3)):
        assert allowed(g) == satisfied(g)


@pytest.mark.parametrize("model", NAMES)
def test_a_large_interleaving_is_consistent(model: str) -> None:
    g = interleaving(20_000, 8, 50, updates=0, group_by_thread=True, seed=3)
    assert check(g, model, algorithm="kernel", verify=True).consistent


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", NAMES)
def test_a_large_broken_history_is_refuted_in_a_few_lines(model: str, seed: int) -> None:
    g = broken(interleaving(20_000, 8, 20, updates=0, group_by_thread=True, seed=seed), seed)
    verdict = check(g, model, algorithm="kernel", verify=True)
    if model == "wccm" and verdict.consistent:  # it lets a read take a later write of its own thread
        assert not check(g, "cc", algorithm="kernel").consistent
        return
    assert verdict.proof is not None
    assert len(verdict.proof.derivations) <= 12
    assert len(set(verdict.proof.events())) <= 40


@pytest.mark.parametrize("model", ["cm", "ccm", "wccm"])
def test_a_spent_budget_leaves_it_undecided(model: str) -> None:
    g = interleaving(20_000, 8, 20, updates=0, group_by_thread=True, seed=1)
    steps = check(g, model, algorithm="kernel", steps=100)
    assert (steps.answer, steps.note) == ("undecided", "the steps are used up")
    memory = check(g, model, algorithm="kernel", memory=100_000)
    assert memory.answer == "undecided"
    assert partial_store_order(g, MODELS["ccm"], Budget(steps=100)).answer == "undecided"


def test_nothing_is_consistent() -> None:
    for g in (execution([], 0, 0), execution([(0, 1, 0, 1, -1)], 1, 1), execution([(0, 0, 0, 1, -1)], 1, 1)):
        assert allowed(g) == set(NAMES)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("model", "relation"), [("ccm", "pww"), ("wccm", "wpww")])
def test_the_partial_store_order_is_the_model_file_s(model: str, relation: str, seed: int) -> None:
    rng = random.Random(300 + seed)
    orders = 0
    for _ in range(200):
        g = reads_and_writes(rng)
        found = partial_store_order(g, MODELS[model])
        evaluation = evaluate(MODELS[model].file, g, [])
        assert (found.answer == "consistent") == (not evaluation.violated)
        if found.answer != "consistent":
            assert not len(found.before)
            continue
        pairs = list(zip(found.before.tolist(), found.after.tolist(), strict=True))
        whole = {(a, b) for a, b in evaluation.relation(relation) if a >= 0}
        assert plus(set(pairs)) == whole
        assert len({(a, int(g.thread[b])) for a, b in pairs}) == len(pairs)  # at most one a thread
        assert found.ordered == len(whole)
        writes = np.bincount(g.loc[g.op == 1])
        assert found.pairs == int((writes * (writes - 1) // 2).sum())
        assert (found.converged is None) == bool(evaluate(MODELS["ccv"].file, g, []).violated)
        if found.converged is not None:
            hand = CausalByHand(g)
            converged = hand.ww(plus(hand.po | hand.rf | hand.cf(hand.causal, hand.rf)))
            assert found.converged == sum(a >= 0 for a, _ in converged)
        orders += bool(pairs)
    assert orders > 20


def test_what_has_no_partial_store_order() -> None:
    g = loads("T0 w x 1\n")
    for model in ("cm", "sc", "pso"):
        with pytest.raises(UsageError, match=f"{model} has no partial store order"):
            partial_store_order(g, MODELS[model])
    for event in ("T0 u x 0->1", "T0 f sc"):
        with pytest.raises(UsageError, match="for reads and writes only"):
            partial_store_order(loads(f"{event}\n"), MODELS["ccm"])
