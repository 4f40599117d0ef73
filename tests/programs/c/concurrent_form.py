"""Random concurrent programs in the program form, written without the translator of C.

A loop that tries again is unrolled: each failed try has found another value, so it ends after as many as others write.
"""

from __future__ import annotations

from porf.execution import Order
from porf.programs import form
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Modify, Object, Opcode, Program, Start, Template, Unary, pointer
from tests.programs.c.concurrent_fuzz import (
    VARIABLES,
    Assign,
    Cell,
    Compare,
    Concurrent,
    Fence,
    For,
    If,
    Load,
    Locked,
    Retry,
    Statement,
    Store,
    Update,
    Value,
    Wait,
)

ORDERS = {
    "": Order.NA,
    "relaxed": Order.RLX,
    "acquire": Order.ACQ,
    "release": Order.REL,
    "acq_rel": Order.ACQ_REL,
    "seq_cst": Order.SC,
}
BINARY = {"+": Binary.ADD, "^": Binary.XOR, "&": Binary.AND, "==": Binary.EQ, "!=": Binary.NE, "<": Binary.LT}
MODIFY = {
    "add": Modify.ADD,
    "sub": Modify.SUB,
    "and": Modify.AND,
    "or": Modify.OR,
    "xor": Modify.XOR,
    "exchange": Modify.EXCHANGE,
}


def program(made: Concurrent, tries: int = 6) -> Program:
    """The whole program; loops that try again do so at most that often, and then go no further."""
    names = [o.name for o in made.objects]
    objects = [_object(o.name, o.width, o.signed, o.initial) for o in made.objects]
    objects += [_object("mutex", 4, True, (0,)), _object("out", 8, True, (0,) * made.results)]
    threads = [_Thread(made, names, n, tries).template(code) for n, code in enumerate(made.threads)]
    main = _Thread(made, names, len(threads), tries).main()
    return Program("form", tuple(objects), (main, *threads), (Start(0),), messages=("never",))


def _object(name: str, width: int, signed: bool, initial: tuple[int, ...]) -> Object:
    cells = (form.Cell(width * n, width, f"{name}[{n}]", value, signed) for n, value in enumerate(initial))
    return Object(name, width * len(initial), tuple(cells))


class _Thread:
    """The code of a thread: variables are registers that hold 32-bit integers."""

    def __init__(self, made: Concurrent, names: list[str], number: int, tries: int) -> None:
        self.made, self.names, self.number, self.tries = made, names, number, tries
        self.code = Assembler(f"t{number}", ["arg"] if number < len(made.threads) else [])
        self.variables = {name: self.code.register(name) for name in VARIABLES}
        if self.code.parameters:
            self.variables["arg"] = self.code.parameters[0]

    def template(self, code: tuple[Statement, ...]) -> Template:
        self.block(code)
        for n, name in enumerate(VARIABLES):
            self.result(self.number * len(VARIABLES) + n, self.variables[name])
        return self.code.template()

    def main(self) -> Template:
        a = self.code
        handles = []
        for n, argument in enumerate(self.made.arguments):
            handles.append(a.register())
            a.emit(Opcode.SPAWN, a=handles[-1], c=n + 1, d=a.arguments((a.constant(argument),)))
        for handle in handles:
            a.emit(Opcode.JOIN, a=a.register(), b=handle)
        first = len(handles) * len(VARIABLES)
        for n, cell in enumerate(self.made.final):
            self.result(first + n, self.load(cell, "relaxed"))
        if self.made.never:
            held = a.constant(1)
            for n, number in self.made.never:
                read = a.register()
                a.emit(Opcode.LOAD, a=read, b=a.constant(self.out(n)), width=8)
                held = self.binary(Binary.AND, held, self.binary(Binary.EQ, read, a.constant(number)))
            a.emit(Opcode.ASSERT, b=self.binary(Binary.EQ, held, a.constant(0)), c=0)
        return a.template()

    def out(self, number: int) -> int:
        return pointer(len(self.names) + 1, 8 * number)

    def result(self, number: int, register: int) -> None:
        self.code.emit(Opcode.STORE, b=self.code.constant(self.out(number)), c=register, width=8)

    # Statements.

    def block(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, s: Statement) -> None:
        a = self.code
        match s:
            case Load():
                self.set(s.into, self.load(s.cell, s.order))
            case Store():
                value = self.value(s.value)
                a.emit(Opcode.STORE, b=self.address(s.cell), c=value, **self.access(s.cell, s.order))
            case Update():
                old = a.register()
                value = self.value(s.value)
                kind = MODIFY[s.kind]
                a.emit(Opcode.RMW, a=old, b=self.address(s.cell), c=value, kind=kind, **self.access(s.cell, s.order))
                self.set(s.into, old)
            case Compare():
                self.compare(s)
            case Retry():
                self.retry(s)
            case Wait():
                self.wait(s)
            case Fence():
                a.emit(Opcode.FENCE, order=ORDERS[s.order])
            case Assign():
                a.emit(Opcode.MOVE, a=self.variables[s.into], b=self.value(s.value))
            case If():
                self.choice(self.value(s.condition), s.yes, s.no)
            case For():
                for _ in range(s.times):
                    self.block(s.body)
            case Locked():
                self.locked(s)

    def compare(self, s: Compare) -> None:
        a = self.code
        old, done = a.register(), a.register()
        expected = self.wrapped(self.variables[s.expected], s.cell.of.width, s.cell.of.signed)
        desired = self.value(s.desired)
        access = self.access(s.cell, s.order) | {"failure": ORDERS[s.failure], "weak": s.weak}
        a.emit(Opcode.CAS, a=old, b=self.address(s.cell), c=expected, d=desired, e=done, **access)
        out = a.label()
        a.jump_if(done, out)
        self.set(s.expected, old)
        a.put(out)
        a.emit(Opcode.MOVE, a=self.variables[s.into], b=done)

    def retry(self, s: Retry) -> None:
        a = self.code
        end, gave_up = a.label(), a.label()
        for n in range(self.tries):
            if n == 0 or s.reloads:
                self.set(s.trial.expected, self.load(s.trial.cell, s.load))
            if s.unless is not None:
                found = self.binary(Binary.EQ, self.variables[s.trial.expected], a.constant(s.unless))
                a.jump_if(found, gave_up)
            self.block(s.body)
            self.compare(s.trial)
            a.jump_if(self.variables[s.trial.into], end)
        a.emit(Opcode.ASSUME, b=a.constant(0))
        a.put(gave_up)
        a.emit(Opcode.MOVE, a=self.variables[s.trial.into], b=a.constant(0))
        if s.peek is not None:
            self.set(s.trial.into, self.load(s.peek, ""))
        a.put(end)

    def wait(self, s: Wait) -> None:
        a = self.code
        out = a.label()
        loop = a.loop()
        a.jump_if(self.binary(Binary.EQ, self.wrapped(self.load(s.cell, s.order), 4), a.constant(s.number)), out)
        a.again(loop)
        a.put(out)

    def choice(self, condition: int, yes: tuple[Statement, ...], no: tuple[Statement, ...]) -> None:
        other, end = self.code.label(), self.code.label()
        self.code.jump_unless(condition, other)
        self.block(yes)
        self.code.jump(end)
        self.code.put(other)
        self.block(no)
        self.code.put(end)

    def locked(self, s: Locked) -> None:
        a = self.code
        out = a.label()
        mutex = a.constant(pointer(len(self.names)))
        if s.tries:
            got = a.register()
            a.emit(Opcode.TRYLOCK, a=got, b=mutex, width=4)
            a.jump_unless(got, out)
        else:
            a.emit(Opcode.LOCK, b=mutex, width=4)
        self.block(s.body)
        a.emit(Opcode.UNLOCK, b=mutex, width=4)
        a.put(out)

    # Values.

    def load(self, cell: Cell, order: str) -> int:
        into = self.code.register()
        self.code.emit(Opcode.LOAD, a=into, b=self.address(cell), **self.access(cell, order))
        return into

    def access(self, cell: Cell, order: str) -> dict[str, object]:
        return {"width": cell.of.width, "signed": cell.of.signed, "order": ORDERS[order]}

    def address(self, cell: Cell) -> int:
        base = pointer(self.names.index(cell.of.name))
        if isinstance(cell.index, int):
            return self.code.constant(base + cell.of.width * cell.index)
        index = self.binary(Binary.AND, self.variables[cell.index], self.code.constant(len(cell.of.initial) - 1))
        offset = self.binary(Binary.MUL, index, self.code.constant(cell.of.width))
        return self.binary(Binary.ADD, offset, self.code.constant(base))

    def value(self, value: Value) -> int:
        base = self.code.constant(value.base) if isinstance(value.base, int) else self.variables[value.base]
        if not value.operator:
            return base
        return self.binary(BINARY[value.operator], base, self.code.constant(value.constant), 4)

    def binary(self, kind: Binary, b: int, c: int, width: int = 0) -> int:
        into = self.code.register()
        self.code.emit(Opcode.BINARY, a=into, b=b, c=c, kind=kind, width=width)
        return into

    def wrapped(self, operand: int, width: int, signed: bool = True) -> int:
        into = self.code.register()
        self.code.emit(Opcode.UNARY, a=into, b=operand, kind=Unary.WRAP, width=width, signed=signed)
        return into

    def set(self, variable: str, operand: int) -> None:
        self.code.emit(Opcode.UNARY, a=self.variables[variable], b=operand, kind=Unary.WRAP, width=4)
