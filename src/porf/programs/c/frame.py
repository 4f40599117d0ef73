"""What the translator knows about the program (Unit) and about the function (Frame) that it is translating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from porf._core import private_slots
from porf.errors import ProgramError
from porf.programs.assemble import Label, signed
from porf.programs.c import ir
from porf.programs.c.constants import wrapped
from porf.programs.c.errors import unsupported
from porf.programs.c.given_locals import own_pointer
from porf.programs.c.memory import Memory
from porf.programs.c.types import NUMBERS, Types, is_wide
from porf.programs.code import Code
from porf.programs.form import Binary, Cell, Home, Object, Template, object_of, offset_of, pointer
from porf.record import Record, field

if TYPE_CHECKING:
    from porf.programs.c.exceptions import Exceptions


class Unit(Record, frozen=False):
    """A program that is being translated."""

    module: ir.Module
    types: Types
    memory: Memory
    templates: Mapping[str, int]  # function -> template
    private: Mapping[str, set[str]]  # function -> its allocas that only their thread can reach
    nondet: tuple[int, int]
    objects: list[Object]  # those of memory, and the translator's own
    exceptions: Exceptions
    constant_objects: dict[int, str] = field(default_factory=dict)  # number -> a global that never changes
    notes: dict[str, None] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()  # kinds of undefined behaviour that are not reported
    hints: dict[str, str] = field(default_factory=dict)  # a message on what is not supported -> what to do about it
    known_ends: tuple[ir.Instruction, ...] = ()  # before main: what they add runs when the program ends
    has_list_of_ends: bool = False  # others may add something, too
    added: dict[str, Template] = field(default_factory=dict)  # the translator's own: their numbers follow the others
    _messages: dict[str, int] = field(default_factory=dict)
    _signatures: dict[tuple[ir.Type, ...], int] = field(default_factory=dict)

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(self._messages)

    def message(self, text: str) -> int:
        return self._messages.setdefault(text, len(self._messages))

    def signature(self, result: ir.Type, parameters: Sequence[ir.Type]) -> int:
        """The number of a function's type."""
        return self._signatures.setdefault((result, *parameters), len(self._signatures))

    def add(self, item: Object) -> int:
        """A new object; returns the pointer to it."""
        self.objects.append(item)
        return pointer(len(self.objects) - 1)

    @cached_property
    def section_mutex(self) -> int:
        """The pointer to the mutex of all atomic sections, which the source does not have."""
        name = "__VERIFIER_atomic"
        return self.add(Object(name, 4, (Cell(0, 4, name),)))


class Frame:
    """A function that is being translated. A value of LLVM is a tuple of operands, one for each of its scalars."""

    def __init__(self, unit: Unit, function: ir.Function, code: Code) -> None:
        self.unit = unit
        self.function = function
        self.code = code
        self.labels: dict[str, Label] = {}  # of blocks
        self.slots = 0  # of private memory
        self.result_pointer: int | None = None  # where a result of several scalars goes
        self.varargs: int | None = None  # where the arguments are that have no parameter
        self.makers: dict[str, ir.Instruction] = {}  # register -> the instruction that sets it
        self.is_main = False
        self.marked: frozenset[str] = frozenset()  # allocas whose lives have a beginning and an end
        self.shared_stack: dict[str, tuple[int, int, int]] = {}  # those that others see -> register, size, layout
        self.unmarked: list[int] = []  # registers of the other stack objects that others see
        self._values: dict[str, tuple[int, ...]] = {}
        self._private: dict[str, tuple[int, int, Home]] = {}  # alloca -> slot, size

    def unsupported(self, construct: str, hint: str | None = None) -> ProgramError:
        """The error that points at the instruction that is being translated."""
        place = self.code.place or self.function.place
        return unsupported(construct, place) if hint is None else unsupported(construct, place, hint)

    # Values.

    def set(self, name: str, operands: tuple[int, ...]) -> None:
        if name:
            self._values[name] = operands

    def set_one(self, instruction: ir.Instruction, operand: int) -> None:
        self.set(instruction.result, (operand,))

    def one(self, operand: ir.Operand) -> int:
        """The operand of a scalar."""
        found = self.all(operand)
        if len(found) != 1:
            raise self.unsupported("a structure where a number is expected")
        return found[0]

    def tested(self, operand: ir.Operand) -> int:
        """The operand of a scalar that is only compared with zero. If it is an address that was cut down to an int,
        then it is the address: only null is zero, whichever half of a pointer names the object."""
        inner: ir.Operand | None = operand if operand.type == ir.Integer(32) else None
        while inner is not None:
            made = self.makers.get(inner.name) if isinstance(inner, ir.Register) else inner
            if not isinstance(made, ir.Instruction | ir.Expression):
                break
            if made.opcode in ("ptrtoint", "ptrtoaddr"):
                return self.one(made.operands[0])
            inner = made.operands[0] if made.opcode in ("trunc", "freeze") else None
        return self.one(operand)

    def all(self, operand: ir.Operand) -> tuple[int, ...]:
        """The operands of a value."""
        match operand:
            case ir.Register(name=name):
                if name in self._private:
                    return (self.private_address(*self._private[name]),)
                return self._values[name]
            case ir.Aggregate(elements=elements):
                return tuple(o for element in elements for o in self.all(element))
            case ir.Number(type=ir.Integer(bits=bits), value=value) if bits > 64:
                self.leaves(operand.type)
                return (self.code.constant(signed(value)), self.code.constant(wrapped(value >> 64, bits - 64)))
            case ir.Undefined(type=type) | ir.Zero(type=type):
                return (self.code.constant(0),) * len(self.leaves(type))
            case ir.Text(data=data):
                return tuple(self.code.constant(b - 256 if b > 127 else b) for b in data)
            case ir.Unsupported(type=ir.Opaque(name=name)) if name not in NUMBERS:
                raise self.unsupported_type(name)
        if self._is_local(operand):
            return (self._local(operand),)
        return (self.code.constant(self.unit.memory.value(operand)),)

    def leaves(self, type: ir.Type) -> list[tuple[int, ir.Type]]:
        """The scalars of a type with their offsets, all of which registers can hold."""
        found = self.unit.types.leaves(type)
        for _, leaf in found:
            if isinstance(leaf, ir.Opaque) and leaf.name not in NUMBERS:
                raise self.unsupported_type(leaf.name)
            if isinstance(leaf, ir.Integer) and leaf.bits > 64:
                raise self.unsupported(f"an integer of {leaf.bits} bits", "integers of up to 128 bits are supported")
        return found

    def unsupported_type(self, name: str) -> ProgramError:
        if name.startswith("<"):
            return self.unsupported(f"a vector, {name}", "use an array")
        return self.unsupported(
            f"a value of type '{name}'", "float and double are supported, and numbers of up to 64 bits"
        )

    def bits(self, type: ir.Type) -> int:
        """The width of a scalar in bits."""
        self.leaves(type)
        if isinstance(type, ir.Integer) and is_wide(type):
            raise self.unsupported(f"this operation on an integer of {type.bits} bits")
        if isinstance(type, ir.Opaque):
            return NUMBERS[type.name]
        return type.bits if isinstance(type, ir.Integer) else 64

    def number(self, operand: ir.Operand) -> int | None:
        """The value of a scalar, if it is known."""
        return self.code.known(self.one(operand))

    def constant_bytes(self, pointer: int) -> bytes | None:
        """The bytes from a place on, if they are known and never change."""
        place = self.code.known(pointer)
        name = self.unit.constant_objects.get(object_of(place)) if place else None
        return self.unit.memory.contents(name)[offset_of(place) :] if place and name is not None else None

    # Private memory, of the function and of the thread.

    def reserve(self, size: int) -> int:
        """A slot for a private object."""
        slot = self.slots
        self.slots += private_slots(size)
        return slot

    def private_address(self, slot: int, size: int, home: Home = Home.FRAME) -> int:
        """A pointer to a private object. It is computed at each use, so that no register has to hold it."""
        return self.code.address(slot, size, home)

    def set_private(self, name: str, size: int, home: Home = Home.FRAME) -> None:
        self._private[name] = (self.reserve(size), size, home)

    def private_slot(self, name: str) -> tuple[int, int] | None:
        """Slot and size of a private stack object."""
        found = self._private.get(name)
        return found[:2] if found is not None else None

    def _is_local(self, operand: ir.Operand) -> bool:
        """Whether a constant contains the address of a thread-local variable."""
        if isinstance(operand, ir.Symbol):
            found = self.unit.module.globals.get(operand.name)
            return found is not None and found.thread_local
        return isinstance(operand, ir.Expression) and any(self._is_local(o) for o in operand.operands)

    def _local(self, operand: ir.Operand) -> int:
        if isinstance(operand, ir.Symbol) and operand.name in self.unit.memory.given_away:
            return own_pointer(self.code, self.unit, operand.name)
        if isinstance(operand, ir.Symbol):
            size = self.unit.types.size(self.unit.module.globals[operand.name].type)
            return self.code.address(self.unit.memory.local_slot(operand.name), size, Home.THREAD)
        assert isinstance(operand, ir.Expression)
        first, *rest = operand.operands
        if operand.opcode == "getelementptr" and operand.source is not None and not any(map(self._is_local, rest)):
            return self.address(operand.source, self.one(first), rest)
        if operand.opcode in ("ptrtoint", "inttoptr", "bitcast", "addrspacecast"):
            return self.one(first)
        raise self.unsupported(f"'{operand.opcode}' of the address of a thread-local variable")

    def address(self, source: ir.Type, base: int, indices: list[ir.Operand], inbounds: bool = False) -> int:
        """The address of a getelementptr: the first index counts objects of the source type, the others go into it.

        `inbounds`: it must not lie outside the object. A constant number of bytes is no index: that is how a program
        goes from a member to its structure, which need not be there.
        """
        types, code, offset, inner = self.unit.types, self.code, 0, source
        steps: list[int] = []
        moves = False
        for place, index in enumerate(indices):
            operand = self.one(index)
            known = code.known(operand)
            if place and isinstance(inner, ir.Struct):
                assert known is not None
                offset += types.offset(inner, known)
                inner = types.element(inner, known)
                continue
            if place:
                assert isinstance(inner, ir.Array)
                inner = inner.element
            size = types.size(inner)
            if known is not None:
                offset += known * size
                moves = moves or (known != 0 and size > 1)
                continue
            steps.append(operand if size == 1 else code.binary(Binary.MUL, operand, code.constant(size)))
        if not inbounds or not (steps or moves) or "pointer" in self.unit.allowed:
            for step in steps:
                base = code.binary(Binary.ADD, base, step)
            return code.add(base, offset)
        total = code.constant(offset)
        for step in steps:
            total = code.binary(Binary.ADD, step, total) if code.known(total) != 0 else step
        return code.within(base, total)
