"""Random programs of newer kinds: choices, barriers, mutexes that the program makes itself, and wide accesses."""

from __future__ import annotations

import random

from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.random_programs import Maker, Mix

MIXES = {
    "choices": Mix(load=4, store=4, update=1, branches=0.5, flow=0.6, arrays=0.2, assumes=0.1, loops=0.1),
    "barriers": Mix(load=5, store=5, update=1, fence=1, flow=0.2, branches=0.2),
    "made": Mix(load=3, store=3, branches=0.3),
    "wide": Mix(load=3, store=3, update=1, flow=0.5, arrays=0.5, branches=0.2),
}


def random_program(seed: int, kind: str, sc: bool = True, most: int = 8) -> Program:
    """A program of a kind. Without `sc`, nothing in it has the order sc; `most` bounds its shared accesses."""
    rng = random.Random(f"{kind} {seed} {sc} {most}")
    return MAKERS[kind](rng, kind, sc, most, MIXES[kind]).program(f"{kind}-{seed}")


class Choices(Maker):
    """Some of them have mutexes, too, and some start threads."""

    def program(self, name: str) -> Program:
        self.kind = self.rng.choice(("choices", "choices", "locks", "threads"))
        return super().program(name)

    def access(self, a: Assembler, read: list[int], what: str = "") -> int:
        if what or self.rng.random() < 0.65:
            return super().access(a, read, what)
        into, low = a.register(), self.rng.choice((0, 0, 1, -1))
        high = a.constant(low + self.rng.choice((0, 1, 1, 2)))
        if read and self.rng.random() < 0.3:  # perhaps there is nothing to choose from
            high = a.register()
            a.emit(Opcode.BINARY, a=high, b=read[-1], c=a.constant(1), kind=Binary.AND)
        a.emit(Opcode.CHOOSE, a=into, b=a.constant(low), c=high)
        read.append(into)
        return 1


class Barriers(Maker):
    """All threads, or all but one, wait at one or two barriers; seldom one of them comes too seldom, or has a mutex."""

    def program(self, name: str) -> Program:
        rng, threads = self.rng, self.rng.choice((2, 2, 3))
        self.width = 4
        self.barriers = rng.choice((1, 1, 2))
        self.schedule = sorted(rng.choices(range(self.barriers), k=rng.choice((1, 1, 2))))
        meeting = rng.sample(range(threads), rng.choice((2, threads)))
        spawned = rng.random() < 0.4
        objects = [Object(n, 8, (Cell(0, 4, n), Cell(4, 4, f"{n}'"))) for n in "xyz"[: self.places]]
        initial = None if spawned else len(meeting)
        objects += [Object(f"b{n}", 4, (Cell(0, 4, f"b{n}", initial),)) for n in range(self.barriers)]
        mutexes = rng.choice((0, 0, 1))
        objects += [Object("m", 4, (Cell(0, 4, "m"),))] * mutexes
        budgets = [0] * threads
        for _ in range(self.left):
            budgets[rng.randrange(threads)] += 1
        templates = []
        for t in range(threads):
            self.waits = [*self.schedule] if t in meeting else []
            if self.waits and rng.random() < 0.1:
                self.waits.pop(rng.randrange(len(self.waits)))
            templates.append(self.thread(t, budgets[t], mutexes))
        if not spawned:
            return Program(name, tuple(objects), tuple(templates), tuple(Start(t) for t in range(threads)))
        templates.append(self.starter(threads, len(meeting)))
        return Program(name, tuple(objects), tuple(templates), (Start(threads),))

    def starter(self, threads: int, meeting: int) -> Template:
        """Makes the barriers, and starts everybody."""
        a = Assembler("main")
        for n in range(self.barriers):
            a.emit(Opcode.STORE, b=a.constant(pointer(self.places + n)), c=a.constant(meeting), width=4)
        for t in range(threads):
            a.emit(Opcode.SPAWN, a=a.register(), c=t, d=a.arguments(()))
        return a.template()

    def mutex_at(self, number: int) -> int:
        return super().mutex_at(self.barriers + number)

    def body(self, a: Assembler, read: list[int], budget: int, mutexes: int) -> None:
        mutex = a.constant(self.mutex_at(0))
        for barrier in self.waits:
            part = self.rng.randint(0, min(2, budget))
            budget -= part
            locks = mutexes > 0 and self.rng.random() < 0.4
            if locks:
                a.emit(Opcode.LOCK, b=mutex, width=4)
            super().body(a, read, part, 0 if locks else mutexes)
            over = a.label()
            if read and self.rng.random() < 0.15:  # only if that was read
                a.jump_if(read[-1], over)
            where = a.constant(pointer(self.places + barrier))
            a.emit(Opcode.BARRIER, a=a.register(), b=where, width=4)
            a.put(over)
            if locks:
                a.emit(Opcode.UNLOCK, b=mutex, width=4)
        super().body(a, read, budget, mutexes)


class Made(Maker):
    """Mutexes hold nothing, or anything, until the first thread has made them: one by one, or two at a time."""

    def program(self, name: str) -> Program:
        rng, threads = self.rng, self.rng.choice((2, 2, 3))
        mutexes = rng.choice((1, 2))
        initial = rng.choice((None, 0, 7))
        objects = [Object(n, 2 * self.width, (Cell(0, self.width, n),)) for n in "xyz"[: self.places]]
        cells = tuple(Cell(4 * n, 4, f"m.{n}", initial) for n in range(2))
        objects.append(Object("m", 8, cells))
        # The second mutex is an object of its own for `section`, but both may lie in one.
        together = rng.random() < 0.5
        if not together:
            objects[-1:] = [Object(f"m{n}", 4, (Cell(0, 4, f"m{n}", initial),)) for n in range(2)]
        self.mutex = [pointer(self.places, 4 * n) if together else pointer(self.places + n) for n in range(2)]
        budgets = [0] * threads
        for _ in range(self.left):
            budgets[rng.randrange(threads)] += 1
        templates = [self.thread(t, budgets[t], mutexes) for t in range(threads)]
        templates.append(self.starter(threads, together))
        return Program(name, tuple(objects), tuple(templates), (Start(threads),))

    def starter(self, threads: int, together: bool) -> Template:
        a = Assembler("main")
        zero = a.constant(0)
        for again in (True, self.rng.random() < 0.3):
            if again and together and self.rng.random() < 0.6:
                a.emit(Opcode.STORE, b=a.constant(self.mutex[0]), c=zero, width=8)
            elif again:
                for where in self.mutex:
                    a.emit(Opcode.STORE, b=a.constant(where), c=zero, width=4)
            if again and self.rng.random() < 0.3:  # its first owner
                a.emit(Opcode.LOCK, b=a.constant(self.mutex[0]), width=4)
                if self.rng.random() < 0.7:
                    a.emit(Opcode.UNLOCK, b=a.constant(self.mutex[0]), width=4)
        handles = [a.register() for _ in range(threads)]
        for t in range(threads):
            a.emit(Opcode.SPAWN, a=handles[t], c=t, d=a.arguments(()))
        if self.rng.random() < 0.3:  # once more, when nobody has them
            for handle in handles:
                a.emit(Opcode.JOIN, a=a.register(), b=handle)
            for where in self.mutex:
                a.emit(Opcode.STORE, b=a.constant(where), c=zero, width=4)
            for _ in range(self.rng.choice((0, 1, 2))):
                a.emit(Opcode.LOCK, b=a.constant(self.mutex[0]), width=4)
                a.emit(Opcode.UNLOCK, b=a.constant(self.mutex[0]), width=4)
        return a.template()

    def mutex_at(self, number: int) -> int:
        return self.mutex[number]


class Wide(Maker):
    """Atomic accesses of 4 bytes, and plain ones of 4 and of 8, which are two."""

    def program(self, name: str) -> Program:
        self.width = 4
        return super().program(name)

    def access(self, a: Assembler, read: list[int], what: str = "") -> int:
        if what or self.rng.random() < 0.4:
            return super().access(a, read, what)
        width, where = self.rng.choice((4, 8, 8)), a.constant(pointer(self.rng.randrange(self.places)))
        if self.rng.random() < 0.5:
            into = a.register()
            a.emit(Opcode.LOAD, a=into, b=where, width=width)
            read.append(into)
        else:
            value = self.rng.choice((1 << 32 | 1, 2 << 32, 3, -1, 1 - (1 << 32)))
            c = a.constant(value) if not read or self.rng.random() < 0.6 else read[-1]
            a.emit(Opcode.STORE, b=where, c=c, width=width)
        return width // 4


MAKERS: dict[str, type[Maker]] = {"choices": Choices, "barriers": Barriers, "made": Made, "wide": Wide}
