"""The numbers of executions that the papers print for their programs, which are in examples/programs."""

from __future__ import annotations

from math import comb, factorial
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.python import load_programs
from tests.exploration.reference import classes

FOLDER = Path(__file__).parents[2] / "examples" / "programs"

# program, parameter, value -> executions under ra
COUNTS = [
    *(("n_writers_a_reader", "n", n, n + 1) for n in (1, 10, 50)),
    *(("redundant_co", "n", n, 3 * n * n + 3 * n + 1) for n in (1, 5, 20)),
    *(("readers", "n", n, 2**n) for n in (1, 8, 15)),
    *(("ainc", "n", n, factorial(n)) for n in (1, 5, 8)),
    *(("sigma", "n", n, factorial(n)) for n in (1, 5, 7)),
    ("fib_bench", "n", 4, 34205),
    ("fib_bench", "n", 5, 525630),
    ("lastzero", "n", 15, 147456),
    ("indexer", "n", 12, 8),
    ("indexer", "n", 15, 4096),
    *(("control_flow", "n", n, 2**n + 2 * n + 1) for n in (6, 8, 10, 12)),
    *(("exponential_bug", "n", n, printed + 3) for n, printed in ((6, 15601), (7, 22841), (8, 32313), (9, 44428))),
    *(("filesystem", "t", t, 2 ** (t - 13)) for t in (16, 19, 22, 25)),
    *(("pthread_demo", "loops", n, comb(2 * n, n)) for n in (1, 5, 8)),
]


@pytest.mark.parametrize(("name", "parameter", "value", "executions"), COUNTS)
def test_numbers_of_executions(name: str, parameter: str, value: int, executions: int) -> None:
    [program] = load_programs(str(FOLDER / f"{name}.py"), [name], {parameter: value})
    found = explore(program, "ra")
    assert (found.verdict, found.executions, found.blocked) == ("safe", executions, 0)


@pytest.mark.parametrize(("name", "n", "executions"), [("fib_bench", 4, 19605), ("lastzero", 8, 704)])
def test_numbers_of_executions_under_sc(name: str, n: int, executions: int) -> None:
    """lastzero has (N + 3) · 2^(N - 2) executions under both models: 147456 for N = 15."""
    [program] = load_programs(str(FOLDER / f"{name}.py"), [name], {"n": n})
    found = explore(program, "sc")
    assert (found.verdict, found.executions, found.blocked) == ("safe", executions, 0)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_exponential_bug_has_three_executions_more_than_printed(n: int) -> None:
    """The difference does not hang on n, and brute force is with exploration."""
    [program] = load_programs(str(FOLDER / "exponential_bug.py"), parameters={"n": n})
    complete, blocked = classes(program, "ra")
    assert (explore(program, "ra").executions, 0) == (len(complete), len(blocked))
