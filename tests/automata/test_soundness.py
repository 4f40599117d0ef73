"""`porf prove` against the statement files: what is false is never proved, what is true is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf.automata.prove import prove_text
from porf.checking.budget import Budget
from porf.errors import ModelError
from tests.automata.statements import FALSE, TRUE, assertions


def outcome(text: str) -> str:
    """The verdict of a text's only assertion, or that it was refused."""
    try:
        (result,) = prove_text(text, budget=Budget(seconds=20))
    except ModelError:
        return "refused"
    assert (result.counterexample is not None) == (result.verdict == "fails")
    return result.verdict


# What is not regular, and assumptions that leave a choice: these files are refused, all or in part.
REFUSED = {
    "atomic",
    "closure",
    "included",
    "included_both_ways",
    "intersections",
    "misplaced_rotations",
    "schemes_of_power",
}


@pytest.mark.parametrize("path", FALSE, ids=lambda path: path.stem)
def test_no_false_statement_is_proved(path: Path) -> None:
    outcomes = Counter(outcome(text) for text in assertions(path))
    assert outcomes["holds"] == 0
    assert (outcomes["refused"] > 0) == (path.stem in REFUSED)
    assert outcomes["unknown"] <= outcomes.total() // 3


@pytest.mark.parametrize("path", TRUE, ids=lambda path: path.stem)
def test_true_statements_are_proved(path: Path) -> None:
    for text in assertions(path):
        statement = next(line for line in text.splitlines() if line.startswith("assert "))
        assert outcome(text) == "holds", statement


# A name that nobody declared is no fresh relation: a misspelt claim would be proved, a misspelt assumption ignored.
MISSPELT = [
    "assert foo <= foo",
    "assert po <= po-lock",
    "assert rf <= rf-1",
    "assume popo = 0 assert po <= po",
    "assume [W];po;[R] <= [W];po;[FENCE];po;[R] assert po <= po",
    "let hb = po | sw assert hb <= hb",
    "assert [True] <= id",
    "assert [r] <= id",
    "assert c11::hb <= po",
    "relation r assert r-log <= r",
    "predicate P assert P-loc <= P",
    "disjoint P # Q",
    "let rec a = po | b;rf assert a <= a",
    "assert Po <= po",
    "assert poloc <= po",
    "assume total to assert po <= po",
    "export acyclic psc",
]


@pytest.mark.parametrize("text", MISSPELT)
def test_unknown_names_are_refused(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        prove_text(text)
    assert caught.value.line == 1
    assert caught.value.column is not None
