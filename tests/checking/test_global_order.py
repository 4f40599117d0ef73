"""SC and TSO by the global order: against the generic procedure where it can follow, by evidence where it cannot."""

from __future__ import annotations

import pytest

from porf import loads
from porf.checking import check
from porf.generate import broken, interleaving, weak


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_agrees_with_the_generic_procedure(seed: int, model: str) -> None:
    for events in (12, 25, 40):
        base = interleaving(events, 4, 3, updates=0.15, fences=0.1, group_by_thread=True, seed=seed)
        for g in (base, broken(base, seed), weak(events, 3, 3, updates=0.1, fences=0.1, seed=seed)):
            verdict = check(g, model, algorithm="kernel", verify=True)
            assert verdict.answer == check(g, model, algorithm="generic").answer


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_a_large_interleaving_is_found_again(model: str) -> None:
    g = interleaving(20_000, 8, 50, updates=0.1, fences=0.02, group_by_thread=True, seed=3)
    assert check(g, model, algorithm="kernel", verify=True).consistent


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_a_large_broken_history_is_refuted_with_a_short_cycle(model: str, seed: int) -> None:
    g = broken(interleaving(20_000, 8, 50, updates=0.1, group_by_thread=True, seed=seed), seed)
    verdict = check(g, model, algorithm="kernel", verify=True)
    assert verdict.inconsistent
    assert verdict.proof is not None
    assert len(verdict.proof.cycle) <= 40


BUFFERED = {
    "its own write before others see it": ("T0 w x 1\nT0 r x 1\nT0 r y 0\nT1 w y 1\nT1 r y 1\nT1 r x 0\n", True),
    "a fence empties the buffer": ("T0 w x 1\nT0 f sc\nT0 r y 0\nT1 w y 1\nT1 f sc\nT1 r x 0\n", False),
    "an update empties the buffer": ("T0 w x 1\nT0 u a 0->1\nT0 r y 0\nT1 w y 1\nT1 u b 0->1\nT1 r x 0\n", False),
    "one fence is not enough": ("T0 w x 1\nT0 f sc\nT0 r y 0\nT1 w y 1\nT1 r x 0\n", True),
    "writes leave in order": ("T0 w x 1\nT0 w y 1\nT1 r y 1\nT1 r x 0\n", False),
    "a read does not miss its own write": ("T0 w x 1\nT0 r x 0\n", False),
    "a read does not see the future": ("T0 r x 1\nT0 w x 1\n", False),
    "an own write is not forgotten": ("T0 w x 1\nT0 w x 2\nT0 r x 1\n", False),
}


@pytest.mark.parametrize("name", BUFFERED)
def test_tso(name: str) -> None:
    history, allowed = BUFFERED[name]
    verdict = check(loads(history), "tso", algorithm="kernel", verify=True)
    assert verdict.consistent == allowed
    assert check(loads(history), "tso", algorithm="generic").consistent == allowed
