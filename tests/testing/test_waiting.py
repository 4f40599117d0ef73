"""Runs find threads that wait for ever, also where an older write would have let them go on, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf._core import BugReport
from porf.exploration.request import request_of
from porf.exploration.run import Plan as Exploration
from porf.exploration.run import run as explored
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import kept_models, request_for, settings_of
from porf.testing.run import Plan, run
from tests.exploration.random_waits import random_waits
from tests.seeds import seeds


def kinds(bugs: list[BugReport]) -> set[str]:
    return {bug.kind.name for bug in bugs}


def kinds_of_executions(program: Program, model: str) -> set[str]:
    request = request_of(program, find_model(model), keep_going=True, liveness=True)
    return kinds(explored(request, Exploration(keep_going=True)).findings.bugs)


def kinds_of_runs(program: Program, model: str, shorts: int, expected: set[str]) -> set[str]:
    found: set[str] = set()
    request = request_for(program, find_model(model), keep_going=True, liveness=True)
    for seed in range(12):
        how = settings_of("mix", 3, "mix", seed, 10_000, 1)
        how.shorts = shorts
        found |= kinds(run(request, Plan(how=how, runs=500 if seed < 6 else 5000)).findings.bugs)
        if found >= expected:
            break
    return found


@pytest.mark.parametrize("shorts", [200, 0])
@pytest.mark.parametrize("model", kept_models())
@pytest.mark.parametrize("first", seeds(4, 30))
def test_runs_wait_for_ever_as_executions_do(model: str, shorts: int, first: int) -> None:
    for seed in range(10 * first, 10 * first + 10):
        program = random_waits(seed, sc=model != "rc20")
        expected = kinds_of_executions(program, model)
        found = kinds_of_runs(program, model, shorts, expected if model != "wra" else set())
        # Under WRA threads may rely on different last writes, which runs do not try.
        assert found <= expected if model == "wra" else found == expected, (program.name, model)


# A queue lock whose threads take their own node again: who comes second may see it held, or still free.
REUSED = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int held[3], tail = 2;
void *f(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < 2; i++) {
    atomic_store_explicit(&held[me], 1, memory_order_relaxed);
    int before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (before != me && atomic_load_explicit(&held[before], memory_order_acquire)) {
    }
    atomic_store_explicit(&held[me], 0, memory_order_release);
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
"""


@pytest.mark.parametrize("model", kept_models())
def test_a_thread_may_see_the_newest_and_wait_though_an_older_write_would_do(tmp_path: Path, model: str) -> None:
    (tmp_path / "reused.c").write_text(REUSED)
    found = porf.test(tmp_path / "reused.c", model, runs=2000, liveness=True)
    assert [bug.kind for bug in found.bugs] == ["deadlock"]
    again = porf.test(tmp_path / "reused.c", model, liveness=True, replay=found.bugs[0].token)
    assert [bug.kind for bug in again.bugs] == ["deadlock"]


PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"


@pytest.mark.parametrize("shorts", [200, 0])
@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc11"])
def test_nobody_is_stuck_in_a_loop_that_another_iteration_would_leave(model: str, shorts: int) -> None:
    """An exchange that changed nothing was followed by a read of a lock that is free: the exchange must come again."""
    program = porf.load_program(PROGRAMS / "mutex.c", defines={"N": 3, "ROUNDS": 2})
    assert isinstance(program, Program)
    how = settings_of("mix", 3, "mix", 0, 10_000, 1)
    how.shorts = shorts
    found = run(request_for(program, find_model(model), keep_going=True), Plan(how=how, runs=1000))
    assert (found.findings.complete, found.findings.blocked, found.waiting) == (1000, 0, 0)
