"""Chini and Saivasan 2020, Lemma 10, as printed: with one location a literal, clauses can ask for contrary orders."""

from __future__ import annotations

import itertools

import pytest

import porf
from porf.generate import Formula, sat

# Literals that clauses share turn 0 in the order of one clause, against that of another.
FORMULA = Formula(3, ((1, 2, -3), (-3, -1, -2), (2, 3, -1), (1, -2, 3)))


def test_the_formula_is_satisfiable() -> None:
    assert any(
        all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in FORMULA.clauses)
        for values in itertools.product((False, True), repeat=3)
    )


@pytest.mark.parametrize(("model", "algorithm"), [("sc", "kernel"), ("sc", "generic"), ("tso", "kernel")])
def test_chini_2020_lemma_10_needs_a_location_for_each_clause(model: str, algorithm: str) -> None:
    printed, corrected = (sat(FORMULA, model, shared=shared) for shared in (True, False))
    assert porf.check(printed, model, verify=True, algorithm=algorithm).answer == "inconsistent"
    assert porf.check(corrected, model, verify=True).answer == "consistent"
