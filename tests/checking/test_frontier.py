"""SRA with updates: the frontier search, the generic procedure and the model file over all orders agree."""

from __future__ import annotations

import random

import pytest

from porf import check, loads
from porf.execution import Execution, Op
from porf.models import MODELS
from tests.checking.brute_force import orders, satisfiable
from tests.checking.small_executions import execution


def many_updates(rng: random.Random) -> Execution:
    """Updates that seldom share a writer, a few plain writes, and reads of nearly anything."""
    while True:
        threads, locations = rng.randint(2, 4), rng.choice((2, 2, 3))
        writers: dict[int, list[int]] = {x: [] for x in range(locations)}
        taken: set[tuple[int, int]] = set()
        rows: list[tuple[int, int, int, int, int]] = []
        for row in range(rng.randint(5, 10)):
            op, loc = rng.choices((Op.READ, Op.WRITE, Op.UPDATE), (2, 2, 4))[0], rng.randrange(locations)
            options = [-1, *writers[loc]]
            if op == Op.UPDATE and rng.random() < 0.97:
                options = [w for w in options if (loc, w) not in taken]
            if op == Op.UPDATE and not options:
                op = Op.WRITE
            rf = -1 if op == Op.WRITE else rng.choice(options + options[-1:])
            if op == Op.UPDATE:
                taken.add((loc, rf))
            if op != Op.READ:
                writers[loc].append(row)
            rows.append((rng.randrange(threads), int(op), loc, 1, rf))
        g = execution(rows, threads, locations)
        if orders(g) <= 720:
            return g


@pytest.mark.parametrize("seed", range(6))
def test_frontier_generic_and_all_orders_agree(seed: int) -> None:
    rng = random.Random(seed)
    searched = {"consistent": 0, "inconsistent": 0}
    for _ in range(400):
        g = many_updates(rng)
        expected = "consistent" if satisfiable(g, MODELS["sra"].file) else "inconsistent"
        shown = (g.thread.tolist(), g.op.tolist(), g.loc.tolist(), g.rf.tolist())
        kernel = check(g, "sra", algorithm="kernel", verify=True)
        assert kernel.answer == expected, shown
        assert check(g, "sra", algorithm="generic", verify=True).answer == expected, shown
        if kernel.algorithm == "frontier":
            searched[expected] += 1
            if expected == "inconsistent":
                assert kernel.proof is not None
    assert searched["consistent"] > 20


def test_what_only_sra_refutes_is_proved() -> None:
    """Not by the orders of single locations, which ra has too, but by all of them together."""
    rng = random.Random(7)
    refuted = 0
    for _ in range(6000):
        g = many_updates(rng)
        if check(g, "ra", algorithm="kernel").inconsistent:
            continue
        verdict = check(g, "sra", algorithm="kernel")
        if verdict.inconsistent:
            refuted += 1
            assert verdict.axiom is not None
            assert verdict.axiom in verdict.explain()
            verdict.verify()
    assert refuted > 2


@pytest.mark.parametrize("limit", [{"steps": 1}, {"seconds": 1e-9}, {"memory": 1}])
def test_a_spent_budget_is_undecided(limit: dict[str, float]) -> None:
    rng = random.Random(3)
    rows = []
    last = dict.fromkeys(range(2), -1)
    for row in range(4000):
        x = rng.randrange(2)
        rows.append((row % 40, 2, x, 1, last[x]) if row % 5 == 0 else (row % 40, 1, x, 1, -1))
        last[x] = row
    verdict = check(execution(rows, 40, 2), "sra", algorithm="kernel", **limit)  # type: ignore[arg-type]
    assert verdict.answer == "undecided"
    assert verdict.note
    verdict.verify()


def test_updates_that_leave_no_choice_need_no_search() -> None:
    verdict = check(loads("T0 u x 0->1\nT1 u x 1->2\nT0 r x 2\n"), "sra", algorithm="kernel", verify=True)
    assert verdict.consistent
