"""Generated runs are what they say: sequential ones read the last write, weak ones are RA-consistent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porf import formats
from porf.errors import UsageError
from porf.execution import INITIAL, Execution, Op
from porf.generate import ORDERS, broken, interleaving, weak
from tests.generate.naive import consistent_ra


def same(a: Execution, b: Execution) -> bool:
    return formats.dumps(a, "npz") == formats.dumps(b, "npz")


def reads_the_last_write(execution: Execution) -> bool:
    last = [INITIAL] * execution.locations
    for row in range(len(execution)):
        if execution.reads(row) and execution.rf[row] != last[execution.loc[row]]:
            return False
        if execution.writes(row):
            last[execution.loc[row]] = row
    return True


@pytest.mark.parametrize("orders", ORDERS)
def test_an_interleaving_reads_the_last_write(orders: str) -> None:
    execution = interleaving(500, 5, 3, fences=0.1, orders=orders, seed=4)
    assert reads_the_last_write(execution)
    assert set(np.unique(execution.op)) == {0, 1, 2, 3}
    for op, allowed in enumerate(ORDERS[orders]):
        assert set(execution.order[execution.op == op].tolist()) == set(allowed)


def test_seeds_reproduce_and_differ() -> None:
    for make in (interleaving, weak):
        assert same(make(100, seed=1), make(100, seed=1))
        assert not same(make(100, seed=1), make(100, seed=2))


def test_shares_are_kept() -> None:
    execution = interleaving(100_000, reads=0.3, updates=0.2, fences=0.1)
    shares = np.bincount(execution.op, minlength=4) / len(execution)
    assert np.allclose(shares, [0.3, 0.4, 0.2, 0.1], atol=0.01)
    assert not (interleaving(1000, reads=1, updates=0).op != Op.READ).any()


def test_grouping_changes_only_the_rows() -> None:
    mixed, grouped = (weak(300, 4, 3, group_by_thread=group, seed=9) for group in (False, True))
    assert (np.diff(grouped.thread) >= 0).all()
    rows = np.argsort(mixed.thread, kind="stable")
    for column in ("op", "order"):
        assert (getattr(mixed, column)[rows] == getattr(grouped, column)).all()
    inside = grouped.rf != INITIAL
    assert ((mixed.rf[rows] != INITIAL) == inside).all()
    assert (rows[grouped.rf[inside]] == mixed.rf[rows][inside]).all()


@given(
    st.integers(0, 10**9),
    st.integers(1, 14),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(1, 5),
    st.booleans(),
)
def test_weak_runs_are_consistent_under_ra(
    seed: int, events: int, threads: int, locations: int, window: int, grouped: bool
) -> None:
    execution = weak(
        events, threads, locations, reads=0.4, updates=0.2, window=window, group_by_thread=grouped, seed=seed
    )
    if max(np.bincount(execution.loc[execution.loc >= 0], minlength=1)) <= 9:
        assert consistent_ra(execution)


def test_weak_runs_are_weak() -> None:
    assert not reads_the_last_write(weak(200, 4, 3, seed=1))
    assert reads_the_last_write(weak(200, 4, 3, window=1, seed=1))


def test_values_determine_the_writers() -> None:
    for execution in (interleaving(300, seed=5), weak(300, seed=5), broken(weak(300, seed=5), seed=2)):
        assert b"rf=" not in formats.dumps(execution, "text")
        again = formats.loads(formats.dumps(execution, "text"))
        assert (again.rf == execution.rf).all()


@given(st.integers(0, 1000))
def test_broken_moves_one_read(seed: int) -> None:
    execution = weak(60, 3, 2, seed=seed)
    moved = broken(execution, seed)
    rows = np.flatnonzero(execution.rf != moved.rf)
    assert len(rows) == 1
    row = int(rows[0])
    assert moved.location(moved.writer(row)) == moved.loc[row]
    assert moved.writes(moved.writer(row))
    formats.loads(formats.dumps(moved, "npz"), "npz")


def test_broken_finds_an_inconsistent_one() -> None:
    assert not all(consistent_ra(broken(interleaving(12, 3, 2, updates=0, seed=1), seed)) for seed in range(10))


def test_broken_needs_a_choice() -> None:
    with pytest.raises(UsageError, match="no read can be moved"):
        broken(formats.loads("T0 w x 1\nT1 r y 0\nT1 u z 0->1\n"))
    moved = broken(formats.loads("T0 w x 1\nT1 r x 1\n"))
    assert moved.rf.tolist() == [-1, -1]
    assert moved.read_value is not None and moved.read_value[1] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"events": 0},
        {"threads": 0},
        {"locations": -1},
        {"reads": 0.9, "updates": 0.2},
        {"fences": -0.1},
        {"orders": "rxl"},
    ],
)
def test_calls_that_make_no_sense(arguments: dict[str, object]) -> None:
    for make in (interleaving, weak):
        with pytest.raises(UsageError):
            make(**{"events": 10, **arguments})  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        weak(10, window=0)
