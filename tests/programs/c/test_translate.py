"""What C means: small programs that check themselves, and what their code looks like where that matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.errors import ProgramError
from porf.exploration import explore
from porf.programs.c import read_c
from porf.programs.form import Opcode, Program

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

# What stands before main, and what main does.
MEANINGS = {
    "widths wrap": ("", "uint16_t a = 65535; a++; int8_t b = -128; b = -b; assert(a == 0 && b == -128);"),
    "signs": ("long n = -5;", "assert(n >> 1 == -3 && (unsigned long)n >> 60 == 15 && -7 / 2 == -3 && n % 2 == -1);"),
    "unsigned": (
        "unsigned u = 0x80000000u; uint64_t m = -1;",
        "assert(u >> 31 == 1 && (int)u < 0 && u > 1 && m / 3 == 0x5555555555555555u && u / 2 == 0x40000000u);",
    ),
    "counts of bits": (
        "unsigned x = 0xF0F0; unsigned long y = 1ul << 50;",
        "assert(__builtin_popcount(x) == 8 && __builtin_clz(x) == 16);"
        "assert(__builtin_ctzl(y) == 50 && __builtin_clzl(y) == 13);",
    ),
    "swapped bytes": (
        "uint64_t x = 0x0102030405060708; uint32_t y = 0x01020304; uint16_t z = 0x0102;",
        "assert(__builtin_bswap64(x) == 0x0807060504030201 && __builtin_bswap32(y) == 0x04030201);"
        "assert(__builtin_bswap16(z) == 0x0201);",
    ),
    "overflow": (
        "int most = INT32_MAX, r; long big = 1l << 62, s; unsigned long t, minus = -1;",
        "assert(__builtin_add_overflow(most, 1, &r) && r == INT32_MIN && !__builtin_add_overflow(most, -1, &r));"
        "assert(__builtin_mul_overflow(big, 2l, &s) && !__builtin_mul_overflow(big, -2l, &s) && s == INT64_MIN);"
        "assert(__builtin_add_overflow(minus, 1ul, &t) && __builtin_sub_overflow(0ul, 1ul, &t));"
        "assert(__builtin_mul_overflow(minus, 2ul, &t) && !__builtin_mul_overflow(minus, 1ul, &t));",
    ),
    "bit-fields": (
        "struct { unsigned a : 3; int b : 5; unsigned long c : 40; int d : 7; } g = {5, -3, 123456789012, -8};",
        "assert(g.a == 5 && g.b == -3 && g.c == 123456789012 && g.d == -8); g.b = 7; g.d = -1;"
        "assert(g.a == 5 && g.b == 7 && g.c == 123456789012 && g.d == -1);",
    ),
    "copies with bytes between": (
        "struct s { char a; long b; short c; int d; char e[3]; } g = {1, 2, 3, 4, {5, 6, 7}}, h;",
        "struct s t = g; t.c++; h = t; struct s *p = malloc(sizeof *p); *p = h; t = *p;"
        "assert(t.a == 1 && t.b == 2 && t.c == 4 && t.d == 4 && t.e[2] == 7 && g.c == 3); free(p);",
    ),
    "memmove and memset": (
        "int a[6] = {1, 2, 3, 4, 5, 6}; int n = 4;",
        "memmove(a + 1, a, n * sizeof *a); assert(a[0] == 1 && a[1] == 1 && a[4] == 4 && a[5] == 6);"
        "memmove(a, a + 1, n * sizeof *a); assert(a[0] == 1 && a[3] == 4); memset(a, -1, 8); "
        "assert(a[1] == -1 && a[2] == 3);",
    ),
    "realloc": (
        "",
        "int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); p[3] = 4; assert(p[0] == 1 && p[1] == 2); "
        "free(p);",
    ),
    "structures by value": (
        "struct big { long a[5]; int k; }; struct two { long x; int y; };"
        "long sum(struct big b, int n) { if (!n) return b.a[0] + b.k; b.a[0]++; long r = sum(b, n - 1); "
        "return r + b.a[0]; }"
        "struct two up(int n) { struct two t = {1, 2}; if (n) { t = up(n - 1); t.x += n; t.y *= 2; } return t; }",
        "struct big b = {{3}, 4}; assert(sum(b, 2) == 9 + 5 + 4 && b.a[0] == 3); struct two t = up(4); "
        "assert(t.x == 11 && t.y == 32);",
    ),
    "calls through pointers": (
        "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; "
        "} int (*f[2])(int, int) = {add, sub};",
        "int n = 7; for (int i = 0; i < 2; i++) n = f[i](n, i + 2); assert(n == 6);",
    ),
    "swaps at once": (
        "",
        "int a = 1, b = 2, n = 3; while (n--) { int t = a; a = b; b = t; } assert(a == 2 && b == 1);",
    ),
    "jumps into a loop": (
        "int duff(int n) { int c = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++;"
        "case 1: c++; } while (--k > 0); } return c; }",
        "for (int n = 1; n < 10; n++) assert(duff(n) == n);",
    ),
    "thread-local variables": (
        "_Thread_local int t = 5; int seen; void *run(void *a) { t += 1; seen = t; return a; }",
        "pthread_t p; t = 9; pthread_create(&p, 0, run, 0); pthread_join(p, 0); assert(t == 9 && seen == 6);",
    ),
    "arrays of unknown length": (
        "int n = 5;",
        "int a[n]; for (int i = 0; i < n; i++) a[i] = i; assert(a[n - 1] == 4);",
    ),
    "unsigned extremes": (
        "atomic_uchar x = 200;",
        "unsigned char a = 255; __atomic_fetch_add(&a, 1, __ATOMIC_RELAXED); assert(a == 0);"
        "assert(atomic_fetch_or(&x, 1) == 200 && x == 201);",
    ),
    "atomic calls of the library": (
        'void fetch(size_t, void *, void *, int) __asm__("__atomic_load");'
        'void put(size_t, void *, void *, int) __asm__("__atomic_store");'
        'void swap(size_t, void *, void *, void *, int) __asm__("__atomic_exchange");'
        'bool cas(size_t, void *, void *, void *, int, int) __asm__("__atomic_compare_exchange"); int g = 1;',
        "int a, b = 5, c = 7; fetch(4, &g, &a, 2); assert(a == 1); assert(!cas(4, &g, &b, &c, 5, 0) && b == 1);"
        "assert(cas(4, &g, &b, &c, 5, 5)); swap(4, &g, &a, &b, 4); assert(b == 7); put(4, &g, &c, 3);"
        "fetch(4, &g, &a, 5); assert(a == 7);",
    ),
    "truths": ("int n = 256;", "bool b = n; assert(b == 1); b = !b; assert(!b); assert((bool)(n & 0xff) == 0);"),
}


def program(folder: Path, globals_: str, body: str) -> Program:
    path = folder / "p.c"
    path.write_text(f"{HEAD}{globals_}\nint main(int argc, char **argv) {{ {body}\n return 0; }}\n", encoding="utf-8")
    return read_c(str(path))


@pytest.mark.parametrize("name", MEANINGS)
def test_programs_mean_what_c_says(tmp_path: Path, name: str) -> None:
    found = explore(program(tmp_path, *MEANINGS[name]), "sc")
    assert (found.verdict, found.executions, [bug.message for bug in found.bugs]) == ("safe", 1, [])


@pytest.mark.parametrize("name", MEANINGS)
def test_such_programs_notice_what_is_wrong(tmp_path: Path, name: str) -> None:
    globals_, body = MEANINGS[name]
    [bug] = explore(program(tmp_path, globals_, body + " assert(argc != 1);"), "sc").bugs
    assert "argc != 1" in bug.message


def test_a_loop_that_waits_keeps_nothing(tmp_path: Path) -> None:
    made = program(
        tmp_path,
        "atomic_int flag; void *run(void *a) { atomic_store(&flag, 1); return a; }",
        "int tries = 0; pthread_t p; pthread_create(&p, 0, run, 0); while (!atomic_load(&flag)) tries++; return 0;",
    )
    [main] = [t for t in made.templates if t.name == "main"]
    assert main.live == ((),)
    found = explore(made, "sc")
    assert (found.verdict, found.executions, found.blocked) == ("safe", 1, 0)


def test_private_variables_make_no_events(tmp_path: Path) -> None:
    made = program(
        tmp_path, "", "int a[4] = {1, 2, 3, 4}, s = 0; for (int i = 0; i < 4; i++) s += a[i]; assert(s == 10);"
    )
    [main] = made.templates
    assert any(i.opcode is Opcode.ADDRESS for i in main.code)
    assert not any(i.opcode is Opcode.ALLOCATE for i in main.code)


def test_every_instruction_has_its_place(tmp_path: Path) -> None:
    made = program(tmp_path, *MEANINGS["copies with bytes between"])
    assert all(i.place is not None and i.place.line for t in made.templates for i in t.code if i.opcode >= Opcode.LOAD)


@pytest.mark.parametrize(
    ("globals_", "body", "words"),
    [
        ("void far(void);", "far();", "'far'"),
        ("_Float16 *h;", "*h = *h + 1;", "half"),
        ("", "__int128 x = argc; argc = x / 3;", "128 bits"),
    ],
)
def test_what_is_unsupported_is_named_with_its_line(tmp_path: Path, globals_: str, body: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words) as error:
        explore(program(tmp_path, globals_, body), "sc")
    assert error.value.line == HEAD.count("\n") + 2 and error.value.source == str(tmp_path / "p.c")
