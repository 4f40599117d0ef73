"""Random programs whose threads meet in critical sections, from a seed. Most accesses are guarded by the mutex of their
place; some are not, some sections are nested, some mutexes are only tried, and some threads fail."""

from __future__ import annotations

import random

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Modify, Object, Opcode, Program, Start, Template, pointer

WIDTH = 4


def random_sections(seed: int, most: int = 7) -> Program:
    """A program of at most so many sections."""
    return _Maker(random.Random(f"sections {seed} {most}"), most).program(f"sections-{seed}")


class _Maker:
    def __init__(self, rng: random.Random, most: int) -> None:
        self.rng = rng
        self.mutexes = rng.choice((1, 1, 2))
        self.places = rng.choice((1, 2, 3, 4))
        self.threads = rng.choice((2, 3, 3, 4))
        self.sections = rng.randint(self.threads, most)
        self.order = rng.choice((Order.NA, Order.NA, Order.NA, Order.RLX))
        self.wild = rng.choice((0.0, 0.0, 0.0, 0.1))  # how likely an access is not guarded by the mutex of its place
        self.nested = rng.choice((0.0, 0.0, 0.2))
        self.tried = rng.choice((0.0, 0.0, 0.0, 0.0, 0.3))
        self.fails = rng.choice((0.0, 0.0, 0.1))
        self.reads = rng.choice((0.2, 0.5, 0.8))

    def program(self, name: str) -> Program:
        rng = self.rng
        objects = [Object(f"x{i}", WIDTH, (Cell(0, WIDTH, f"x{i}"),)) for i in range(self.places)]
        objects += [Object(f"m{i}", WIDTH, (Cell(0, WIDTH, f"m{i}"),)) for i in range(self.mutexes)]
        numbers = [0] * self.threads
        for _ in range(self.sections):
            numbers[rng.randrange(self.threads)] += 1
        templates = [self.thread(f"t{t}", n) for t, n in enumerate(numbers)]
        if rng.random() < 0.6:
            return Program(name, tuple(objects), tuple(templates), tuple(Start(t) for t in range(self.threads)))
        return Program(name, tuple(objects), (*templates, self.main()), (Start(self.threads),))

    def main(self) -> Template:
        """Starts the others; before and after that, it may access what it likes."""
        a = Assembler("main")
        for m in range(self.mutexes):
            if self.rng.random() < 0.3:
                a.emit(Opcode.STORE, b=a.constant(self.mutex(m)), c=a.constant(0), width=WIDTH)
        if self.rng.random() < 0.3:
            self.access(a, self.rng.randrange(self.places))
        handles = []
        for t in range(self.threads):
            handles.append(a.register())
            a.emit(Opcode.SPAWN, a=handles[-1], c=t, d=a.arguments(()))
            if self.rng.random() < 0.1:
                self.section(a, 1)
        for handle in handles:
            if self.rng.random() < 0.9:
                a.emit(Opcode.JOIN, a=a.register(), b=handle)
        if self.rng.random() < 0.4:
            self.access(a, self.rng.randrange(self.places))
        return a.template()

    def thread(self, name: str, sections: int) -> Template:
        a = Assembler(name)
        for _ in range(sections):
            if self.rng.random() < self.wild:
                self.access(a, self.rng.randrange(self.places))
            self.section(a, 1)
        return a.template()

    def mutex(self, m: int) -> int:
        return pointer(self.places + m)

    def section(self, a: Assembler, depth: int) -> None:
        m = self.rng.randrange(self.mutexes)
        mutex = a.constant(self.mutex(m))
        out = a.label()
        if self.rng.random() < self.tried:
            taken = a.register()
            a.emit(Opcode.TRYLOCK, a=taken, b=mutex, width=WIDTH)
            a.jump_unless(taken, out)
        else:
            a.emit(Opcode.LOCK, b=mutex, width=WIDTH)
        guarded = [x for x in range(self.places) if x % self.mutexes == m] or [0]
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            self.access(
                a, self.rng.randrange(self.places) if self.rng.random() < self.wild else self.rng.choice(guarded)
            )
        if depth < 3 and self.rng.random() < self.nested:
            self.section(a, depth + 1)
        if self.rng.random() > 0.2 * self.fails:
            a.emit(Opcode.UNLOCK, b=mutex, width=WIDTH)
        a.put(out)

    def access(self, a: Assembler, x: int) -> None:
        """A read, a write, or a read whose value is written to another place, or that must not be what it might be."""
        rng, place, value = self.rng, a.constant(pointer(x)), a.register()
        if rng.random() >= self.reads:
            a.emit(Opcode.STORE, b=place, c=a.constant(rng.randint(1, 2)), width=WIDTH, order=self.order)
            return
        if self.order is not Order.NA and rng.random() < 0.3:
            a.emit(
                Opcode.RMW,
                a=value,
                b=place,
                c=a.constant(1),
                kind=Modify.ADD,
                width=WIDTH,
                order=rng.choice((Order.RLX, Order.ACQ_REL)),
            )
            return
        a.emit(Opcode.LOAD, a=value, b=place, width=WIDTH, order=self.order)
        if rng.random() < 0.5:
            more = a.register()
            a.emit(Opcode.BINARY, a=more, b=value, c=a.constant(1), kind=Binary.ADD)
            a.emit(Opcode.STORE, b=place, c=more, width=WIDTH, order=self.order)
        elif rng.random() < 0.4:  # one way there is an access more
            out = a.label()
            a.jump_unless(value, out)
            a.emit(
                Opcode.STORE, b=a.constant(pointer(rng.randrange(self.places))), c=value, width=WIDTH, order=self.order
            )
            a.put(out)
        if rng.random() < self.fails:
            holds = a.register()
            a.emit(Opcode.BINARY, a=holds, b=value, c=a.constant(rng.randint(1, 3)), kind=Binary.NE)
            a.emit(Opcode.ASSERT, b=holds, c=0)
