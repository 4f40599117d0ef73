"""`porf test` from end to end: bugs with their runs, what is said when there is none, and wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porf
from porf.cli.progress import Progress
from porf.errors import UsageError
from porf.models.registry import find_model
from porf.programs import load_program
from porf.programs.form import Program
from porf.record import replace
from porf.testing.coverage import Coverage
from porf.testing.request import request_for, settings_of
from porf.testing.run import Plan
from porf.testing.run import run as run_test
from tests.cli.calling import run

MESSAGE = "examples/programs/message_passing.py:message_passing_relaxed"
TICKET = "examples/programs/ticket_lock.py"


def test_a_bug_is_found_and_replayed() -> None:
    found = porf.test(MESSAGE, "rc20", runs=1000)
    assert found.exit_code == 1 and found.bugs[0].kind == "data race"
    again = porf.test(MESSAGE, "rc20", replay=found.bugs[0].token)
    assert [bug.kind for bug in again.bugs] == ["data race"]
    assert [*again.bugs[0].execution.words] == [*found.bugs[0].execution.words]


def test_no_bug_is_never_called_safe() -> None:
    done = run("test", TICKET, "--model", "ra", "--runs", "500")
    code, text = done.returncode, done.stdout
    assert code == 0
    assert text.startswith("ticket_lock(3): no bug in 500 runs under ra")
    assert "safe" not in text


def test_the_same_seed_makes_the_same_runs() -> None:
    a, b, c = (porf.test(TICKET, "ra", runs=300, seed=seed) for seed in (5, 5, 6))
    assert (a.events, a.coverage) == (b.events, b.coverage)
    assert a.coverage != c.coverage or a.events != c.events


def test_jobs_share_the_runs() -> None:
    found = porf.test(TICKET, "ra", runs=999, jobs=3)
    assert found.runs == 999 and found.coverage.classes == 6


def test_the_growth_of_what_was_seen() -> None:
    found = porf.test(TICKET, "ra", runs=1000)
    assert [runs for runs, _, _ in found.coverage.growth] == [2**n for n in range(10)]
    assert found.coverage.classes == porf.explore(TICKET, "ra").executions
    assert found.coverage.estimate >= found.coverage.classes


def test_what_was_met_once_and_twice_is_counted_as_runs_are_made() -> None:
    program = load_program(TICKET)
    assert isinstance(program, Program)
    for runs, jobs in ((1, 1), (7, 1), (40, 1), (500, 1), (60, 3)):
        how = settings_of("mix", 3, "mix", 1, 10_000, jobs)
        seen = run_test(request_for(program, find_model("ra"), keep_going=True), Plan(how=how, runs=runs)).coverage
        assert (seen.once, seen.twice) == (seen.met(1), seen.met(2))


def test_the_rate_of_new_classes_falls() -> None:
    coverage = porf.test(TICKET, "ra", runs=1000).coverage
    assert coverage.rates[0] == (1, coverage.growth[0][2])
    new = [
        round(rate * (runs - before))
        for (rate, _), (runs, *_), before in zip(
            coverage.rates, coverage.growth, (0, *(row[0] for row in coverage.growth)), strict=False
        )
    ]
    assert sum(new) == coverage.growth[-1][1]
    assert coverage.rates[-1][0] < 0.1 < coverage.rates[0][0]
    rows = coverage.record()["growth"]
    assert rows[0]["new_classes_per_run"] == 1 and rows[-1]["new_classes_per_run"] < 0.1
    assert rows[-1]["new_edges_per_run"] < 0.1


def test_progress_has_an_estimate_of_classes() -> None:
    told: list[tuple[int, int, Coverage]] = []
    porf.test(TICKET, "ra", seconds=0.3, progress=lambda *seen: told.append(seen))
    assert told
    runs, events, seen = told[-1]
    assert 0 < runs < events and runs == seen.complete
    assert seen.unseen == seen.once / runs
    assert seen.classes <= seen.estimate
    partly = replace(seen, once=3, twice=1)
    assert f"{partly.classes} classes of about {partly.classes + 2}, new a run: " in partly.line()
    assert " of about" not in replace(seen, once=0, twice=0).line()


def test_a_line_of_progress_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    shown = Progress()
    shown._started -= 2
    shown._shown -= 2
    shown.say("word " * 100)
    assert len(capsys.readouterr().err.strip("\r")) <= 80 + len("\x1b[K")


@pytest.mark.parametrize("model", ["power", "pso", "cc"])
def test_a_model_that_cannot_be_kept_is_named(model: str) -> None:
    with pytest.raises(UsageError, match=f"{model} cannot be kept at every read") as error:
        porf.test(TICKET, model, runs=1)
    assert error.value.hint is not None and "ra" in error.value.hint and "tso" in error.value.hint


@pytest.mark.parametrize(("option", "value"), [("scheduler", "random"), ("reading", "oldest")])
def test_unknown_ways_to_choose(option: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"unknown {option} '{value}'"):
        porf.test(TICKET, "ra", runs=1, **{option: value})  # type: ignore[arg-type]


ENDLESS = """
#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *f(void *arg) { while (1) atomic_fetch_add(&x, 1); }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }
"""


def test_a_program_that_never_ends_has_runs_that_are_cut(tmp_path: Path) -> None:
    (tmp_path / "endless.c").write_text(ENDLESS)
    done = run("test", str(tmp_path / "endless.c"), "--model", "ra", "--runs", "3", "--events", "200")
    code, text = done.returncode, done.stdout
    assert code == 3
    assert "3 of 3 runs were cut after 200 events" in text


WAITING = """
#include <stdatomic.h>
atomic_int x;
int main(void) { while (!atomic_load(&x)) {} }
"""


def test_a_loop_that_waits_leaves_the_answer_open(tmp_path: Path) -> None:
    (tmp_path / "waiting.c").write_text(WAITING)
    done = run("test", str(tmp_path / "waiting.c"), "--runs", "10")
    code, text = done.returncode, done.stdout
    assert code == 3
    assert "10 of 10 runs ended in a loop that waits: --liveness says whether for ever" in text
    assert run("test", str(tmp_path / "waiting.c"), "--runs", "10", "--liveness").returncode == 1


AWAY = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
void *f(void *arg) {
  for (int i = 0; i < 40; i++) atomic_fetch_add(&count, 1);
  return 0;
}
void *g(void *arg) {
  int before = atomic_load(&count);
  assert(atomic_load(&count) - before < 115);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i < 3 ? f : g, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
"""


@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_a_mix_holds_one_thread_back_for_long(tmp_path: Path, model: str) -> None:
    """While 115 of 120 steps of others are made: where any thread goes on, the chance is below one in 10^30."""
    (tmp_path / "away.c").write_text(AWAY)
    for seed in range(4):
        found = porf.test(tmp_path / "away.c", model, runs=30_000, seed=seed, minimise=False)
        assert [bug.kind for bug in found.bugs] == ["assertion"], seed


def test_a_program_that_does_not_compile_is_not_sent_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "broken.c").write_text("int main( { return 0; }")
    done = run("test", str(tmp_path / "broken.c"))
    assert done.returncode == 2 and "broken.c does not compile" in done.stderr
    assert "this looks like" not in done.stderr


LATE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *f(void *arg) {
  for (int i = 0; i < 400; i++) atomic_fetch_add(&x, 1), atomic_store(&y, i);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(atomic_load(&y) != 399);
}
"""


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
def test_a_bug_at_the_end_of_a_long_run_is_replayed(tmp_path: Path, model: str) -> None:
    (tmp_path / "late.c").write_text(LATE)
    found = porf.test(tmp_path / "late.c", model, runs=3)
    assert [bug.kind for bug in found.bugs] == ["assertion"] and found.events > 1600
    again = porf.test(tmp_path / "late.c", model, replay=found.bugs[0].token)
    assert [bug.kind for bug in again.bugs] == ["assertion"]


def test_litmus_states_beside_what_the_model_allows() -> None:
    done = run("test", "examples/litmus/SB.litmus", "--model", "sc", "--runs", "500", "--json")
    code, text = done.returncode, done.stdout
    states = json.loads(text)["states"]
    assert code == 0 and len(states) == 3 and all(state["allowed"] and state["runs"] for state in states)


def test_a_replay_of_another_program_is_refused() -> None:
    token = porf.test(MESSAGE, "rc20", runs=1000).bugs[0].token
    with pytest.raises(UsageError, match="does not belong"):
        porf.test(TICKET, "rc20", replay=token)


def test_a_minimised_run_is_no_longer() -> None:
    source = "examples/programs/seqlock.py"
    plain = porf.test(source, "relaxed", runs=2000, minimise=False)
    small = porf.test(source, "relaxed", runs=2000)
    assert small.bugs[0].kind == plain.bugs[0].kind == "assertion"
    assert len(small.bugs[0].execution) <= len(plain.bugs[0].execution)
    assert len(small.bugs[0].token) <= len(plain.bugs[0].token)


def test_memory_is_a_limit() -> None:
    found = porf.test("examples/programs/treiber_stack.c", "rc11", runs=200_000, memory=4096)
    assert found.exit_code == 3 and found.reasons == ("the memory is used up",)


TWICE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *f(void *arg) {
  for (int i = 0; i < 12; i++) atomic_store(&x, i);
  return 0;
}
void *g(void *arg) {
  assert(atomic_load(&x) % 8 != 3);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, g, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
"""


def test_of_several_runs_with_a_bug_a_light_one_is_shown(tmp_path: Path) -> None:
    """Some runs read the last write that is wrong, and no smaller choice leads to the first one."""
    (tmp_path / "twice.c").write_text(TWICE)
    for seed in range(4):
        found = porf.test(tmp_path / "twice.c", "sc", seed=seed, runs=1000)
        assert len(found.bugs[0].execution) == 5, seed
