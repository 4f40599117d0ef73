"""SC, TSO, PSO and RMO over sets of writes: the table, the search that forced orders prune, and minimal parts."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porf.checking import check
from porf.checking.budget import Budget
from porf.checking.forced import forced_pairs
from porf.checking.store_order import run
from porf.errors import EvidenceError, UsageError
from porf.evidence.data import Core
from porf.evidence.verify import verify
from porf.execution import Execution
from porf.formats import loads
from porf.generate import interleaving, sat
from porf.generate.dimacs import Formula
from porf.models import MODELS
from tests.checking.brute_force import hard_execution, orders, satisfiable
from tests.checking.small_executions import litmus_execution, modification_orders, random_execution

FOUR = ("sc", "tso", "pso", "rmo")


def formula(clauses: list[tuple[int, ...]]) -> Execution:
    """Chini and Saivasan 2020, Fig. 1, as printed: SC iff the formula is satisfiable, for clauses of two."""
    return sat(Formula(max(abs(x) for clause in clauses for x in clause), tuple(clauses)), "sc", shared=True)


def all_signs(variables: int) -> list[tuple[int, ...]]:
    """Every clause over the variables: unsatisfiable."""
    return [
        tuple(sign * (v + 1) for v, sign in enumerate(signs)) for signs in itertools.product((1, -1), repeat=variables)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_with_and_without_what_is_forced_they_equal_the_axioms(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(400):
        shape = rng.random()
        if shape < 0.4:
            g = hard_execution(rng)
        elif shape < 0.7:
            g = litmus_execution(rng)
        else:
            g = random_execution(rng, rng.randint(1, 9), rng.randint(1, 4), rng.randint(1, 3))
        if orders(g) > 150:
            continue
        for name in FOUR:
            expected = satisfiable(g, MODELS[name].file)
            seen[name, expected] += 1
            for forced in (False, True):
                found = run(g, MODELS[name], Budget(), forced=forced)
                shown = (name, forced, g.thread.tolist(), g.op.tolist(), g.loc.tolist(), g.rf.tolist(), g.dependencies)
                assert found.answer == ("consistent" if expected else "inconsistent"), shown
    assert min(seen[name, answer] for name in FOUR for answer in (True, False)) > 40


@pytest.mark.parametrize("seed", range(4))
def test_every_forced_pair_is_in_every_good_order(seed: int) -> None:
    rng = random.Random(seed)
    pairs = 0
    for _ in range(200):
        g = hard_execution(rng, 8)
        for name in FOUR:
            good = [mo for mo in modification_orders(g) if _holds(g, name, mo)]
            forced = forced_pairs(g, MODELS[name])
            pairs += len(forced) if good else 0
            for mo in good:
                place = {row: at for line in mo for at, row in enumerate(line)}
                assert all(place[a] < place[b] for a, b in forced), (name, forced, mo)
    assert pairs > 100


def _holds(g: Execution, name: str, mo: Sequence[tuple[int, ...]]) -> bool:
    from porf.language.evaluation import evaluate

    return not evaluate(MODELS[name].file, g, [p for line in mo for p in itertools.pairwise(line)]).violated


@pytest.mark.parametrize("name", FOUR)
def test_verdicts_of_the_table_have_evidence(name: str) -> None:
    rng = random.Random(7)
    answers = set()
    for _ in range(150):
        g = hard_execution(rng)
        verdict = check(g, name, algorithm="subsets", verify=True)
        answers.add(verdict.answer)
        assert verdict.algorithm == "subsets"
        assert verdict.answer == check(g, name, algorithm="kernel").answer
        assert (verdict.core is not None) == verdict.inconsistent
    assert answers == {"consistent", "inconsistent"}


@pytest.mark.parametrize("clauses", [[(1,), (-1,)], all_signs(2), all_signs(3)])
def test_a_search_that_fails_ends_in_a_minimal_part(clauses: list[tuple[int, ...]]) -> None:
    g = formula(clauses)
    for algorithm in ("kernel", "subsets"):
        verdict = check(g, "sc", algorithm=algorithm, verify=True)
        assert verdict.inconsistent
        core = verdict.core
        if core is None:  # two contradicting units are a forced cycle: no search was needed
            assert (algorithm, len(clauses)) == ("kernel", 2)
            continue
        assert len(core.rows) <= len(g)
        for row in core.rows:  # without any event (and who reads it) it is consistent
            rest = [other for other in core.rows if other != row and g.rf[other] != row]
            assert check(g.restrict(rest).execution, "sc", algorithm="subsets").consistent


def test_satisfiable_formulas_are_consistent() -> None:
    rng = random.Random(3)
    seen: Counter[bool] = Counter()
    for _ in range(60):
        variables = rng.randint(1, 4)
        clauses = [
            tuple(rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), min(variables, 2)))
            for _ in range(rng.randint(1, 9))
        ]
        values = itertools.product((False, True), repeat=variables)
        expected = any(all(any(v[abs(x) - 1] == (x > 0) for x in c) for c in clauses) for v in values)
        seen[expected] += 1
        for forced in (False, True):
            assert run(formula(clauses), MODELS["sc"], Budget(), forced=forced).answer == (
                "consistent" if expected else "inconsistent"
            )
    assert min(seen[True], seen[False]) >= 5


def test_a_core_is_decided_again() -> None:
    g = formula(all_signs(2))
    model, core = MODELS["sc"], check(g, "sc", algorithm="kernel").core
    assert core is not None
    verify(g, model, "inconsistent", None, None, core)
    with pytest.raises(EvidenceError, match="is not"):
        verify(g, model, "inconsistent", None, None, Core(core.rows[:-2]))
    read = next(row for row in core.rows if g.op[row] == 0)
    orphan = tuple(row for row in core.rows if row != g.rf[read])
    with pytest.raises(EvidenceError, match="without its write"):
        verify(g, model, "inconsistent", None, None, Core(orphan))


def test_a_core_in_words_and_pictures_and_json() -> None:
    verdict = check(formula(all_signs(2)), "sc", algorithm="kernel")
    assert verdict.core is not None
    bare = replace(verdict, proof=None)
    assert f"these {len(verdict.core.rows)} events are inconsistent by themselves" in bare.explain()
    assert "no part of them is" in bare.draw()
    record = bare.record()
    assert record["cycle"] is None
    assert len(record["core"]["events"]) == len(verdict.core.rows)
    bare.verify()


def test_large_histories_under_pso_and_rmo() -> None:
    """What TSO allows is decided as TSO is; what only PSO allows needs the sets."""
    valid = interleaving(20_000, 6, 30, group_by_thread=True, seed=1)
    for name in ("pso", "rmo"):
        assert check(valid, name, verify=True).consistent
    # Message passing with the writes seen the wrong way round, among much else.
    rest = interleaving(3_000, 4, 20, updates=0.0, group_by_thread=True, seed=2)
    text = "A w p 1\nA w q 1\nB r q 1\nB r p 0\n"
    mixed = _beside(rest, loads(text))
    for name, answer in (("tso", "inconsistent"), ("pso", "consistent"), ("rmo", "consistent")):
        assert check(mixed, name, verify=True).answer == answer
    fenced = _beside(rest, loads("A w p 1\nA f sc\nA w q 1\nB r q 1\nB r p 0\n"))
    verdict = check(fenced, "pso", verify=True)
    assert (verdict.answer, verdict.algorithm) == ("inconsistent", "forced-subsets")
    assert verdict.core is not None
    assert len(verdict.core.rows) == 5
    assert check(fenced, "rmo").consistent


def _beside(left: Execution, right: Execution) -> Execution:
    """Two histories with nothing in common, as one."""
    n, k, d = len(left), left.threads, left.locations
    rf = np.where(right.rf >= 0, right.rf + n, right.rf)
    loc = np.where(right.loc >= 0, right.loc + d, right.loc)
    return replace(
        left,
        thread=np.concatenate([left.thread, right.thread + k]).astype(np.int32),
        op=np.concatenate([left.op, right.op]),
        loc=np.concatenate([left.loc, loc]).astype(np.int32),
        order=np.concatenate([left.order, right.order]),
        rf=np.concatenate([left.rf, rf]).astype(np.int32),
        thread_names=[*left.thread_names, *right.thread_names],
        loc_names=[*left.loc_names, *right.loc_names],
        init_value=np.concatenate([left.init_value, right.init_value]),
        read_value=None,
        written_value=None,
    )


def test_a_model_of_the_same_shape_needs_no_kernel(tmp_path: Path) -> None:
    mine = tmp_path / "mine.cat"
    mine.write_text("acyclic po-loc | rf | mo | fr as uni\nacyclic (po \\ (W * R)) | rfe | fr | mo as mm\n")
    other = tmp_path / "other.cat"
    other.write_text("acyclic po | rf as porf\nirreflexive fr; mo as atomicity\n")
    two = tmp_path / "two.cat"
    two.write_text("acyclic po | mo | fr as a\nacyclic (po | rf)+ | mo | fr as b\n")
    rng = random.Random(11)
    answers = set()
    for _ in range(60):
        g = hard_execution(rng)
        verdict = check(g, mine, algorithm="subsets", verify=True)
        assert verdict.answer == check(g, mine, algorithm="generic").answer
        answers.add(verdict.answer)
    assert len(answers) == 2
    for wrong in (other, two):
        with pytest.raises(UsageError, match="not decided over sets of writes"):
            check(loads("T0 w x 1\nT0 w y 1\nT1 r x 1\n"), wrong, algorithm="subsets")


def test_a_budget_that_ends_says_how_far_it_got() -> None:
    big = formula([*all_signs(3), (4, 5, 6), (-4, -5, -6), (7, 8, 9)])
    verdict = check(big, "sc", algorithm="subsets", steps=5_000)
    assert verdict.answer == "undecided"
    assert "sets of writes reached" in (verdict.note or "")
    assert "pairs of writes ordered" in (verdict.note or "")
    small = check(formula(all_signs(3)), "sc", algorithm="subsets", memory=1000)
    assert (small.answer, small.core) == ("undecided", None)


def test_rmo_says_that_no_dependencies_were_given() -> None:
    plain = loads("T0 r x 1\nT0 w y 1\nT1 r y 1\nT1 w x 1\n")
    verdict = check(plain, "rmo", verify=True)
    assert verdict.consistent
    assert "no dependencies" in (verdict.note or "")
    tied = loads("T0 r x 1 id=a\nT0 w y 1 data=a\nT1 r y 1 id=b\nT1 w x 1 data=b\n")
    verdict = check(tied, "rmo", verify=True)
    assert (verdict.answer, verdict.note) == ("inconsistent", None)
    assert check(plain, "tso").note is None
