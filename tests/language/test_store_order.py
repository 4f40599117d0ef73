"""The graphs that a modification order must leave acyclic: which models have them, and what is in them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from porf.execution import Execution
from porf.language import evaluate, load_model_file, parse_model
from porf.language.model_file import BUNDLED
from porf.language.store_order import store_order_graphs, store_order_problem
from tests.checking.small_executions import random_execution

BASES = {
    "sc": {"sc": "po | rf"},
    "tso": {"uniprocessor": "po-loc | rf", "tso": "(po \\ ((W \\ U) * (R \\ U))) | rfe"},
    "pso": {"uniprocessor": "po-loc | rf", "pso": "(po \\ ((W \\ U) * M)) | (po;[F];po) | rfe"},
    "rmo": {"uniprocessor": "(po-loc \\ ((R \\ U) * (R \\ U))) | rf", "rmo": "([R];(addr|data)) | (po;[F];po) | rfe"},
}


def reference(execution: Execution, node: int) -> int:
    return node if node < len(execution) else ~(node - len(execution))


@pytest.mark.parametrize("name", BASES)
def test_the_graphs_are_what_stands_beside_mo_and_fr(name: str) -> None:
    rng = random.Random(3)
    model = load_model_file(BUNDLED / f"{name}.cat")
    for events in (1, 6, 12, 70):
        g = random_execution(rng, events, 3, 2)
        problem = store_order_problem(model, g)
        assert problem is not None and problem.axioms == tuple(BASES[name])
        for axiom, graph in zip(problem.axioms, problem.graphs, strict=True):
            found = {(reference(g, int(a)), reference(g, int(b))) for a, b in np.argwhere(graph)}
            assert found == evaluate(parse_model(f"let r = {BASES[name][axiom]}"), g, []).relation("r")


def test_an_axiom_without_mo_is_settled_at_once() -> None:
    model = load_model_file(BUNDLED / "rmo.cat")
    broken = set()
    rng = random.Random(4)
    for _ in range(300):
        g = random_execution(rng, 8, 2, 1)
        problem = store_order_problem(model, g)
        assert problem is not None
        expected = "thin-air" if "thin-air" in evaluate(model, g, []).violated else None
        assert problem.broken == expected
        broken.add(problem.broken)
    assert broken == {None, "thin-air"}


@pytest.mark.parametrize(
    "text",
    [
        "acyclic po | rf | mo",
        "acyclic po | rf | fr",
        "acyclic (po | rf | mo | fr)+",
        "acyclic po | rf | mo | fr | (mo;po)",
        "irreflexive po | rf | mo | fr",
        "~acyclic po | rf | mo | fr",
        "acyclic po | rf | mo | fr\nempty rmw & (fr;mo)",
    ],
)
def test_other_shapes_are_refused(text: str) -> None:
    assert store_order_graphs(parse_model(text)) is None


def test_brackets_and_names_do_not_matter() -> None:
    model = parse_model("let com = mo | (fr | rf)\nacyclic (com | po) as sc\nempty rf & rf^-1 as free\nflag ~empty mo")
    graphs = store_order_graphs(model)
    assert graphs is not None and [graph.axiom for graph in graphs] == ["sc"] and len(graphs[0].base) == 2


def test_two_events_an_update_are_another_graph() -> None:
    text = "(* Title: t\n   Source: s\n   Events: two *)\nacyclic po | rf | mo | fr"
    assert store_order_graphs(parse_model(text)) is None
