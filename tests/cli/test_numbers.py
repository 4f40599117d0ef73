"""Numbers on the command line and in calls that nobody can count with: refused, by name, before anything begins."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import porf
from porf.errors import UsageError
from porf.generate import broken, coherence, interleaving, random_graph, triangle, weak
from tests.cli.calling import refused

LITMUS = str(Path(__file__).parents[2] / "examples" / "litmus" / "MP.litmus")
LARGE = str(2**63)
CALLS = {
    "check": ["check", "good.txt", "-m", "ra"],
    "explore": ["explore", LITMUS, "-m", "ra"],
    "test": ["test", LITMUS, "-m", "ra"],
    "stress": ["stress", "--rounds", "1"],
    "compare": ["compare", "sc", "tso"],
    "interleaving": ["generate", "interleaving"],
    "weak": ["generate", "weak"],
    "coherence": ["generate", "coherence"],
    "triangle": ["generate", "triangle", "--nodes", "3", "--probability", "0.5"],
}
WRONG = [
    ("check", "--steps", LARGE),
    ("check", "--seconds", "nan"),
    ("check", "--seconds", "inf"),
    ("check", "--seconds", "1e300"),
    ("check", "--seconds", "-1"),
    ("check", "--memory", str(2**44)),
    ("check", "--steps", "9" * 5000),
    ("explore", "--limit", LARGE),
    ("explore", "--unroll", LARGE),
    ("test", "--runs", LARGE),
    ("test", "--seed", "-1"),
    ("test", "--seed", str(2**64)),
    ("stress", "--seed", "-1"),
    ("stress", "--seconds", "nan"),
    ("stress", "--ops", LARGE),
    ("compare", "--seconds", "nan"),
    ("compare", "--events", LARGE),
    ("interleaving", "--seed", "-1"),
    ("interleaving", "--events", LARGE),
    ("interleaving", "--events", "-1"),
    ("interleaving", "--reads", "nan"),
    ("weak", "--window", LARGE),
    ("weak", "--updates", "-inf"),
    ("coherence", "--seed", LARGE + "0"),
    ("coherence", "--reads", "nan"),
    ("triangle", "--seed", "-1"),
    ("triangle", "--seed", "x"),
]


@pytest.mark.parametrize(("verb", "option", "value"), WRONG)
@pytest.mark.usefixtures("files")
def test_numbers_that_are_refused(verb: str, option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, *CALLS[verb], f"{option}={value}")
    assert len(said) < 500
    assert option.lstrip("-") in said


def test_numbers_in_calls() -> None:
    execution = porf.loads("T0 w x 1\nT0 w x 2\nT1 r x 1")
    calls: list[Callable[[], object]] = [
        lambda: porf.check(execution, "ra", seconds=math.inf),
        lambda: porf.check(execution, "ra", steps=2**63),
        lambda: porf.test(LITMUS, "ra", seed=-1),
        lambda: porf.explore(LITMUS, "ra", limit=2**64),
        lambda: broken(execution, seed=-1),
        lambda: interleaving(3, seed=2**64),
        lambda: weak(3, seed=-1),
        lambda: coherence(3, 2, 2, seed=-1),
        lambda: triangle(nodes=3, probability=1, seed=-1),
        lambda: random_graph(3, 0.5, seed=-2),
    ]
    for call in calls:
        with pytest.raises(UsageError):
            call()
    assert len(interleaving(3, seed=2**64 - 1)) == 3
