"""Loops that only wait, whatever they wait with."""

from __future__ import annotations

import pytest

import porf
from porf.programs.python import acquire, relaxed, release


def spinlock(giving_back: object) -> porf.ProgramBuilder:
    """Two threads count under a lock that spins on an exchange: each failed one writes what it read."""
    p = porf.program("spinlock")
    taken = p.int("taken")
    count = p.plain("count")

    @p.thread(copies=2)
    def counter() -> None:
        while taken.exchange(1, acquire):
            pass
        count.value += 1
        taken.store(0, giving_back)

    @p.final
    def counted() -> None:
        assert count.value == 2

    return p


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc20", "rc11"])
def test_spinning_on_an_exchange_needs_no_bound(model: str, strategy: str) -> None:
    found = porf.explore(spinlock(release), model, strategy=strategy)
    assert (found.verdict, found.executions) == ("safe", 2)
    assert found.blocked > 0 and found.spins


def test_what_a_loop_waits_for_is_still_explored() -> None:
    found = porf.explore(spinlock(relaxed), "rc11")
    assert found.verdict == "unsafe"
    assert found.bugs[0].kind == "data race"
