"""Locks and queues: all choices of orders, one by one, say the same as the search, and what is found is minimal."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import porf
from porf.programs.form import Program
from porf.programs.sites import order_sites, with_orders
from tests.synthesis.random_tests import assignments, is_below

PROGRAMS = [
    ("ttas-lock", {"N": 2}),
    ("ttas-lock", {"N": 3}),
    ("ticket-mutex", {"N": 2}),
    ("clh", {"N": 2}),
    ("spsc-queue", {"N": 2}),
]
BARRIER = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, count;
static int data, more;
static pthread_barrier_t meeting;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
    if (atomic_load(&flag))
        data++;
    pthread_barrier_wait(&meeting);
    pthread_mutex_lock(&mutex);
    more++;
    pthread_mutex_unlock(&mutex);
    if (atomic_fetch_add(&count, 1) == 1)
        more = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&meeting, 0, 2);
    data = 1;
    pthread_create(&t, 0, run, 0);
    data = 2;
    atomic_store(&flag, 1);
    pthread_barrier_wait(&meeting);
    pthread_mutex_lock(&mutex);
    more++;
    pthread_mutex_unlock(&mutex);
    if (atomic_fetch_add(&count, 1) == 1)
        more = 0;
    pthread_join(t, 0);
    return data + more;
}
"""


def strongest(program: Program) -> Program:
    return with_orders(program, {site: site.legal()[-1] for site in order_sites(program)})


def compare(program: Program, model: str) -> None:
    program = strongest(program)
    sites = list(order_sites(program))
    assert math.prod(len(site.legal()) for site in sites) <= 250

    def is_safe(orders: tuple[porf.programs.sites.Strength, ...]) -> bool:
        changed = with_orders(program, dict(zip(sites, orders, strict=True)))
        return porf.explore(changed, model, liveness=True).verdict == "safe"

    good = [orders for orders in assignments(sites) if is_safe(orders)]
    least = {a for a in good if not any(b != a and is_below(sites, b, a) for b in good)}
    found = porf.orders(program, model, every=True)
    assert found.complete and {tuple(found.orders(n).values()) for n in range(len(found.choices))} == least


@pytest.mark.parametrize("model", ["rc11", "cpp20"])
@pytest.mark.parametrize(("name", "defines"), PROGRAMS)
def test_all_choices_of_a_program(name: str, defines: dict[str, int], model: str) -> None:
    program = porf.load_program(f"benchmarks/programs/{name}.c", defines=defines)
    assert isinstance(program, Program)
    compare(program, model)


def test_all_choices_with_barriers_mutexes_and_threads(tmp_path: Path) -> None:
    path = tmp_path / "barrier.c"
    path.write_text(BARRIER)
    program = porf.load_program(path)
    assert isinstance(program, Program)
    assert porf.explore(strongest(program), "rc11").verdict == "safe"
    compare(program, "rc11")


@pytest.mark.parametrize("name", ["mcs-lock", "treiber-stack", "ms-queue", "seqlock", "chase-lev"])
def test_published_orders_are_enough_and_what_is_found_is_minimal(name: str) -> None:
    program = porf.load_program(f"benchmarks/programs/{name}.c")
    assert isinstance(program, Program)
    assert porf.explore(program, "rc11", liveness=True).verdict == "safe"
    found = porf.orders(strongest(program), "rc11")
    assert found.verdict == "safe" and not found.open
    orders = found.orders()
    assert porf.explore(with_orders(strongest(program), orders), "rc11", liveness=True).verdict == "safe"
    for site, strength in orders.items():
        for weaker in site.legal():
            if weaker != strength and site.is_as_strong(strength, weaker):
                changed = with_orders(strongest(program), {**orders, site: weaker})
                assert porf.explore(changed, "rc11", liveness=True).verdict == "unsafe", (site, weaker)
