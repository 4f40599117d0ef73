"""Random programs that wait in odd ways: by updates that change nothing, by exchanges and bits, in loops within loops;
and iterations that end where an assumption says so, whatever they have changed."""

from __future__ import annotations

import random

from porf.programs.assemble import Assembler
from porf.programs.form import Assumption, Binary, Modify, Opcode, Program, pointer
from tests.exploration.random_programs import FENCES, LOADS, UPDATES
from tests.exploration.random_waits import PLACES, Maker

IDIOMS = ("said", "said", "echo", "flag", "pop", "peek", "swap", "bits", "weak", "fenced", "agree", "nested")


def random_odd_waits(seed: int, sc: bool, most: int = 8) -> Program:
    """A program of two or three threads; without `sc`, nothing in it has the order sc."""
    return _OddMaker(random.Random(f"odd waits {seed} {sc} {most}"), sc, most, IDIOMS).program(f"odd-waits-{seed}")


class _OddMaker(Maker):
    def update(self, a: Assembler, x: int, kind: Modify, operand: int) -> int:
        old, order = a.register(), self.order(UPDATES)
        a.emit(Opcode.RMW, a=old, b=a.constant(pointer(x)), c=a.constant(operand), kind=kind, order=order, width=4)
        return old

    def compared(self, a: Assembler, kind: Binary, one: int, other: int) -> int:
        found = a.register()
        a.emit(Opcode.BINARY, a=found, b=one, c=other, kind=kind)
        return found

    def said(self, a: Assembler, x: int) -> int:
        """An update, and perhaps a load; then the iteration ends for some of the values."""
        good, old, left = a.register(), a.register(), self.rng.random() < 0.3
        where, order = a.constant(pointer(x)), self.order(UPDATES)
        match self.rng.randrange(3):
            case 0:
                good = self.try_compare(a, x, a.constant(self.rng.randint(0, 1)), a.constant(self.rng.randint(0, 1)))
            case kind:
                modify, c = (Modify.EXCHANGE, Modify.ADD)[kind - 1], a.constant(self.rng.randint(0, 2))
                a.emit(Opcode.RMW, a=old, b=where, c=c, kind=modify, order=order, width=4)
                test = self.rng.choice((Binary.EQ, Binary.NE))
                a.emit(Opcode.BINARY, a=good, b=old, c=a.constant(self.rng.randint(0, 1)), kind=test)
        if left:
            self.load(a, PLACES - 1)
        if self.rng.random() < 0.5:
            bad, good = good, a.register()
            a.emit(Opcode.BINARY, a=good, b=bad, c=a.constant(0), kind=Binary.EQ)
        a.emit(Opcode.ASSUME, b=good, kind=Assumption.REPEATED)
        return 1 + left

    def echo(self, a: Assembler, x: int) -> int:
        """A compare-exchange that stores what is there takes the place of a load, until another value is there."""
        value = a.constant(self.rng.randint(0, 1))
        failed, out, loop = a.register(), a.label(), a.loop()
        a.emit(Opcode.BINARY, a=failed, b=self.try_compare(a, x, value, value), c=a.constant(0), kind=Binary.EQ)
        self.until(a, failed, loop, out)
        return 1

    def peek(self, a: Assembler, x: int) -> int:
        """An update that leaves everything as it is takes the place of a load."""
        out, loop = a.label(), a.loop()
        old = self.update(a, x, self.rng.choice((Modify.ADD, Modify.OR)), 0)
        kind, wanted = self.rng.choice((Binary.EQ, Binary.NE, Binary.GE)), a.constant(self.rng.choice((0, 1, 1, 2)))
        self.until(a, self.compared(a, kind, old, wanted), loop, out)
        return 1

    def swap(self, a: Assembler, x: int) -> int:
        """Exchanges a value until another one comes back."""
        out, loop = a.label(), a.loop()
        old = self.update(a, x, Modify.EXCHANGE, self.rng.randint(0, 2))
        kind = self.rng.choice((Binary.EQ, Binary.NE))
        self.until(a, self.compared(a, kind, old, a.constant(self.rng.randint(0, 2))), loop, out)
        return 2

    def bits(self, a: Assembler, x: int) -> int:
        """A bit as a lock."""
        out, loop, bit = a.label(), a.loop(), a.register()
        a.emit(Opcode.BINARY, a=bit, b=self.update(a, x, Modify.OR, 1), c=a.constant(1), kind=Binary.AND)
        self.until(a, self.compared(a, Binary.EQ, bit, a.constant(0)), loop, out)
        spent = self.inside(a)
        self.update(a, x, Modify.AND, -2)
        return 2 + spent

    def weak(self, a: Assembler, x: int) -> int:
        """A compare-exchange, weak or not, that expects next what it finds."""
        value, new, done, out = a.register(), a.register(), a.register(), a.label()
        a.emit(Opcode.MOVE, a=value, b=self.load(a, x))
        loop = a.loop()
        a.emit(Opcode.BINARY, a=new, b=value, c=a.constant(self.rng.randint(0, 1)), kind=Binary.ADD)
        where, weak = a.constant(pointer(x)), self.rng.random() < 0.6
        orders = {"order": self.order(UPDATES), "failure": self.order(LOADS)}
        a.emit(Opcode.CAS, a=value, b=where, c=value, d=new, e=done, width=4, weak=weak, **orders)
        self.until(a, done, loop, out)
        return 2

    def fenced(self, a: Assembler, x: int) -> int:
        """A load and a fence, again and again."""
        out, loop = a.label(), a.loop()
        value = self.load(a, x)
        a.emit(Opcode.FENCE, order=self.order(FENCES))
        self.until(a, self.compared(a, Binary.EQ, value, a.constant(self.rng.choice((0, 1, 1, 2)))), loop, out)
        return 1

    def agree(self, a: Assembler, x: int) -> int:
        """Until two places agree, or do not."""
        out, loop = a.label(), a.loop()
        one, other = self.load(a, x), self.load(a, x + 1)
        self.until(a, self.compared(a, self.rng.choice((Binary.EQ, Binary.NE, Binary.GE)), one, other), loop, out)
        return 2

    def nested(self, a: Assembler, x: int) -> int:
        """A loop that waits within one that waits."""
        out, loop = a.label(), a.loop()
        good = self.compared(a, Binary.EQ, self.load(a, x), a.constant(self.rng.choice((0, 1, 1, 2))))
        left, inner = a.label(), a.loop()
        self.until(a, self.compared(a, Binary.NE, self.load(a, x + 1), a.constant(self.rng.randint(0, 1))), inner, left)
        self.until(a, good, loop, out)
        return 2
