"""Random litmus tests in C whose condition is broken by weak orders, and all choices of orders for them, one by one."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterator

import porf
from porf.programs.litmus import LitmusTest, read_litmus
from porf.programs.sites import Site, Strength, order_sites, with_orders
from porf.record import replace

MOST = 250  # choices of orders that a test may have
WORDS = {
    "load": ("relaxed", "acquire", "seq_cst"),
    "store": ("relaxed", "release", "seq_cst"),
    "update": ("relaxed", "acquire", "release", "acq_rel", "seq_cst"),
    "fence": ("acquire", "release", "acq_rel", "seq_cst"),
}


SHAPES = (
    ("Wx Ry", "Wy Rx"),
    ("Wx Wy", "Ry Rx"),
    ("Wx Wy", "Ry Wx"),
    ("Wx Wy", "Wy Rx"),
    ("Wx Wy", "Wy Wx"),
    ("Wx", "Rx Wy", "Ry Rx"),
    ("Wx Rx", "Wx Ry", "Wy"),
)


def random_test(rng: random.Random, *, most: int = 4, strongest: bool = False) -> str:
    """The text of a test without a condition: a known shape, with other operations here and there, and with fences."""
    shapes = [[thread.split() for thread in shape] for shape in SHAPES]
    threads = rng.choice([shape for shape in shapes if sum(map(len, shape)) <= max(4, most)])
    for _ in range(rng.randint(0, max(0, most - sum(map(len, threads))) + 1)):
        thread = rng.choice(threads)
        thread.insert(rng.randint(0, len(thread)), rng.choice(("F", "F", "F", "Rx", "Wy")))
    lines = ["C random", "{ }"]
    for t, thread in enumerate(threads):
        body = [statement(rng, n, what, strongest) for n, what in enumerate(thread)]
        lines += ["", f"P{t} (atomic_int* x, atomic_int* y) {{", *(f"  {line}" for line in body), "}"]
    return "\n".join(lines)


def statement(rng: random.Random, n: int, what: str, strongest: bool) -> str:
    place, value = what[1:], n + 1

    def order(of: str) -> str:
        return f"memory_order_{'seq_cst' if strongest else rng.choice(WORDS[of])}"

    if what == "F":
        return f"atomic_thread_fence({order('fence')});"
    if rng.random() < 0.1:
        failure = order("load")
        success = order("update") if failure.endswith("relaxed") else "memory_order_seq_cst"
        compared = f"atomic_compare_exchange_strong_explicit({place}, &e{n}, {value}, {success}, {failure})"
        return f"int e{n} = 0; int r{n} = {compared};"
    if rng.random() < 0.1:
        return f"int r{n} = atomic_fetch_add_explicit({place}, {value}, {order('update')});"
    if what[0] == "R":
        return f"int r{n} = atomic_load_explicit({place}, {order('load')});"
    return f"atomic_store_explicit({place}, {value}, {order('store')});"


def registers_of(text: str) -> Iterator[str]:
    for t, thread in enumerate(text.split("\nP")[1:]):
        yield from (f"{t}:{name}" for name in re.findall(r"int (r\d+)", thread))


def states(test: LitmusTest, model: str) -> set[tuple[int, ...]]:
    return set(porf.explore(test, model).states)


def interesting(rng: random.Random, model: str, *, most: int, strongest: bool = False) -> LitmusTest:
    """A test with a condition that its orders decide: a final state is excluded that SC does not have."""
    while True:
        text = random_test(rng, most=most, strongest=strongest)
        registers = "".join(f"{label}; " for label in registers_of(text))
        every = read_litmus(f"{text}\n\nlocations [{registers}x; y;]\nexists (x=0)\n", "random.litmus")
        sites = list(order_sites(every.program))
        if math.prod(len(site.legal()) for site in sites) > MOST:
            continue
        weakest = {site: site.legal()[0] for site in sites}
        strong = {site: site.legal()[-1] for site in sites}
        weak_states = states(changed(every, weakest), model)
        extra = sorted(weak_states - states(changed(every, strong), model))
        if not extra:
            continue
        state = rng.choice(extra)
        labels = [w.label for w in every.program.watched]
        condition = " /\\ ".join(f"{label}={value}" for label, value in zip(labels, state, strict=True))
        return read_litmus(f"{text}\n\n~exists ({condition})\n", "random.litmus")


def changed(test: LitmusTest, orders: dict[Site, Strength]) -> LitmusTest:
    return replace(test, program=with_orders(test.program, orders))


Assignment = tuple[Strength, ...]


def assignments(sites: list[Site]) -> Iterator[Assignment]:
    return itertools.product(*(site.legal() for site in sites))


def is_safe(test: LitmusTest, sites: list[Site], orders: Assignment, model: str) -> bool:
    return porf.explore(changed(test, dict(zip(sites, orders, strict=True))), model).verdict == "safe"


def is_below(sites: list[Site], a: Assignment, b: Assignment) -> bool:
    return all(site.is_as_strong(strong, weak) for site, weak, strong in zip(sites, a, b, strict=True))


def minimal(test: LitmusTest, model: str) -> tuple[bool, set[Assignment]]:
    """Whether it is safe as it is written; and the least choices that are safe, by trying each: among those that are
    weaker, or if it is unsafe, among those that are stronger."""
    sites = list(order_sites(test.program))
    written = tuple(site.strength for site in sites)
    safe = is_safe(test, sites, written, model)

    def counts(orders: Assignment) -> bool:
        return is_below(sites, orders, written) if safe else is_below(sites, written, orders)

    good = [orders for orders in assignments(sites) if counts(orders) and is_safe(test, sites, orders, model)]
    least = {a for a in good if not any(b != a and is_below(sites, b, a) for b in good)}
    return safe, least
