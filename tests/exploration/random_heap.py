"""Random programs that allocate, hand pointers on through shared places, and free; most of them wrongly."""

from __future__ import annotations

import random

from porf.execution import Order
from porf.programs.assemble import Assembler, Label
from porf.programs.form import Allocation, Cell, Modify, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.random_programs import LOADS, STORES, UPDATES
from tests.exploration.run import Class

NODE = Object("node", 16, (Cell(0, 8, "value", None), Cell(8, 8, "next", None)))


def random_heap(seed: int, sc: bool = True, most: int = 7) -> Program:
    """A program of two or three threads with about so many accesses."""
    return _Maker(random.Random(f"heap {seed} {sc} {most}"), sc, most).program(f"heap-{seed}")


def without_numbers(program: Program, found: Class) -> Class:
    """A class with allocated objects numbered as they come: another run has other numbers for the same objects."""
    known: dict[int, int] = {}
    own = len(program.objects)

    def renamed(value: int | None) -> int | None:
        if value is None or value >> 32 <= own:
            return value
        return known.setdefault(value >> 32, own + 1 + len(known)) << 32 | (value & 0xFFFFFFFF)

    return tuple(
        tuple((op, renamed(p) or 0, order, source, renamed(read), renamed(w)) for op, p, order, source, read, w in line)
        for line in found
    )


class _Maker:
    def __init__(self, rng: random.Random, sc: bool, most: int) -> None:
        self.rng, self.sc = rng, sc
        self.left = rng.randint(4, most)
        self.places = rng.choice((1, 1, 2))
        self.careful = rng.random() < 0.5  # nobody looks at a null pointer, and everything has a value

    def program(self, name: str) -> Program:
        rng = self.rng
        objects = [Object(n, 8, (Cell(0, 8, n),)) for n in "xy"[: self.places]]
        threads = rng.choice((2, 2, 3))
        templates = [self.thread(f"t{t}") for t in range(threads)]
        starts = tuple(Start(t) for t in range(threads))
        if rng.random() < 0.4:
            templates.append(self.main(threads))
            starts = (Start(threads),)
        return Program(name, tuple(objects), tuple(templates), starts, layouts=(NODE,))

    def main(self, threads: int) -> Template:
        """Puts a node in the first place, starts everybody, and perhaps cleans up."""
        a = Assembler("main")
        node = self.allocate(a)
        a.emit(Opcode.STORE, b=a.constant(pointer(0)), c=node, width=8, order=Order.RLX)
        handles = [a.register() for _ in range(threads)]
        for t in range(threads):
            a.emit(Opcode.SPAWN, a=handles[t], c=t, d=a.arguments(()))
        for handle in handles:
            if self.rng.random() < 0.8:
                a.emit(Opcode.JOIN, a=a.register(), b=handle)
        last = a.register()
        a.emit(Opcode.LOAD, a=last, b=a.constant(pointer(0)), width=8, order=Order.RLX)
        a.emit(Opcode.FREE, b=last)
        return a.template()

    def thread(self, name: str) -> Template:
        a = Assembler(name)
        mine: list[int] = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            if self.left <= 0:
                break
            step = self.rng.choice((self.give, self.give, self.take, self.look, self.look))
            step(a, mine)
        if mine and self.rng.random() < 0.3:
            a.emit(Opcode.FREE, b=self.rng.choice(mine))
        return a.template()

    def allocate(self, a: Assembler) -> int:
        node, rng = a.register(), self.rng
        kind = rng.choice((Allocation.HEAP, Allocation.HEAP, Allocation.ZEROED, Allocation.STACK))
        a.emit(Opcode.ALLOCATE, a=node, b=a.constant(16), c=0, kind=kind)
        if kind is not Allocation.ZEROED and (self.careful or rng.random() < 0.7):
            self.store(a, node, a.constant(1))
        return node

    def give(self, a: Assembler, mine: list[int]) -> None:
        """A node of its own that others can see; what was there before is lost, or freed."""
        node = self.allocate(a)
        where = self.where(a)
        if self.rng.random() < 0.6:
            self.store(a, where, node)
        else:
            old = self.exchange(a, where, node)
            if self.rng.random() < 0.6:
                a.emit(Opcode.FREE, b=old)
        mine.append(node)

    def take(self, a: Assembler, mine: list[int]) -> None:
        """A node that nobody else can take, and then its end."""
        node = self.exchange(a, self.where(a), a.constant(0))
        out = self.guarded(a, node)
        if self.rng.random() < 0.3:
            self.touch(a, node)
        a.put(out)
        a.emit(Opcode.FREE, b=node)

    def look(self, a: Assembler, mine: list[int]) -> None:
        """What a place points to, as it is; perhaps it is freed."""
        node = a.register()
        a.emit(Opcode.LOAD, a=node, b=self.where(a), width=8, order=self.order(LOADS))
        self.left -= 1
        out = self.guarded(a, node)
        self.touch(a, node)
        a.put(out)
        if self.rng.random() < 0.25:
            a.emit(Opcode.FREE, b=node)

    def guarded(self, a: Assembler, node: int) -> Label:
        """What follows up to the label is not done with a null pointer, if the program is careful."""
        out = a.label()
        if self.careful or self.rng.random() < 0.8:
            a.jump_unless(node, out)
        return out

    def touch(self, a: Assembler, node: int) -> None:
        if self.rng.random() < 0.6:
            a.emit(Opcode.LOAD, a=a.register(), b=node, width=8, order=self.order(LOADS))
            self.left -= 1
        else:
            self.store(a, node, a.constant(2))

    def store(self, a: Assembler, where: int, value: int) -> None:
        a.emit(Opcode.STORE, b=where, c=value, width=8, order=self.order(STORES))
        self.left -= 1

    def exchange(self, a: Assembler, where: int, value: int) -> int:
        old = a.register()
        a.emit(Opcode.RMW, a=old, b=where, c=value, kind=Modify.EXCHANGE, width=8, order=self.order(UPDATES))
        self.left -= 1
        return old

    def where(self, a: Assembler) -> int:
        return a.constant(pointer(self.rng.randrange(self.places)))

    def order(self, choices: tuple[Order, ...]) -> Order:
        return self.rng.choice([o for o in choices if self.sc or o is not Order.SC])
