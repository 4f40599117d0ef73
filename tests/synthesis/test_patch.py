"""Patches: a file that is rewritten has just the orders that were asked for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porf
from porf._core import Order
from porf.programs.form import Program
from porf.programs.sites import Site, Strength, order_sites
from porf.synthesis.patch import patch_of

C = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int z;
atomic_flag f;
static void *run(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release); // memory_order_seq_cst
  atomic_store(&x, (1, 2));
  int a = atomic_load_explicit(
      &y,
      memory_order_acquire) + atomic_load(&x) + y;
  x = a + 1;
  x++;
  y += 2;
  atomic_thread_fence(memory_order_seq_cst);
  if (a) atomic_thread_fence(memory_order_acquire);
  a = 1; atomic_thread_fence(memory_order_release); a = 2;
  atomic_fetch_add(&x, 1);
  __atomic_store_n(&z, 2, __ATOMIC_SEQ_CST);
  a = __atomic_fetch_add(&z, 1, __ATOMIC_ACQ_REL);
  a = atomic_exchange_explicit(&x, 4, memory_order_acq_rel);
  atomic_compare_exchange_strong(&x, &a, 3);
  atomic_compare_exchange_weak_explicit(&x, &a, ')' + 3, memory_order_acquire, memory_order_relaxed);
  __atomic_compare_exchange_n(&z, &a, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
  atomic_flag_test_and_set(&f);
  atomic_flag_clear_explicit(&f, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
"""
CPP = """
#include <atomic>
#include <thread>
std::atomic<int> x{0};
std::atomic_flag f;
struct Both { std::atomic<int> v{0}; } q, *p = &q;
void run() {
  x.store(1);
  x = 2;
  x++;
  int a = x + q.v.load(std::memory_order_acquire);
  q.v.fetch_add(3, std::memory_order::relaxed);
  int e = 1;
  p->v.compare_exchange_weak(e, 2, std::memory_order_acq_rel, std::memory_order_relaxed);
  p->v.compare_exchange_strong(e, 2);
  if (x.exchange(4) == 3) a = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  while (f.test_and_set(std::memory_order_acquire)) ;
  f.clear();
  std::atomic_store_explicit(&x, 1, std::memory_order_release);
  a = std::atomic_load(&x);
}
int main() { std::thread t(run); t.join(); }
"""
PYTHON = """
import porf
from porf.programs.python import acquire, fence, release


def small() -> porf.ProgramBuilder:
    p = porf.program("small")
    x = p.int("x")
    a = p.array("a", 2)

    @p.thread
    def run():
        x.store(1, release)
        b = x.load(acquire) + a[x.load() % 2].load()
        fence(release)
        x.compare_exchange(0, 1, acquire)
        a[1].compare_exchange_weak(0, 1)
        if b:
            fence(acquire)
        x.exchange(1, order=release)
        x.fetch_add(value=1)

    return p
"""
LITMUS = """C small
{ }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int r0 = atomic_load_explicit(y, memory_order_acquire);
}
exists (0:r0=1)
"""
FILES = {"small.c": C, "small.cpp": CPP, "small.py": PYTHON, "small.litmus": LITMUS}


def read(path: Path) -> Program:
    found = porf.load_program(path)
    return found if isinstance(found, Program) else found.program


def in_order(path: Path) -> list[tuple[str, Strength]]:
    return [(site.kind, site.strength) for site in order_sites(read(path))]


@pytest.mark.parametrize("name", FILES)
def test_a_rewritten_file_has_the_orders_that_were_asked_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    rng = random.Random(name)
    for _ in range(6):
        path.write_text(FILES[name])
        sites = list(order_sites(read(path)))
        wanted = {site: rng.choice(site.legal()) for site in sites}
        changes = {site: strength for site, strength in wanted.items() if strength != site.strength}
        patch = patch_of(changes)
        assert not patch.left
        (shown,) = patch.files
        assert Path(shown).resolve() == path.resolve()
        path.write_text(patch.files[shown][1])
        expected = [(site.kind, s) for site, s in wanted.items() if s.order is not Order.NA]
        assert in_order(path) == expected


def test_a_fence_that_is_not_needed_goes_with_its_line(tmp_path: Path) -> None:
    for name in FILES:
        path = tmp_path / name
        path.write_text(FILES[name])
        fences = {s: Strength(Order.NA) for s in order_sites(read(path)) if s.kind == "fence"}
        (text,) = patch_of(fences).files.values()
        assert "fence(" not in text[1].replace("import acquire, fence", "")
        assert text[1].count("\n") < text[0].count("\n")


def test_what_stands_in_a_macro_is_left(tmp_path: Path) -> None:
    path = tmp_path / "macro.c"
    path.write_text(
        "#include <stdatomic.h>\n#define PUT(p, v) atomic_store_explicit(p, v, memory_order_seq_cst)\n"
        "atomic_int x;\nint y;\n"
        "int main(void) {\n  PUT(&x, 1);\n  __sync_fetch_and_add(&y, 1);\n  atomic_store(&x, 2);\n}\n"
    )
    sites = list(order_sites(read(path)))
    patch = patch_of({site: site.legal()[0] for site in sites})
    assert [site.place.line for site in patch.left] == [6, 7]
    assert "atomic_store_explicit(&x, 2, memory_order_relaxed);" in patch.diff()


def test_a_diff_can_be_applied(tmp_path: Path) -> None:
    path = tmp_path / "small.c"
    path.write_text(C.rstrip("\n"))  # without an end of its last line
    sites = list(order_sites(read(path)))
    patch = patch_of({site: site.legal()[0] for site in sites if site.strength != site.legal()[0]})
    lines = patch.diff().splitlines()
    assert lines[0].startswith("--- a/") and lines[1].startswith("+++ b/") and lines[2].startswith("@@ ")
    before = [line[1:] for line in lines[3:] if line[:1] in " -"]
    assert all(line in C.splitlines() for line in before)


def test_a_source_that_is_gone_is_left(tmp_path: Path) -> None:
    path = tmp_path / "small.litmus"
    path.write_text(LITMUS)
    sites: list[Site] = list(order_sites(read(path)))
    path.unlink()
    patch = patch_of({sites[0]: Strength(Order.SC)})
    assert patch.left == (sites[0],) and not patch.files
