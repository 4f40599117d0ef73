"""Random concurrent programs in C and C++ have the executions of the same programs in the form, made without C.

A loop that tries a compare-exchange again has fewer executions in C than unrolled, but every outcome and every bug.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.exploration.classes import classes
from porf.programs.c import read_c
from porf.programs.form import Program
from tests.programs.c.concurrent_c import C
from tests.programs.c.concurrent_cxx import Cxx
from tests.programs.c.concurrent_form import program
from tests.programs.c.concurrent_fuzz import Maker

MODELS = ("sc", "tso", "ra", "rc11", "relaxed")
LIMIT = 3000  # executions; larger programs are left out


def outcomes(form: Program, model: str, spurious: bool = True) -> Counter[tuple[tuple[str, int], ...]]:
    """What the threads and main left in `out`, of each complete execution."""
    found: Counter[tuple[tuple[str, int], ...]] = Counter()
    for execution in classes(form, model, spurious=spurious)[0]:
        written = ((form.label(e[1]), e[5]) for thread in execution for e in thread if e[5] is not None)
        found[tuple(sorted((label, value) for label, value in written if label.startswith("out[")))] += 1
    return found


def judge(seed: int, folder: Path, retries: bool = False) -> str:
    """Compares the two programs of a seed under every model; says what kind of program it was."""
    maker = Maker(seed, retries)
    made = maker.program()
    language, suffix = (Cxx, "cpp") if seed % 4 == 3 else (C, "c")
    file = folder / f"seed{seed}.{suffix}"
    file.write_text(language(made, seed).text())
    translated, by_hand = read_c(str(file)), program(made)
    kind = "safe"
    for model in MODELS if maker.sc else (*MODELS, "rc20"):
        here = seed, model
        # a spurious failure is another turn, and there may be any number of them
        right = explore(by_hand, model, keep_going=True, limit=LIMIT, spurious=not retries)
        if right.verdict == "undecided":
            return "large"
        found = explore(translated, model, keep_going=True, limit=20 * LIMIT, spurious=not retries)
        assert found.finished, here
        kinds = [{bug.kind for bug in e.bugs} for e in (found, right)]
        if "data race" in kinds[1]:
            assert (here, "data race" in kinds[0]) == (here, True)
            kind = "race"
            continue
        assert (here, kinds[0]) == (here, kinds[1])
        kind = "unsafe" if kinds[0] and kind == "safe" else kind
        if retries:
            mine, theirs = outcomes(translated, model, spurious=False), outcomes(by_hand, model, spurious=False)
            assert (here, set(mine)) == (here, set(theirs))
            continue
        assert (here, found.executions, found.blocked) == (here, right.executions, right.blocked)
        assert (here, outcomes(translated, model)) == (here, outcomes(by_hand, model))
    return kind


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_executions_are_the_same(first: int, tmp_path: Path) -> None:
    kinds = Counter(judge(seed, tmp_path) for seed in range(first, first + 10))
    assert kinds["safe"] and kinds["large"] < 5


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_outcomes_of_loops_that_try_again_are_the_same(first: int, tmp_path: Path) -> None:
    kinds = Counter(judge(seed, tmp_path, retries=True) for seed in range(first, first + 10))
    assert kinds["safe"] and kinds["large"] < 5


GIVES_UP = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int data, seen;
static void *taker(void *p) {
    int v = atomic_load_explicit(&x, memory_order_acquire);
    while (v != 1)
        if (atomic_compare_exchange_strong_explicit(&x, &v, v + 2, memory_order_acq_rel, FAILURE))
            return p;
    seen = data;
    return p;
}
static void *giver(void *p) {
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, giver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""


@pytest.mark.parametrize(("failure", "verdict"), [("relaxed", "unsafe"), ("acquire", "safe")])
def test_a_failed_try_that_is_weaker_than_the_load_is_followed(failure: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "gives_up.c"
    file.write_text(GIVES_UP)
    form = read_c(str(file), [f"-DFAILURE=memory_order_{failure}"])
    assert explore(form, "rc11").verdict == verdict
    assert explore(form, "ra").verdict == "safe"


@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 2000, 25))
def test_many_executions_are_the_same(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 25):
        judge(seed, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 1500, 25))
def test_many_outcomes_of_loops_that_try_again_are_the_same(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 25):
        judge(seed, tmp_path, retries=True)
