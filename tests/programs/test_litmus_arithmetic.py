"""Random expressions of C, as a C compiler computes them and as a litmus test does."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from porf.programs.litmus import read_litmus
from tests.programs.interleavings import run

COMPILER = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
VARIABLES = {
    "signed char": ("c", [-128, -1, 3, 127]),
    "unsigned char": ("uc", [0, 7, 255]),
    "short": ("s", [-32768, 5, 32767]),
    "unsigned short": ("us", [1, 65535]),
    "int": ("i", [-2147483647, -3, 0, 9, 2147483647]),
    "unsigned": ("u", [0, 6, 4294967295]),
    "long": ("l", [-9223372036854775807, -2, 11, 9223372036854775807]),
    "unsigned long": ("ul", [2, 18446744073709551615]),
    "bool": ("b", [0, 1]),
}


def expression(draw: random.Random, depth: int) -> str:
    """A random expression whose value C defines (with wrapping): shifts are short, divisors positive and small."""
    if depth == 0:
        return draw.choice([*(name for name, _ in VARIABLES.values()), "0", "1", "-7", "0xffffffff", "3u", "5L"])

    def sub() -> str:
        return expression(draw, draw.randrange(depth))

    match draw.randrange(8):
        case 0:
            return f"({draw.choice('-~!+')}({sub()}))"
        case 1:
            return f"(({sub()}) {draw.choice(['<<', '>>'])} (({sub()}) & 7))"
        case 2:
            return f"(({sub()}) {draw.choice('/%')} ((({sub()}) & 7) + 1))"
        case 3:
            return f"(({sub()}) {draw.choice(['&&', '||'])} ({sub()}))"
        case 4:
            return f"(({sub()}) ? ({sub()}) : ({sub()}))"
        case 5:
            return f"(({draw.choice(list(VARIABLES))})({sub()}))"
        case 6:
            return f"(({sub()}) {draw.choice(['<', '<=', '>', '>=', '==', '!='])} ({sub()}))"
        case _:
            return f"(({sub()}) {draw.choice('+-*&|^')} ({sub()}))"


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize("seed", range(4))
def test_expressions(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    cases = [(expression(draw, 4), draw.choice(list(VARIABLES))) for _ in range(150)]
    values = {kind: (name, draw.choice(some)) for kind, (name, some) in VARIABLES.items()}
    locals_ = "\n".join(
        f"{kind} {name} = {value}{'UL' if value >= 2**63 else ''};" for kind, (name, value) in values.items()
    )
    results = "\n".join(f"{kind} r{n} = {e};" for n, (e, kind) in enumerate(cases))
    prints = "\n".join(f'printf("%ld\\n", (long)r{n});' for n in range(len(cases)))
    source = tmp_path / "expressions.c"
    includes = "#include <stdio.h>\n#include <stdbool.h>\n"
    source.write_text(f"{includes}int main(void) {{\n{locals_}\n{results}\n{prints}\n}}\n", encoding="utf-8")
    program = tmp_path / "expressions"
    assert COMPILER is not None
    subprocess.run([COMPILER, "-w", "-fwrapv", "-fsigned-char", str(source), "-o", str(program)], check=True)
    expected = [int(line) for line in subprocess.check_output([str(program)], text=True).split()]

    watch = "; ".join(f"0:r{n}" for n in range(len(cases)))
    test = read_litmus(f"C expressions\n{{}}\nP0 () {{\n{locals_}\n{results}\n}}\nlocations [{watch}]")
    [state] = run(test.program).states
    assert [w.label for w in test.program.watched] == [f"0:r{n}" for n in range(len(cases))]
    for (text, kind), found, wanted in zip(cases, state, expected, strict=True):
        assert found == wanted, f"{kind} r = {text}; with {values}"
