"""The builder with which every front end writes the code of a thread or a function: an operation is a method.

A method returns the operand that holds the result: a constant if the result is known already, or else the register
`into` if the caller names one, or else a new register.
"""

from collections.abc import Iterable
from typing import Any

from porf._core import BugKind, Order, compute_binary, compute_unary, wrap
from porf.programs.assemble import Assembler
from porf.programs.form import (
    FACTS,
    Allocation,
    Assumption,
    Binary,
    Callee,
    Handle,
    Home,
    Life,
    Modify,
    Opcode,
    Reading,
    Sort,
    Storage,
    Unary,
    sort_of,
)


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

    def value(self, opcode: Opcode, *operands: int, into: int | None = None, **fields: Any) -> int:
        """Any instruction with a result: its operands in the order of its row, and its other fields by name."""
        facts = FACTS[opcode]
        register = self.result() if into is None else into
        self._truths.discard(register)  # it may be used again
        self.emit(opcode, **{facts.sets[0]: register}, **dict(zip(facts.reads, operands, strict=False)), **fields)
        return register

    def copy(self, register: int, operand: int) -> None:
        self.emit(Opcode.MOVE, a=register, b=operand)

    def binary(
        self, kind: Binary, b: int, c: int, width: int = 0, is_signed: bool = True, into: int | None = None
    ) -> int:
        """b kind c, wrapped to width bytes (0: not wrapped)."""
        left, right = self.known(b), self.known(c)
        if left is not None and right is not None:
            value = compute_binary(kind, left, right)
            if value is not None:  # a division by zero is left to the run
                return self.constant(wrap(value, width, is_signed))
        sort = sort_of(kind)
        is_truth = sort is Sort.COMPARISON or (sort is Sort.BITWISE and self.is_truth(b) and self.is_truth(c))
        result = self.value(Opcode.BINARY, b, c, into=into, kind=kind, width=width, signed=is_signed)
        if is_truth and into is None:
            self._truths.add(result)
        return result

    def checked(self, kind: Binary, b: int, c: int, width: int) -> int:
        """b kind c, a sum, difference or product; a result that does not fit the width is an error."""
        left, right = self.known(b), self.known(c)
        if left is not None and right is not None:
            exact = left + right if kind is Binary.ADD else left - right if kind is Binary.SUB else left * right
            if -(1 << 8 * width - 1) <= exact < 1 << 8 * width - 1:
                return self.constant(exact)
        return self.value(Opcode.CHECKED, b, c, kind=kind, width=width)

    def unary(self, kind: Unary, b: int, width: int = 0, is_signed: bool = True, into: int | None = None) -> int:
        """kind b, wrapped to width bytes (0: not wrapped)."""
        known = self.known(b)
        value = compute_unary(kind, known) if known is not None else None
        if value is not None:
            return self.constant(wrap(value, width, is_signed))
        return self.value(Opcode.UNARY, b, into=into, kind=kind, width=width, signed=is_signed)

    def select(self, condition: int, yes: int, no: int) -> int:
        """yes if the condition is not 0, else no."""
        value = self.known(condition)
        if value is not None:
            return yes if value else no
        if yes == no:
            return yes
        return self.value(Opcode.SELECT, condition, yes, no)

    def add(self, b: int, offset: int) -> int:
        """A pointer so many bytes further on."""
        return self.binary(Binary.ADD, b, self.constant(offset)) if offset else b

    def within(self, pointer: int, offset: int) -> int:
        """A pointer so many bytes (an operand) further on, which must not leave its object."""
        return self.value(Opcode.WITHIN, pointer, offset)

    def load(
        self,
        pointer: int,
        width: int,
        order: Order = Order.NA,
        is_signed: bool = True,
        kind: Reading = Reading.USES,
        aligned: bool = False,
        into: int | None = None,
    ) -> int:
        fields = {"width": width, "order": order, "signed": is_signed, "aligned": aligned}
        return self.value(Opcode.LOAD, pointer, into=into, kind=kind, **fields)

    def store(
        self,
        pointer: int,
        value: int,
        width: int,
        order: Order = Order.NA,
        is_signed: bool = True,
        aligned: bool = False,
    ) -> None:
        fields = {"width": width, "order": order, "signed": is_signed, "aligned": aligned}
        self.emit(Opcode.STORE, b=pointer, c=value, **fields)

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
        fields = {"kind": kind, "width": width, "order": order, "signed": is_signed}
        return self.value(Opcode.RMW, pointer, value, into=into, **fields)

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
        success, failure = orders
        done = self.result()
        fields = {"e": done, "width": width, "signed": is_signed, "order": success, "failure": failure, "weak": weak}
        old = self.value(Opcode.CAS, pointer, expected, desired, **fields)
        self._truths.add(done)
        return old, done

    def fence(self, order: Order) -> None:
        self.emit(Opcode.FENCE, order=order)

    def lock(self, mutex: int, width: int) -> None:
        self.emit(Opcode.LOCK, b=mutex, width=width)

    def unlock(self, mutex: int, width: int) -> None:
        self.emit(Opcode.UNLOCK, b=mutex, width=width)

    def trylock(self, mutex: int, width: int, into: int | None = None) -> int:
        """Whether the mutex was free and is taken now."""
        return self.value(Opcode.TRYLOCK, mutex, into=into, width=width)

    def barrier(self, barrier: int, width: int) -> int:
        """Waits at a barrier; 1 in one of the threads that were waited for, 0 in the others."""
        return self.value(Opcode.BARRIER, barrier, width=width)

    def spawn(self, function: int, arguments: Iterable[int], callee: Callee = Callee.TEMPLATE) -> int:
        """The handle of a new thread that runs a template, or the function that an operand points to."""
        return self._call(Opcode.SPAWN, function, arguments, callee)

    def join(self, handle: int, into: int | None = None) -> int:
        """Waits for a thread; the result is the thread's."""
        return self.value(Opcode.JOIN, handle, into=into)

    def this_thread(self, kind: Handle = Handle.OWN) -> int:
        """The handle of this thread, or of the thread that it will start next."""
        return self.value(Opcode.SELF, kind=kind)

    def call(
        self, function: int, arguments: Iterable[int], callee: Callee = Callee.TEMPLATE, into: int | None = None
    ) -> int:
        """What a template returns, or the function that an operand points to."""
        return self._call(Opcode.CALL, function, arguments, callee, into)

    def call_pointer(self, pointer: int, arguments: Iterable[int], signature: int) -> int:
        """What the function that an operand points to returns; it must have this type."""
        lists = self.arguments(arguments)
        return self.value(Opcode.CALL, pointer, c=signature, d=lists, kind=Callee.POINTER)

    def give_back(self, value: int) -> None:
        """The call ends with this value."""
        self.emit(Opcode.RETURN, b=value)

    def exit(self, value: int | None = None) -> None:
        """The thread ends; its result is the value, or 0."""
        self.emit(Opcode.EXIT, b=self.constant(0) if value is None else value)

    def address(self, slot: int, size: int, home: Home = Home.FRAME) -> int:
        """A pointer to a private object."""
        return self.value(Opcode.ADDRESS, c=slot, d=size, kind=home)

    def life(self, slot: int, size: int, kind: Life) -> None:
        """A private object begins, with nothing set, or ends."""
        self.emit(Opcode.LIFE, c=slot, d=size, kind=kind)

    def allocate(self, size: int, layout: int, kind: Allocation, into: int | None = None) -> int:
        """A pointer to a new object of so many bytes (an operand)."""
        return self.value(Opcode.ALLOCATE, size, into=into, c=layout, kind=kind)

    def free(self, pointer: int, kind: Storage = Storage.HEAP) -> None:
        self.emit(Opcode.FREE, b=pointer, kind=kind)

    def choose(self, least: int, most: int, weak: bool = False) -> int:
        """One of the numbers from least to most (operands), each in a separate execution. If that is weak, all but the
        first one are failures for no reason."""
        return self.value(Opcode.CHOOSE, least, most, weak=weak)

    def assume(self, condition: int, kind: Assumption = Assumption.REQUIRED) -> None:
        """Only executions in which the condition holds go on."""
        self.emit(Opcode.ASSUME, b=condition, kind=kind)

    def check(self, condition: int, message: int) -> None:
        """An error if the condition is 0."""
        self.emit(Opcode.ASSERT, b=condition, c=message)

    def fail(self, message: int, bug: BugKind | None = None) -> None:
        """A bug of this kind; without one, a failed assertion."""
        self.emit(Opcode.FAIL, c=message, d=0 if bug is None else bug.value)

    def print(self, message: int, arguments: Iterable[int]) -> None:
        """Prints as printf does; the message is the format."""
        self.emit(Opcode.PRINT, c=message, d=self.arguments(arguments))

    def _call(
        self, opcode: Opcode, function: int, arguments: Iterable[int], callee: Callee, into: int | None = None
    ) -> int:
        fields = {"b": function, "c": -1} if callee is Callee.POINTER else {"c": function}
        return self.value(opcode, into=into, d=self.arguments(arguments), kind=callee, **fields)
