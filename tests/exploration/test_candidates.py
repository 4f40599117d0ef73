"""Candidate executions, counted exactly: against brute force on random programs with dependencies."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from porf.exploration.candidates import explore_candidates
from porf.models.registry import find_model
from porf.programs.litmus import read_litmus
from tests.exploration.candidates_by_hand import MODELS, Graph, as_text, coherent, random_threads, sc, states


@pytest.mark.parametrize("by_hand", MODELS, ids=lambda model: model.__name__)
def test_every_execution_is_counted_once(by_hand: Callable[[Graph], bool], tmp_path: Path) -> None:
    file = tmp_path / "by-hand.cat"
    file.write_text(f'"by-hand"\n{MODELS[by_hand]}\n')
    model = find_model(str(file))
    # Without an axiom against values from nowhere, nothing may be copied: then every value is written by somebody.
    chance = random.Random(f"candidates {by_hand.__name__}")
    met: Counter[str] = Counter()
    for _ in range(40):
        threads = random_threads(chance, copies=by_hand not in (sc, coherent))
        met.update(what for steps in threads for what, *_ in steps)
        text = as_text(threads)
        found = explore_candidates(read_litmus(text), model)
        assert found.states == states(threads, by_hand), text
        assert found.executions == sum(found.states.values())
    assert {"read", "write", "swap", "address", "branch", "select"} <= met.keys()
    assert met["data"] + met["copy"] > 0
