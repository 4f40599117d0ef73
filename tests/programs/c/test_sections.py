"""Mutexes in C: sections that share nothing are not put in order, unless somebody could tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.c import read_c

C = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(code) (pthread_mutex_lock(&m), (code), pthread_mutex_unlock(&m))
int x, y, z;
atomic_int a, b;
"""

MAIN = """
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""


def program_of(first: str, second: str, main: str = MAIN, more: str = "") -> str:
    functions = (
        f"void *{name}(void *p) {{ {code} return 0; }}\n" for name, code in (("first", first), ("second", second))
    )
    return C + more + "".join(functions) + main


def found(tmp_path: Path, text: str, model: str = "rc11", **options: Any) -> Exploration:
    path = tmp_path / "program.c"
    path.write_text(text)
    return explore(read_c(str(path)), model, **options)


def both(tmp_path: Path, text: str, model: str = "rc11", **options: Any) -> tuple[Exploration, Exploration]:
    """What is explored, and with every order of sections; they must agree."""
    fewer, every = found(tmp_path, text, model, **options), found(tmp_path, text, model, lock_orders=True, **options)
    assert not every.up_to_lock_orders
    assert fewer.verdict == every.verdict
    assert [bug.kind for bug in fewer.bugs] == [bug.kind for bug in every.bugs]
    assert [bug.token for bug in fewer.bugs] == [bug.token for bug in every.bugs]
    if not fewer.up_to_lock_orders:
        assert (fewer.executions, fewer.blocked) == (every.executions, every.blocked)
    return fewer, every


@pytest.mark.parametrize("model", ["rc11", "cpp20", "ra", "sc", "tso", "x86", "sra", "wra", "rc20"])
def test_sections_that_share_nothing_have_no_order(tmp_path: Path, model: str) -> None:
    fewer, every = both(tmp_path, program_of("LOCKED(x++);", "LOCKED(y++);"), model)
    assert (fewer.executions, every.executions) == (1, 2)
    assert "1 complete execution up to the order of critical sections that commute" in fewer.report()
    assert fewer.record()["up_to_lock_orders"] is True
    assert "commute" not in every.report() and "up_to_lock_orders" not in every.record()


@pytest.mark.parametrize("model", ["relaxed", "pso"])
def test_under_some_models_all_have_one(tmp_path: Path, model: str) -> None:
    fewer, _ = both(tmp_path, program_of("LOCKED(x++);", "LOCKED(y++);"), model)
    assert fewer.executions == 2


def test_sections_that_share_something_do(tmp_path: Path) -> None:
    fewer, _ = both(tmp_path, program_of("LOCKED(x++); LOCKED(y++);", "LOCKED(x++); LOCKED(z++);"))
    assert fewer.executions == 2  # and not 6
    fewer, _ = both(tmp_path, program_of("LOCKED(x++); LOCKED((x++, y++));", "LOCKED(y++); LOCKED(z = x);"))
    assert fewer.executions == 6


def test_a_race_that_only_one_order_shows_is_found(tmp_path: Path) -> None:
    fewer, _ = both(tmp_path, program_of("z = 1; LOCKED(x++);", "LOCKED(y++); assert(z >= 0);"))
    assert [bug.kind for bug in fewer.bugs] == ["data race"]


def test_what_is_handed_over_under_a_mutex_is_no_race(tmp_path: Path) -> None:
    fewer, _ = both(
        tmp_path, program_of("z = 1; LOCKED(x = 1); LOCKED(y++);", "int r; LOCKED(r = x); if (r) assert(z == 1);")
    )
    assert (fewer.verdict, fewer.executions) == ("safe", 2)
    # Also if the section that takes it over has accessed it before it knew.
    takes = "int r; pthread_mutex_lock(&m); z++; r = x; pthread_mutex_unlock(&m);"
    fewer, _ = both(tmp_path, program_of("LOCKED((z = 1, x = 1)); LOCKED(y++);", takes))
    assert (fewer.verdict, fewer.executions) == ("safe", 2)


def test_atomic_accesses_can_tell_the_order(tmp_path: Path) -> None:
    code = "atomic_store_explicit(&{0}, 1, 0); LOCKED({2}++); z{0} = atomic_load_explicit(&{1}, 0);"
    main = MAIN.replace("return 0", "assert(za + zb > 0); return 0")
    text = program_of(code.format("a", "b", "x"), code.format("b", "a", "y"), main, "int za, zb;\n")
    fewer, _ = both(tmp_path, text)
    assert fewer.verdict == "safe" and not fewer.up_to_lock_orders


def test_atomic_accesses_in_order_do_not_matter(tmp_path: Path) -> None:
    fewer, every = both(tmp_path, program_of("LOCKED(a++); LOCKED(y++);", "LOCKED(a++); LOCKED(z++);"))
    assert (fewer.executions, every.executions) == (2, 6)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        # Nested sections, in two orders.
        ("pthread_mutex_lock(&n); LOCKED(x++); pthread_mutex_unlock(&n);",
         "pthread_mutex_lock(&m); pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
         "deadlock"),
        ("pthread_mutex_lock(&m); x++;", "LOCKED(y++);", "deadlock"),
        ("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "LOCKED(y++);", "deadlock"),
        ("LOCKED(x++); pthread_mutex_unlock(&m);", "LOCKED(y++);", "unlock of a mutex not held"),
        ("LOCKED(x++); pthread_mutex_destroy(&m);", "LOCKED(y++);", None),
        ("LOCKED((x++, assert(x == 0)));", "LOCKED(y++);", "assertion"),
        ("LOCKED(x++); y = 1;", "LOCKED(y++);", "data race"),
        ("assert(pthread_mutex_trylock(&m) == 0); x++; pthread_mutex_unlock(&m);", "LOCKED(y++);", "assertion"),
    ],
)  # fmt: skip
def test_bugs_are_those_of_all_orders(tmp_path: Path, first: str, second: str, kind: str | None) -> None:
    for keep_going in (False, True):
        fewer, _ = both(tmp_path, program_of(first, second), keep_going=keep_going)
        assert fewer.verdict == "unsafe" and (kind is None or kind in {bug.kind for bug in fewer.bugs})


OBJECTS = """
struct both { pthread_mutex_t lock; int left, right; };
struct both *o;
#define INSIDE(code) (pthread_mutex_lock(&o->lock), (code), pthread_mutex_unlock(&o->lock))
"""
MADE = "o = malloc(sizeof *o); pthread_mutex_init(&o->lock, 0); o->left = o->right = 0;"


def test_mutexes_of_allocated_objects_are_divided_too(tmp_path: Path) -> None:
    main = MAIN.replace("pthread_t t, u;", "pthread_t t, u; " + MADE).replace("return 0", "free(o); return 0")
    fewer, every = both(tmp_path, program_of("INSIDE(o->left++);", "INSIDE(o->right++);", main, OBJECTS))
    assert (fewer.executions, every.executions) == (1, 2)


def test_a_mutex_that_is_freed_while_it_is_used_is_found(tmp_path: Path) -> None:
    main = MAIN.replace("pthread_t t, u;", "pthread_t t, u; " + MADE)
    fewer, _ = both(tmp_path, program_of("INSIDE(x++); free(o);", "INSIDE(y++);", main, OBJECTS))
    assert fewer.verdict == "unsafe"


def test_processes_share_what_is_known_of_sections(tmp_path: Path) -> None:
    first = "for (int i = 0; i < 4; i++) { LOCKED(x++); LOCKED(z += i); }"
    text = program_of(first, first.replace("z +=", "y +="))
    alone, shared = (found(tmp_path, text, jobs=jobs) for jobs in (1, 2))
    assert alone.executions == shared.executions == 70
    assert alone.up_to_lock_orders and shared.up_to_lock_orders


def test_a_checkpoint_counts_all_orders(tmp_path: Path) -> None:
    text = program_of("LOCKED(x++);", "LOCKED(y++);")
    saved = found(tmp_path, text, checkpoint=tmp_path / "checkpoint")
    assert saved.executions == 2 and not saved.up_to_lock_orders


def test_places_that_conflict_late_are_learnt(tmp_path: Path) -> None:
    # Only if the second thread comes first does the first one access y.
    first = "int r; LOCKED(r = x); if (r) LOCKED(y++); LOCKED(z++);"
    fewer, every = both(tmp_path, program_of(first, "LOCKED(x = 1); LOCKED(y++);"))
    assert fewer.up_to_lock_orders and fewer.executions < every.executions
    assert fewer.executions == 3
