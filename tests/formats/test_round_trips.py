"""Whatever an execution holds comes back from every format, and from one format through another."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from porf import formats
from porf.errors import UsageError
from porf.execution import Execution
from tests.formats.histories import assert_same, executions


@given(executions())
def test_npz_is_exact(execution: Execution) -> None:
    assert_same(execution, formats.loads(formats.dumps(execution, "npz"), "npz"))


@pytest.mark.parametrize("kind", ["text", "jsonl"])
@given(execution=executions())
def test_lines_are_exact_up_to_thread_numbers_and_needed_ids(kind: str, execution: Execution) -> None:
    once = formats.loads(formats.dumps(execution, kind), kind)
    assert_same(execution, once, renumbered=True, new_ids=True)
    assert_same(once, formats.loads(formats.dumps(once, kind), kind))


@pytest.mark.parametrize("kinds", list(itertools.permutations(formats.BOTH)))
@given(execution=executions())
def test_chains_of_formats_lose_nothing(kinds: tuple[str, ...], execution: Execution) -> None:
    there = execution
    for kind in kinds:
        there = formats.loads(formats.dumps(there, kind), kind)
    assert_same(execution, there, renumbered=True, new_ids=True)


def test_a_restriction_without_its_writers_is_refused() -> None:
    part = formats.loads("T0 w x 1\nT1 r x 1\n").restrict([1]).execution
    for kind in formats.BOTH:
        with pytest.raises(UsageError, match="not part of the execution"):
            formats.dumps(part, kind)


def test_numbered_names_stay_lazy_through_npz() -> None:
    columns: dict[str, Any] = {
        "thread": np.zeros(5, np.int32),
        "op": np.ones(5, np.uint8),
        "loc": np.arange(5, dtype=np.int32),
        "order": np.ones(5, np.uint8),
        "rf": np.full(5, -1, np.int32),
    }
    import io

    out = io.BytesIO()
    np.savez(out, **columns)
    execution = formats.loads(out.getvalue(), "npz")
    assert execution.loc_names == ["x0", "x1", "x2", "x3", "x4"]
    assert execution.thread_names == ["T0"]
    assert b"loc_names" not in formats.dumps(execution, "npz")
