"""Threads that wait for ever, and their nearest neighbours that do not: `--liveness` in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.c import read_c

HEAD = """
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define get(p) atomic_load_explicit(p, rlx)
#define put(p, v) atomic_store_explicit(p, v, rlx)
#define thread(name, ...) static void *name(void *unused) { __VA_ARGS__ return NULL; }
#define start(name) pthread_t name##_; pthread_create(&name##_, NULL, name, NULL);
#define join(name) pthread_join(name##_, NULL);
static atomic_int x, y, z;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
TWO = "int main(void) { start(one) start(two) join(one) join(two) return 0; }\n"


def explored(tmp_path: Path, text: str, model: str, liveness: bool = True, strategy: str = "trust") -> Exploration:
    path = tmp_path / "program.c"
    path.write_text(HEAD + text)
    return explore(read_c(str(path)), model, liveness=liveness, keep_going=True, strategy=strategy)


# Whatever happens, or in some execution, a thread waits for ever.
HANGS = {
    "nobody writes": "thread(one, while (!get(&x));) thread(two, put(&y, 1);)" + TWO,
    "a taken lock, by exchange": "static atomic_int l = 1; int main(void) { while (atomic_exchange(&l, 1)); }",
    "a set flag": "int main(void) { atomic_flag_test_and_set(&flag); while (atomic_flag_test_and_set(&flag)); }",
    "an addition of nothing": "int main(void) { while (!atomic_fetch_add(&x, 0)); }",
    "a disjunction that changes nothing": "int main(void) { put(&x, 3); while (atomic_fetch_or(&x, 1) != 1); }",
    "a compare-exchange that never fits": """
        int main(void) { put(&x, 1); for (int free = 0; !atomic_compare_exchange_strong(&x, &free, 1); free = 0); }""",
    "a weak compare-exchange that never fits": """
        int main(void) { put(&x, 1); for (int free = 0; !atomic_compare_exchange_weak(&x, &free, 1); free = 0); }""",
    "a lock that a thread keeps": """
        thread(one, while (atomic_exchange(&x, 1));) thread(two, while (atomic_exchange(&x, 1));)""" + TWO,
    "two threads update in vain": """
        thread(one, while (atomic_exchange(&x, 1));) thread(two, while (atomic_exchange(&x, 1));)
        int main(void) { put(&x, 1); start(one) start(two) join(one) join(two) return 0; }""",
    "two joined writers of other values": """
        thread(one, put(&x, 1);) thread(two, put(&x, 2);)
        int main(void) { start(one) start(two) join(one) join(two) while (get(&x) != 3); }""",
    "the value that may come last": """
        thread(one, put(&x, 1);) thread(two, put(&x, 2);)
        int main(void) { start(one) start(two) while (get(&x) != 2); }""",
    "a value that passes by": "thread(one, put(&x, 1); put(&x, 2);) thread(two, while (get(&x) != 1);)" + TWO,
    "two places": "thread(one, put(&x, 1);) thread(two, while (!get(&x) || !get(&y));)" + TWO,
    "each for the other": """
        thread(one, while (!get(&x)); put(&y, 1);) thread(two, while (!get(&y)); put(&x, 1);)""" + TWO,
    "one waits because the other does": """
        thread(one, while (!get(&x)); put(&y, 1);) thread(two, while (!get(&y));)""" + TWO,
    "a mutex is kept by one who waits": """
        thread(one, pthread_mutex_lock(&m); while (!get(&x)); pthread_mutex_unlock(&m);)
        thread(two, pthread_mutex_lock(&m); put(&x, 1); pthread_mutex_unlock(&m);)""" + TWO,
    "tries of a mutex that is never free": """
        thread(one, pthread_mutex_lock(&m);) thread(two, while (pthread_mutex_trylock(&m));)
        int main(void) { start(one) join(one) start(two) join(two) return 0; }""",
    "a fence in the loop": """
        thread(one, while (!get(&x)) atomic_thread_fence(acq);) thread(two, put(&y, 1);)""" + TWO,
    "a marked loop": """
        thread(one, for (;;) { __VERIFIER_spin_start(); if (get(&x)) break; __VERIFIER_spin_end(0); }) thread(two,)
        """ + TWO,
    "choices that change nothing": """
        thread(one, while (!(__VERIFIER_nondet_bool() ? get(&x) : get(&y)));) thread(two,)""" + TWO,
    "a nested loop": "thread(one, while (!get(&x)) while (!get(&y));) thread(two, put(&y, 1);)" + TWO,
    "a loop after a loop": "thread(one, while (!get(&x)); while (!get(&y));) thread(two, put(&x, 1);)" + TWO,
    "a lock that is given back once too seldom": """
        thread(one, while (atomic_exchange(&x, 1)); put(&x, 0);) thread(two, while (atomic_exchange(&x, 1));)""" + TWO,
    "an untidy end of a ticket lock": """
        thread(one, int t = atomic_fetch_add(&x, 1); while (get(&y) != t);)
        thread(two, int t = atomic_fetch_add(&x, 1); while (get(&y) != t);)""" + TWO,
    "what it waits for was lost": """
        thread(one, put(&x, get(&x) + 1);) thread(two, put(&x, get(&x) + 1);)
        int main(void) { start(one) start(two) while (get(&x) != 2); join(one) join(two) return 0; }""",
    "a retry that stops for good": """
        thread(one, int v = get(&x); do { while (v == 0) v = get(&x); }
            while (!atomic_compare_exchange_strong(&x, &v, v + 1));) thread(two,)""" + TWO,
}  # fmt: skip

# No execution, fair to all writes and threads, is without end.
ENDS = {
    "somebody writes": "thread(one, while (!get(&x));) thread(two, put(&x, 1);)" + TWO,
    "a free lock, by exchange": "static atomic_int l = 0; int main(void) { while (atomic_exchange(&l, 1)); }",
    "a clear flag": "int main(void) { while (atomic_flag_test_and_set(&flag)); }",
    "an addition of nothing, in the end": """
        thread(one, while (!atomic_fetch_add(&x, 0));) thread(two, put(&x, 1);)""" + TWO,
    "a compare-exchange that fits": """
        int main(void) { for (int free = 0; !atomic_compare_exchange_strong(&x, &free, 1); free = 0); }""",
    "a weak compare-exchange that fits": """
        int main(void) { for (int free = 0; !atomic_compare_exchange_weak(&x, &free, 1); free = 0); }""",
    "a lock that is given back": """
        thread(one, while (atomic_exchange(&x, 1)); put(&x, 0);)
        thread(two, while (atomic_exchange(&x, 1)); put(&x, 0);)""" + TWO,
    "either value will do": """
        thread(one, put(&x, 1);) thread(two, put(&x, 2);)
        int main(void) { start(one) start(two) join(one) join(two) while (get(&x) == 0); }""",
    "the last value will do": "thread(one, put(&x, 1); put(&x, 2);) thread(two, while (get(&x) != 2);)" + TWO,
    "stale values do not last": "thread(one, put(&x, 1);) thread(two, while (get(&x) != 1);)" + TWO,
    "two places that are both written": """
        thread(one, put(&x, 1); put(&y, 1);) thread(two, while (!get(&x) || !get(&y));)""" + TWO,
    "one value each is the last for both": """
        thread(one, put(&x, 1); while (get(&x) == 1 && !get(&y)); put(&z, 1);)
        thread(two, put(&x, 2); while (get(&x) == 2 && !get(&z)); put(&y, 1);)""" + TWO,
    "one after the other": """
        thread(one, while (!get(&x)); put(&y, 1);) thread(two, put(&x, 1); while (!get(&y));)""" + TWO,
    "a mutex is given back": """
        thread(one, while (!get(&x)); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);)
        thread(two, pthread_mutex_lock(&m); put(&x, 1); pthread_mutex_unlock(&m);)""" + TWO,
    "tries of a mutex that is free in the end": """
        thread(one, pthread_mutex_lock(&m); pthread_mutex_unlock(&m);)
        thread(two, while (pthread_mutex_trylock(&m)); pthread_mutex_unlock(&m);)""" + TWO,
    "a fence in the loop": """
        thread(one, while (!get(&x)) atomic_thread_fence(acq);) thread(two, put(&x, 1);)""" + TWO,
    "a marked loop": """
        thread(one, for (;;) { __VERIFIER_spin_start(); if (get(&x)) break; __VERIFIER_spin_end(0); })
        thread(two, put(&x, 1);)""" + TWO,
    "a choice that leads out": """
        thread(one, while (!(__VERIFIER_nondet_bool() ? get(&x) : get(&y)));) thread(two, put(&y, 1);)""" + TWO,
    "a retry": """
        thread(one, int v = get(&x); while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, rlx, rlx));)
        thread(two, int v = get(&x); while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, rlx, rlx));)
        """ + TWO,
    "a retry that loads anew": """
        thread(one, int v; do v = get(&x); while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, rlx, rlx));)
        thread(two, atomic_fetch_add(&x, 1);)""" + TWO,
    "a ticket lock": """
        thread(one, int t = atomic_fetch_add(&x, 1); while (get(&y) != t); put(&y, t + 1);)
        thread(two, int t = atomic_fetch_add(&x, 1); while (get(&y) != t); put(&y, t + 1);)""" + TWO,
    "an assumption that excludes the hang": """
        thread(one, while (!get(&x));) thread(two, __VERIFIER_assume(0);)""" + TWO,
    "updates lose nothing": """
        thread(one, atomic_fetch_add(&x, 1);) thread(two, atomic_fetch_add(&x, 1);)
        int main(void) { start(one) start(two) while (get(&x) != 2); join(one) join(two) return 0; }""",
}  # fmt: skip

MODELS = ["rc11", "sc", "tso", "ra"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", HANGS)
def test_a_hang_is_found(tmp_path: Path, name: str, model: str) -> None:
    found = explored(tmp_path, HANGS[name], model)
    assert {bug.kind for bug in found.bugs} == {"deadlock"}, found.report()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ENDS)
def test_no_hang_is_made_up(tmp_path: Path, name: str, model: str) -> None:
    found = explored(tmp_path, ENDS[name], model)
    assert found.verdict == "safe", found.report()


@pytest.mark.parametrize("name", [name for name in {**HANGS, **ENDS} if "choice" not in name])
def test_tracer_finds_the_same(tmp_path: Path, name: str) -> None:
    for programs, verdict in ((HANGS, "unsafe"), (ENDS, "safe")):
        if name in programs:
            found = explored(tmp_path, programs[name], "ra", strategy="tracer")
            assert found.verdict == verdict, found.report()


def test_without_a_modification_order_each_may_see_its_own_write_for_ever(tmp_path: Path) -> None:
    found = explored(tmp_path, ENDS["one value each is the last for both"], "wra")
    assert [bug.kind for bug in found.bugs] == ["deadlock"]


AWAITED = {
    "a writer who never leaves": ("""
        static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        int main(void) { pthread_rwlock_wrlock(&l); pthread_rwlock_wrlock(&l); }""", True),
    "a reader keeps a writer out": ("""
        static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l); }""", True),
    "a writer who leaves": ("""
        static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        thread(one, pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);)
        thread(two, pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);)""" + TWO, False),
    "initialised by itself": ("""
        static pthread_once_t o = PTHREAD_ONCE_INIT;
        static void make(void) { pthread_once(&o, make); }
        int main(void) { pthread_once(&o, make); }""", True),
    "a semaphore that nobody raises": ("""
        static sem_t s;
        int main(void) { sem_init(&s, 0, 1); sem_wait(&s); sem_wait(&s); }""", True),
    "a semaphore that two raise": ("""
        static sem_t s;
        thread(one, sem_post(&s);) thread(two, sem_post(&s);)
        int main(void) { sem_init(&s, 0, 0); start(one) start(two) sem_wait(&s); sem_wait(&s); }""", False),
}  # fmt: skip


@pytest.mark.parametrize("name", AWAITED)
def test_waiting_for_the_library_in_vain_is_always_a_deadlock(tmp_path: Path, name: str) -> None:
    text, hangs = AWAITED[name]
    found = explored(tmp_path, text, "rc11", liveness=False)
    assert [bug.kind for bug in found.bugs] == ["deadlock"] * hangs
    assert found.verdict == ("unsafe" if hangs else "safe")


PLAIN = """
static int data;
thread(one,
    for (;;) {{ __VERIFIER_spin_start(); if (atomic_load_explicit(&x, {order})) break; __VERIFIER_spin_end(0); }}
    data++;)
thread(two, data = 1; atomic_store_explicit(&x, 1, rel);)
"""


@pytest.mark.parametrize(("order", "kinds"), [("acq", []), ("rlx", ["data race"])])
def test_a_marked_loop_beside_plain_accesses(tmp_path: Path, order: str, kinds: list[str]) -> None:
    found = explored(tmp_path, PLAIN.format(order=order) + TWO, "cpp20")
    assert sorted({bug.kind for bug in found.bugs}) == kinds


CLEARED = """
static struct {{ atomic_int word; }} cell;
thread(one, put(&cell.word, {value});) thread(two, while (get(&cell.word) != 1);)
int main(void) {{
    memset(&cell, {first}, sizeof cell);
    start(one) start(two) join(one) join(two) return 0;
}}
"""


@pytest.mark.parametrize(("value", "hangs"), [("1", False), ("2", True)])
@pytest.mark.parametrize("first", ["0", "1"])
def test_memory_that_was_cleared_by_bytes(tmp_path: Path, value: str, first: str, hangs: bool) -> None:
    found = explored(tmp_path, "#include <string.h>\n" + CLEARED.format(value=value, first=first), "cpp20")
    assert [bug.kind for bug in found.bugs] == ["deadlock"] * hangs


DEEP = """
#define LEVEL(name, below) thread(name, pthread_t t, u; atomic_fetch_add(&x, 1); \\
    pthread_create(&t, NULL, below, NULL); pthread_create(&u, NULL, below, NULL); \\
    pthread_join(t, NULL); pthread_join(u, NULL);)
thread(leaf, atomic_fetch_add_explicit(&y, 1, rlx);)
#define CHAIN(name, below) thread(name, pthread_t t; pthread_create(&t, NULL, below, NULL); pthread_join(t, NULL);)
CHAIN(a, leaf) CHAIN(b, a) CHAIN(c, b) CHAIN(d, c) CHAIN(e, d) CHAIN(f, e) CHAIN(g, f) CHAIN(h, g)
LEVEL(four, leaf)
int main(void) { start(h) start(leaf) join(h) join(leaf) assert(y == 2); start(four) join(four) assert(y == 4); }
"""


@pytest.mark.parametrize("options", [{}, {"jobs": 2}, {"strategy": "tracer"}, {"self_check": True}])
def test_threads_are_started_by_threads_to_any_depth(tmp_path: Path, options: dict[str, object]) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + DEEP)
    found = explore(read_c(str(path)), "rc11", **options)  # type: ignore[arg-type]
    assert (found.verdict, found.executions, found.duplicates or 0) == ("safe", 4, 0)


DECLARATIONS = {
    "by the header": "#include <genmc.h>",
    "by the program": "void __VERIFIER_assume(int);",
    "by itself, as a truth": "void __VERIFIER_assume(_Bool);",
    "not at all": "",
}


@pytest.mark.parametrize("declaration", DECLARATIONS)
@pytest.mark.parametrize(
    ("value", "holds"), [("malloc(4)", True), ("&global", True), ("&global + 1", True), ("NULL", False)]
)
def test_an_assumption_about_a_pointer(tmp_path: Path, declaration: str, value: str, holds: bool) -> None:
    path = tmp_path / "program.c"
    head = f"#include <stdlib.h>\n#include <assert.h>\n{DECLARATIONS[declaration]}\nstatic int global;\n"
    path.write_text(head + f"int main(void) {{ int *p = {value}; __VERIFIER_assume(p); assert(0); }}\n")
    found = explore(read_c(str(path)))
    assert found.verdict == ("unsafe" if holds else "safe")
    assert bool(found.vacuous) != holds


@pytest.mark.parametrize("cause", ["assumption", "loop"])
def test_a_verdict_about_no_complete_execution_says_so(tmp_path: Path, cause: str) -> None:
    bodies = {"assumption": "__VERIFIER_assume(get(&x) == 1);", "loop": "while (!get(&x));"}
    found = explored(tmp_path, f"int main(void) {{ {bodies[cause]} assert(0); }}", "rc11", liveness=False)
    assert (found.verdict, found.executions, found.blocked) == ("safe", 0, 1)
    assert f"no execution is complete: in each, the {cause} at " in found.headline()
    assert found.vacuous in found.record()["notes"]
    assert found.vacuous in found.report()
    whole = explored(tmp_path, f"int main(void) {{ put(&x, 1); {bodies[cause]} }}", "rc11", liveness=False)
    assert (whole.verdict, whole.vacuous, whole.record().get("notes")) == ("safe", "", None)
