"""Random programs whose threads wait for each other in loops: locks of several kinds, flags, tickets, retried updates,
readers that start again; among them accesses that keep to no protocol."""

from __future__ import annotations

import random

from porf.execution import Order
from porf.programs.assemble import Assembler, Label, Loop
from porf.programs.form import Binary, Cell, Modify, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.random_programs import LOADS, STORES, UPDATES

PLACES = 4
LOCKS = ("exchange", "compare", "patient", "patient_compare")
IDIOMS = (*LOCKS, "flag", "ticket", "add", "push", "pop", "reader", "section")


def random_waits(seed: int, sc: bool, most: int = 7) -> Program:
    """A program of two or three threads; without `sc`, nothing in it has the order sc."""
    return Maker(random.Random(f"waits {seed} {sc} {most}"), sc, most, IDIOMS).program(f"waits-{seed}")


def random_locks(seed: int) -> Program:
    """Two or three threads that take a spin lock again and again; in every second program, the orders of its accesses
    may be too weak to hand anything over."""
    rng = random.Random(f"locks {seed}")
    maker, templates = Maker(rng, False, 0, LOCKS), []
    maker.plain, maker.strong = False, seed % 2 == 0
    for t, times in enumerate(rng.choice(((3, 2), (3, 3), (4, 2), (2, 2, 1), (2, 2, 2)))):
        a = Assembler(f"t{t}")
        for _ in range(times):
            getattr(maker, rng.choice(("exchange", "compare")))(a, 0)
        templates.append(a.template())
    return _whole(f"locks-{seed}", templates)


def _whole(name: str, templates: list[Template]) -> Program:
    objects = [Object(f"x{n}", 4, (Cell(0, 4, f"x{n}"),)) for n in range(PLACES)]
    return Program(name, tuple(objects), tuple(templates), tuple(Start(t) for t in range(len(templates))))


class Maker:
    def __init__(self, rng: random.Random, sc: bool, most: int, idioms: tuple[str, ...]) -> None:
        self.rng, self.sc, self.left = rng, sc, most
        self.idioms = rng.sample(idioms, rng.choice((1, 1, 2, 3)))
        self.stray = rng.choice((0.0, 0.0, 0.2, 0.4))  # how likely an access keeps to no protocol
        self.places = rng.choice((1, 1, 2))
        self.plain = rng.random() < 0.25  # sections access data that are not atomic
        self.fresh = 10
        self.strong = False  # stores release, updates acquire

    def program(self, name: str) -> Program:
        threads = self.rng.choice((2, 2, 3, 3))
        templates = []
        for t in range(threads):
            a = Assembler(f"t{t}")
            budget = max(1, self.left // threads)
            while budget > 0:
                if self.rng.random() < self.stray:
                    budget -= self.access(a, self.rng.randrange(self.places))
                else:
                    idiom = self.rng.choice(self.idioms)
                    budget -= getattr(self, idiom)(a, self.rng.randrange(self.places))
            templates.append(a.template())
        return _whole(name, templates)

    def order(self, choices: tuple[Order, ...]) -> Order:
        if self.strong and choices is not LOADS:
            choices = (Order.REL,) if choices is STORES else (Order.ACQ, Order.ACQ_REL)
        return self.rng.choice([o for o in choices if self.sc or o is not Order.SC])

    def load(self, a: Assembler, x: int) -> int:
        into = a.register()
        a.emit(Opcode.LOAD, a=into, b=a.constant(pointer(x)), order=self.order(LOADS), width=4)
        return into

    def store(self, a: Assembler, x: int, value: int, order: Order | None = None) -> None:
        order = self.order(STORES) if order is None else order
        a.emit(Opcode.STORE, b=a.constant(pointer(x)), c=value, order=order, width=4)

    def access(self, a: Assembler, x: int) -> int:
        match self.rng.randrange(3):
            case 0:
                self.load(a, x)
            case 1:
                self.store(a, x, a.constant(self.rng.choice((0, 0, 1, 2))))
            case _:
                order, kind = self.order(UPDATES), self.rng.choice((Modify.EXCHANGE, Modify.ADD))
                c = a.constant(self.rng.choice((0, 1)))
                a.emit(Opcode.RMW, a=a.register(), b=a.constant(pointer(x)), c=c, kind=kind, order=order, width=4)
        return 1

    def inside(self, a: Assembler) -> int:
        """What is done between lock and unlock."""
        if self.rng.random() < 0.5:
            return 0
        data = PLACES - 1
        order = Order.NA if self.plain else None
        if self.rng.random() < 0.5:
            self.store(a, data, a.constant(self.rng.randint(1, 2)), order)
        else:
            used = self.order(LOADS) if order is None else order
            a.emit(Opcode.LOAD, a=a.register(), b=a.constant(pointer(data)), order=used, width=4)
        return 1

    def until(self, a: Assembler, flag: int, loop: Loop, out: Label) -> None:
        a.jump_if(flag, out)
        a.again(loop)
        a.put(out)

    def release(self, a: Assembler, x: int) -> int:
        spent = self.inside(a)
        if self.rng.random() < 0.95:
            self.store(a, x, a.constant(0))
        return 2 + spent

    def try_exchange(self, a: Assembler, x: int) -> int:
        into, free = a.register(), a.register()
        order = self.order(UPDATES)
        where = a.constant(pointer(x))
        a.emit(Opcode.RMW, a=into, b=where, c=a.constant(1), kind=Modify.EXCHANGE, order=order, width=4)
        a.emit(Opcode.BINARY, a=free, b=into, c=a.constant(0), kind=Binary.EQ)
        return free

    def try_compare(self, a: Assembler, x: int, old: int, new: int) -> int:
        done = a.register()
        orders = {"order": self.order(UPDATES), "failure": self.order(LOADS)}
        a.emit(Opcode.CAS, a=a.register(), b=a.constant(pointer(x)), c=old, d=new, e=done, width=4, **orders)
        return done

    def exchange(self, a: Assembler, x: int) -> int:
        out, loop = a.label(), a.loop()
        self.until(a, self.try_exchange(a, x), loop, out)
        return self.release(a, x)

    def compare(self, a: Assembler, x: int) -> int:
        out, loop = a.label(), a.loop()
        self.until(a, self.try_compare(a, x, a.constant(0), a.constant(1)), loop, out)
        return self.release(a, x)

    def looks_free(self, a: Assembler, x: int) -> None:
        free, out, loop = a.register(), a.label(), a.loop()
        value = self.load(a, x)
        a.emit(Opcode.BINARY, a=free, b=value, c=a.constant(0), kind=Binary.EQ)
        self.until(a, free, loop, out)

    def patient(self, a: Assembler, x: int) -> int:
        out, loop = a.label(), a.loop()
        self.looks_free(a, x)
        self.until(a, self.try_exchange(a, x), loop, out)
        return self.release(a, x)

    def patient_compare(self, a: Assembler, x: int) -> int:
        out, loop = a.label(), a.loop()
        self.looks_free(a, x)
        self.until(a, self.try_compare(a, x, a.constant(0), a.constant(1)), loop, out)
        return self.release(a, x)

    def flag(self, a: Assembler, x: int) -> int:
        """Waits for a value, or sets one."""
        if self.rng.random() < 0.6:
            self.store(a, x, a.constant(self.rng.randint(1, 2)))
            return 1
        good, out, loop = a.register(), a.label(), a.loop()
        value = self.load(a, x)
        kind = self.rng.choice((Binary.EQ, Binary.NE, Binary.GE))
        a.emit(Opcode.BINARY, a=good, b=value, c=a.constant(self.rng.choice((0, 1, 1, 2))), kind=kind)
        self.until(a, good, loop, out)
        return 1

    def ticket(self, a: Assembler, x: int) -> int:
        """A ticket from one place, and the turn at the next."""
        mine, good, out = a.register(), a.register(), a.label()
        order, turn = self.order(UPDATES), x + 1
        a.emit(Opcode.RMW, a=mine, b=a.constant(pointer(x)), c=a.constant(1), kind=Modify.ADD, order=order, width=4)
        loop = a.loop()
        value = self.load(a, turn)
        a.emit(Opcode.BINARY, a=good, b=value, c=mine, kind=Binary.EQ)
        self.until(a, good, loop, out)
        spent = self.inside(a)
        following = a.register()
        a.emit(Opcode.BINARY, a=following, b=mine, c=a.constant(1), kind=Binary.ADD)
        self.store(a, turn, following)
        return 3 + spent

    def retried(self, a: Assembler, x: int, new: int | None, between: bool) -> int:
        """A compare-exchange of what was loaded before, again and again."""
        out, loop = a.label(), a.loop()
        old = self.load(a, x)
        if between:
            self.load(a, PLACES - 1)
        if new is None:
            new = a.register()
            a.emit(Opcode.BINARY, a=new, b=old, c=a.constant(1), kind=Binary.ADD)
        self.until(a, self.try_compare(a, x, old, new), loop, out)
        return 2 + between

    def add(self, a: Assembler, x: int) -> int:
        return self.retried(a, x, None, self.rng.random() < 0.3)

    def push(self, a: Assembler, x: int) -> int:
        self.fresh += 1
        return self.retried(a, x, a.constant(self.fresh), self.rng.random() < 0.3)

    def pop(self, a: Assembler, x: int) -> int:
        return self.retried(a, x, a.constant(0), self.rng.random() < 0.3)

    def reader(self, a: Assembler, x: int) -> int:
        """Reads between two equal versions."""
        same, out, loop = a.register(), a.label(), a.loop()
        first = self.load(a, x)
        self.load(a, PLACES - 1)
        second = self.load(a, x)
        a.emit(Opcode.BINARY, a=same, b=first, c=second, kind=Binary.EQ)
        self.until(a, same, loop, out)
        return 3

    def section(self, a: Assembler, x: int) -> int:
        """A write that says that something begins, and one that it has ended."""
        for _ in range(2):
            order = self.order(UPDATES)
            a.emit(
                Opcode.RMW,
                a=a.register(),
                b=a.constant(pointer(x)),
                c=a.constant(1),
                kind=Modify.ADD,
                order=order,
                width=4,
            )
        return 2
