"""Random threads in C with loops that wait or retry, in many shapes and orders, and plain data that is used after.

Many programs are made of one compiled file: a program is two or three of its functions, which run at once over the same
few variables. Each leaves what it has seen in cells of `out` of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from porf.programs.c import read_c
from porf.programs.form import Program, Start

HEAD = """
#include <pthread.h>
#include <stdatomic.h>
#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define ar memory_order_acq_rel
#define sc memory_order_seq_cst
#define LD(x, o) atomic_load_explicit(&x, o)
#define ST(x, v, o) atomic_store_explicit(&x, v, o)
#define CAS(x, e, d, s, f) atomic_compare_exchange_strong_explicit(&x, &e, d, s, f)
#define WCAS(x, e, d, s, f) atomic_compare_exchange_weak_explicit(&x, &e, d, s, f)
#define SWAP(x, v, o) atomic_exchange_explicit(&x, v, o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, o)
#define OR(x, v, o) atomic_fetch_or_explicit(&x, v, o)
#define FENCE(o) atomic_thread_fence(o)
atomic_int x, y, z;
int d, e, *p = &d;
long out[9];
"""

# What each shape of a loop leaves in v is used after it. {c} is a compare-exchange of x that expects v; {b} is done in
# an iteration, {g} before the loop, {l} is an order of a load, {u} one of an update, {k} and {m} are numbers.
LOOPS = (
    "v = LD(x, {l}); while (!{c}) {{ {b} }}",
    "v = LD(x, {l}); while (!{c}) {{ {b} }}",
    "v = LD(x, {l}); while (!{c}) ;",
    "v = LD(x, {l}); do {{ {b} }} while (!{c});",
    "v = LD(x, {l}); for (;;) {{ {b} if (v == {k}) break; if ({c}) break; }}",
    "v = LD(x, {l}); while (v != {k}) if ({c}) break;",
    "v = LD(x, {l}); {g} while (!{c}) {{ {b} }}",
    "v = LD(x, {l}); w = v; while (!{c}) {{ {b} }}",
    "v = LD(x, {l}); for (;;) {{ if ({c}) {{ if (v != {k}) break; }} else {{ {b} }} }}",
    "v = LD(x, {l}); for (;;) {{ if ({c}) break; if (v == {k}) {{ w = 7; break; }} {b} }}",
    "v = LD(x, {l}); while (!{c}) {{ if (LD(y, {l2}) == {m}) {{ w = 5; break; }} }}",
    "v = LD(y, {l}); while (!{c}) {{ {b} }}",
    "v = {k}; while (!{c}) {{ {b} }}",
    "v = {k}; while (!{c}) {{ {b} v = {k}; }}",
    "do {{ v = LD(x, {l}); {b} }} while (!{c});",
    "do {{ {b} v = LD(x, {l}); }} while (!{c});",
    "while ((v = LD(x, {l})) != {k}) {{ {b} }}",
    "while ((v = LD(x, {l})) != {k}) {{ {b} }}",
    "for (;;) {{ {b} v = LD(x, {l}); if (v == {k}) break; }}",
    "v = LD(x, {l}); while (v != {k}) {{ {b} v = LD(x, {l2}); }}",
    "while ((v = SWAP(x, {k}, {u})) == {k}) {{ {b} }}",
    "while ((v = SWAP(x, {k}, {u})) == {k}) while (LD(x, {l}) == {k}) {{ {b} }}",
    "while ((v = OR(x, 1, {u})) & 1) {{ {b} }}",
    "while (!((v = LD(x, {l})) == {k} && LD(y, {l2}) == {m})) {{ {b} }}",
    "while ((v = LD(x, {l})) != {k} && (w = LD(y, {l2})) != {m}) {{ {b} }}",
    "for (int i = 0; i < 2; i++) {{ v = LD(x, {l}); {b} if (v == {k}) break; }}",
    "for (int i = 0; i < 2; i++) {{ v = LD(x, {l}); while (!{c}) {{ {b} }} }}",
    "while ((v = LD(*(p == &d ? &x : &y), {l})) != {k}) {{ {b} }}",
)  # fmt: skip
BODIES = ("", "", "", "w = d;", "w = e;", "d = 1;", "FENCE({f});", "w = LD(y, {l2});", "w = LD(z, {l2});", "w = *p;",
          "if (v == {k}) w = d;", "if (v == {m}) w = d;", "if (LD(y, {l2})) w = d;", "if (LD(y, {l2}) == 1) break;",
          "if (v & 1) {{ w = LD(y, {l2}); continue; }}", "ADD(z, 1, {u});", "OR(z, 0, {u});", "w++;")  # fmt: skip
GAPS = ("w = d;", "FENCE({f});", "w = LD(y, {l2});", "ST(z, 1, {s});", "d = 1;")
AFTER = ("", "w = d;", "if (v == {k}) w = d;", "if (v == {m}) w = d;", "if (v == 1) w = d;", "d = 2;",
         "FENCE({f}); w = d;", "ST(z, 1, {s});", "ST(z, 1, {s});", "ST(y, {k}, {s}); w = d;",
         "w = LD(y, {l2});")  # fmt: skip
OTHERS = ("d = 1; ST(x, {k}, {s});", "d = 1; ST(x, {k}, {s});", "d = 1; ADD(x, {k}, {u});", "ST(x, {k}, {s});",
          "d = 1; SWAP(x, {k}, {u});", "ST(y, {m}, {s}); ST(x, {k}, {s2});", "ST(x, {k}, {s}); ST(y, {m}, {s2});",
          "d = 1; FENCE({f}); ST(x, {k}, {s});", "ST(x, {m}, {s}); ST(x, {k}, {s2});", "d = 1; v = 0; {c};",
          "ST(y, 1, {s}); v = LD(x, {l}); d = 1; ST(x, {k}, {s});", "v = LD(x, {l}); if (v) w = d; ST(x, {k}, {s});",
          "d = 1; if ({c}) w = 3;",
          "ST(x, {k}, {s}); d = 1;", "e = 1; ST(x, {k}, {s}); ST(x, {m}, {s2});")  # fmt: skip
THIRDS = ("if (LD(z, {l})) d = 1;", "if (LD(z, {l})) d = 1;", "if (LD(z, {l})) e = 1;", "ST(x, {m}, {s});",
          "v = LD(x, {l}); ST(x, v + 1, {s});", "ADD(x, {m}, {u});", "v = LD(y, {l}); if (v) d = 3;",
          "v = LD(x, {l}); w = LD(y, {l2});", "if (LD(y, {l})) {{ w = d; ST(x, {k}, {s}); }}")  # fmt: skip

# Threads that go together: what one publishes another one uses, or a signal after a loop does not order it.
TRIES = ("v = LD(x, {l}); while (!{c}) {{ {b} }}", "v = LD(x, {l}); while (!{c}) ;", "v = LD(x, {l}); while (!{c}) ;",
         "v = LD(x, {l}); while (!{c}) {{ if (v == 1) w = d; }}", "v = LD(x, {l}); do {{ {b} }} while (!{c});",
         "v = LD(x, {l}); for (;;) {{ if (v == 1) w = d; if ({c}) break; }}")  # fmt: skip
WAITS = ("while ((v = LD(x, {l})) != 1) {{ {p} }}", "v = LD(x, {l}); while (!{c}) {{ {p} }}",
         "do {{ v = LD(x, {l}); {p} }} while (!{c});", "while (SWAP(x, 2, {u}) == 2) {{ {p} }}",
         "while (LD(x, {l}) == 0) while (LD(y, {l2}) == 0) {{ {p} }}")  # fmt: skip
PEEKS = ("w = d;", "w = *p;", "if (v == 0) w = d;", "if (LD(y, {l2}) == 0) w = d;", "w = LD(y, {l2}); w = d;")
SCENES = (
    (TRIES, ("d = 1; ST(x, 1, {s});", "d = 1; ADD(x, 1, {u});"), ("", "", "ST(x, 2, {s});"), ("if (v == 1) w = d;",)),
    (WAITS, ("ST(x, 1, {s});", "ST(y, 1, {s}); ST(x, 1, {s2});"), ("if (LD(z, {l})) d = 1;",), ("ST(z, 1, {s});",)),
    (("v = LD(x, {l}); {g} while (!{c}) ;",), ("ST(y, 1, {s}); ST(x, 1, {s2});",), ("", "ST(z, 1, {s});"), ("",)),
    (TRIES[1:2], ("ST(x, 1, {s});",), ("ST(y, 1, {s}); v = LD(x, {l});",), ("w = LD(y, {l2});",)),
)  # fmt: skip
SC_SCENE = (
    ("v = LD(x, sc); while (!CAS(x, v, 3, {u}, {l})) ;",),
    ("ST(x, 1, sc);",),
    ("ST(y, 1, sc); v = LD(x, sc);",),
    ("w = LD(y, sc);",),
)


class Source:
    """A file of so many programs, made of random numbers. Without `sc`, no order is sequentially consistent."""

    def __init__(self, seed: int, count: int, sc: bool) -> None:
        self.random = Random(seed)
        self.sc = sc
        self.programs = [self._program() for _ in range(count)]

    def _order(self, orders: Sequence[str]) -> str:
        return self.random.choice([o for o in orders if self.sc or o != "sc"])

    def _filled(self, text: str) -> str:
        r = self.random
        loads, stores, updates = (
            ("rlx", "acq", "acq", "sc"),
            ("rlx", "rel", "rel", "sc"),
            ("rlx", "acq", "rel", "ar", "sc"),
        )
        new = r.choice(("v + 1", "v | 2", "{k}", "{m}", "3", "3"))
        try_ = f"{r.choice(('CAS', 'CAS', 'WCAS'))}(x, v, {new}, {self._order(updates)}, {self._order(loads)})"
        text = (
            text.replace("{c}", try_)
            .replace("{b}", r.choice(BODIES))
            .replace("{g}", r.choice(GAPS))
            .replace("{p}", r.choice(PEEKS))
        )
        fields = {n: self._order(loads) for n in ("l", "l2")} | {n: self._order(stores) for n in ("s", "s2")}
        k = r.choice((1, 1, 2))
        return text.format(u=self._order(updates), f=self._order(("acq", "rel", "ar", "sc")), k=k, m=3 - k, **fields)

    def _program(self) -> list[str]:
        r = self.random
        if r.random() < 0.5:
            loop, other, third, after = map(r.choice, r.choice((*SCENES, SC_SCENE) if self.sc else SCENES))
            return [self._filled(t) for t in (f"{loop} {after}", other, third) if t]
        loop = r.choice(LOOPS)
        first = r.choice(("", "", "", "ST(y, 1, {s}); ", "d = 4; ", "w = LD(y, {l}); "))
        threads = [first + loop + " " + r.choice(AFTER) + (" " + r.choice(AFTER) if r.random() < 0.3 else "")]
        threads.append(r.choice(OTHERS) if r.random() < 0.85 else r.choice(LOOPS) + " " + r.choice(AFTER))
        if r.random() < 0.5:
            threads.append(r.choice(THIRDS) if r.random() < 0.8 else r.choice(OTHERS))
        return [self._filled(t) for t in threads]

    def text(self) -> str:
        functions, starts = [], []
        for n, threads in enumerate(self.programs):
            for t, code in enumerate(threads):
                left = f"out[{3 * t}] = v; out[{3 * t + 1}] = w;"
                functions.append(f"void *f{n}_{t}(void *a) {{ int v = 0, w = 0; {code} {left} return a; }}")
                starts.append(f"pthread_create(&t, 0, f{n}_{t}, 0);")
        return "\n".join([HEAD, *functions, "int main(void) { pthread_t t;", *starts, "}"]) + "\n"


def programs(seed: int, count: int, sc: bool, folder: Path) -> Iterator[tuple[str, Program]]:
    """Each program with its threads as they are in C."""
    source = Source(seed, count, sc)
    file = folder / f"loops{seed}.c"
    file.write_text(source.text())
    whole = read_c(str(file))
    by_name = {t.name: t for t in whole.templates}
    for n, threads in enumerate(source.programs):
        templates = tuple(by_name[f"f{n}_{t}"] for t in range(len(threads)))
        starts = tuple(Start(t, (0,), f"{t}") for t in range(len(threads)))
        yield "\n".join(threads), replace(whole, templates=templates, starts=starts, call=())
