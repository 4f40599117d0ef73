"""Executions that only wait are left out, and nothing else: random programs with and without them, guesses that turn
out wrong, and how few are left on the programs that people wait in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import porf
from porf._core import Task, Unique
from porf.exploration.classes import class_of
from porf.exploration.request import request_of
from porf.exploration.run import Guesses, Plan, Totals, run
from porf.models.registry import find_model
from porf.programs.c import read_c
from porf.programs.form import Program
from tests.exploration.random_odd_waits import random_odd_waits
from tests.exploration.random_waits import random_locks, random_waits
from tests.seeds import seeds

LIMIT = 6000  # executions; larger programs are left out
BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "programs"


def explored(program: Program, model: str, unroll: int | None = None, **flags: Any) -> Totals:
    request = request_of(program, find_model(model), keep_going=True, unroll=unroll, collect=True, **flags)
    totals = run(request, Plan(keep_going=True, limit=LIMIT))
    assert totals.findings.dead == 0
    return totals


def found(program: Program, totals: Totals) -> tuple[Counter[Any], set[Any]]:
    """The classes of complete executions, and the kinds of bugs."""
    findings = totals.findings
    return Counter(class_of(program, rows) for rows in findings.executions), {bug.kind for bug in findings.bugs}


@pytest.mark.parametrize("model", ["ra", "rc11", "cpp20", "relaxed", "rc20", "sc", "tso", "sra"])
@pytest.mark.parametrize("seed", seeds(4, 60))
def test_what_is_left_out_shows_nothing(seed: int, model: str) -> None:
    wrong: Counter[str] = Counter()
    for n in range(seed * 100, seed * 100 + 100):
        program = random_waits(n, sc=model != "rc20" and n % 2 == 0)
        whole = explored(program, model, all_blocked=True)
        if whole.remaining:
            continue
        totals = explored(program, model)
        assert found(program, totals) == found(program, whole), (n, model)
        assert totals.findings.blocked <= whole.findings.blocked, (n, model)
        wrong["woken"] += not totals.guesses.woken
        wrong["unique"] += totals.guesses.unique is not Unique.ALL
        wrong["fewer"] += totals.findings.blocked < whole.findings.blocked
    assert wrong["unique"] and wrong["fewer"] > 20
    assert wrong["woken"] or model != "ra"
    assert not wrong["woken"] or model not in ("relaxed", "sc", "tso", "sra")


@pytest.mark.parametrize("model", ["ra", "rc11", "relaxed", "sc", "tso"])
@pytest.mark.parametrize("seed", seeds(2, 30))
def test_what_is_left_out_of_odd_loops_shows_nothing(seed: int, model: str) -> None:
    fewer = 0
    for n in range(seed * 100, seed * 100 + 100):
        program = random_odd_waits(n, sc=n % 2 == 0)
        whole = explored(program, model, unroll=6, all_blocked=True)
        if whole.remaining or whole.findings.cut:
            continue
        totals = explored(program, model, unroll=6)
        assert found(program, totals) == found(program, whole), (n, model)
        fewer += totals.findings.blocked < whole.findings.blocked
    assert fewer > 20


@pytest.mark.parametrize("model", ["ra", "rc11", "relaxed", "rc20", "cpp20"])
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_no_execution_is_lost_of_locks_that_are_taken_again_and_again(seed: int, model: str) -> None:
    """A thread that has been woken may be overtaken by the one that gave the lock back, where that orders nothing."""
    fewer = 0
    for n in range(seed * 40, seed * 40 + 40):
        program = random_locks(n)
        whole = explored(program, model, all_blocked=True)
        if whole.remaining:
            continue
        totals = explored(program, model)
        assert found(program, totals) == found(program, whole), (n, model)
        fewer += totals.findings.blocked < whole.findings.blocked
    assert fewer > 10


@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_with_sc_accesses_a_thread_may_have_to_sleep_on_although_the_lock_is_free(model: str) -> None:
    program = random_waits(5362, sc=True)
    assert found(program, explored(program, model)) == found(program, explored(program, model, all_blocked=True))


def first_wrong() -> Program:
    """A program for which both guesses are wrong."""
    for n in range(1000):
        program = random_waits(n, sc=False, most=9)
        totals = explored(program, "ra")
        if not totals.remaining and not totals.guesses.woken and totals.guesses.unique is not Unique.ALL:
            return program
    raise AssertionError("there is none")


def test_a_wrong_guess_is_taken_back_by_jobs_and_in_checkpoints(tmp_path: Path) -> None:
    program = first_wrong()
    request = request_of(program, find_model("ra"), keep_going=True)
    alone = run(request, Plan(keep_going=True))
    shared = run(request, Plan(keep_going=True, jobs=2))
    assert shared.findings.complete == alone.findings.complete and shared.guesses.woken == alone.guesses.woken
    saved = Plan(keep_going=True, checkpoint=tmp_path / "saved", limit=20)
    for _ in range(alone.done):
        totals = run(request, saved)
        if not totals.remaining:
            break
    assert totals.findings.complete == alone.findings.complete
    assert totals.guesses == alone.guesses != Guesses()


def test_a_guess_has_no_effect_on_paths() -> None:
    """What is explored under a guess is a part of the tree without it: a path leads to the same execution."""
    for n in range(0, 200, 7):
        program = random_waits(n, sc=True)
        bare = explored(program, "rc11", guess_woken=False, guess_unique=Unique.NONE)
        guessed = explored(program, "rc11")
        if bare.remaining or not guessed.findings.bugs:
            continue
        request = request_of(program, find_model("rc11"), keep_going=True, guess_woken=False, guess_unique=Unique.NONE)
        for bug in guessed.findings.bugs:
            again = run(request, Plan(keep_going=True, limit=1), [Task(bug.path, len(bug.path))])
            assert bug.kind in {b.kind for b in again.findings.bugs}


@pytest.mark.parametrize(
    ("name", "parameters", "executions"),
    [
        ("spinlock", "-DN=4", 24),
        ("ttas-lock", "-DN=4", 576),
        ("ticket-mutex", "-DN=5", 120),
        ("mcs-lock", "-DN=4", 1080),
        ("clh", "-DN=4", 24),
        ("twa-lock", "-DN=3", 96),
        ("barrier", "-DN=3", 6),
        ("linux-rwlocks", "-DN=2", None),
        ("mpmc-queue", "-DBOTH=2", None),
        ("ms-queue", "-DBOTH=3", 1368),
    ],
)
def test_waiting_wastes_little(name: str, parameters: str, executions: int | None) -> None:
    result = porf.explore(read_c(str(BENCHMARKS / f"{name}.c"), [parameters]), "rc11")
    assert result.verdict == "safe"
    assert executions is None or result.executions == executions
    assert result.blocked <= result.executions


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize(
    ("name", "parameters"), [("ticket-mutex", "-DN=5"), ("barrier", "-DN=3"), ("mcs-lock", "-DN=3")]
)
def test_waiting_wastes_little_where_all_events_are_in_one_order(model: str, name: str, parameters: str) -> None:
    result = porf.explore(read_c(str(BENCHMARKS / f"{name}.c"), [parameters]), model)
    assert result.verdict == "safe"
    assert result.blocked <= result.executions // 2


def test_a_race_of_an_iteration_that_waits_is_found(tmp_path: Path) -> None:
    """The thread waits for a flag that another one first clears by a plain store: only an iteration that waits meets it
    before the release."""
    text = """
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int flag;
    void *clear(void *x) {
        *(int *)&flag = 0;
        atomic_store_explicit(&flag, 1, memory_order_release);
        return 0;
    }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, clear, 0);
        while (atomic_load_explicit(&flag, memory_order_acquire) != 1);
        return 0;
    }
    """
    path = tmp_path / "program.c"
    path.write_text(text)
    result = porf.explore(read_c(str(path)), "rc11")
    assert [bug.kind for bug in result.bugs] == ["data race"]


THREADS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_spin_end(int);
atomic_int x;
%s
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["sc", "rc11", "ra"])
@pytest.mark.parametrize(
    "update", ["int e = 0, old = atomic_compare_exchange_strong(&x, &e, 1)", "int old = !atomic_exchange(&x, 1)"]
)
def test_what_an_iteration_changes_before_it_is_said_to_end_is_seen(
    tmp_path: Path, update: str, model: str, strategy: str
) -> None:
    """The first thread goes no further, but the second one meets its write."""
    path = tmp_path / "program.c"
    threads = f"""void *one(void *p) {{ {update}; __VERIFIER_spin_end(!old); return 0; }}
    void *two(void *p) {{ assert(x == 0); return 0; }}"""
    path.write_text(THREADS % threads)
    result = porf.explore(read_c(str(path)), model, strategy=strategy, keep_going=True)
    assert [bug.kind for bug in result.bugs] == ["assertion"] and result.executions == 0


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "cpp20", "ra"])
@pytest.mark.parametrize(("last", "executions"), [(1, 1), (0, 0)])
def test_a_loop_may_wait_with_a_compare_exchange_that_stores_what_is_there(
    tmp_path: Path, last: int, executions: int, model: str, strategy: str
) -> None:
    path = tmp_path / "program.c"
    threads = f"""void *one(void *p) {{
        int e = 0;
        while (atomic_compare_exchange_strong(&x, &e, 0)) e = 0;
        assert(e == 1);
        return 0;
    }}
    void *two(void *p) {{ atomic_store(&x, {last}); return 0; }}"""
    path.write_text(THREADS % threads)
    result = porf.explore(read_c(str(path)), model, strategy=strategy)
    assert result.verdict == "safe" and result.executions == executions
