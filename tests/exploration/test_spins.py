"""Loops that only wait, whatever they wait with."""

from __future__ import annotations

import pytest

import porf
from porf.execution import Order
from porf.programs.python import acquire, assume, relaxed, release


def spinlock(giving_back: Order) -> porf.ProgramBuilder:
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
    assert found.spins
    assert (found.blocked > 0) is (strategy == "tracer")


def test_what_a_loop_waits_for_is_still_explored() -> None:
    found = porf.explore(spinlock(relaxed), "rc11")
    assert found.verdict == "unsafe"
    assert found.bugs[0].kind == "data race"


def transient() -> porf.ProgramBuilder:
    """A loop whose iteration takes back what it has done: another thread may have seen that all the same."""
    p = porf.program("transient")
    x = p.int("x", 1)
    seen = p.plain("seen")

    @p.thread
    def taker() -> None:
        while x.fetch_add(1) != 0:
            x.fetch_sub(1)

    @p.thread
    def giver() -> None:
        seen.value = x.load()
        assume(x.load() == 1)
        x.fetch_sub(1)

    @p.final
    def nobody_has_seen_it() -> None:
        assert seen.value != 2

    return p


@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc11"])
def test_an_update_that_is_taken_back_can_be_seen(model: str) -> None:
    found = porf.explore(transient(), model, unroll=2)
    assert [bug.kind for bug in found.bugs] == ["assertion"]
