"""The claims of Tunç et al. 2023: who is weaker than whom (Fig. 3, Section 2.3), Theorem 1.2's key, Theorem 1.7."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import porf
from porf.execution import Execution, Op, Order
from porf.generate import triangle
from tests.checking.brute_force import hard_execution
from tests.checking.small_executions import execution, litmus_execution, random_execution
from tests.papers.executions import history

# Each model allows all that the one before it allows. The paper: SC ≤ SRA ≤ RA ≤ {WRA, RC20 ≤ Relaxed}, for all orders,
# since RC20 synchronises no more than RA does. The store-order models follow from their preserved program orders.
HIERARCHY = (
    ("sc", "sra"),
    ("sra", "ra"),
    ("ra", "wra"),
    ("ra", "rc20"),
    ("rc20", "relaxed"),
    ("sc", "tso"),
    ("tso", "pso"),
    ("pso", "rmo"),
)

# What the second model allows and the first does not, in the spirit of Fig. 3. WRA is incomparable: both ways are here.
SEPARATIONS = {
    ("sc", "sra"): "w x 1; r y 0 | w y 1; r x 0",
    ("sra", "ra"): "w x 1; w y 2; r y 1 | w y 1; w x 2; r x 1",
    ("ra", "wra"): "w x 1 | w x 2 | r x 1; r x 2 | r x 2; r x 1",
    ("ra", "rc20"): "w x 1; w y 1 | r y 1; r x 0",
    ("rc20", "relaxed"): "w x 1; w y 1 rel | r y 1 acq; r x 0",
    ("relaxed", "wra"): "w x 1 | w x 2 | r x 1; r x 2 | r x 2; r x 1",
    ("wra", "relaxed"): "w x 1; w y 1 | r y 1; r x 0",
    ("rc20", "wra"): "w x 1 | w x 2 | r x 1; r x 2 | r x 2; r x 1",
    ("wra", "rc20"): "w x 1; w y 1 | r y 1; r x 0",
    ("sc", "tso"): "w x 1; r y 0 | w y 1; r x 0",
    ("tso", "pso"): "w x 1; w y 1 | r y 1; r x 0",
    ("pso", "rmo"): "r x 1; w y 1 | r y 1; w x 1",
}


def allowed(g: Execution, model: str) -> bool:
    verdict = porf.check(g, model, verify=True)
    assert verdict.answer != "undecided"
    return verdict.consistent


@pytest.mark.parametrize(("forbids", "allows"), SEPARATIONS, ids=lambda name: name)
def test_a_history_that_only_one_of_two_models_allows(forbids: str, allows: str) -> None:
    g = history(SEPARATIONS[forbids, allows])
    assert allowed(g, allows)
    assert not allowed(g, forbids)


def sample() -> list[Execution]:
    rng = random.Random(2023)
    out = [hard_execution(rng, 7) for _ in range(300)]
    out += [litmus_execution(rng) for _ in range(500)]
    out += [random_execution(rng, rng.randint(4, 8), 3, 2) for _ in range(300)]
    return out


def test_what_a_stronger_model_allows_the_weaker_ones_allow() -> None:
    strict: Counter[tuple[str, str]] = Counter()
    for g in sample():
        models = {model for pair in HIERARCHY for model in pair}
        answers = {model: porf.check(g, model).consistent for model in models}
        for stronger, weaker in HIERARCHY:
            assert answers[weaker] or not answers[stronger], f"{stronger} allows what {weaker} does not"
            strict[stronger, weaker] += answers[weaker] and not answers[stronger]
    assert sum(count > 0 for count in strict.values()) >= 6, strict  # the sample is not one where all models agree


def synchronising(g: Execution) -> Execution:
    """Every read acquires, every write releases."""
    orders = np.array([Order.ACQ, Order.REL, Order.ACQ_REL, Order.ACQ_REL], np.uint8)
    return replace(g, order=orders[g.op])


def relaxed(g: Execution) -> Execution:
    """Nothing synchronises: relaxed accesses, and fences that do nothing."""
    return replace(g, order=np.full(len(g), Order.RLX, np.uint8))


def test_ra_and_relaxed_are_fragments_of_rc20() -> None:
    """Fig. 2's dagger."""
    for g in sample():
        strong, weak = synchronising(g), relaxed(g)
        assert porf.check(strong, "rc20").consistent == porf.check(strong, "ra").consistent
        assert porf.check(weak, "rc20").consistent == porf.check(weak, "relaxed").consistent


def writes_and_updates(rng: random.Random) -> Execution:
    threads, locations = rng.choice((2, 3)), 2
    shape = [
        (rng.randrange(threads), rng.choice((Op.WRITE, Op.UPDATE)), rng.randrange(locations))
        for _ in range(rng.randint(3, 7))
    ]
    rows, taken = [], set()
    for row, (thread, op, loc) in enumerate(shape):
        rf = -1
        if op == Op.UPDATE:
            options = [-1, *(w for w in range(len(shape)) if w != row and shape[w][2] == loc)]
            options = [w for w in options if (loc, w) not in taken] or [-1]
            rf = rng.choice(options)
            taken.add((loc, rf))
        rows.append((thread, int(op), loc, int(Order.ACQ_REL), rf))
    return execution(rows, threads, locations)


def test_theorem_1_2_without_plain_reads_sra_is_sc() -> None:
    """The proof's key: strong write-coherence then orders all events."""
    rng = random.Random(12)
    answers: Counter[bool] = Counter()
    for _ in range(1500):
        g = writes_and_updates(rng)
        answer = porf.check(g, "sra").consistent
        assert answer == porf.check(g, "sc").consistent
        answers[answer] += 1
    assert min(answers[True], answers[False]) > 100


def has_triangle(edges: tuple[tuple[int, int], ...]) -> bool:
    joined = set(edges)
    nodes = {node for edge in edges for node in edge}
    return any({(a, b), (a, c), (b, c)} <= joined for a, b, c in itertools.combinations(sorted(nodes), 3))


def test_theorem_1_7_on_every_graph_of_five_nodes() -> None:
    pairs = list(itertools.combinations(range(1, 6), 2))
    found = 0
    for size in range(1, len(pairs) + 1):
        for edges in itertools.combinations(pairs, size):
            g = triangle(edges)
            expected = has_triangle(edges)
            found += expected
            for model in ("ra", "wra", "sra"):
                assert porf.check(g, model).inconsistent == expected, (model, edges)
            assert len(g) <= 2 * 5 + 5 * len(edges)  # the reduction is linear
    assert 0 < found < 2 ** len(pairs)


def test_figure_10_is_a_violation_of_weak_read_coherence() -> None:
    verdict = porf.check(triangle([(1, 2), (2, 3), (1, 3)]), "wra", verify=True)
    assert verdict.inconsistent
    assert verdict.axiom == "weak-read-coherence"
