"""909 litmus tests in assembly whose observations and numbers of states are known, under their architecture's model.

They stand beside the repository: see `test_litmus_catalogue.py`.
"""

from __future__ import annotations

import pytest

from porf.exploration.candidates import explore_candidates
from porf.models.registry import find_model
from porf.programs.litmus import read_litmus
from tests.programs.test_litmus_catalogue import ROOT

FOLDERS = {"x86_64": "x86tso", "aarch64": "aarch64", "ppc": "ppc"}

pytestmark = pytest.mark.skipif(
    not all((ROOT / folder).is_dir() for folder in FOLDERS), reason="no catalogue of litmus tests beside the repository"
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_states_and_observations(folder: str) -> None:
    rows = [line.split("\t") for line in (ROOT / f"{folder}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    expected = {test: (seen, int(states)) for test, model, seen, states in rows if model == FOLDERS[folder]}
    model = find_model(FOLDERS[folder])
    paths = sorted((ROOT / folder).glob("*.litmus"))
    assert {path.stem for path in paths} == expected.keys()
    for path in paths:
        found = explore_candidates(read_litmus(path.read_text(encoding="utf-8"), str(path)), model)
        assert found.observation is not None
        assert not found.reasons
        assert (found.observation.observation, len(found.observation.states)) == expected[path.stem], path.stem
