"""Random programs with functions, in two forms that mean the same: as calls with private memory, and all in registers.

A function has variables of all widths; some of them stand in private memory, in the called form. It may be handed the
addresses of variables of its caller, return early, call others by pointers, and call itself.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import NamedTuple

from porf.execution import Order
from porf.programs.form import Binary, Cell, Object, Opcode, Program
from tests.exploration.random_programs import LOADS, STORES
from tests.exploration.two_forms import Called, Flat

MOST = 8  # shared accesses of a program, each as often as it is written when all is in one piece
WIDTHS = (1, 2, 4, 8)


class Variable(NamedTuple):
    number: int
    width: int
    signed: bool
    private: bool = True  # or a register
    given: bool = False  # by its address


Operand = Variable | int


@dataclass
class Function:
    """`values` and `addresses` are its parameters. If it is `deep`, its first value says how often it calls itself."""

    name: str
    values: list[Variable] = field(default_factory=list)
    addresses: list[Variable] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    deep: bool = False


@dataclass
class Load:
    into: Variable
    place: int
    order: Order


@dataclass
class Store:
    place: int
    value: Operand
    order: Order


@dataclass
class Compute:
    into: Variable
    left: Operand
    kind: Binary
    right: Operand


@dataclass
class Part:
    """Some bytes of a variable: read into another one, or written."""

    whole: Variable
    offset: int
    width: int
    read_into: Variable | None
    value: Operand = 0


@dataclass
class If:
    condition: Variable
    then: list[Statement]
    otherwise: list[Statement]


@dataclass
class Call:
    """Of the first function; if there is a second one, of that if the condition is 0. Both by pointers."""

    functions: list[Function]
    condition: Operand
    values: list[Operand]
    addresses: list[Variable]
    into: Variable
    by_pointer: bool


@dataclass
class Again:
    """Calls its own function, if it is not yet deep enough."""

    values: list[Operand]
    into: Variable


@dataclass
class Return:
    value: Operand


Statement = Load | Store | Compute | Part | If | Call | Again | Return


def random_calls(seed: int, sc: bool = True) -> tuple[Program, Program]:
    """A program with calls, and the same program without."""
    attempt = 0
    while True:
        made = _Maker(random.Random(f"calls {seed} {sc} {attempt}"), sc)
        functions, threads = made.functions, made.threads
        objects = tuple(Object(n, 8, (Cell(0, 8, n),)) for n in "xyz"[: made.places])
        flat = Flat(f"calls-{seed}", objects, threads).program()
        accesses = sum(i.opcode in (Opcode.LOAD, Opcode.STORE) for t in flat.templates for i in t.code)
        if 2 < accesses <= MOST:
            return Called(f"calls-{seed}", objects, functions, threads).program(), flat
        attempt += 1


class _Maker:
    def __init__(self, rng: random.Random, sc: bool) -> None:
        self.rng, self.sc = rng, sc
        self.places = rng.choice((1, 2, 2))
        self.functions: list[Function] = []
        for n in range(rng.choice((1, 2, 3))):
            self.functions.append(self.function(f"f{n}"))
        self.threads = [self.thread(f"t{n}") for n in range(rng.choice((2, 2, 3)))]

    def function(self, name: str) -> Function:
        made = Function(name, deep=self.rng.random() < 0.3)
        made.values = [self.variable(made, private=False) for _ in range(2)]
        made.addresses = [self.variable(made, given=True)]
        for _ in range(self.rng.choice((1, 2))):
            self.variable(made, private=self.rng.random() < 0.7)
        made.body = self.statements(made, self.rng.choice((1, 2, 3)))
        if made.deep:
            again = Again([self.operand(made)], self.rng.choice(made.variables[2:]))
            made.body.insert(self.rng.randint(0, len(made.body)), again)
        made.body.append(Return(self.operand(made)))
        return made

    def thread(self, name: str) -> Function:
        made = Function(name)
        for _ in range(3):
            self.variable(made, private=self.rng.random() < 0.7)
        made.body = self.statements(made, self.rng.choice((1, 2, 3)))
        made.body.insert(self.rng.randint(0, len(made.body)), self.call(made))
        return made

    def variable(self, made: Function, private: bool = True, given: bool = False) -> Variable:
        # What is handed on by its address must be as its receiver thinks.
        width, signed = (8, True) if given else (self.rng.choice(WIDTHS), self.rng.random() < 0.7)
        if made.deep and not made.variables:
            width, signed = 8, True
        new = Variable(len(made.variables), width, signed, private, given)
        made.variables.append(new)
        return new

    def statements(self, made: Function, count: int, nested: bool = False) -> list[Statement]:
        return [self.statement(made, nested) for _ in range(count)]

    def statement(self, made: Function, nested: bool) -> Statement:
        rng = self.rng
        into = rng.choice(made.variables[1:] if made.deep else made.variables)
        kind = rng.choice(("load", "store", "store", "compute", "part", "if", "call", "return"))
        if kind == "load":
            return Load(into, rng.randrange(self.places), self.order(LOADS))
        if kind == "store":
            return Store(rng.randrange(self.places), self.operand(made), self.order(STORES))
        if kind == "if" and not nested:
            then = self.statements(made, rng.choice((1, 2)), nested=True)
            return If(into, then, self.statements(made, rng.choice((0, 1)), nested=True))
        if kind == "call" and self.functions:
            return self.call(made)
        if kind == "return" and nested:
            return Return(self.operand(made))
        whole = [v for v in made.variables if v.private and v.width > 1]
        if kind == "part" and whole:
            return self.part(made, rng.choice(whole))
        op = rng.choice((Binary.ADD, Binary.XOR, Binary.MUL, Binary.SUB))
        return Compute(into, self.operand(made), op, self.operand(made))

    def part(self, made: Function, whole: Variable) -> Statement:
        width = self.rng.choice([w for w in WIDTHS if w < whole.width])
        offset = width * self.rng.randrange(whole.width // width)
        other = [v for v in made.variables[2:] if v != whole]
        if other and self.rng.random() < 0.5:
            return Part(whole, offset, width, self.rng.choice(other))
        return Part(whole, offset, width, None, self.operand(made))

    def call(self, made: Function) -> Statement:
        rng = self.rng
        chosen = [rng.choice(self.functions)]
        alike = [f for f in self.functions if f.deep == chosen[0].deep]
        if rng.random() < 0.3:
            chosen.append(rng.choice(alike))
        values: list[Operand] = [rng.choice((0, 1, 2)) if chosen[0].deep else self.operand(made), self.operand(made)]
        addresses = [v for v in made.variables if v.given or (v.private and v.width == 8 and v.signed)]
        into = rng.choice(made.variables[1:] if made.deep else made.variables)
        if not addresses:
            return Compute(into, self.operand(made), Binary.ADD, 1)
        return Call(chosen, self.operand(made), values, [rng.choice(addresses)], into, rng.random() < 0.3)

    def operand(self, made: Function) -> Operand:
        if self.rng.random() < 0.3:
            return self.rng.choice((1, 2, 255, -1, 0x12345678))
        return self.rng.choice(made.variables)

    def order(self, choices: tuple[Order, ...]) -> Order:
        return self.rng.choice([o for o in choices if self.sc or o is not Order.SC])
