"""What an expression of a thread is worth to the compiler: something known now, or something in a register then."""

import operator
from enum import Enum
from typing import Any

from porf._core import Order
from porf.programs.python.shared import CellType, Mutex, SharedInt
from porf.record import Record


class Known(Record):
    """A Python value that is known when the program is compiled."""

    value: Any

    @property
    def integer(self) -> int | None:
        """The number it is, if it is one. An order is not, although Python's enumeration has numbers."""
        if isinstance(self.value, Order):
            return None
        try:
            return operator.index(self.value)
        except TypeError:
            return None


class Number(Record):
    """An integer that the thread computes: an operand of the program form."""

    operand: int


class Reference(Record):
    """A cell of shared memory: an operand that points to it, and what it is."""

    operand: int
    type: CellType


class Handle(Record):
    """A thread that was spawned."""

    operand: int


class Pair(Record):
    """The two results of a compare-exchange: whether it was written, and the value found."""

    first: Number
    second: Number


Value = Known | Number | Reference | Handle | Pair


class Plain(Enum):
    """The types of variables that are not references."""

    NUMBER = "an integer"
    HANDLE = "a thread"


VariableType = Plain | CellType


def variable(type: VariableType, register: int) -> Value:
    """What a variable of this type holds."""
    if isinstance(type, CellType):
        return Reference(register, type)
    return Number(register) if type is Plain.NUMBER else Handle(register)


def describe(type: VariableType) -> str:
    if isinstance(type, Plain):
        return type.value
    return "a mutex" if type.kind == "mutex" else f"a shared {type.kind} integer"


def is_passed(argument: Value) -> bool:
    """Whether a thread gets this argument in a register; other things that are known are compiled into its code."""
    return (
        not isinstance(argument, Known) or argument.integer is not None or isinstance(argument.value, SharedInt | Mutex)
    )
