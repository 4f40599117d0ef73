"""The model files of examples/proofs/models, on small executions: the same as the built-in ones, and as each other.

Independent of the prover: every modification order is tried.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from porf.execution import Execution, Op, Order
from porf.language import ModelFile, parse_model
from porf.language.evaluation import Evaluation, evaluator
from porf.models import MODELS
from tests.checking.brute_force import hard_execution
from tests.checking.small_executions import reads_and_writes
from tests.papers.executions import critical_cycle, ordered

FOLDER = Path(__file__).parents[2] / "examples" / "proofs" / "models"
ORDERS = (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)


def kat(name: str, **defined: str) -> ModelFile:
    """A model with names defined that are primitive to the prover, or more of what a name is."""
    text = (FOLDER / f"{name}.kat").read_text(encoding="utf-8")
    for old, new in defined.items():
        assert f" {old}\n" in text
        text = text.replace(f" {old}\n", f" {old} | {new}\n")
    text = text.replace("let ci0 = detour", "let ci0 = (moe; rfe) & po-loc")
    text = text.replace("| detour |", "| ((moe; rfe) & po) |")
    return parse_model(text, name, "kat")


def choices(g: Execution) -> Iterator[list[tuple[int, int]]]:
    """The pairs of every modification order."""
    lines = [np.flatnonzero((g.loc == x) & ((g.op == Op.WRITE) | (g.op == Op.UPDATE))) for x in range(g.locations)]
    for choice in itertools.product(*(itertools.permutations(line.tolist()) for line in lines)):
        yield [pair for line in choice for pair in itertools.pairwise(line)]


def any_events(rng: random.Random) -> Execution:
    g = critical_cycle(rng) if rng.random() < 0.6 else hard_execution(rng, 7)
    return ordered(rng, g, ORDERS, ORDERS[1:])


def without_updates(rng: random.Random) -> Execution:
    """An update has an axiom of its own, which no kat file states."""
    while True:
        g = any_events(rng)
        if not (g.op == Op.UPDATE).any():
            return g


def no_own_future(rng: random.Random) -> Execution:
    """No read of a later write of its thread: the paper's rfi is within po."""
    while True:
        g = any_events(rng)
        if not any(writer > e and g.thread[e] == g.thread[writer] for e, writer in enumerate(g.rf)):
            return g


def with_sc_fences(rng: random.Random) -> Execution:
    return ordered(rng, without_updates(rng), ORDERS, (Order.SC,))


def accesses(rng: random.Random) -> Execution:
    return reads_and_writes(rng, 7)


Draw = Callable[[random.Random], Execution]
SAME: list[tuple[ModelFile, ModelFile, Draw]] = [
    (kat("sc"), MODELS["sc"].file, without_updates),
    (kat("tso"), MODELS["tso"].file, with_sc_fences),
    (kat("ra"), MODELS["ra"].file, accesses),
    (kat("imm"), MODELS["imm"].file, without_updates),
    (kat("arm8"), MODELS["arm8"].file, without_updates),
    (kat("power", rfi="(po-loc & (fre; rfe))"), MODELS["power"].file, without_updates),
    (kat("sc"), kat("sc_fm"), any_events),
    (kat("tso"), kat("tso_fm"), any_events),
    (kat("ra"), kat("ra2"), no_own_future),
    (kat("ra"), kat("ra3"), any_events),
    (kat("rc11"), kat("rc11_alt"), any_events),
    (kat("coherence"), kat("coherence2"), any_events),
]


@pytest.mark.parametrize(("one", "other", "draw"), SAME, ids=lambda value: getattr(value, "name", None))
def test_two_models_allow_the_same(one: ModelFile, other: ModelFile, draw: Draw) -> None:
    rng = random.Random(3)
    seen: Counter[bool] = Counter()
    for _ in range(400):
        g = draw(rng)
        cores = [(model, evaluator(model, g)) for model in (one, other)]
        for pairs in choices(g):
            left, right = (not Evaluation(model, g, core, pairs).violated for model, core in cores)
            assert left == right, (g, pairs)
            seen[left] += 1
    assert min(seen[True], seen[False]) > 20
