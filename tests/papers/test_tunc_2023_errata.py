"""The slips in Tunç et al. 2023's printed algorithms (docs/errata.md): each gives a wrong answer, its correction none.

The authority is the model file's axioms over every modification order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pytest

import porf
from porf.execution import Execution, Op
from porf.language import parse_model
from porf.models import MODELS
from tests.checking.brute_force import satisfiable
from tests.papers.executions import all_small, border_execution, history
from tests.papers.printed_algorithms import (
    Graph,
    Partial,
    Sync,
    algorithm_1,
    algorithm_2,
    algorithm_3,
    algorithm_4,
    frontier_search,
)

ROOT = Path(__file__).parents[2]
SAMPLE = 3000

Decide = Callable[[Execution], bool]


@dataclass(frozen=True)
class Slip:
    """A slip, the model in which it shows, and the smallest execution on which it does."""

    where: str
    model: str
    printed: Decide
    corrected: Decide
    smallest: str
    false_consistent: int  # wrong answers on the sample
    false_inconsistent: int = 0


corrected_3 = partial(algorithm_3, line_10="corrected")

SLIPS = (
    Slip(
        "Algorithm 1, line 9",
        "wra",
        partial(algorithm_1, line_9="printed"),
        partial(algorithm_1, line_9="corrected"),
        "u x 1->2; r x 2 | w x 1",
        false_consistent=106,
        false_inconsistent=142,
    ),
    Slip(
        "Algorithm 3, line 10",
        "relaxed",
        partial(algorithm_3, sync="po", line_10="printed", graph="line 16"),
        partial(corrected_3, sync="po", graph="line 16"),
        "w x 1; r x 2; r x 1 | w x 2",
        false_consistent=151,
    ),
    Slip(
        "Section 4.4, the - 1 of G_x",
        "ra",
        partial(corrected_3, sync="rf", graph="printed"),
        partial(corrected_3, sync="rf", graph="own thread"),
        "r x 1; w x 2; r x 1 | w x 1",
        false_consistent=41,
    ),
    Slip(
        "Section 4.4, the nodes of G_x",
        "relaxed",
        partial(corrected_3, sync="po", graph="own thread"),
        partial(corrected_3, sync="po", graph="own thread, reads"),
        "r x 1; w x 2; r x 1 | w x 1",
        false_consistent=48,
    ),
    Slip(
        "Algorithm 4, line 12",
        "relaxed",
        partial(algorithm_4, line_12="inside"),
        partial(algorithm_4, line_12="outside"),
        "w x 1; r x 2; r x 1 | u x 1->2",
        false_consistent=20,
    ),
)

by_slip = pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.where)


@pytest.fixture(scope="module")
def sample() -> list[Execution]:
    rng = random.Random(1)
    return [border_execution(rng) for _ in range(SAMPLE)]


@cache
def axioms(g: Execution, model: str) -> bool:
    return satisfiable(g, MODELS[model].file)


@by_slip
def test_the_smallest_counterexample(slip: Slip) -> None:
    g = history(slip.smallest)
    truth = axioms(g, slip.model)
    assert slip.printed(g) != truth
    assert slip.corrected(g) == truth
    assert porf.check(g, slip.model, verify=True).consistent == truth


@by_slip
def test_nothing_smaller_goes_wrong(slip: Slip) -> None:
    for events in range(1, len(history(slip.smallest))):
        for g in all_small(events, locations=1):
            truth = axioms(g, slip.model)
            assert slip.printed(g) == truth
            assert slip.corrected(g) == truth


@by_slip
def test_random_executions(slip: Slip, sample: list[Execution]) -> None:
    wrong: Counter[bool] = Counter()
    for g in sample:
        truth = axioms(g, slip.model)
        assert slip.corrected(g) == truth
        printed = slip.printed(g)
        wrong[printed] += printed != truth
    assert (wrong[True], wrong[False]) == (slip.false_consistent, slip.false_inconsistent)


@pytest.mark.parametrize(("model", "sync"), [("relaxed", "po"), ("rc20", "orders"), ("ra", "rf")])
@pytest.mark.parametrize("graph", ["line 16", "own thread, reads"])
def test_algorithm_3_corrected_decides_all_its_models(
    model: str, sync: Sync, graph: Graph, sample: list[Execution]
) -> None:
    for g in sample:
        assert corrected_3(g, sync, graph=graph) == axioms(g, model)


def test_the_strong_algorithms_are_right_as_printed(sample: list[Execution]) -> None:
    plain = 0
    for g in sample[:1000]:
        truth = axioms(g, "sra")
        assert frontier_search(g) == truth
        if not (g.op == Op.UPDATE).any():
            plain += 1
            assert algorithm_2(g) == truth
    assert plain > 100


@pytest.mark.full
def test_all_executions_of_four_accesses_of_one_location() -> None:
    for g in all_small(4, locations=1):
        for slip in SLIPS:
            assert slip.corrected(g) == axioms(g, slip.model)


def test_lookups_find_nothing_in_the_smallest_read() -> None:
    """What the paper leaves open: ⊥ reaches HB[·], TC[·] and PC[·] unless each use is guarded."""
    p = Partial(history("w x 1 | r x 1"), "rf")
    read = 1
    assert p.last_write_before(t=1, x=0, c=p.timestamp[read][1]) is None
    assert p.last_read_before(t=0, x=0, c=p.timestamp[read][0]) is None


def test_weak_atomicity_is_about_two_different_updates() -> None:
    """Fig. 2's formula, read literally, also compares an update with itself: then no update is allowed at all."""
    literal = MODELS["wra"].text.replace(r"([U]; rf^-1; rf; [U]) \ id", "[U]; rf^-1; rf; [U]")
    assert literal != MODELS["wra"].text
    g = history("w x 1; u x 1->2")
    assert not satisfiable(g, parse_model(literal, "literal.cat"))
    assert axioms(g, "wra")
    assert porf.check(g, "wra").consistent


def test_a_relaxed_update_hands_on_the_release_before_it() -> None:
    """Fig. 2's sw runs through rf+, which a clock algorithm must forward from update to update."""
    only_rf = MODELS["rc20"].text.replace("rf+", "rf")
    g = porf.load(ROOT / "examples" / "histories" / "release-sequence.txt")
    assert satisfiable(g, parse_model(only_rf, "only-rf.cat"))
    assert not axioms(g, "rc20")
    assert porf.check(g, "rc20").inconsistent


def test_an_initial_write_is_a_chain_of_its_own_that_comes_first() -> None:
    """The paper has none. Two ways to come before it: by a value seen, and by an update of the initial value."""
    stale = history("w x 1; r x 0")
    chained = history("u x 0->1; r x 0")
    fine = history("r x 0; u x 0->1; r x 1")
    for model in ("relaxed", "rc20", "ra", "wra", "sra"):
        for g, answer in ((stale, False), (chained, False), (fine, True)):
            assert axioms(g, model) == answer
            assert porf.check(g, model, algorithm="kernel", verify=True).consistent == answer


@by_slip
def test_the_page_tells_the_same(slip: Slip) -> None:
    page = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {slip.where.replace('- 1', '− 1')} |"))
    assert f"`{slip.smallest.replace('|', chr(92) + '|')}`" in row
    assert row.endswith(f"| {slip.false_consistent} | {slip.false_inconsistent} |")
