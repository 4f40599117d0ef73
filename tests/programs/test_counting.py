"""Loops that are said to count change a register in each iteration, whatever it held; others are left alone."""

import random
from itertools import product
from pathlib import Path

import pytest

from porf import _core
from porf.programs.c import read_c
from porf.programs.counting import counting
from porf.programs.form import Back, Binary, Instruction, Opcode, Template, Unary

HEAD, STEPS = 1, 2


def loop(*body: Instruction, pool: tuple[int, ...] = ()) -> Template:
    """A loop in which register 0 matters."""
    code = (
        Instruction(Opcode.HEAD, a=0, b=4),
        *body,
        Instruction(Opcode.BACK, a=0, b=4, c=0, kind=Back.EXACT),
    )
    return Template("loop", code, 8, pool=pool, live=((0,),), loops=(None,))


def counts(template: Template) -> bool:
    found = counting(template)
    marked = {i.kind for i in found.code if i.opcode is Opcode.BACK} == {Back.NEVER}
    assert marked == (found.live == ((),))
    return marked


def wrapped(value: int, width: int, signed: bool) -> int:
    value %= 1 << 8 * width
    return value - (1 << 8 * width) if signed and value >> (8 * width - 1) else value


def remainder(kind: Binary, value: int, divisor: int) -> int:
    if kind is Binary.MOD:
        return abs(value) % divisor * (1 if value >= 0 else -1)
    if kind is Binary.AND:
        return value & divisor
    return (value if kind is Binary.FLOORMOD else value % (1 << 64)) % divisor


def test_what_counts_changes_whatever_it_was() -> None:
    seed = random.Random(1)
    said = 0
    for _ in range(3000):
        signed = seed.random() < 0.7
        step, divisor = (
            seed.choice((1, 2, 3, 64, 127, 128, 255, 256, -1, -5)),
            seed.choice((1, 2, 3, 5, 64, 127, 128, 100)),
        )
        kind = seed.choice((Binary.MOD, Binary.FLOORMOD, Binary.UMOD, Binary.AND))
        if kind is Binary.AND:
            divisor -= 1
        plus = Instruction(Opcode.BINARY, a=1, b=0, c=~0, kind=Binary.ADD, width=1, signed=signed)
        rest = Instruction(Opcode.BINARY, a=0, b=1, c=~1, kind=kind, width=1, signed=signed)
        only = Instruction(Opcode.UNARY, a=0, b=1, kind=Unary.WRAP, width=1, signed=signed)
        is_rest = seed.random() < 0.8
        if not counts(loop(plus, rest if is_rest else only, pool=(step, divisor))):
            continue
        said += 1
        for before in range(-128, 128) if signed else range(256):
            after = wrapped(before + step, 1, signed)
            if is_rest:
                after = wrapped(remainder(kind, after, divisor), 1, signed)
            assert after != before, (step, divisor, kind, signed, before)
    assert said > 500


ADD = Instruction(Opcode.BINARY, a=0, b=0, c=~0, kind=Binary.ADD, width=4)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ((ADD,), True),
        ((ADD, ADD), True),
        ((Instruction(Opcode.MOVE, a=0, b=1),), False),  # of which nothing is known
        ((ADD, Instruction(Opcode.MOVE, a=0, b=1)), False),
        ((Instruction(Opcode.MOVE, a=1, b=0), ADD, Instruction(Opcode.MOVE, a=0, b=1)), False),  # as it was
        ((Instruction(Opcode.JUMP_IF, a=HEAD + 2, b=2), ADD), False),  # on one way only
        ((Instruction(Opcode.JUMP_IF, a=HEAD + 3, b=2), ADD, Instruction(Opcode.JUMP, a=HEAD + 4), ADD), True),
        ((ADD, Instruction(Opcode.LOAD, a=0, b=3, width=4)), False),
    ],
)
def test_ways_through_a_loop(body: tuple[Instruction, ...], expected: bool) -> None:
    assert counts(loop(*body, pool=(1,))) is expected


def test_steps_that_cancel_out_do_not_count() -> None:
    steps = [Instruction(Opcode.BINARY, a=0, b=0, c=~n, kind=Binary.ADD, width=2) for n in range(2)]
    for first, second in product((1, -1, 1 << 15, 5), repeat=2):
        assert counts(loop(*steps, pool=(first, second))) == ((first + second) % (1 << 16) != 0)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for (int i = 0; i < 4; i++) if (atomic_load(&x) == i) break;", 1),
        ("unsigned h = 3; while (atomic_exchange(&x, 1)) h = (h + 1) % 128; out = h;", 1),
        ("while (atomic_load(&x) == 0) ;", 0),
        ("int old = atomic_load(&x); while (!atomic_compare_exchange_strong(&x, &old, old + 1)) ;", 0),
    ],
)
def test_loops_in_c(tmp_path: Path, source: str, expected: int) -> None:
    file = tmp_path / "loop.c"
    file.write_text(f"#include <stdatomic.h>\natomic_int x; int out;\nint main(void) {{ {source} return 0; }}\n")
    templates = map(counting, read_c(str(file), []).templates)
    assert sum(i.opcode is Opcode.BACK and i.kind == Back.NEVER for t in templates for i in t.code) == expected


def test_the_core_knows_the_mark() -> None:
    assert _core.Back.NEVER == Back.NEVER
