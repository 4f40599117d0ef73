"""The functions of `random_calls` as programs: called, with private memory; or all in one piece, in registers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from porf._core import private_slots
from porf.programs.assemble import Assembler, Label
from porf.programs.form import Binary, Object, Opcode, Program, Start, Template, Unary, pointer

if TYPE_CHECKING:
    from tests.exploration.random_calls import Call, Function, Operand, Part, Statement, Variable


class Form:
    """What both forms have in common: `value` and `assign` are theirs."""

    def value(self, a: Assembler, operand: Operand) -> int:
        raise NotImplementedError

    def assign(self, a: Assembler, variable: Variable, value: int) -> None:
        raise NotImplementedError

    def call(self, a: Assembler, made: Call) -> None:
        raise NotImplementedError

    def again(self, a: Assembler, values: list[Operand], into: Variable) -> None:
        raise NotImplementedError

    def leave(self, a: Assembler, value: Operand) -> None:
        raise NotImplementedError

    def part(self, a: Assembler, part: Part) -> None:
        raise NotImplementedError

    def emit(self, a: Assembler, body: list[Statement]) -> None:
        from tests.exploration.random_calls import Again, Call, Compute, If, Load, Part, Return, Store

        for made in body:
            match made:
                case Load(into, place, order):
                    read = a.register()
                    a.emit(Opcode.LOAD, a=read, b=a.constant(pointer(place)), width=8, order=order)
                    self.assign(a, into, read)
                case Store(place, value, order):
                    c = self.value(a, value)
                    a.emit(Opcode.STORE, b=a.constant(pointer(place)), c=c, width=8, order=order)
                case Compute(into, left, kind, right):
                    out, b, c = a.register(), self.value(a, left), self.value(a, right)
                    a.emit(Opcode.BINARY, a=out, b=b, c=c, kind=kind)
                    self.assign(a, into, out)
                case Part():
                    self.part(a, made)
                case If(condition, then, otherwise):
                    self.branch(a, self.value(a, condition), then, otherwise)
                case Call():
                    self.call(a, made)
                case Again(values, into):
                    self.again(a, values, into)
                case Return(value):
                    self.leave(a, value)

    def branch(self, a: Assembler, condition: int, then: list[Statement], otherwise: list[Statement]) -> None:
        other, end = a.label(), a.label()
        a.jump_unless(condition, other)
        self.emit(a, then)
        a.jump(end)
        a.put(other)
        self.emit(a, otherwise)
        a.put(end)


class Flat(Form):
    """Every call is where it is called, each time with new registers."""

    def __init__(self, name: str, objects: tuple[Object, ...], threads: list[Function]) -> None:
        self.name, self.objects, self.threads = name, objects, threads
        self.home: dict[Variable, int] = {}
        self.function: Function | None = None
        self.depth = 0
        self.result, self.end = 0, Label(0)

    def program(self) -> Program:
        templates = []
        for function in self.threads:
            a = Assembler(function.name)
            self.expand(a, function, [], [], 0)
            templates.append(a.template())
        return Program(self.name, self.objects, tuple(templates), tuple(Start(t) for t in range(len(templates))))

    def expand(self, a: Assembler, function: Function, values: list[int], addresses: list[int], depth: int) -> int:
        """The body of a function; the register of its result."""
        outside = self.home, self.function, self.depth, self.result, self.end
        self.home = {v: a.register() for v in function.variables}
        self.home.update(zip(function.addresses, addresses, strict=False))
        self.function, self.depth = function, depth
        self.result, self.end = a.register(), a.label()
        for variable, value in zip(function.values, values, strict=False):
            a.emit(Opcode.MOVE, a=self.home[variable], b=value)  # as it is: a register, whatever its width
        self.emit(a, function.body)
        a.put(self.end)
        result = self.result
        self.home, self.function, self.depth, self.result, self.end = outside
        return result

    def value(self, a: Assembler, operand: Operand) -> int:
        if isinstance(operand, int):
            return a.constant(operand)
        out = a.register()
        a.emit(Opcode.MOVE, a=out, b=self.home[operand])
        return out

    def assign(self, a: Assembler, variable: Variable, value: int) -> None:
        width = variable.width if variable.private else 0
        home, signed = self.home[variable], variable.signed
        a.emit(Opcode.UNARY, a=home, b=value, kind=Unary.WRAP, width=width, signed=signed)

    def call(self, a: Assembler, made: Call) -> None:
        into = a.register()
        values = [self.value(a, v) for v in made.values]
        addresses = [self.home[v] for v in made.addresses]
        depth = made.values[0] if isinstance(made.values[0], int) else 0
        condition = self.value(a, made.condition)
        ends = a.label()
        for n, function in enumerate(made.functions):
            other = a.label()
            if len(made.functions) == 2:
                (a.jump_unless if n == 0 else a.jump_if)(condition, other)
            a.emit(Opcode.MOVE, a=into, b=self.expand(a, function, values, addresses, depth))
            a.jump(ends)
            a.put(other)
        a.put(ends)
        self.assign(a, made.into, into)

    def again(self, a: Assembler, values: list[Operand], into: Variable) -> None:
        if self.depth == 0:
            return
        assert self.function is not None
        given = [a.constant(self.depth - 1), *(self.value(a, v) for v in values)]
        addresses = [self.home[v] for v in self.function.addresses]
        self.assign(a, into, self.expand(a, self.function, given, addresses, self.depth - 1))

    def leave(self, a: Assembler, value: Operand) -> None:
        a.emit(Opcode.MOVE, a=self.result, b=self.value(a, value))
        a.jump(self.end)

    def part(self, a: Assembler, part: Part) -> None:
        home, shift = self.home[part.whole], a.constant(8 * part.offset)
        out, mask = a.register(), (1 << 8 * part.width) - 1
        if part.read_into is not None:
            a.emit(Opcode.BINARY, a=out, b=home, c=shift, kind=Binary.SHR, width=part.width)
            self.assign(a, part.read_into, out)
            return
        a.emit(Opcode.BINARY, a=out, b=self.value(a, part.value), c=a.constant(mask), kind=Binary.AND)
        a.emit(Opcode.BINARY, a=out, b=out, c=shift, kind=Binary.SHL)
        a.emit(Opcode.BINARY, a=home, b=home, c=a.constant(~(mask << 8 * part.offset)), kind=Binary.AND)
        a.emit(Opcode.BINARY, a=home, b=home, c=out, kind=Binary.OR)
        self.assign(a, part.whole, home)


class Called(Form):
    """A template a function. Its parameters are registers; the address of a variable is a pointer."""

    def __init__(
        self, name: str, objects: tuple[Object, ...], functions: list[Function], threads: list[Function]
    ) -> None:
        self.name, self.objects, self.functions, self.threads = name, objects, functions, threads
        self.home: dict[Variable, int] = {}  # register of a variable, or of its address
        self.number = 0  # of the function's template

    def program(self) -> Program:
        templates = [self.template(n, f) for n, f in enumerate([*self.functions, *self.threads])]
        count = len(self.functions)
        pointers = tuple(Object(f.name, 1, template=n) for n, f in enumerate(self.functions))
        starts = tuple(Start(n) for n in range(count, len(templates)))
        return Program(self.name, (*self.objects, *pointers), tuple(templates), starts)

    def template(self, number: int, function: Function) -> Template:
        self.number = number
        parameters = [f"p{v.number}" for v in [*function.values, *function.addresses]]
        a = Assembler(function.name, parameters)
        self.home = dict(zip([*function.values, *function.addresses], a.parameters, strict=True))
        slots = 0
        for variable in function.variables:
            if variable in self.home:
                continue
            self.home[variable] = a.register()
            if variable.private:
                # Longer than needed, so that what is beside it would be seen.
                a.emit(Opcode.ADDRESS, a=self.home[variable], c=slots, d=8)
                slots += private_slots(8)
        self.emit(a, function.body)
        return replace(a.template(), private=slots)

    def value(self, a: Assembler, operand: Operand) -> int:
        if isinstance(operand, int):
            return a.constant(operand)
        out = a.register()
        if operand.private:
            width, signed = operand.width, operand.signed
            a.emit(Opcode.LOAD, a=out, b=self.home[operand], width=width, signed=signed)
        else:
            a.emit(Opcode.MOVE, a=out, b=self.home[operand])
        return out

    def assign(self, a: Assembler, variable: Variable, value: int) -> None:
        if variable.private:
            a.emit(Opcode.STORE, b=self.home[variable], c=value, width=variable.width, signed=variable.signed)
        else:
            a.emit(Opcode.MOVE, a=self.home[variable], b=value)

    def call(self, a: Assembler, made: Call) -> None:
        values = [self.value(a, v) for v in made.values]
        given = a.arguments((*values, *(self.home[v] for v in made.addresses)))
        condition, into = self.value(a, made.condition), a.register()
        numbers = [next(n for n, f in enumerate(self.functions) if f is function) for function in made.functions]
        targets = [a.constant(pointer(len(self.objects) + n)) for n in numbers]
        if len(numbers) == 2:
            target = a.register()
            a.emit(Opcode.SELECT, a=target, b=condition, c=targets[0], d=targets[1])
            a.emit(Opcode.CALL, a=into, b=target, d=given, kind=1)
        elif made.by_pointer:
            a.emit(Opcode.CALL, a=into, b=targets[0], d=given, kind=1)
        else:
            a.emit(Opcode.CALL, a=into, c=numbers[0], d=given)
        self.assign(a, made.into, into)

    def again(self, a: Assembler, values: list[Operand], into: Variable) -> None:
        function = self.functions[self.number]
        depth, result, over = self.home[function.values[0]], a.register(), a.label()
        a.jump_unless(depth, over)
        less = a.register()
        a.emit(Opcode.BINARY, a=less, b=depth, c=a.constant(1), kind=Binary.SUB)
        given = a.arguments((less, *(self.value(a, v) for v in values), *(self.home[v] for v in function.addresses)))
        a.emit(Opcode.CALL, a=result, c=self.number, d=given)
        self.assign(a, into, result)
        a.put(over)

    def leave(self, a: Assembler, value: Operand) -> None:
        a.emit(Opcode.RETURN, b=self.value(a, value))

    def part(self, a: Assembler, part: Part) -> None:
        where = a.register()
        a.emit(Opcode.BINARY, a=where, b=self.home[part.whole], c=a.constant(part.offset), kind=Binary.ADD)
        if part.read_into is not None:
            out = a.register()
            a.emit(Opcode.LOAD, a=out, b=where, width=part.width)
            self.assign(a, part.read_into, out)
        else:
            c = self.value(a, part.value)
            a.emit(Opcode.STORE, b=where, c=c, width=part.width)
