"""Linearizability and strict models: against their files' axioms over all orders of writes, and by plain search."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porf.checking import check
from porf.errors import FormatError, ModelError
from porf.execution import INITIAL, Execution, Op
from porf.formats import loads
from porf.language.evaluation import evaluate
from porf.language.model_file import parse_model
from porf.models.registry import find_model, strict
from porf.said import NO_VALUE, Times
from tests.checking.brute_force import hard_execution, satisfiable
from tests.seeds import seeds

STRICT = ("sc", "tso", "pso")


def timed(rng: random.Random, g: Execution) -> Execution:
    """The same with times that do not run backwards in a thread, some of them without an end, some not recorded."""
    span = rng.choice((3, 6, 12, 30))
    last = [0] * g.threads
    start, end = [], []
    for thread in g.thread.tolist():
        began = last[thread] + rng.randrange(1 + span // 3)
        last[thread] = began
        ended = began + rng.randrange(1 + span // 2)
        if rng.random() < 0.7:
            last[thread] = ended + 1
        known = rng.random() < 0.95
        start.append(began if known else NO_VALUE)
        end.append(ended if known and rng.random() < 0.9 else NO_VALUE)
    return replace(g, times=Times(np.array(start, np.int64), np.array(end, np.int64)))


def before(g: Execution, a: int, b: int) -> bool:
    assert g.times is not None
    start, end = g.times.start.tolist(), g.times.end.tolist()
    return NO_VALUE not in (start[a], end[a], start[b]) and end[a] < start[b]


def linearizable(g: Execution) -> bool:
    """Is there an order of all operations that keeps real time and that a memory allows?"""

    def extend(done: frozenset[int], memory: tuple[int, ...]) -> bool:
        if len(done) == len(g):
            return True
        for e in set(range(len(g))) - done:
            if any(before(g, other, e) for other in set(range(len(g))) - done - {e}):
                continue
            loc = int(g.loc[e])
            if g.op[e] != Op.WRITE and int(g.rf[e]) != memory[loc]:
                continue
            after = memory if g.op[e] == Op.READ else (*memory[:loc], e, *memory[loc + 1 :])
            if extend(done | {e}, after):
                return True
        return False

    return extend(frozenset(), (INITIAL,) * g.locations)


def shown(g: Execution) -> tuple[object, ...]:
    assert g.times is not None
    columns = (g.thread, g.op, g.loc, g.rf, g.times.start, g.times.end)
    return tuple(column.tolist() for column in columns)


@pytest.mark.parametrize("seed", seeds(4, 16))
def test_linearizability(seed: int) -> None:
    rng = random.Random(seed)
    answers = set()
    for _ in range(900):
        g = hard_execution(rng, 7)
        if (g.op == Op.FENCE).any():
            continue
        g = timed(rng, g)
        verdict = check(g, "lin", verify=True)
        expected = satisfiable(g, find_model("lin").file)
        assert verdict.consistent == expected == linearizable(g), shown(g)
        answers.add(verdict.answer)
    assert len(answers) == 2


@pytest.mark.parametrize("seed", seeds(4, 16))
def test_strict_models(seed: int) -> None:
    rng = random.Random(seed)
    told_apart = set()
    for _ in range(400):
        g = timed(rng, hard_execution(rng, 8))
        answers = []
        for name in STRICT:
            verdict = check(g, name, strict=True, verify=True)
            assert verdict.consistent == satisfiable(g, strict(name).file), (name, shown(g))
            answers.append(verdict.consistent)
            answers.append(check(g, name).consistent)
            assert answers[-1] or not answers[-2]
        told_apart.add(tuple(answers))
    assert len(told_apart) >= 4


@pytest.mark.parametrize("seed", seeds(2, 8))
def test_real_time_is_what_it_says(seed: int) -> None:
    rng = random.Random(seed)
    file = parse_model("acyclic rt")
    for _ in range(200):
        g = timed(rng, hard_execution(rng))
        pairs = {(a, b) for a, b in itertools.permutations(range(len(g)), 2) if before(g, a, b)}
        assert evaluate(file, g, []).relation("rt") == pairs


def test_long_chains_of_updates_have_a_proof() -> None:
    lines = ["T0 w x 0 time=0..1 id=w"]
    lines += [f"T0 u x {i}->{i + 1} time={2 * i + 2}..{2 * i + 3}" for i in range(200)]
    lines += ["T1 r x 5 time=1000..1001", "init x -1"]
    verdict = check(loads("\n".join(lines)), "lin", verify=True)
    assert verdict.inconsistent
    assert verdict.axiom == "linearizability"


def test_a_write_in_doubt_may_take_effect_late_or_never() -> None:
    late = "T0 w x 1 time=0..\nT1 r x 0 time=5..6\nT1 r x 1 time=7..8\n"
    assert check(loads(late), "lin", verify=True).consistent
    gone = late + "T1 r x 0 time=9..10\n"
    assert check(loads(gone), "lin", verify=True).inconsistent
    never = "T0 w x 1 time=0..\nT1 r x 0 time=5..6\n"
    assert check(loads(never), "lin", verify=True).consistent


def test_a_file_may_look_at_real_time(tmp_path: Path) -> None:
    path = tmp_path / "timely.cat"
    path.write_text('"timely"\nlet ends = rt & (W * R)\nacyclic po | rf | mo | fr\nempty ends; fr as fresh\n')
    stale = loads("T0 w x 1 time=0..1\nT1 r x 0 time=2..3\n")
    verdict = check(stale, path, verify=True)
    assert verdict.axiom == "fresh"
    assert verdict.proof is not None
    assert [edge.relation for edge in verdict.proof.cycle] == ["rt", "fr"]
    assert check(loads("T0 w x 1 time=0..2\nT1 r x 0 time=2..3\n"), path, verify=True).consistent


def test_what_has_no_time_is_refused() -> None:
    g = loads("T0 w x 1\nT1 r x 1")
    with pytest.raises(FormatError, match="no event of this history has a time"):
        check(g, "lin")
    with pytest.raises(FormatError, match="no event of this history has a time"):
        check(g, "sc", strict=True)
    with pytest.raises(ModelError, match="no global order"):
        check(g, "ra", strict=True)
