"""The choices that are found are those that brute force finds: no single order can be weaker, and none is missing."""

from __future__ import annotations

import random

import pytest

import porf
from tests.synthesis.random_tests import interesting, minimal


def compare(seed: int, model: str, *, most: int = 4, strongest: bool = False) -> tuple[bool, int]:
    test = interesting(random.Random(seed), model, most=most, strongest=strongest)
    safe, expected = minimal(test, model)
    every = porf.orders(test, model, every=True)
    found = {tuple(every.orders(n).values()) for n in range(len(every.choices))}
    said = f"{test.program.source} {seed} {every.report()}"
    assert every.verdict == ("safe" if safe else "unsafe"), said
    assert found == expected, said
    assert every.complete
    one = porf.orders(test, model)
    assert one.verdict == every.verdict
    assert len(one.choices) == min(1, len(expected))
    if one.choices:
        assert tuple(one.orders().values()) in expected, said
        assert one.space.cost(one.choices[0]) == min(every.space.cost(choice) for choice in every.choices)
    return safe, len(expected)


@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_all_minimal_choices_of_random_tests(model: str, part: int) -> None:
    met = [compare(seed, model) for seed in range(30 * part, 30 * part + 30)]
    assert {safe for safe, _ in met} == {True, False}


@pytest.mark.parametrize("part", range(4))
def test_all_minimal_choices_from_the_strongest_on(part: int) -> None:
    met = [compare(seed, "rc11", strongest=True) for seed in range(1000 + 25 * part, 1025 + 25 * part)]
    assert all(safe for safe, _ in met)


@pytest.mark.parametrize("model", ["imm", "c11", "x86", "arm8"])
def test_all_models(model: str) -> None:
    """Also those of which nothing is known that one execution tells of many choices."""
    for seed in range(3):
        test = interesting(random.Random(seed), "rc11", most=3)
        safe, expected = minimal(test, model)
        found = porf.orders(test, model)
        assert found.verdict == ("safe" if safe else "unsafe")
        assert bool(found.choices) == bool(expected)
        if found.choices and found.monotone:
            assert tuple(found.orders().values()) in expected
        elif found.choices:
            assert locally_minimal(found, test, model)


def locally_minimal(found: porf.Orders, test: porf.programs.litmus.LitmusTest, model: str) -> bool:
    from tests.synthesis.random_tests import is_below, is_safe

    sites = found.space.sites
    orders = tuple(found.orders().values())
    written = tuple(site.strength for site in sites)
    if not is_safe(test, sites, orders, model):
        return False
    for n, site in enumerate(sites):
        for weaker in site.legal():
            other = (*orders[:n], weaker, *orders[n + 1 :])
            if weaker == orders[n] or not site.is_as_strong(orders[n], weaker):
                continue
            if found.verdict == "unsafe" and not is_below(sites, written, other):
                continue
            if is_safe(test, sites, other, model):
                return False
    return True


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2000, 2600))
def test_larger_random_tests(seed: int) -> None:
    compare(seed, "rc11", most=5, strongest=seed % 2 == 0)
