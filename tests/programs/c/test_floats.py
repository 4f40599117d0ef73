"""Random floating-point arithmetic in C means what a native build of it computes, bit by bit."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.programs.c.test_c_fuzz import COMPILER, NEEDS_COMPILER, explored
from tests.seeds import seeds

HEAD = """
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
double d[4] = {1.5, -0.1, 1e300, 3.0e-310};
float f[4] = {0.1f, -7.25f, 3e38f, 16777216.0f};
int i[4] = {3, -2, 123456789, 0};
unsigned long u[4] = {1, 0xffffffffffffffff, 0x20000000000001, 7};
uint32_t sum;
static void see_double(double x) { uint64_t b; memcpy(&b, &x, 8); sum = sum * 31 + (x != x ? 1 : b ^ b >> 32); }
static void see_float(float x) { uint32_t b; memcpy(&b, &x, 4); sum = sum * 31 + (x != x ? 2 : b); }
"""
TAIL = """
#ifdef NATIVE
    printf("%d\\n", (int)sum);
#else
    assert(sum == EXPECTED);
#endif
    return 0;
}
"""
ONE = ("sqrt(fabs({}))", "floor({})", "ceil({})", "trunc({})", "round({})", "rint({})", "fabs({})", "(- {})")
TWO = ("({} + {})", "({} - {})", "({} * {})", "({} / {})", "fmod({}, {})", "copysign({}, {})")
CHECKS = ("({} < {})", "({} <= {})", "({} == {})", "({} != {})", "({} > {})", "!({} >= {})", "isgreater({}, {})")
CLASSES = ("isnan({})", "isinf({})", "isfinite({})", "isnormal({})", "!!signbit({})")


class Floats:
    """Random expressions. Numbers are converted to integers only where that is defined."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def number(self, depth: int) -> str:
        r = self.random
        if depth == 0:
            return r.choice(
                (f"d[{r.randrange(4)}]", f"f[{r.randrange(4)}]", f"i[{r.randrange(4)}]", f"u[{r.randrange(4)}]",
                 "0.5", "3.1f", "-0.0", "1e-5f")
            )  # fmt: skip
        match r.randrange(8):
            case 0:
                return f"(double){r.choice(ONE).format(self.number(depth - 1))}"
            case 1:
                return f"(float){self.number(depth - 1)}"
            case 2:
                return f"({self.check(depth - 1)} ? {self.number(depth - 1)} : {self.number(depth - 1)})"
        two = r.choice(TWO)
        cast = r.choice(("(double)", "(float)")) if "(" in two[1:] else ""
        return two.format(f"(double){self.number(depth - 1)}" if "f" in two else f"{cast}{self.number(depth - 1)}",
                          f"1.0 * {self.number(depth - 1)}")  # fmt: skip

    def check(self, depth: int) -> str:
        if self.random.randrange(3) == 0:
            return self.random.choice(CLASSES).format(
                f"({self.random.choice(('double', 'float'))}){self.number(depth)}"
            )
        return self.random.choice(CHECKS).format(f"1.0 * {self.number(depth)}", f"1.0 * {self.number(depth)}")

    def statement(self) -> str:
        r = self.random
        match r.randrange(6):
            case 0:
                return f"see_float({self.number(3)});"
            case 1:
                return f"d[{r.randrange(4)}] = {self.number(2)};"
            case 2:
                return f"f[{r.randrange(4)}] = {self.number(2)};"
            case 3:
                kind = r.choice(("int", "long", "unsigned"))
                return f"{{ double x = {self.number(2)}; if (fabs(x) < 1e9) sum += ({kind})fabs(x) + (int)x; }}"
            case 4:
                return f"sum = sum * 31 + {self.check(2)};"
        return f"see_double({self.number(3)});"


def program(seed: int) -> str:
    floats = Floats(Random(seed))
    lines = "\n    ".join(floats.statement() for _ in range(25))
    return f"{HEAD}\nint main(void) {{\n    {lines}{TAIL}"


def native(source: Path) -> int:
    assert COMPILER is not None
    binary = source.with_suffix(".native")
    flags = ("-w", "-DNATIVE", "-O0", "-ffp-contract=off", "-fno-builtin")
    subprocess.run([COMPILER, *flags, str(source), "-o", str(binary), "-lm"], check=True)
    return int(subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout)


def judge(seed: int, folder: Path) -> None:
    source = folder / f"seed{seed}.c"
    source.write_text(program(seed))
    found = explored(source, native(source))
    assert (seed, found.verdict, found.executions, found.bugs) == (seed, "safe", 1, ())


@NEEDS_COMPILER
@pytest.mark.parametrize("group", seeds(3, 6))
def test_checksums(group: int, tmp_path: Path) -> None:
    for seed in range(4 * group, 4 * group + 4):
        judge(seed, tmp_path)


@NEEDS_COMPILER
@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 1400, 20))
def test_many_checksums(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        judge(seed, tmp_path)
