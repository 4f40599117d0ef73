"""What may fail for no reason does, wherever that is more than another turn of a loop; and it can be left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import porf
from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.c import read_c
from porf.programs.python import relaxed

C = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <threads.h>\n"
WEAK = "atomic_compare_exchange_weak"


def found(tmp_path: Path, text: str, suffix: str = "c", model: str = "rc11", **options: Any) -> Exploration:
    path = tmp_path / f"program.{suffix}"
    path.write_text(text)
    return explore(read_c(str(path)), model, **options)


ONCE = "atomic_int x; int main(void) {{ int v = 0; _Bool ok = {0}(&x, &v, 1); assert(ok); }}"


def test_a_weak_compare_exchange_may_fail(tmp_path: Path) -> None:
    assert [bug.kind for bug in found(tmp_path, C + ONCE.format(WEAK)).bugs] == ["assertion"]
    assert found(tmp_path, C + ONCE.format(WEAK.replace("weak", "strong"))).verdict == "safe"


def test_spurious_failures_can_be_left_out_and_the_report_says_so(tmp_path: Path) -> None:
    left_out = found(tmp_path, C + ONCE.format(WEAK), spurious=False)
    assert left_out.verdict == "safe" and "--no-spurious" in left_out.report()
    assert any("--no-spurious" in note for note in left_out.record()["notes"])
    strong = found(tmp_path, C + ONCE.format(WEAK.replace("weak", "strong")), spurious=False)
    assert "spurious" not in strong.report()


BOTH_WAYS = """
atomic_int x, gave_up;
int main(void) {
    int v = 0;
    if (!atomic_compare_exchange_weak(&x, &v, 1)) { gave_up = 1; return 0; }
    assert(x == 1);
}
"""


def test_both_ways_are_explored(tmp_path: Path) -> None:
    assert found(tmp_path, C + BOTH_WAYS).executions == 2


RETRIES = (
    "int v = atomic_load(&x); while (!atomic_compare_exchange_weak(&x, &v, v + 1)) ;",
    "int v; do { v = atomic_load(&x); } while (!atomic_compare_exchange_weak(&x, &v, v + 1));",
    "for (;;) { int v = atomic_load(&x); if (atomic_compare_exchange_weak(&x, &v, v + 1)) break; }",
)


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("loop", RETRIES)
def test_a_failure_that_only_tries_again_is_not_explored(tmp_path: Path, loop: str, strategy: str) -> None:
    text = f"atomic_int x; void *f(void *p) {{ {loop} return p; }}\nint main(void) {{ pthread_t t; "
    text += "pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(x == 2); }"
    weak = found(tmp_path, C + text, strategy=strategy)
    strong = found(tmp_path, C + text.replace("weak", "strong"), strategy=strategy)
    assert (weak.verdict, weak.executions, weak.blocked) == ("safe", strong.executions, strong.blocked)


PUSH = """
#include <stdlib.h>
struct node { struct node *next; int value; };
_Atomic(struct node *) top;
void *push(void *p) {
    struct node *n = malloc(sizeof *n), *t = atomic_load_explicit(&top, memory_order_relaxed);
    n->value = 1;
    do n->next = t;
    while (!atomic_compare_exchange_weak_explicit(&top, &t, n, memory_order_release, memory_order_relaxed));
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, push, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *t = atomic_load(&top);
    assert(t->value + t->next->value == 2 && !t->next->next);
}
"""


def test_storing_the_same_again_is_another_turn_of_a_loop(tmp_path: Path) -> None:
    assert found(tmp_path, C + PUSH).verdict == "safe"


ENDLESS = """
atomic_int x, tries;
int main(void) { int v = 0; do tries++; while (!atomic_compare_exchange_weak(&x, &v, 1)); assert(tries < LEAST); }
"""


def test_failures_without_end_are_bounded_and_leave_it_undecided(tmp_path: Path) -> None:
    many = found(tmp_path, C + "#define LEAST 99" + ENDLESS)
    assert many.verdict == "undecided" and "--no-spurious" in many.headline() and "program.c:" in many.headline()
    assert found(tmp_path, C + "#define LEAST 3" + ENDLESS).verdict == "unsafe"
    assert found(tmp_path, C + "#define LEAST 2" + ENDLESS, spurious=False).verdict == "safe"


TRIED = "mtx_t m; int main(void) { mtx_init(&m, mtx_plain); assert(mtx_trylock(&m) == thrd_success); }"
POSIX = "pthread_mutex_t m; int main(void) { assert(pthread_mutex_trylock(&m) == 0); }"
CXX = "#include <cassert>\n#include <mutex>\nstd::mutex m; int main() { assert(m.try_lock()); }"
WAITS = "#include <cassert>\n#include <mutex>\nstd::mutex m; int main() { while (!m.try_lock()) ; m.unlock(); }"


def test_trylock_may_fail_where_the_standard_says_so(tmp_path: Path) -> None:
    assert found(tmp_path, C + TRIED).verdict == "unsafe"
    assert found(tmp_path, C + TRIED, spurious=False).verdict == "safe"
    assert found(tmp_path, C + POSIX).verdict == "safe"
    assert found(tmp_path, CXX, "cpp").verdict == "unsafe"
    waits = found(tmp_path, WAITS, "cpp")
    assert (waits.verdict, waits.executions, waits.blocked) == ("safe", 1, 0)


TIMED = """
mtx_t m;
int f(void *p) { mtx_lock(&m); mtx_unlock(&m); return 0; }
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_timed);
    thrd_create(&t, f, 0);
    int r = mtx_timedlock(&m, 0);
    assert(r == thrd_success);
}
"""


def test_a_timed_wait_may_time_out(tmp_path: Path) -> None:
    assert [bug.kind for bug in found(tmp_path, C + TIMED).bugs] == ["assertion"]


def test_in_c_plus_plus_and_python(tmp_path: Path) -> None:
    text = "#include <atomic>\n#include <cassert>\nstd::atomic<int> x; int main() { int v = 0; "
    assert found(tmp_path, text + "assert(x.compare_exchange_weak(v, 1)); }", "cpp").verdict == "unsafe"
    assert found(tmp_path, text + "while (!x.compare_exchange_weak(v, 1)) ; }", "cpp").executions == 1

    p = porf.program("weak")
    x = p.int("x")

    @p.thread
    def thread():  # type: ignore[no-untyped-def]
        assert x.compare_exchange_weak(0, 1, relaxed)

    assert porf.explore(p, "ra").verdict == "unsafe"
    assert porf.explore(p, "ra", spurious=False).verdict == "safe"
