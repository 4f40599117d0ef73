"""Threads mean what Python means: the same function is compiled and interpreted, and run by Python itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from porf.programs.python import load_programs
from tests.programs.arithmetic import wrap
from tests.programs.interpreter import run
from tests.seeds import seeds

HEADER = """
import porf
from porf.programs.python import *
p = porf.program("random")
x = p.int("x", 3)
y = p.int("y", -2, type="i8")
z = p.int("z", 200, type="u8")
d = p.plain("d", 7)
a = p.array("a", 4, initial=[5, 0, 9, 1], type="i16")
TABLE = (4, 8, 15, 16)
N = 3
"""


class Cell:
    """A shared integer for Python itself."""

    def __init__(self, value: int, width: int = 8, signed: bool = True) -> None:
        self.value, self.width, self.signed = value, width, signed

    def load(self, order: object = None) -> int:
        return self.value

    def store(self, value: int, order: object = None) -> None:
        self.value = wrap(value, self.width, self.signed)

    def exchange(self, value: int, order: object = None) -> int:
        old = self.value
        self.store(value)
        return old

    def fetch_add(self, value: int, order: object = None) -> int:
        return self.exchange(self.value + value)

    def fetch_max(self, value: int, order: object = None) -> int:
        return self.exchange(max(self.value, wrap(value, self.width, self.signed)))

    def compare_exchange(self, expected: int, desired: int, *orders: object) -> bool:
        if self.value != wrap(expected, self.width, self.signed):
            return False
        self.store(desired)
        return True


class Writer:
    """Writes random functions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.pick("u", "v", "w", "N", "0", "1", "-1", "7", "x.load(acquire)", "z.load()", "d.value")
        one, two, three = (self.number(depth - 1) for _ in range(3))
        return self.pick(
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * {two} % 101)",
            f"({one} // {self.pick('3', '-4', f'(1 + {two} % 5)')})",
            f"({one} % {self.pick('3', '-4', f'(1 + {two} % 5)')})",
            f"({one} {self.pick('&', '|', '^')} {two})",
            f"({one} {self.pick('<<', '>>')} ({two} % 4))",
            f"(-{one})",
            f"(~{one})",
            f"({one} if {self.condition(depth - 1)} else {three})",
            f"({one} and {two})",
            f"({one} or {two} or {three})",
            f"{self.pick('min', 'max')}({one}, {two}, {three})",
            f"abs({one})",
            f"({self.pick('u', 'v', 'w')} := {two} % 50)",
            f"a[{one} % 4].load(acquire)",
            f"TABLE[{one} % 4]",
            f"helper({one} % 9, {two})",
            f"{self.pick('x', 'y', 'z')}.fetch_add({one} % 60, acq_rel)",
            f"y.fetch_max({one} % 300)",
            f"z.exchange({one} % 300, release)",
            f"int({self.pick('x', 'y', 'z', 'a[1]')}.compare_exchange({one}, {two} % 70, acq_rel, relaxed))",
        )

    def condition(self, depth: int) -> str:
        if depth <= 0:
            return self.pick("u", "v < w", "not w", "True", "N == 3")
        one, two, three = (self.number(depth - 1) for _ in range(3))
        return self.pick(
            one,
            f"{one} {self.pick('<', '<=', '==', '!=', '>', '>=')} {two}",
            f"{one} < {two} <= {three}",
            f"not ({self.condition(depth - 1)})",
            f"({self.condition(depth - 1)}) {self.pick('and', 'or')} ({self.condition(depth - 1)})",
            f"{one} {self.pick('in', 'not in')} (1, {two}, 3)",
        )

    def block(self, depth: int, inside: bool) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, inside)
        return lines

    def nested(self, depth: int, inside: bool) -> list[str]:
        return [f"    {line}" for line in self.block(depth - 1, inside)]

    def statement(self, depth: int, inside: bool) -> list[str]:
        target = self.pick("u", "v", "w")
        kind = self.random.random()
        if depth == 0 or kind < 0.45:
            options = [
                f"{target} = {self.number(2)}",
                f"{target} {self.pick('+', '-', '^', '&')}= {self.number(2)}",
                "u, v, w = w, u, v",
                f"u, v = {self.number(1)}, {self.number(1)}",
                f"d.value = {self.number(1)} % 1000",
                f"d.value += {self.number(1)} % 10",
                f"{self.pick('x', 'y', 'z')}.store({self.number(2)}, release)",
                f"a[{self.number(1)} % 4].store({self.number(1)})",
                f"change({self.number(1)} % 8)",
            ]
            return [self.pick(*options)]
        if inside and kind < 0.55:
            return [f"if {self.condition(1)}:", f"    {self.pick('break', 'continue')}"]
        if kind < 0.75:
            lines = [f"if {self.condition(2)}:", *self.nested(depth, inside)]
            if self.random.random() < 0.3:
                lines += [f"elif {self.condition(1)}:", *self.nested(depth, inside)]
            return lines + (["else:", *self.nested(depth, inside)] if self.random.random() < 0.5 else [])
        self.loops += 1
        i = f"i{self.loops}"
        otherwise = ["else:", *self.nested(depth, False)] if self.random.random() < 0.3 else []
        if kind < 0.9:
            over = self.pick(
                "range(3)",
                "range(u % 4)",
                "range(4, v % 3, -1)",
                "TABLE",
                "reversed(range(3))",
                "(u, 2, v)",
                "range(1, 9, 3)",
            )
            return [f"for {i} in {over}:", f"    u = u ^ {i}", *self.nested(depth, True), *otherwise]
        return [f"{i} = 0", f"while {i} < 3:", f"    {i} += 1", *self.nested(depth, True), *otherwise]

    def program(self) -> str:
        body = ["u = 1", "v = 2", "w = 3", *self.block(2, False), *self.block(2, False)]
        body += [f"x.store(x.load() ^ ({v} % 1000))" for v in "uvw"]
        helper = [
            "k = 1",
            "if n > 4:",
            "    return m % 7",
            "for n in range(2):",
            "    k = k * 3 + n",
            "return k - m % 11",
        ]
        change = ["for j in range(3):", "    if j == n:", "        return", "    z.store(z.load() + j)", "y.store(n)"]
        parts = [("@p.function", "helper(n, m=5)", helper), ("@p.function", "change(n)", change)]
        parts += [("@p.thread", "thread()", body)]
        indented = ["\n".join([deco, f"def {name}:", *(f"    {line}" for line in b)]) for deco, name, b in parts]
        return "\n\n".join(indented) + "\n"


def by_python(text: str) -> dict[str, int]:
    cells = {"x": Cell(3), "y": Cell(-2, 1), "z": Cell(200, 1, False), "d": Cell(7)}
    a = [Cell(v, 2) for v in (5, 0, 9, 1)]
    names: dict[str, object] = {**cells, "a": a, "TABLE": (4, 8, 15, 16), "N": 3}
    names |= dict.fromkeys(("acquire", "release", "acq_rel", "relaxed"))

    class Decorators:
        function = thread = staticmethod(lambda f: f)

    names["p"] = Decorators
    exec(text, names)
    names["thread"]()  # type: ignore[operator]
    return {n: c.value for n, c in cells.items()} | {f"a[{i}]": c.value for i, c in enumerate(a)}


@pytest.mark.parametrize("group", seeds(5, 10))
def test_random_functions(tmp_path: Path, group: int) -> None:
    for seed in range(group * 40, group * 40 + 40):
        text = Writer(seed).program()
        path = tmp_path / f"random{seed}.py"
        path.write_text(HEADER + text, encoding="utf-8")
        outcome = run(load_programs(str(path))[0])
        assert outcome.bugs == set(), text
        [final] = outcome.finals
        assert dict(final) == by_python(text), text
