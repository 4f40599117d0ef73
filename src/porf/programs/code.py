"""The builder with which every front end writes the code of a thread or a function: an operation is a method.

A method returns the operand that holds the result: a constant if the result is known already, or else the register
`into` if the caller names one, or else a new register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import (
    Allocation,
    Assumption,
    Binary,
    Callee,
    Handle,
    Home,
    Modify,
    Opcode,
    Reading,
    Storage,
    Unary,
)

MASK = (1 << 64) - 1


def signed(value: int, bytes: int = 8) -> int:
    """The number that so many bytes stand for, in two's complement."""
    half = 1 << (8 * bytes - 1)
    return (value + half) % (2 * half) - half


FOLD: dict[Binary, Callable[[int, int], int]] = {
    Binary.ADD: lambda b, c: b + c,
    Binary.SUB: lambda b, c: b - c,
    Binary.MUL: lambda b, c: b * c,
    Binary.AND: lambda b, c: b & c,
    Binary.OR: lambda b, c: b | c,
    Binary.XOR: lambda b, c: b ^ c,
    Binary.SHL: lambda b, c: b << c if 0 <= c < 64 else 0,
    Binary.SHR: lambda b, c: b >> (c if 0 <= c < 64 else 63),
    Binary.USHR: lambda b, c: (b & MASK) >> c if 0 <= c < 64 else 0,
    Binary.EQ: lambda b, c: b == c,
    Binary.NE: lambda b, c: b != c,
    Binary.LT: lambda b, c: b < c,
    Binary.LE: lambda b, c: b <= c,
    Binary.GT: lambda b, c: b > c,
    Binary.GE: lambda b, c: b >= c,
    Binary.ULT: lambda b, c: (b & MASK) < (c & MASK),
    Binary.ULE: lambda b, c: (b & MASK) <= (c & MASK),
    Binary.UGT: lambda b, c: (b & MASK) > (c & MASK),
    Binary.UGE: lambda b, c: (b & MASK) >= (c & MASK),
    Binary.MIN: min,
    Binary.MAX: max,
}
FOLD_ONE: dict[Unary, Callable[[int], int]] = {
    Unary.NEG: lambda b: -b,
    Unary.INVERT: lambda b: ~b,
    Unary.NOT: lambda b: int(b == 0),
    Unary.WRAP: lambda b: b,
}

BITWISE = (Binary.AND, Binary.OR, Binary.XOR)
COMPARISONS = frozenset(range(Binary.EQ, Binary.UGE + 1))


class Code(Assembler):
    """Writes the code of one function; what is known is not computed."""

    def __init__(self, name: str, parameters: Iterable[str] = ()) -> None:
        super().__init__(name, parameters)
        self._truths: set[int] = set()  # registers that are 0 or 1

    def result(self) -> int:
        """A register for the result of an operation."""
        return self.register()

    def known(self, operand: int) -> int | None:
        """The number that an operand is, if it is a constant."""
        return self.constants[~operand] if operand < 0 else None

    def is_truth(self, operand: int) -> bool:
        """Whether an operand is known to be 0 or 1."""
        return operand in self._truths or self.known(operand) in (0, 1)

    def truth(self) -> int:
        """A register that an instruction sets to 0 or 1."""
        register = self.register()
        self._truths.add(register)
        return register

    def copy(self, register: int, operand: int) -> None:
        self.emit(Opcode.MOVE, a=register, b=operand)

    def binary(
        self, kind: Binary, b: int, c: int, width: int = 0, is_signed: bool = True, into: int | None = None
    ) -> int:
        """b kind c, wrapped to width bytes (0: not wrapped)."""
        left, right = self.known(b), self.known(c)
        if left is not None and right is not None and kind in FOLD:
            return self._folded(int(FOLD[kind](left, right)), width, is_signed)
        is_truth = kind in COMPARISONS or (kind in BITWISE and self.is_truth(b) and self.is_truth(c))
        result = self._into(into)
        if is_truth and into is None:
            self._truths.add(result)
        self.emit(Opcode.BINARY, a=result, b=b, c=c, kind=kind, width=width, signed=is_signed)
        return result

    def unary(self, kind: Unary, b: int, width: int = 0, is_signed: bool = True, into: int | None = None) -> int:
        """kind b, wrapped to width bytes (0: not wrapped)."""
        value = self.known(b)
        if value is not None and kind in FOLD_ONE:
            return self._folded(FOLD_ONE[kind](value), width, is_signed)
        result = self._into(into)
        self.emit(Opcode.UNARY, a=result, b=b, kind=kind, width=width, signed=is_signed)
        return result

    def select(self, condition: int, yes: int, no: int) -> int:
        """yes if the condition is not 0, else no."""
        value = self.known(condition)
        if value is not None:
            return yes if value else no
        if yes == no:
            return yes
        result = self.result()
        self.emit(Opcode.SELECT, a=result, b=condition, c=yes, d=no)
        return result

    def add(self, b: int, offset: int) -> int:
        """A pointer so many bytes further on."""
        return self.binary(Binary.ADD, b, self.constant(offset)) if offset else b

    def load(
        self,
        pointer: int,
        width: int,
        order: Order = Order.NA,
        is_signed: bool = True,
        kind: Reading = Reading.USES,
        into: int | None = None,
    ) -> int:
        result = self._into(into)
        self.emit(Opcode.LOAD, a=result, b=pointer, kind=kind, width=width, order=order, signed=is_signed)
        return result

    def store(self, pointer: int, value: int, width: int, order: Order = Order.NA, is_signed: bool = True) -> None:
        self.emit(Opcode.STORE, b=pointer, c=value, width=width, order=order, signed=is_signed)

    def modify(
        self,
        kind: Modify,
        pointer: int,
        value: int,
        width: int,
        order: Order,
        is_signed: bool = True,
        into: int | None = None,
    ) -> int:
        """A read-modify-write; the result is what was there before."""
        result = self._into(into)
        self.emit(Opcode.RMW, a=result, b=pointer, c=value, kind=kind, width=width, order=order, signed=is_signed)
        return result

    def compare_exchange(
        self,
        pointer: int,
        expected: int,
        desired: int,
        width: int,
        orders: tuple[Order, Order],
        is_signed: bool = True,
        weak: bool = False,
    ) -> tuple[int, int]:
        """What was there before, and whether it was as expected and is replaced; orders of success and of failure."""
        old, done = self.result(), self.result()
        self._truths.add(done)
        self.emit(
            Opcode.CAS,
            a=old,
            b=pointer,
            c=expected,
            d=desired,
            e=done,
            width=width,
            signed=is_signed,
            order=orders[0],
            failure=orders[1],
            weak=weak,
        )
        return old, done

    def fence(self, order: Order) -> None:
        self.emit(Opcode.FENCE, order=order)

    def lock(self, mutex: int, width: int) -> None:
        self.emit(Opcode.LOCK, b=mutex, width=width)

    def unlock(self, mutex: int, width: int) -> None:
        self.emit(Opcode.UNLOCK, b=mutex, width=width)

    def trylock(self, mutex: int, width: int, into: int | None = None) -> int:
        """Whether the mutex was free and is taken now."""
        result = self._into(into)
        if into is None:
            self._truths.add(result)
        self.emit(Opcode.TRYLOCK, a=result, b=mutex, width=width)
        return result

    def barrier(self, barrier: int, width: int) -> int:
        """Waits at a barrier; 1 in one of the threads that were waited for, 0 in the others."""
        result = self.result()
        self._truths.add(result)
        self.emit(Opcode.BARRIER, a=result, b=barrier, width=width)
        return result

    def spawn(self, function: int, arguments: Iterable[int], callee: Callee = Callee.TEMPLATE) -> int:
        """The handle of a new thread that runs a template, or the function that an operand points to."""
        result = self.result()
        self._call(Opcode.SPAWN, result, function, arguments, callee)
        return result

    def join(self, handle: int, into: int | None = None) -> int:
        """Waits for a thread; the result is the thread's."""
        result = self._into(into)
        self.emit(Opcode.JOIN, a=result, b=handle)
        return result

    def this_thread(self, kind: Handle = Handle.OWN) -> int:
        """The handle of this thread, or of the thread that it will start next."""
        result = self.result()
        self.emit(Opcode.SELF, a=result, kind=kind)
        return result

    def call(
        self, function: int, arguments: Iterable[int], callee: Callee = Callee.TEMPLATE, into: int | None = None
    ) -> int:
        """What a template returns, or the function that an operand points to."""
        result = self._into(into)
        self._call(Opcode.CALL, result, function, arguments, callee)
        return result

    def give_back(self, value: int) -> None:
        """The call ends with this value."""
        self.emit(Opcode.RETURN, b=value)

    def exit(self, value: int | None = None) -> None:
        """The thread ends; its result is the value, or 0."""
        self.emit(Opcode.EXIT, b=self.constant(0) if value is None else value)

    def address(self, slot: int, size: int, home: Home = Home.FRAME) -> int:
        """A pointer to a private object."""
        result = self.result()
        self.emit(Opcode.ADDRESS, a=result, c=slot, d=size, kind=home)
        return result

    def allocate(self, size: int, layout: int, kind: Allocation, into: int | None = None) -> int:
        """A pointer to a new object of so many bytes (an operand)."""
        result = self._into(into)
        self.emit(Opcode.ALLOCATE, a=result, b=size, c=layout, kind=kind)
        return result

    def free(self, pointer: int, kind: Storage = Storage.HEAP) -> None:
        self.emit(Opcode.FREE, b=pointer, kind=kind)

    def choose(self, least: int, most: int) -> int:
        """One of the numbers from least to most (operands), each in an execution of its own."""
        result = self.result()
        self.emit(Opcode.CHOOSE, a=result, b=least, c=most)
        return result

    def assume(self, condition: int, kind: Assumption = Assumption.REQUIRED) -> None:
        """Only executions in which the condition holds go on."""
        self.emit(Opcode.ASSUME, b=condition, kind=kind)

    def check(self, condition: int, message: int) -> None:
        """An error if the condition is 0."""
        self.emit(Opcode.ASSERT, b=condition, c=message)

    def fail(self, message: int) -> None:
        self.emit(Opcode.FAIL, c=message)

    def print(self, message: int, arguments: Iterable[int]) -> None:
        """Prints as printf does; the message is the format."""
        self.emit(Opcode.PRINT, c=message, d=self.arguments(arguments))

    def _call(self, opcode: Opcode, result: int, function: int, arguments: Iterable[int], callee: Callee) -> None:
        field = {"b" if callee is Callee.POINTER else "c": function}
        self.emit(opcode, a=result, d=self.arguments(arguments), kind=callee, **field)

    def _folded(self, value: int, width: int, is_signed: bool) -> int:
        if width:
            value = signed(value, width) if is_signed else value % (1 << 8 * width)
        return self.constant(value)

    def _into(self, into: int | None) -> int:
        register = self.result() if into is None else into
        self._truths.discard(register)  # a register that is used again
        return register
