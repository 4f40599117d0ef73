"""Loops that wait, and objects that end: what the translator makes of them, seen in the executions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porf.exploration import explore
from porf.programs.c import read_c

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
MAIN = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
"""


def found(tmp_path: Path, text: str, model: str, **options: Any) -> tuple[str, int, list[str]]:
    path = tmp_path / "program.c"
    path.write_text(HEAD + text)
    result = explore(read_c(str(path)), model, **options)
    return result.verdict, result.executions, [bug.kind for bug in result.bugs]


COUNTER = """
static atomic_int x;
static void *add(void *unused) {{
    int v = atomic_load_explicit(&x, {load});
    {stop}while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, {success}, {failure})) {body}
    return NULL;
}}
#define one add
#define two add
"""


def counter(load: str, success: str, failure: str, stop: str = "", body: str = ";") -> str:
    orders = {k: f"memory_order_{v}" for k, v in (("load", load), ("success", success), ("failure", failure))}
    return COUNTER.format(stop=stop, body=body, **orders) + MAIN


@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
@pytest.mark.parametrize("orders", [("relaxed", "relaxed", "relaxed"), ("acquire", "acq_rel", "relaxed")])
def test_a_failed_try_stands_for_a_load(tmp_path: Path, model: str, orders: tuple[str, str, str]) -> None:
    assert found(tmp_path, counter(*orders), model) == ("safe", 2, [])  # who is first


def test_a_failed_try_that_is_seen_is_repeated(tmp_path: Path) -> None:
    """Each may fail once, if the other came between."""
    seen = counter("relaxed", "relaxed", "relaxed", body="atomic_fetch_add(&fails, 1);")
    assert found(tmp_path, "static atomic_int fails;" + seen, "sc") == ("safe", 4, [])


FIRST_VALUE = """
static atomic_int x;
static void *one(void *unused) { atomic_fetch_add(&x, 1); return NULL; }
static void *two(void *unused) {
    int v = atomic_load(&x), first = v;
    while (!atomic_compare_exchange_strong(&x, &v, v + 1)) ;
    assert(first == v);
    return NULL;
}
"""


def test_a_value_that_others_know_is_no_load_that_could_have_been_later(tmp_path: Path) -> None:
    assert found(tmp_path, FIRST_VALUE + MAIN, "sc")[2] == ["assertion"]


WEAK_FAILURE = """
static int data;
static _Atomic(int *) p;
static void *one(void *unused) {{
    data = 1;
    atomic_store_explicit(&p, &data, memory_order_release);
    return NULL;
}}
static void *two(void *unused) {{
    int *v = atomic_load_explicit(&p, memory_order_acquire);
    while (v == NULL || *v != 7)
        if (atomic_compare_exchange_strong_explicit(&p, &v, NULL, memory_order_acq_rel, memory_order_{failure})) break;
    return NULL;
}}
"""


@pytest.mark.parametrize(("failure", "kinds"), [("acquire", []), ("relaxed", ["data race"])])
def test_a_failure_that_is_weaker_than_the_load_still_shows_its_race(
    tmp_path: Path, failure: str, kinds: list[str]
) -> None:
    assert found(tmp_path, WEAK_FAILURE.format(failure=failure) + MAIN, "rc11")[2] == kinds


STRONG_LOAD = """
static int data;
static atomic_int x;
static void *one(void *unused) {{ data = 1; atomic_store_explicit(&x, 1, memory_order_release); return NULL; }}
static void *two(void *unused) {{
    int r = atomic_load_explicit(&x, memory_order_{load});
    while (!atomic_compare_exchange_strong_explicit(&x, &r, 42, memory_order_{success}, memory_order_{failure})) {body}
    if (r == 1) assert(data == 1);
    return NULL;
}}
"""


@pytest.mark.parametrize(
    ("orders", "body", "kinds"),
    [
        (("acquire", "relaxed", "relaxed"), ";", ["data race"]),
        (("acquire", "release", "relaxed"), ";", ["data race"]),
        (("seq_cst", "acq_rel", "relaxed"), ";", []),
        (("acquire", "acq_rel", "relaxed"), ";", []),
        (("acquire", "acq_rel", "relaxed"), "if (r == 1) assert(data == 1);", ["data race"]),
        (("acquire", "acq_rel", "acquire"), "if (r == 1) assert(data == 1);", []),
    ],
)
def test_a_load_that_is_stronger_than_the_tries_hides_none_of_them(
    tmp_path: Path, orders: tuple[str, str, str], body: str, kinds: list[str]
) -> None:
    load, success, failure = orders
    text = STRONG_LOAD.format(load=load, success=success, failure=failure, body=body)
    assert found(tmp_path, text + MAIN, "rc11")[2] == kinds


POP = """
struct node {{ struct node *next; }};
static struct node a, b;
static _Atomic(struct node *) top = &a;
static void *one(void *unused) {{
    b.next = &a;
    atomic_store_explicit(&top, &b, memory_order_release);
    return NULL;
}}
static void *two(void *unused) {{
    struct node *it = atomic_load_explicit(&top, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(&top, &it, it->next, memory_order_{0}, memory_order_{1})) ;
    return NULL;
}}
"""


@pytest.mark.parametrize(
    ("orders", "kinds"),
    [(("relaxed", "relaxed"), ["data race"]), (("acquire", "relaxed"), ["data race"]), (("acquire", "acquire"), [])],
)
def test_the_value_of_a_failed_try_is_followed(tmp_path: Path, orders: tuple[str, str], kinds: list[str]) -> None:
    assert found(tmp_path, POP.format(*orders) + MAIN, "rc11")[2] == kinds


AFTER_A_SUCCESS = """
static atomic_int x;
static void *one(void *unused) { atomic_store(&x, 2); return NULL; }
static void *two(void *unused) {
    int v = atomic_load(&x);
    for (;;) if (atomic_compare_exchange_strong(&x, &v, 3) && v != 0) break;
    assert(v != 2);
    return NULL;
}
"""


def test_a_try_that_fails_after_one_that_did_not_is_followed(tmp_path: Path) -> None:
    assert found(tmp_path, AFTER_A_SUCCESS + MAIN, "sc")[2] == ["assertion"]


PEEK = """
static atomic_int x, told;
static int data;
static void *one(void *unused) {{
    while (!atomic_load_explicit(&x, memory_order_relaxed)) {{ int seen = data; (void)seen; }}
    atomic_store_explicit(&told, 1, memory_order_{0});
    return NULL;
}}
static void *two(void *unused) {{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (atomic_load_explicit(&told, memory_order_acquire)) data = 1;
    return NULL;
}}
"""


@pytest.mark.parametrize(("order", "kinds"), [("relaxed", ["data race"]), ("release", [])])
def test_what_an_iteration_reads_in_passing_may_race_with_what_follows_the_loop(
    tmp_path: Path, order: str, kinds: list[str]
) -> None:
    assert found(tmp_path, PEEK.format(order) + MAIN, "rc11")[2] == kinds


def test_a_thread_that_is_joined_again_and_again_is_an_error(tmp_path: Path) -> None:
    text = "static void *one(void *unused) { return NULL; }\nint main(void) { pthread_t a; "
    text += "pthread_create(&a, NULL, one, NULL); for (;;) pthread_join(a, NULL); }"
    assert found(tmp_path, text, "sc")[2] == ["join of no thread"]


def test_a_loop_of_as_many_turns_as_the_bound_is_not_cut(tmp_path: Path) -> None:
    text = "static atomic_int x;\nint main(void) {{ for (int i = 0; i < {0}; i++) atomic_fetch_add(&x, 1); }}"
    assert found(tmp_path, text.format(3), "sc", unroll=3)[0] == "safe"
    assert found(tmp_path, text.format(4), "sc", unroll=3)[0] == "undecided"


SPINS = """
static atomic_int x;
static void *one(void *unused) {{ while (!atomic_load(&x)) ; return NULL; }}
static void *two(void *unused) {{ {end} return NULL; }}
"""


def test_liveness_is_asked_for(tmp_path: Path) -> None:
    never = SPINS.format(end="") + MAIN
    assert found(tmp_path, never, "rc11") == ("safe", 0, [])
    assert found(tmp_path, never, "rc11", liveness=True) == ("unsafe", 0, ["deadlock"])
    assert found(tmp_path, SPINS.format(end="atomic_store(&x, 1);") + MAIN, "rc11", liveness=True) == ("safe", 1, [])


ESCAPES = """
static _Atomic(atomic_int *) shared;
static void *one(void *unused) {{
    atomic_int mine = 0;
    atomic_store(&shared, &mine);
    {wait}
    return NULL;
}}
static void *two(void *unused) {{
    atomic_int *it = atomic_load(&shared);
    if (it) atomic_store(it, 1);
    return NULL;
}}
"""


def test_a_variable_ends_with_its_function(tmp_path: Path) -> None:
    assert found(tmp_path, ESCAPES.format(wait="") + MAIN, "rc11")[2] == ["use after free"]
    assert found(tmp_path, ESCAPES.format(wait="while (!atomic_load(&mine)) ;") + MAIN, "rc11")[2] == []


PUBLISHED = """
static _Atomic(atomic_int *) shared;
static void *one(void *unused) {{
    atomic_store_explicit(&shared, malloc(sizeof(atomic_int)), memory_order_{order});
    return NULL;
}}
static void *two(void *unused) {{
    atomic_int *it = atomic_load_explicit(&shared, memory_order_acquire);
    if (it) atomic_store(it, 1);
    return NULL;
}}
"""


@pytest.mark.parametrize(("order", "kinds"), [("release", []), ("relaxed", ["unpublished memory"])])
def test_memory_must_be_published(tmp_path: Path, order: str, kinds: list[str]) -> None:
    assert found(tmp_path, PUBLISHED.format(order=order) + MAIN, "rc11")[2] == kinds


DELAYS = """
static atomic_int x;
static void *one(void *unused) {{ atomic_store(&x, 1); atomic_store(&x, 2); return NULL; }}
static void *two(void *unused) {{ {loop} return NULL; }}
"""


@pytest.mark.parametrize(
    "loop",
    [
        "unsigned n = 1; while (x != 2) { for (unsigned i = 0; i < n; i++) ; n *= 2; }",
        "unsigned n = 1; while (x != 2) { unsigned k = n; while (k--) ; n++; }",
        "int fails = 0; while (x != 2) fails++;",
        "int a = x; while (a != 2) a = x;",
        "while (x != 2) { sched_yield(); }",
        "for (int i = 0; i < 3; i++) if (x == 2) break;",
    ],
)
def test_local_values_that_nothing_depends_on_do_not_keep_a_loop_from_waiting(tmp_path: Path, loop: str) -> None:
    text = "#include <sched.h>\n" + DELAYS.format(loop=loop)
    assert found(tmp_path, text + MAIN, "sc")[0] == "safe"


def test_a_loop_that_counts_for_somebody_is_followed(tmp_path: Path) -> None:
    """Who counts 300 turns of a loop and looks at the number must find it."""
    text = "int main(void) { int n = 0; for (int i = 0; i < 300; i++) n += 2; assert(n != 600); }"
    assert found(tmp_path, text, "sc")[2] == ["assertion"]


def test_a_loop_whose_turns_all_differ_is_named_with_what_to_do(tmp_path: Path) -> None:
    text = DELAYS.format(loop="int n = 0; while (x != 2) n++; assert(n != 4);") + MAIN
    path = tmp_path / "program.c"
    path.write_text(HEAD + text)
    bounded = explore(read_c(str(path)), "sc", unroll=3)
    assert bounded.verdict == "undecided" and "program.c:8:" in bounded.headline()
    assert "unroll=6" in bounded.report()
    assert explore(read_c(str(path)), "sc", unroll=6).verdict == "unsafe"
