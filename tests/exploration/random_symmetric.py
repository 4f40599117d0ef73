"""Random programs in which several threads do the same, and what permutations of threads make of executions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace

from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Opcode, Program, Start, Template
from tests.exploration.random_programs import Maker, Mix
from tests.exploration.run import Class
from tests.exploration.symmetric_prototype import Group, permuted

SHAPES = ((0, 0), (0, 0, 1), (0, 0, 0), (0, 0, 1, 1), (1, 1, 0), (0, 0, 0, 1), (0, 1, 0), (0, 0, 0, 0))
MOST = 9  # instructions that make events


def with_twins(program: Program, seed: int, most: int = MOST) -> Program | None:
    """The first two threads of a program, some of them several times; None if it starts threads or is large."""
    shape = random.Random(seed).choice(SHAPES)
    bodies = [start.template for start in program.starts]
    starts = [Start(bodies[n if n < len(bodies) else 0]) for n in shape]
    code = [i for start in starts for i in program.templates[start.template].code]
    if any(i.opcode is Opcode.SPAWN for i in code) or sum(_is_event(i.opcode) for i in code) > most:
        return None
    return replace(program, name=f"{program.name}-{shape}", starts=tuple(starts))


def _is_event(opcode: Opcode) -> bool:
    return opcode in (Opcode.LOAD, Opcode.STORE, Opcode.RMW, Opcode.CAS, Opcode.LOCK, Opcode.CHOOSE, Opcode.TRYLOCK)


def spawned(program: Program, seed: int) -> Program:
    """The same threads, started by one that has an access before and after, and may join them."""
    rng = random.Random(seed)
    reader = program.templates[program.starts[0].template]
    a = Assembler("main")
    handles = []
    for start in program.starts:
        handles.append(a.register())
        a.emit(Opcode.SPAWN, a=handles[-1], c=start.template, d=a.arguments(()))
    if rng.random() < 0.7:
        rng.shuffle(handles)
        for handle in handles:
            a.emit(Opcode.JOIN, a=a.register(), b=handle)
    main = _followed_by(a.template(), reader, rng.random() < 0.5)
    return replace(
        program,
        name=f"{program.name}-spawned",
        templates=(*program.templates, main),
        starts=(Start(len(program.templates)),),
    )


def _followed_by(main: Template, body: Template, wanted: bool) -> Template:
    """The first access of a body after all that main does."""
    first = next((i for i in body.code if i.opcode is Opcode.LOAD), None)
    if not wanted or first is None or first.b >= 0:
        return main
    code = list(main.code)
    load = replace(first, a=main.registers, b=~len(main.pool))
    end = len(code) - 1 if code and code[-1].opcode in (Opcode.EXIT, Opcode.RETURN) else len(code)
    code.insert(end, load)
    return replace(main, code=tuple(code), registers=main.registers + 1, pool=(*main.pool, body.pool[~first.b]))


def orbits(found: Iterable[Class], groups: Iterable[Group]) -> dict[Class, int]:
    """One execution for all that differ by a permutation of threads, and how many these are."""
    out: dict[Class, int] = {}
    for c in found:
        every = {permuted(c, to) for to in permutations(groups)}
        out[min(every, key=repr)] = len(every)
    return out


def permutations(groups: Iterable[Group]) -> Iterable[dict[int, int]]:
    groups = list(groups)
    for choice in itertools.product(*map(itertools.permutations, groups)):
        yield {a: b for group, order in zip(groups, choice, strict=True) for a, b in zip(group, order, strict=True)}


class WithArguments(Maker):
    """Threads of one body, each with a number of its own: what they make of that may differ, or come to the same."""

    def program(self, name: str) -> Program:
        body = self.thread(0, self.rng.randint(1, 3), 0)
        values = [self.rng.choice((0, 1, 2, 3, 7)) for _ in range(self.rng.choice((2, 2, 3)))]
        base = super().program(name)
        return replace(base, templates=(body,), starts=tuple(Start(0, (value,)) for value in values))

    def thread(self, number: int, budget: int, mutexes: int) -> Template:
        a = Assembler(f"t{number}", ["n"])
        read = [0]
        for _ in range(self.rng.randint(0, 2)):  # something that may be the same for all numbers
            out = a.register()
            kind = self.rng.choice((Binary.AND, Binary.LT, Binary.EQ, Binary.ADD, Binary.MUL, Binary.DIV))
            a.emit(
                Opcode.BINARY, a=out, b=self.rng.choice(read), c=a.constant(self.rng.choice((1, 2, 4, 8))), kind=kind
            )
            read.append(out)
        self.body(a, read, budget, mutexes)
        return a.template()


def with_arguments(seed: int, sc: bool) -> Program:
    mix = Mix(load=4, store=2, update=3, compare=1, branches=0.7, flow=0.1, arrays=0.1, loops=0.2)
    return WithArguments(random.Random(f"arguments {seed} {sc}"), "control", sc, 6, mix).program(f"arguments-{seed}")
