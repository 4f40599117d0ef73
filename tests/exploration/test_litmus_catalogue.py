"""Observations of litmus tests: our own classics, and 340 tests whose observations herd has told.

These are not part of the repository: they stand beside it, in ../shared/litmus, or where PORF_LITMUS says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.litmus import Observation
from tests.programs.test_litmus_catalogue import TESTS, known

LITMUS = Path(__file__).parents[2] / "examples" / "litmus"

# test -> what is observed under sc, ra and rc20, and the models under which it fails
CLASSICS = {
    "SB": ("Never", "Sometimes", "Sometimes", ""),
    "SB+fences": ("Never", "Sometimes", "Never", "ra"),  # ra has no use for fences
    "MP": ("Never", "Never", "Never", ""),
    "MP+relaxed": ("Never", "Never", "Sometimes", ""),
    "MP+rel-rlx": ("Never", "Never", "Sometimes", ""),
    "LB": ("Never", "Never", "Never", ""),
    "IRIW": ("Never", "Sometimes", "Sometimes", ""),
    "2+2W": ("Never", "Sometimes", "Sometimes", ""),
    "CoRR": ("Always", "Always", "Always", ""),
    "CoWW": ("Always", "Always", "Always", ""),
    "WRC": ("Never", "Never", "Never", ""),
    "ISA2": ("Never", "Never", "Never", ""),
    "R": ("Never", "Sometimes", "Sometimes", ""),
    "S": ("Never", "Never", "Never", ""),
    "INC": ("Always", "Always", "Always", ""),
}
MODELS = ("sc", "ra", "rc11")


def observed(path: Path, model: str) -> Observation:
    found = explore(path, model)
    assert found.finished and found.blocked == 0, path.stem
    assert found.observation is not None
    assert found.verdict == ("unsafe" if found.observation.failed or found.bugs else "safe")
    return found.observation


def test_every_classic_is_in_the_table() -> None:
    assert sorted(path.stem for path in LITMUS.glob("*.litmus")) == sorted(CLASSICS)


@pytest.mark.parametrize("name", CLASSICS)
def test_classics(name: str) -> None:
    *expected, failing = CLASSICS[name]
    seen = {model: observed(LITMUS / f"{name}.litmus", model) for model in ("sc", "ra", "rc20")}
    assert [s.observation for s in seen.values()] == expected
    assert [model for model, s in seen.items() if s.failed] == failing.split()


@pytest.mark.parametrize("name", CLASSICS)
def test_cpp20_and_rc11_agree_with_rc20_on_tests_without_sc_accesses(name: str) -> None:
    rc20, cpp20, rc11 = (observed(LITMUS / f"{name}.litmus", model) for model in ("rc20", "cpp20", "rc11"))
    assert (rc20.observation, set(rc20.states)) == (cpp20.observation, set(cpp20.states))
    # But for this one, in which the release sequences of C++11 make a difference.
    assert (set(rc20.states) == set(rc11.states)) == (name != "MP+rel-rlx")


@pytest.mark.skipif(not TESTS, reason="no catalogue of litmus tests beside the repository")
@pytest.mark.parametrize("shard", range(2))
@pytest.mark.parametrize("model", MODELS)
def test_states_and_observations_of_the_catalogue(model: str, shard: int) -> None:
    expected = known(model)
    assert {path.stem for path in TESTS} == expected.keys()
    wrong = {}
    for path in TESTS[shard::2]:
        seen = observed(path, model)
        if (seen.observation, len(seen.states)) != expected[path.stem]:
            wrong[path.stem] = (seen.observation, len(seen.states)), expected[path.stem]
    assert not wrong
