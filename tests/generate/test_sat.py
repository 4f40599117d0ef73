"""Chini and Saivasan 2020, Section 5: a history is consistent iff its formula is satisfiable, by all assignments."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from benchmarks.unsatisfiable import chain, complete, inconsistent

import porf
from porf import formats
from porf.cli import main
from porf.errors import FormatError, UsageError
from porf.execution import INITIAL, Op
from porf.generate import SAT_MODELS, Formula, parse_formula, read_formula, sat

FORMULAS = Path(__file__).parents[2] / "examples" / "formulas"


def satisfiable(formula: Formula) -> bool:
    def holds(assignment: tuple[bool, ...]) -> bool:
        return all(any(assignment[abs(literal) - 1] == (literal > 0) for literal in c) for c in formula.clauses)

    return any(map(holds, itertools.product((False, True), repeat=formula.variables)))


def random_formula(rng: random.Random, variables: int, clauses: int, longest: int) -> Formula:
    """Literals are drawn with repetition: clauses repeat literals, and some are tautologies."""

    def clause() -> tuple[int, ...]:
        length = 0 if rng.random() < 0.01 else rng.randint(1, longest)
        return tuple(rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(length))

    return Formula(variables, tuple(clause() for _ in range(clauses)))


def consistent(formula: Formula, model: str, *, shared: bool = False) -> bool:
    answer = porf.check(sat(formula, model, shared=shared), model).answer
    assert answer != "undecided"
    return answer == "consistent"


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_chini_2020_lemma_10(model: str, longest: int) -> None:
    rng = random.Random(longest)
    seen = []
    for _ in range(400):
        formula = random_formula(rng, rng.randint(1, 3), rng.randint(0, 8 if longest < 4 else 6), longest)
        seen.append(satisfiable(formula))
        assert consistent(formula, model) == seen[-1], formula
    assert 40 < sum(seen) < 390


def test_chini_2020_lemma_10_for_pso() -> None:
    rng = random.Random(5)
    seen = []
    for _ in range(80):
        formula = random_formula(rng, rng.randint(1, 2), rng.randint(0, 4), 3)
        seen.append(satisfiable(formula))
        assert consistent(formula, "pso") == seen[-1], formula
    assert 10 < sum(seen) < 75


SIGNS = tuple(itertools.product((1, -1), repeat=3))


@pytest.mark.parametrize(
    ("variables", "clauses"),
    [
        (2, ()),
        (1, ((1, -1),)),
        (1, ((1, 1, 1),)),
        (1, ((1, 1), (-1, -1, -1))),
        (1, ((1,), (-1,))),
        (0, ((),)),
        (2, ((1, 2), ())),
        (3, ((1, -1, 2), (-2,), (2, 3, -3))),
    ],
)
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_corner_cases(variables: int, clauses: tuple[tuple[int, ...], ...], model: str) -> None:
    formula = Formula(variables, clauses)
    assert consistent(formula, model) == satisfiable(formula)


def test_writes_are_as_few_as_can_be() -> None:
    def writes(formula: Formula, *, shared: bool = False) -> int:
        return int((sat(formula, "sc", shared=shared).op == Op.WRITE).sum())

    long = Formula(3, tuple((a, 2 * b, 3 * c) for a, b, c in SIGNS))
    assert writes(long) == 2 * 3 + 2 * 24
    assert writes(long, shared=True) == 2 * 3 + 2 * 6
    assert writes(Formula(2, ((1, 2), (1, -2), (-1, 2), (-1, -2)))) == 2 * 2 + 2 * 4


def test_unsatisfiable_formulas_may_share_locations() -> None:
    rng = random.Random(3)
    found = 0
    for _ in range(200):
        formula = random_formula(rng, 3, 8, 3)
        if not satisfiable(formula):
            found += 1
            assert not consistent(formula, "sc", shared=True)
    assert found > 20


@pytest.mark.parametrize("model", SAT_MODELS)
def test_histories_survive_their_formats(model: str) -> None:
    execution = sat(Formula(3, ((1, -2, 3), (-1, 2), ())), model)
    assert (execution.rf[execution.op == Op.READ] != INITIAL).all()
    for form in ("text", "jsonl", "npz"):
        again = formats.loads(formats.dumps(execution, form), form)
        assert (again.rf == execution.rf).all() and list(again.id_names) == list(execution.id_names)


@pytest.mark.parametrize("model", SAT_MODELS)
def test_the_examples_are_what_their_names_say(model: str, tmp_path: Path) -> None:
    assert {path.stem for path in FORMULAS.glob("*.cnf")} == {"satisfiable", "unsatisfiable"}
    for path in FORMULAS.glob("*.cnf"):
        assert satisfiable(read_formula(path)) == (path.stem == "satisfiable")
        history = str(tmp_path / "history.txt")
        assert main(["generate", "sat", str(path), "--model", model, "-o", history]) == 0
        assert main(["check", history, "--model", model, "--verify"]) == (path.stem == "unsatisfiable")


def test_formulas_that_make_no_history() -> None:
    with pytest.raises(UsageError, match="no variables and no clauses"):
        sat(Formula(0, ()))
    with pytest.raises(UsageError, match="no reduction to model 'ra'"):
        sat(Formula(1, ()), "ra")


def test_read_formula() -> None:
    text = "c a comment\np  cnf 3 3\r\n1 -2\n 3 0 -1 0\nc\n0\n%\n0\n"
    assert parse_formula(text) == Formula(3, ((1, -2, 3), (-1,), ()))


@pytest.mark.parametrize(
    ("text", "line", "column", "width", "message"),
    [
        ("", None, None, 1, "'p' is missing"),
        ("1 2 0\n", 1, 1, 1, "'p' is missing"),
        ("p dnf 1 1\n", 1, 3, 3, "'cnf' is missing"),
        ("p cnf 3\n", 1, 8, 1, "the number of clauses is missing"),
        ("p cnf x 1\n", 1, 7, 1, "'x' is not a number"),
        ("p cnf -1 1\n", 1, 7, 2, "the number of variables is -1"),
        ("p cnf 3 99999999\n", 1, 9, 8, "the number of clauses is 99999999"),
        ("p cnf 3 1\n1 two 0\n", 2, 3, 3, "'two' is not a number"),
        ("p cnf 3 1\nc\n1 -4 0\n", 3, 3, 2, "there is no variable 4"),
        ("p cnf 3 1\n1 -3\n", 2, 5, 1, "the last clause is not ended"),
        ("p cnf 3 1\n1 0 2 0\n", 2, 7, 1, "more than 1 clauses"),
        ("p cnf 3 2\n1 0\n", 1, 9, 1, "1 clauses, and the header says 2"),
    ],
)
def test_bad_formulas(text: str, line: int | None, column: int | None, width: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_formula(text, "f.cnf")
    error = caught.value
    assert (error.message, error.line, error.column) == (message, line, column)
    assert error.width == width and error.hint and "f.cnf" in str(error)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_formula(tmp_path / "none.cnf")


@pytest.mark.parametrize("writes", [6, 8, 12, 14])
def test_the_benchmark_formulas_have_as_many_writes_as_asked(writes: int) -> None:
    execution = inconsistent(writes)
    assert (execution.op == Op.WRITE).sum() == writes
    assert porf.check(execution, "sc").answer == "inconsistent"
    assert not satisfiable(chain(writes // 6)) and not satisfiable(complete(2, writes))
