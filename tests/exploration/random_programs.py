"""Random small programs in the program form, from a seed: threads over a few places, with all that makes them hard."""

from __future__ import annotations

import random
from dataclasses import dataclass

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Modify, Object, Opcode, Program, Start, Template, pointer

KINDS = ("plain", "litmus", "updates", "fences", "control", "loops", "locks", "threads")
LOADS = (Order.RLX, Order.ACQ, Order.SC)
STORES = (Order.RLX, Order.REL, Order.SC)
UPDATES = (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)
FENCES = (Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)


@dataclass(frozen=True)
class Mix:
    """How often a thread does what, and what else it may do."""

    load: int = 5
    store: int = 5
    update: int = 0
    compare: int = 0
    fence: int = 0
    branches: float = 0.0  # how likely a thread branches on what it read
    flow: float = 0.3  # how likely what was read is written
    arrays: float = 0.0  # how likely what was read chooses the place
    turns: float = 0.5  # how likely the next access is of another place
    assumes: float = 0.0
    loops: float = 0.0


MIXES = {
    "plain": Mix(flow=0.2),
    "litmus": Mix(flow=0.1, turns=1.0),
    "updates": Mix(load=3, store=3, update=3, compare=2),
    "fences": Mix(load=4, store=4, update=1, fence=3, turns=0.9),
    "control": Mix(load=5, store=4, update=1, compare=1, branches=0.8, flow=0.5, arrays=0.4, assumes=0.15),
    "loops": Mix(load=4, store=5, update=1, loops=0.4, branches=0.2),
    "locks": Mix(load=3, store=3, branches=0.3, assumes=0.05),
    "threads": Mix(load=4, store=4, update=1, branches=0.4),
}


def random_program(seed: int, kind: str, sc: bool = True, most: int = 9) -> Program:
    """A program of a kind. Without `sc`, nothing in it has the order sc; `most` bounds its shared accesses."""
    return Maker(random.Random(f"{kind} {seed} {sc} {most}"), kind, sc, most).program(f"{kind}-{seed}")


class Maker:
    def __init__(self, rng: random.Random, kind: str, sc: bool, most: int, mix: Mix | None = None) -> None:
        self.rng, self.kind, self.sc = rng, kind, sc
        self.mix = mix or MIXES[kind]
        self.left = max(rng.randint(3, most) for _ in range(3 if kind == "litmus" else 2))
        self.places = rng.choice((2, 2, 3) if kind == "litmus" else (1, 2, 2, 2, 3))
        self.last = 0  # the place of the access before
        self.width = rng.choice((1, 4, 8))
        self.values = rng.choice(((1, 2, 3), (1, 1, 2), (1,)))
        self.coarse = rng.random() < 0.3  # every access as strong as it gets

    def program(self, name: str) -> Program:
        rng = self.rng
        threads = rng.choice((2, 2, 2, 3, 4) if self.kind == "litmus" else (2, 2, 3, 3, 4))
        names = "xyz"[: self.places]
        # Two cells each, so that a computed place stays in bounds.
        objects = [
            Object(n, 2 * self.width, tuple(Cell(i * self.width, self.width, f"{n}[{i}]") for i in (0, 1)))
            for n in names
        ]
        mutexes = rng.choice((1, 1, 2)) if self.kind == "locks" else 0
        objects += [Object(f"m{i}", 4, (Cell(0, 4, f"m{i}"),)) for i in range(mutexes)]
        budgets = [0] * threads
        for _ in range(self.left):
            budgets[rng.randrange(threads)] += 1
        templates = [self.thread(t, budgets[t], mutexes) for t in range(threads)]
        starts = [Start(t) for t in range(threads)]
        if self.kind == "threads" or (self.kind == "locks" and rng.random() < 0.25):
            templates.append(self.main(threads, rng.randint(1, threads - 1)))
            spawned = {i.c for i in templates[-1].code if i.opcode is Opcode.SPAWN}
            starts = [Start(threads), *(Start(t) for t in range(threads) if t not in spawned)]
        return Program(name, tuple(objects), tuple(templates), tuple(starts))

    def main(self, threads: int, children: int) -> Template:
        """Starts some of the threads, joins some of those, and has an access or two of its own in between."""
        a = Assembler("main")
        handles = []
        for child in self.rng.sample(range(threads), children):
            if self.rng.random() < 0.4:
                self.access(a, [])
            handles.append(a.register())
            a.emit(Opcode.SPAWN, a=handles[-1], c=child, d=a.arguments(()))
        for handle in handles:
            if self.rng.random() < 0.6:
                a.emit(Opcode.JOIN, a=a.register(), b=handle)
        if self.rng.random() < 0.5:
            self.access(a, [])
        return a.template()

    def thread(self, number: int, budget: int, mutexes: int) -> Template:
        a = Assembler(f"t{number}")
        read: list[int] = []
        self.body(a, read, budget, mutexes)
        return a.template(tuple(read))

    def body(self, a: Assembler, read: list[int], budget: int, mutexes: int) -> None:
        while budget > 0:
            if mutexes and budget >= 2 and self.rng.random() < 0.75:
                budget -= self.section(a, read, budget, mutexes)
            elif self.rng.random() < self.mix.loops:
                budget -= self.rounds(a, read) if self.rng.random() < 0.3 else self.spin(a, read)
            elif read and budget >= 2 and self.rng.random() < self.mix.branches:
                budget -= self.branch(a, read, budget)
            else:
                budget -= self.access(a, read)
            if read and self.rng.random() < self.mix.assumes:
                holds = a.register()
                a.emit(Opcode.BINARY, a=holds, b=read[-1], c=a.constant(self.value()), kind=Binary.NE)
                a.emit(Opcode.ASSUME, b=holds)

    def section(self, a: Assembler, read: list[int], budget: int, mutexes: int) -> int:
        """Lock, an access or two, unlock; seldom the mutex stays locked, and seldom it is only tried."""
        m = self.rng.randrange(mutexes)
        mutex = a.constant(self.mutex_at(m))
        spent = 2
        out = a.label()
        if self.rng.random() < 0.15:
            taken = a.register()
            a.emit(Opcode.TRYLOCK, a=taken, b=mutex, width=4)
            a.jump_unless(taken, out)
        else:
            a.emit(Opcode.LOCK, b=mutex, width=4)
        if budget > 3 and m + 1 < mutexes and self.rng.random() < 0.4:
            spent += self.section(a, read, budget - 2, 1 if self.rng.random() < 0.3 else mutexes)
        while spent < budget and self.rng.random() < 0.5:
            spent += self.access(a, read)
        if self.rng.random() < 0.9:
            a.emit(Opcode.UNLOCK, b=mutex, width=4)
        a.put(out)
        return spent

    def mutex_at(self, number: int) -> int:
        return pointer(self.places + number)

    def spin(self, a: Assembler, read: list[int]) -> int:
        """Waits for a value, or for one to go, or for an exchange to succeed; some of these never come true."""
        out, done = a.label(), a.register()
        loop = a.loop()
        if self.rng.random() < 0.3:
            self.compare(a, read, done)
        else:
            self.access(a, read, "load")
            kind = self.rng.choice((Binary.EQ, Binary.NE))
            a.emit(Opcode.BINARY, a=done, b=read[-1], c=a.constant(self.rng.choice((0, self.value()))), kind=kind)
        a.jump_if(done, out)
        a.again(loop)
        a.put(out)
        return 1

    def rounds(self, a: Assembler, read: list[int]) -> int:
        """An access twice, in a loop that counts."""
        out, count, over = a.label(), a.register(), a.register()
        a.emit(Opcode.MOVE, a=count, b=a.constant(0))
        loop = a.loop()
        self.access(a, list(read))
        a.emit(Opcode.BINARY, a=count, b=count, c=a.constant(1), kind=Binary.ADD)
        a.emit(Opcode.BINARY, a=over, b=count, c=a.constant(2), kind=Binary.GE)
        a.jump_if(over, out)
        a.again(loop)
        a.put(out)
        return 2

    def branch(self, a: Assembler, read: list[int], budget: int) -> int:
        """Different accesses in the two branches; the longer one counts."""
        otherwise, end = a.label(), a.label()
        condition = a.register()
        a.emit(Opcode.BINARY, a=condition, b=read[-1], c=a.constant(self.value()), kind=Binary.EQ)
        a.jump_unless(condition, otherwise)
        first = self.rng.randint(0, min(2, budget))
        for _ in range(first):
            self.access(a, list(read))
        a.jump(end)
        a.put(otherwise)
        second = self.rng.randint(0 if first else 1, min(2, budget))
        for _ in range(second):
            self.access(a, list(read))
        a.put(end)
        return max(first, second)

    def access(self, a: Assembler, read: list[int], what: str = "") -> int:
        mix = self.mix
        weights = (mix.load, mix.store, mix.update, mix.compare, mix.fence)
        what = what or self.rng.choices(("load", "store", "update", "compare", "fence"), weights)[0]
        if what == "fence":
            a.emit(Opcode.FENCE, order=self.order(FENCES))
            return 0 if self.rng.random() < 0.7 else 1
        if what == "compare":
            self.compare(a, read, a.register())
            return 1
        where, into = self.where(a, read), a.register()
        if what == "load":
            a.emit(Opcode.LOAD, a=into, b=where, order=self.order(LOADS), width=self.width)
        elif what == "store":
            a.emit(Opcode.STORE, b=where, c=self.operand(a, read), order=self.order(STORES), width=self.width)
        else:
            kind = self.rng.choice((Modify.EXCHANGE, Modify.ADD, Modify.ADD, Modify.XOR, Modify.MAX))
            order, c = self.order(UPDATES), self.operand(a, read)
            a.emit(Opcode.RMW, a=into, b=where, c=c, kind=kind, order=order, width=self.width)
        if what != "store":
            read.append(into)
        return 1

    def compare(self, a: Assembler, read: list[int], flag: int) -> None:
        """A compare-exchange; the flag says whether it wrote."""
        where, into = self.where(a, read), a.register()
        old = a.constant(self.rng.choice((0, 0, self.value())))
        order, failure, d = self.order(UPDATES), self.order(LOADS), self.operand(a, read)
        a.emit(Opcode.CAS, a=into, b=where, c=old, d=d, e=flag, order=order, failure=failure, width=self.width)
        read.append(flag if self.rng.random() < 0.3 else into)

    def where(self, a: Assembler, read: list[int]) -> int:
        """A place: the first cell of an object, or a cell chosen by what was read."""
        if self.rng.random() < self.mix.turns:
            self.last = (self.last + self.rng.randint(1, max(1, self.places - 1))) % self.places
        base = pointer(self.last)
        if not read or self.rng.random() >= self.mix.arrays:
            return a.constant(base)
        offset, where = a.register(), a.register()
        a.emit(Opcode.BINARY, a=offset, b=self.rng.choice(read), c=a.constant(1), kind=Binary.AND)
        a.emit(Opcode.BINARY, a=offset, b=offset, c=a.constant(self.width), kind=Binary.MUL)
        a.emit(Opcode.BINARY, a=where, b=offset, c=a.constant(base), kind=Binary.ADD)
        return where

    def operand(self, a: Assembler, read: list[int]) -> int:
        if read and self.rng.random() < self.mix.flow:
            out = a.register()
            kind = self.rng.choice((Binary.ADD, Binary.XOR, Binary.MAX))
            a.emit(Opcode.BINARY, a=out, b=self.rng.choice(read), c=a.constant(self.value()), kind=kind)
            return out
        return a.constant(self.value())

    def value(self) -> int:
        return self.rng.choice(self.values)

    def order(self, choices: tuple[Order, ...]) -> Order:
        allowed = [o for o in choices if self.sc or o is not Order.SC]
        return allowed[-1] if self.coarse else self.rng.choice(allowed)
