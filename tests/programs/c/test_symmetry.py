"""Which threads of programs in C are explored up to permutation, and which are told apart: the counts say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.c import read_c

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#define N 3\n"
MAIN = """
int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
"""
GLOBALS = "atomic_int x, y; int plain; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"


def found(tmp_path: Path, body: str, model: str = "rc11", main: str = MAIN, **options: Any) -> Exploration:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}{GLOBALS}{body}{main}")
    return explore(read_c(str(path)), model, **options)


def both(tmp_path: Path, body: str, model: str = "rc11", main: str = MAIN, **options: Any) -> tuple[int, int]:
    """How many executions there are up to symmetry and in all; in all there are as many as without symmetry."""
    some = found(tmp_path, body, model, main, self_check=True, **options)
    all_of_them = found(tmp_path, body, model, main, symmetry=False, **options)
    assert (some.executions, some.blocked, some.verdict) == (
        all_of_them.executions,
        all_of_them.blocked,
        all_of_them.verdict,
    )
    assert {bug.kind for bug in some.bugs} == {bug.kind for bug in all_of_them.bugs}
    assert not some.duplicates and not some.statistics["dead"] and all_of_them.up_to_symmetry is None
    return some.executions if some.up_to_symmetry is None else some.up_to_symmetry, some.executions


ALIKE = {
    "an argument that is never used": ("void *run(void *a) { x++; return 0; }", 1, 6),
    "one that is only compared, and alike": (
        "void *run(void *a) { if ((long)a < 10) x++; else y++; return 0; }",
        1,
        6,
    ),
    "and told apart by the first thread": (
        "void *run(void *a) { long n = (long)a; x++; for (long i = 0; i < 2 && n + 1 < 2; i++) y++; return 0; }",
        3,
        6,
    ),
    "in a function that is called": (
        "__attribute__((noinline)) void act(long n) { if (n * 2 + 1 != 99) x++; }"
        "void *run(void *a) { act((long)a); return 0; }",
        1,
        6,
    ),
    "mutexes": ("void *run(void *a) { pthread_mutex_lock(&m); plain++; pthread_mutex_unlock(&m); return 0; }", 1, 6),
    "objects of their own": (
        "struct node { struct node *next; }; _Atomic(struct node *) top;"
        "void *run(void *a) { struct node *n = malloc(sizeof *n); n->next = atomic_load(&top);"
        "  while (!atomic_compare_exchange_strong(&top, &n->next, n)); return 0; }",
        8,
        48,
    ),
    "objects of their own, which begin with zeros": (
        "struct node { atomic_int go; }; _Atomic(struct node *) tail;"
        "void *run(void *a) { struct node *n = calloc(1, sizeof *n), *b = atomic_exchange(&tail, n);"
        "  if (b) atomic_store(&b->go, 1); atomic_load(&n->go); return 0; }",
        4,
        24,
    ),
    "what one reads in its object, and another only finds there": (
        "struct node { atomic_int go; }; _Atomic(struct node *) slot;"
        "void *run(void *a) { if ((long)a % 2 == 0) {"
        "    struct node *n = calloc(1, sizeof *n); atomic_store(&slot, n); atomic_load(&n->go);"
        "  } else { struct node *p = atomic_load(&slot); if (p) atomic_store(&p->go, 1); } return 0; }",
        3,
        5,
    ),
    "readers and writers in turn": (
        "void *run(void *a) { if ((long)a % 2) x++; else atomic_load(&x); return 0; }",
        3,
        4,
    ),
}


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_threads_that_are_alike(tmp_path: Path, model: str, name: str) -> None:
    body, few, many = ALIKE[name]
    assert both(tmp_path, body, model) == (few, many)


START = "pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, 0);"
COUNTS = "void *run(void *a) { return (void *)(long)(x++); }"
PLAIN = "void *run(void *a) { x++; return 0; }"
APART = {
    "an argument that is stored": ("void *run(void *a) { atomic_exchange(&x, (int)(long)a); return 0; }", MAIN),
    "an argument that decides": ("void *run(void *a) { if ((long)a == 1) y++; x++; return (void *)0; }", MAIN),
    "an argument that is returned": ("void *run(void *a) { x++; return a; }", MAIN),
    "the thread's number": (
        "void *run(void *a) { x++; if (pthread_self() == 2) y++; return 0; }",
        f"int main(void) {{ {START} for (int i = 0; i < N; i++) pthread_join(t[i], 0); }}",
    ),
    "events between the starts": (
        PLAIN,
        "int main(void) { pthread_t t[2]; pthread_create(t, 0, run, 0); x++; pthread_create(t + 1, 0, run, 0); }",
    ),
    "what threads return": (
        COUNTS,
        f"int main(void) {{ {START} void *r = 0; pthread_join(t[0], &r); if (r) y = 1;"
        " pthread_join(t[1], 0); pthread_join(t[2], 0); }",
    ),
    "events between the joins": (
        PLAIN,
        f"int main(void) {{ {START} pthread_join(t[0], 0); atomic_load(&x); pthread_join(t[1], 0); }}",
    ),
    "one is not joined": (PLAIN, f"int main(void) {{ {START} pthread_join(t[0], 0); atomic_load(&x); }}"),
    "a barrier": (
        "pthread_barrier_t b; void *run(void *a) { x++; if (pthread_barrier_wait(&b)) y++; return 0; }",
        f"int main(void) {{ pthread_barrier_init(&b, 0, N); {START} }}",
    ),
}


@pytest.mark.parametrize("name", APART)
@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_that_are_told_apart(tmp_path: Path, name: str, jobs: int) -> None:
    body, main = APART[name]
    few, many = both(tmp_path, body, main=main, jobs=jobs)
    assert few == many > 1 or name in ("an argument that decides", "events between the starts")
    if name == "an argument that decides":
        assert few < many  # the other two are alike


def test_what_is_told_apart_is_explored_from_the_beginning_with_a_checkpoint(tmp_path: Path) -> None:
    body, main = APART["events between the joins"]
    whole = found(tmp_path, body, main=main, symmetry=False)
    saved = tmp_path / "it.checkpoint"
    assert found(tmp_path, body, main=main, checkpoint=saved, limit=4).verdict == "undecided"
    assert found(tmp_path, body, main=main, checkpoint=saved).executions == whole.executions
    body, main = APART["what threads return"]
    wrong = "void *run(void *a) { long n = x++; assert(n < 2); return (void *)n; }"
    bug = found(tmp_path, wrong, main=main).bugs[0]
    again = found(tmp_path, wrong, main=main, replay=bug.token)
    assert again.replayed and [b.kind for b in again.bugs] == ["assertion"]


SLOW = "void *run(void *a) { x++; int n = y; y = n + 1; x++; return 0; }"


def test_processes_and_checkpoints_find_the_same(tmp_path: Path) -> None:
    alone = found(tmp_path, SLOW)
    assert alone.up_to_symmetry is not None and alone.executions > alone.up_to_symmetry
    shared = found(tmp_path, SLOW, jobs=2)
    assert (shared.executions, shared.up_to_symmetry) == (alone.executions, alone.up_to_symmetry)
    saved = tmp_path / "it.checkpoint"
    found(tmp_path, SLOW, checkpoint=saved, limit=10)
    rest = found(tmp_path, SLOW, checkpoint=saved)
    assert (rest.executions, rest.up_to_symmetry) == (alone.executions, alone.up_to_symmetry)
    assert alone.statistics["repeated"] == rest.statistics["repeated"]


def test_bugs_of_symmetric_threads_are_found_and_replayed(tmp_path: Path) -> None:
    wrong = "void *run(void *a) { int n = x; x = n + 1; return 0; }"
    main = MAIN.replace("return 0;", "assert(x == N); return 0;")
    for symmetry in (True, False):
        bug = found(tmp_path, wrong, main=main, symmetry=symmetry).bugs[0]
        again = found(tmp_path, wrong, main=main, symmetry=symmetry, replay=bug.token)
        assert again.replayed and again.bugs[0].kind == bug.kind == "assertion"
    racy = found(tmp_path, "void *run(void *a) { plain = 1; return 0; }", keep_going=True)
    assert [bug.kind for bug in racy.bugs] == ["data race"]


def test_deadlocks_and_loops_that_wait_forever_are_found(tmp_path: Path) -> None:
    both_locks = "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER; void *run(void *a) { pthread_mutex_lock(&m);" + (
        " if (x++ == 1) return 0; pthread_mutex_unlock(&m); return 0; }"
    )
    assert "deadlock" in {bug.kind for bug in found(tmp_path, both_locks, keep_going=True).bugs}
    waits = "void *run(void *a) { if (x++ == 2) while (!y); return 0; }"
    both(tmp_path, waits, keep_going=True, liveness=True)
    assert found(tmp_path, waits, liveness=True).verdict == "unsafe"


def test_modification_orders_count_in_each_permutation(tmp_path: Path) -> None:
    body = "void *run(void *a) { int n = y; x = 1; y = n + 1; return 0; }"
    few, many = both(tmp_path, body, equivalence="mo")
    assert few < many


def test_the_report_says_both_numbers(tmp_path: Path) -> None:
    some = found(tmp_path, PLAIN)
    assert "1 complete execution up to symmetry, 6 in all" in some.report()
    assert (some.record()["up_to_symmetry"], some.record()["executions"]) == (1, 6)
    everything = found(tmp_path, PLAIN, symmetry=False)
    assert "6 complete executions (" in everything.report() and "up_to_symmetry" not in everything.record()
