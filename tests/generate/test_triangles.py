"""Tunç et al. 2023, Theorem 1.7, in both directions: a triangle is a violation, and nothing else is."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porf import formats
from porf.errors import FormatError, UsageError
from porf.execution import Op
from porf.generate import random_graph, read_graph, triangle
from tests.generate.naive import consistent_ra, happens_before

Edges = set[tuple[int, int]]


def has_triangle(edges: Edges) -> bool:
    nodes = {node for edge in edges for node in edge}
    return any({(a, b), (b, c), (a, c)} <= edges for a, b, c in itertools.combinations(sorted(nodes), 3))


@given(st.sets(st.sampled_from(list(itertools.combinations(range(6), 2))), min_size=1))
@settings(deadline=None)
def test_tunc_2023_theorem_1_7(edges: Edges) -> None:
    execution = triangle(sorted(edges))
    assert not (execution.op == Op.UPDATE).any()
    assert all(execution.rf[row] < row for row in range(len(execution)))
    assert consistent_ra(execution) == (not has_triangle(edges))
    if has_triangle(edges):
        assert _breaks_weak_read_coherence(execution)


def _breaks_weak_read_coherence(execution) -> bool:  # type: ignore[no-untyped-def]
    """wra: no write of the location lies between the writer and the reader in happens-before."""
    hb = happens_before(execution)
    return any(
        execution.reads(r)
        and any(
            execution.loc[w] == execution.loc[r] and execution.writes(w) and int(execution.rf[r]) in hb[w]
            for w in hb[r]
        )
        for r in range(len(execution))
    )


def test_size_is_linear_and_threads_are_two_a_node() -> None:
    edges = random_graph(400, 0.02, seed=3)
    execution = triangle(edges)
    assert len(execution) <= 5 * len(edges) + 2 * 400
    assert execution.threads <= 2 * 400
    formats.loads(formats.dumps(execution, "npz"), "npz")


def test_random_graphs() -> None:
    assert len(random_graph(30, 1.0)) == 30 * 29 // 2
    assert len(random_graph(30, 0.0)) == 0
    edges = random_graph(300, 0.1, seed=2)
    assert abs(len(edges) - 0.1 * 300 * 299 / 2) < 300
    assert (edges[:, 0] < edges[:, 1]).all() and len(np.unique(edges, axis=0)) == len(edges)
    assert edges.max() < 300
    sides = random_graph(100, 0.5, bipartite=True)
    assert ((sides[:, 0] + sides[:, 1]) % 2 == 1).all()
    assert (random_graph(50, 0.5, seed=1) == random_graph(50, 0.5, seed=1)).all()


def test_read_graph(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("# a triangle\n1 2\n3\t2  # twice\n2 3\n\n1 3\r\n")
    assert read_graph(path).tolist() == [[1, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize(
    ("text", "line", "column", "width", "message"),
    [
        ("1 2\n4 4\n", 2, 1, 3, "node 4 has an edge to itself"),
        ("1 x\n", 1, 3, 1, "'x' is not a node"),
        ("1 -2\n", 1, 3, 2, "'-2' is not a node"),
        ("1\n", 1, 2, 1, "the second node is missing"),
        ("1 2 33 # c\n", 1, 5, 2, "an edge has two nodes"),
        ("1 99999999999\n", 1, 3, 11, "the node 99999999999 is out of range"),
    ],
)
def test_bad_graphs(tmp_path: Path, text: str, line: int, column: int, width: int, message: str) -> None:
    path = tmp_path / "graph.txt"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_graph(path)
    error = caught.value
    assert (error.message, error.line, error.column, error.width) == (message, line, column, width)
    assert error.hint and str(path) in str(error)


def test_graphs_that_make_no_history(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_graph(tmp_path / "none")
    calls: list[Callable[[], object]] = [
        lambda: triangle([]),
        lambda: triangle(),
        lambda: triangle([(1, 1)]),
        lambda: triangle([(-1, 1)]),
    ]
    for call in calls:
        with pytest.raises(UsageError):
            call()
    with pytest.raises(UsageError):
        random_graph(5, 1.5)
