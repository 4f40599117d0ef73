"""The oracle itself: its two ways to see a graph agree, and the statement files are false and true as they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

from porf.errors import ModelError
from tests.automata.formula import AllGraphs
from tests.automata.graphs import Graphs, random_columns
from tests.automata.meaning import Vocabulary, judge, read
from tests.automata.oracle import refutations, refute
from tests.automata.statements import FALSE, TRUE

WORDS = Vocabulary(("r",), ("P", "Q"), (("P", "Q"),))


@pytest.mark.parametrize("events", [1, 2, 3, 4, 5])
def test_every_graph_is_a_model_of_the_formula_with_the_same_relations(events: int) -> None:
    """So the complete search misses none. That it finds no other ones, each refutation checks for itself."""
    graphs = Graphs(random_columns(np.random.default_rng(events), 150, events, WORDS))
    formula = AllGraphs(events, WORDS)
    names = [*formula.relations, *formula.sets]
    assert len(names) >= 39
    with Solver(name="cadical153", bootstrap_with=formula.formula.clauses) as solver:
        for graph in range(graphs.k):
            literals = []
            for name in names:
                matrix, rows = formula.base(name), graphs.base(name)
                assert matrix is not None and rows is not None
                for i in range(events):
                    literals += [matrix[i][j] if rows[graph, i] >> j & 1 else -matrix[i][j] for j in range(events)]
            assert solver.solve(assumptions=literals), graphs.picture(graph)


def test_columns_reach_every_small_graph() -> None:
    """The other way round: each of the formula's graphs of two events is one of the columns'."""
    formula = AllGraphs(2, Vocabulary())
    names = ("R", "W", "F", "SC", "po", "po-loc", "rf", "mo", "rmw")
    cells = [formula.base(name) for name in names]
    literals = [cell for matrix in cells if matrix for row in matrix for cell in row]
    of_formula, of_columns = set(), set()
    with Solver(name="cadical153", bootstrap_with=formula.formula.clauses) as solver:
        while solver.solve():
            model = set(solver.get_model() or ())
            of_formula.add(tuple(literal in model for literal in literals))
            solver.add_clause([-literal if literal in model else literal for literal in literals])
    for seed in range(400):
        graphs = Graphs(random_columns(np.random.default_rng(seed), 250, 2, Vocabulary()))
        rows = [graphs.base(name) for name in names]
        columns = [(each[:, i] >> j) & 1 for each in rows if each is not None for i in range(2) for j in range(2)]
        of_columns |= {tuple(map(bool, graph)) for graph in np.unique(np.array(columns).T, axis=0)}
    assert of_columns == of_formula
    assert len(of_formula) > 100


@pytest.mark.parametrize("path", FALSE, ids=lambda path: path.stem)
def test_false_statements_are_false(path: Path) -> None:
    file = read(path.read_text(encoding="utf-8"), path.name)
    refuted = {refutation.statement for refutation in refutations(file, (3, 6))}
    claimed = [assertion.statement for assertion in judge(file, AllGraphs(1, file.vocabulary)).assertions]
    assert len(set(claimed)) == len(claimed)
    assert refuted == set(claimed)


@pytest.mark.parametrize("path", TRUE, ids=lambda path: path.stem)
def test_true_statements_have_no_small_counterexample(path: Path) -> None:
    file = read(path.read_text(encoding="utf-8"), path.name)
    assert list(refutations(file, (1, 2, 3))) == []
    for events in (4, 6, 7):
        graphs = Graphs(random_columns(np.random.default_rng(events), 3000, events, file.vocabulary))
        judgement = judge(file, graphs)
        allowed = ~np.any([np.zeros(graphs.k, dtype=bool), *judgement.assumptions], axis=0)
        for assertion in judgement.assertions:
            assert not (assertion.violated & allowed).any(), assertion.statement


def test_there_are_enough_statements() -> None:
    counted = [sum(path.read_text(encoding="utf-8").count("\nassert ") for path in paths) for paths in (FALSE, TRUE)]
    assert counted[0] >= 600
    assert counted[1] >= 250


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("relation r assert r <= r;r", 2),
        ("relation r relation s assert r;s & id <= rot (r;s;r;s)", None),  # a cycle twice over is a cycle
        ("relation r relation s assert r;s & id <= rot (s;r)", None),
        ("relation r relation s assert r;s & id <= s;r", 2),
        ("relation r assert r;r & id <= r?", 2),  # cycles of some steps, not the empty path
        ("relation r assert r? & id <= r*", None),
        ("relation r assert r? & id <= r", 1),  # but the empty path itself needs one
        ("relation r assert r & id <= rot ([W] | r+)", None),
        ("relation r assert r & id <= rot ([W] | id)", 1),
        ("relation r relation s assert rot (r;s) <= s;r | r;s", None),
        ("relation r assert r <= r;r^-1;r", None),
        ("relation r let rec x = r | x;r assert x = r+", None),
        ("relation r let rec x = r | x;r assert x <= r | r;r", 3),
        ("relation r relation s assume s <= r | s assert s;s <= s;r", 1),
        ("assert po & id <= 0", None),
        ("assert [R];any;[W] <= po | po^-1", 2),
    ],
)
def test_the_smallest_refutation(text: str, events: int | None) -> None:
    found = refute(text, most=4)
    assert (None if found is None else found.events) == events


def test_of_several_assertions_one_is_asked_for_by_its_line() -> None:
    text = "assert po <= po\nassert po <= rf\nassert rf <= po\n"
    assert refute(text, 1) is None
    assert getattr(refute(text, 3), "statement", None) == "rf <= po"


def test_unknown_names_are_errors() -> None:
    with pytest.raises(ModelError, match="unknown name 'foo'"):
        refute("assert foo <= foo")
