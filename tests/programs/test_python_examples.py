"""The programs in examples/programs compile, and their interleavings are as many and as safe as they say."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.python import load_programs
from tests.programs.interpreter import run

FOLDER = Path(__file__).parents[2] / "examples" / "programs"
FILES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_has_programs(path: Path) -> None:
    programs = load_programs(str(path))
    assert programs
    for program in programs:
        assert program.source == str(path)
        places = [i.place for t in program.templates for i in t.code]
        assert all(place is not None and place.file == str(path) for place in places)


@pytest.mark.parametrize(
    ("name", "sizes", "formula"),
    [
        ("n_writers_a_reader", (1, 3, 5), lambda n: n + 1),
        ("redundant_co", (1, 2, 3), lambda n: 3 * n * n + 3 * n + 1),
        ("readers", (1, 3, 6), lambda n: 2**n),
        ("ainc", (1, 3, 5), factorial),
        ("sigma", (1, 2, 4), factorial),
        ("control_flow", (1, 2, 3), lambda n: 2**n + 2 * n + 1),
    ],
)
def test_counts_of_the_papers(name: str, sizes: tuple[int, ...], formula: Callable[[int], int]) -> None:
    for n in sizes:
        [program] = load_programs(str(FOLDER / f"{name}.py"), [name], {"n": n})
        outcome = run(program)
        assert (len(outcome.complete), len(outcome.blocked), outcome.bugs) == (formula(n), 0, set())


@pytest.mark.parametrize("loops", [1, 2, 3])
def test_pthread_demo(loops: int) -> None:
    [program] = load_programs(str(FOLDER / "pthread_demo.py"), parameters={"loops": loops})
    outcome = run(program)
    assert len(outcome.complete) == comb(2 * loops, loops)
    assert outcome.values("counter") == {2 * loops}


@pytest.mark.parametrize(
    ("file", "parameters"),
    [
        ("message_passing", {}),
        ("peterson", {}),
        ("dekker", {}),
        ("spinlock", {"n": 2}),
        ("ticket_lock", {"n": 2}),
        ("seqlock", {"writes": 2}),
        ("treiber_stack", {"n": 2}),
        ("spsc_queue", {"items": 3, "size": 2}),
        ("fib_bench", {"n": 2}),
        ("lastzero", {"n": 2}),
        ("exponential_bug", {"n": 1}),
    ],
)
def test_no_interleaving_has_a_bug(file: str, parameters: dict[str, int]) -> None:
    for program in load_programs(str(FOLDER / f"{file}.py"), parameters=parameters):
        outcome = run(program)
        assert outcome.complete
        assert outcome.bugs == set()


VERDICTS = {
    ("message_passing.py", "p"): {"ra": "safe", "rc20": "safe"},
    ("message_passing.py", "broken"): {"ra": "safe", "rc20": "unsafe"},
    ("peterson.py", "with_update"): {"ra": "safe", "rc20": "safe"},
    ("peterson.py", "with_fences"): {"rc20": "safe"},
    ("peterson.py", "one_fence"): {"rc20": "unsafe"},
    ("peterson.py", "textbook"): {"ra": "unsafe", "rc20": "unsafe"},
    ("dekker.py", "with_fence"): {"rc20": "safe"},
    ("dekker.py", "textbook"): {"ra": "unsafe", "rc20": "unsafe"},
    ("spinlock.py", "spinlock"): {"ra": "safe", "rc20": "safe"},
    ("ticket_lock.py", "ticket_lock"): {"ra": "safe", "rc20": "safe"},
    ("seqlock.py", "seqlock"): {"ra": "safe", "rc20": "safe"},
    ("treiber_stack.py", "treiber_stack"): {"ra": "safe", "rc20": "safe"},
    ("spsc_queue.py", "spsc_queue"): {"ra": "safe", "rc20": "safe"},
    ("ainc.py", "ainc_checked"): {"ra": "safe", "rc20": "safe"},
}


@pytest.mark.parametrize(("file", "name"), VERDICTS)
def test_examples_are_as_safe_as_they_say(file: str, name: str) -> None:
    for model, verdict in VERDICTS[file, name].items():
        [program] = load_programs(str(FOLDER / file), [name])
        assert explore(program, model).verdict == verdict, model
