"""Order sites: what they are, and that a program with other orders is the one that its source would make with them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

import porf
from porf._core import Order
from porf.programs.c import read_c
from porf.programs.form import Instruction, Opcode, Program, Template
from porf.programs.litmus import LitmusTest
from porf.programs.sites import KINDS, STEPS, Site, Strength, order_sites, with_orders
from porf.programs.tidy import compact
from porf.record import replace

# Each access has a macro for its order, and stands in a line of its own.
SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void put(int value) {
  atomic_store_explicit(&x, value, PUT);
}
static void *thread(void *unused) {
  int seen =
    atomic_load_explicit(&y, GET);
  while (!
    atomic_compare_exchange_weak_explicit(&y, &seen, seen + 1, TRY, MISS))
    ;
  put(1);
  FENCE
  put(2);
  atomic_fetch_add_explicit(&y, 1, ADD);
  seen =
    atomic_load_explicit(&x, AGAIN);
  do ; while (!
    atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, TWICE, LATE));
  return NULL;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  thread(NULL);
  pthread_join(other, NULL);
  return 0;
}
"""
LINES = {
    "PUT": (6, Opcode.STORE),
    "GET": (10, Opcode.LOAD),
    "TRY": (12, Opcode.CAS),
    "FENCE": (15, Opcode.FENCE),
    "ADD": (17, Opcode.RMW),
    "AGAIN": (19, Opcode.LOAD),
    "TWICE": (21, Opcode.CAS),
}
FAILURES = {"TRY": "MISS", "TWICE": "LATE"}
C_WORDS = {
    Order.RLX: "memory_order_relaxed",
    Order.ACQ: "memory_order_acquire",
    Order.REL: "memory_order_release",
    Order.ACQ_REL: "memory_order_acq_rel",
    Order.SC: "memory_order_seq_cst",
}


def compiled(folder: Path, orders: Mapping[str, Strength]) -> Program:
    path = folder / "program.c"
    path.write_text(SOURCE)
    macros = []
    for name, strength in orders.items():
        word = C_WORDS.get(strength.order, "")
        macros.append(f"-D{name}={f'atomic_thread_fence({word});' if name == 'FENCE' and word else word}")
        if name in FAILURES:
            macros.append(f"-D{FAILURES[name]}={C_WORDS[strength.failure]}")
    return read_c(str(path), macros, (0, 1), "plain", ())


def strongest() -> dict[str, Strength]:
    return {
        name: Strength(Order.SC, Order.SC if opcode is Opcode.CAS else Order.NA) for name, (_, opcode) in LINES.items()
    }


def without_gaps(template: Template) -> Template:
    """The template without the jumps that stand where fences were."""
    gaps = [i.opcode is Opcode.JUMP and i.a == n + 1 for n, i in enumerate(template.code)]
    return compact(template, template.code, [not gap for gap in gaps])


def plain(i: Instruction) -> Instruction:
    """An instruction without its column, for a shorter macro before it moves it."""
    return replace(i, place=replace(i.place, column=1) if i.place else None)


def same(a: Program, b: Program) -> bool:
    return [tuple(map(plain, without_gaps(t).code)) for t in a.templates] == [
        tuple(map(plain, without_gaps(t).code)) for t in b.templates
    ]


def test_a_program_with_other_orders_is_what_the_compiler_makes_of_them(tmp_path: Path) -> None:
    program = compiled(tmp_path, strongest())
    sites = order_sites(program)
    named = {name: site for name, (line, _) in LINES.items() for site in sites if site.place.line == line}
    assert list(named) == list(LINES) and len(sites) == len(LINES)
    assert all(named[name].opcode is opcode for name, (_, opcode) in LINES.items())
    rng = random.Random(1)
    backs: set[tuple[int, ...]] = set()
    for _ in range(25):
        orders = {name: rng.choice(site.strengths()) for name, site in named.items()}
        made = with_orders(program, {named[name]: strength for name, strength in orders.items()})
        expected = compiled(tmp_path, orders)
        assert same(made, expected), orders
        backs.add(tuple(i.kind for t in made.templates for i in t.code if i.opcode is Opcode.BACK))
    assert len(backs) > 1  # the orders decided whether the loops wait
    assert with_orders(program, {site: site.strength for site in sites}) is program


def test_one_site_has_all_copies_of_a_function(tmp_path: Path) -> None:
    sites = order_sites(compiled(tmp_path, strongest()))
    copies = {site.place.line: len(where) for site, where in sites.items()}
    assert copies[6] == 2 * copies[10]  # it is called twice by each thread


def test_orders_can_be_changed_again(tmp_path: Path) -> None:
    program = compiled(tmp_path, strongest())
    fence = next(site for site in order_sites(program) if site.kind == "fence")
    weaker = with_orders(program, {fence: Strength(Order.ACQ)})
    again = next(site for site in order_sites(weaker) if site.kind == "fence")
    assert again.strength == Strength(Order.ACQ) and again.place == fence.place
    gone = with_orders(weaker, {again: Strength(Order.NA)})
    assert len(order_sites(gone)) == len(order_sites(program)) - 1


def test_what_happens_in_a_library_is_no_site(tmp_path: Path) -> None:
    path = tmp_path / "inside.cpp"
    path.write_text(
        "#include <atomic>\n#include <memory>\n#include <mutex>\n#include <thread>\n"
        "std::atomic<int> x{0};\nstd::once_flag once;\nint main() {\n"
        "  auto shared = std::make_shared<int>(1);\n"
        "  std::thread t([shared] { auto copy = shared; std::call_once(once, [] {});\n"
        "    x.store(1);\n    x++;\n    std::atomic_thread_fence(std::memory_order_acquire); });\n"
        "  t.join();\n  return x;\n}\n"
    )
    found = [(site.place.line, site.kind, str(site.strength)) for site in order_sites(read_c(str(path)))]
    assert found == [
        (10, "store", "seq_cst"),
        (11, "update", "seq_cst"),
        (12, "fence", "acquire"),
        (14, "load", "seq_cst"),
    ]


def test_sites_of_python_and_of_litmus_tests(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(
        "import porf\nfrom porf.programs.python import acq_rel, acquire, fence, relaxed\n"
        "p = porf.program('small')\nx = p.int('x')\nd = p.plain('d')\n"
        "@p.thread(copies=2)\ndef t():\n    x.store(1)\n    fence(acq_rel)\n"
        "    x.compare_exchange(0, 1, acquire, relaxed)\n    d.value = 1\n"
    )
    small = porf.load_program(path)
    assert isinstance(small, Program)
    found = [(site.place.line, site.kind, str(site.strength)) for site in order_sites(small)]
    assert found == [(8, "store", "seq_cst"), (9, "fence", "acq_rel"), (10, "compare-exchange", "acquire, relaxed")]
    test = porf.load_program("examples/litmus/MP.litmus")
    assert isinstance(test, LitmusTest)
    store = next(site for site in order_sites(test.program) if site.strength == Strength(Order.REL))
    assert porf.explore(test, "rc11").executions == 3
    relaxed = replace(test, program=with_orders(test.program, {store: Strength(Order.RLX)}))
    assert porf.explore(relaxed, "rc11").executions == 4


def test_machines_have_no_order_sites(tmp_path: Path) -> None:
    path = tmp_path / "mp.litmus"
    path.write_text(
        "AArch64 MP\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W0,#1 | LDAR W0,[X1] ;\n STLR W0,[X1] | ;\nexists (1:X0=1)\n"
    )
    test = porf.load_program(path)
    assert isinstance(test, LitmusTest)
    assert not order_sites(test.program)


@pytest.mark.parametrize("opcode", KINDS)
def test_steps_lead_from_the_strongest_to_the_weakest(opcode: Opcode) -> None:
    site = Site(porf.programs.form.Place(1), opcode, Strength(Order.SC, Order.SC if opcode is Opcode.CAS else Order.NA))
    strengths = site.strengths()
    for a in strengths:
        for b in site.weaker(a):
            assert a in site.stronger(b) and strengths.index(b) < strengths.index(a)
            assert site.is_as_strong(a, b) and not site.is_as_strong(b, a)
        assert site.is_as_strong(site.strength, a)
    ends = [a for a in strengths if not site.weaker(a)]
    assert len(ends) == 1 and all(site.is_as_strong(a, ends[0]) for a in strengths)
    assert [order for order in STEPS[opcode] if order is Order.NA] == ([Order.NA] if opcode is Opcode.FENCE else [])


def test_an_acquire_is_not_stronger_than_a_release() -> None:
    site = Site(porf.programs.form.Place(1), Opcode.RMW, Strength(Order.SC))
    assert not site.is_as_strong(Strength(Order.ACQ), Strength(Order.REL))
    assert not site.is_as_strong(Strength(Order.REL), Strength(Order.ACQ))
    assert set(map(str, site.weaker(Strength(Order.ACQ_REL)))) == {"acquire", "release"}
