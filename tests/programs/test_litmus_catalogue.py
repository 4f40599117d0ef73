"""340 litmus tests whose observations are known, run by the reference interpreter under SC.

They are not part of the repository: they stand beside it, in ../shared/litmus, or where PORF_LITMUS says.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porf.programs.litmus import observe, read_litmus
from tests.programs.interleavings import run

ROOT = Path(os.environ.get("PORF_LITMUS", Path(__file__).parents[3] / "shared" / "litmus"))
TESTS = sorted((ROOT / "c").glob("*.litmus"))

pytestmark = pytest.mark.skipif(not TESTS, reason="no catalogue of litmus tests beside the repository")


def known(model: str) -> dict[str, tuple[str, int]]:
    """Test -> its observation and its number of states."""
    rows = [line.split("\t") for line in (ROOT / "c.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return {name: (observation, int(states)) for name, of, observation, states in rows if of == model}


@pytest.mark.parametrize("shard", range(4))
def test_states_and_observations_under_sc(shard: int) -> None:
    expected = known("sc")
    assert {path.stem for path in TESTS} == expected.keys()
    for path in TESTS[shard::4]:
        test = read_litmus(path.read_text(encoding="utf-8"), str(path))
        seen = observe(test, dict.fromkeys(run(test.program).states, 1))
        assert test.name == path.stem
        assert (seen.observation, len(seen.states)) == expected[test.name], test.name
