"""Operands of x86 instructions: registers, numbers, and places of memory that are read and written by events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from porf.programs.form import Binary, Unary
from porf.programs.litmus.assembly.operands import Line, Operand, number
from porf.programs.litmus.assembly.thread import Thread

LETTERS = {"b": 1, "w": 2, "l": 4, "q": 8}
_NAMED = ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")


def _names() -> tuple[dict[str, int], dict[str, int]]:
    """The registers by all their names, and how many bytes of them each names."""
    numbers, widths = dict[str, int](), dict[str, int]()

    def add(register: int, name: str, width: int) -> None:
        for spelled in (name, name.upper(), f"%{name}", f"%{name.upper()}"):
            numbers[spelled], widths[spelled] = register, width

    for register, name in enumerate(_NAMED):
        add(register, f"r{name}", 8)
        add(register, f"e{name}", 4)
        add(register, name, 2)
        add(register, f"{name[0]}l" if name.endswith("x") else f"{name}l", 1)
    for register in range(8, 16):
        for letter, width in (("", 8), ("d", 4), ("w", 2), ("b", 1)):
            add(register, f"r{register}{letter}", width)
    return numbers, widths


REGISTERS, WIDTHS = _names()
# Flags, and registers that only hold something within an instruction.
ZERO, SIGN, CARRY, OVER, ADDRESS, SCRATCH, SUCCESS, VALUE, LEFT, SMALLER = range(16, 26)
HIDDEN = 10
_MEMORY = re.compile(r"(?P<by>-?\w*)(?P<open>[(\[])(?P<inner>[^)\]]*)[)\]]\Z")


class Memory(NamedTuple):
    """A place of memory: a location by its name, or base + index * scale, and so many bytes further on."""

    operand: Operand
    name: str
    parts: tuple[tuple[str, int], ...]
    by: int


@lru_cache(maxsize=1 << 12)
def memory_of(operand: Operand) -> Memory | None:
    """The place that an operand names; None if it is no place of memory."""
    found = _MEMORY.match(operand.text)
    if found is None:
        return None
    inner = found["inner"].strip()
    by = number(found["by"]) if found["by"] else 0
    if by is None:
        return None
    if inner not in REGISTERS and "," not in inner and "+" not in inner:
        return Memory(operand, inner, (), by)
    if found["open"] == "(":
        names = [part.strip() for part in inner.split(",")]
        scale = number(names[2]) if len(names) > 2 else 1
        return Memory(operand, "", tuple(zip(names[:2], (1, scale or 1), strict=False)), by)
    parts: list[tuple[str, int]] = []
    name = ""
    for part in inner.split("+"):
        register, _, scale_text = part.strip().partition("*")
        if register.strip() in REGISTERS:
            parts.append((register.strip(), number(scale_text) or 1))
        elif (more := number(part.strip())) is not None:
            by += more
        else:
            name = part.strip()
    return Memory(operand, name, tuple(parts), by)


def locations(line: Line) -> Sequence[Operand]:
    found = (memory_of(operand) for operand in line.operands)
    return [Operand(memory.name, memory.operand.at) for memory in found if memory is not None and memory.name]


class Side:
    """An operand as a value: what it holds, and how to put something there. Memory is read and written by events."""

    def __init__(self, thread: Thread, operand: Operand, width: int, locked: bool) -> None:
        self.thread, self.width = thread, width
        self.tags = thread.tags("X") if locked else 0
        self.memory = memory_of(operand)
        self.constant = number(operand.text) if self.memory is None and operand.text not in REGISTERS else None
        self.address = self.register = -1
        if self.memory is not None:
            self.address = address_of(thread, self.memory)
        elif self.constant is None:
            self.register = thread.register(operand)
            if WIDTHS[operand.text] == 1 and operand.text.lower().endswith("h"):
                thread.fail(operand, "the upper bytes of registers are not supported")

    def get(self, into: int = SCRATCH) -> int:
        """A register or a constant that holds it."""
        if self.memory is not None:
            self.thread.load(into, self.address, self.width, self.tags)
            return into
        if self.constant is not None:
            return self.thread.code.constant(self.constant & ((1 << 8 * self.width) - 1 if self.width < 8 else -1))
        if self.width == 8:
            return self.register
        self.thread.unary(Unary.WRAP, into, self.register, self.width)
        return into

    def put(self, value: int) -> None:
        if self.memory is not None:
            self.thread.store(self.address, value, self.width, self.tags)
            return
        if self.width >= 4:  # the upper half becomes 0
            self.thread.unary(Unary.WRAP, self.register, value, self.width)
            return
        code, bits = self.thread.code, (1 << 8 * self.width) - 1
        self.thread.binary(Binary.AND, ADDRESS, value, code.constant(bits))
        self.thread.binary(Binary.AND, self.register, self.register, code.constant(~bits))
        self.thread.binary(Binary.OR, self.register, self.register, ADDRESS)


def address_of(thread: Thread, memory: Memory) -> int:
    code = thread.code
    found = thread.location(memory.operand, memory.name) if memory.name else code.constant(0)
    for name, scale in memory.parts:
        register = thread.register(Operand(name, memory.operand.at))
        if scale != 1:
            thread.binary(Binary.MUL, SCRATCH, register, code.constant(scale))
            register = SCRATCH
        if code.known(found) == 0:
            found = register
        else:
            thread.binary(Binary.ADD, ADDRESS, found, register)
            found = ADDRESS
    if memory.by:
        thread.binary(Binary.ADD, ADDRESS, found, code.constant(memory.by))
        found = ADDRESS
    return found


def sides(thread: Thread, letter: str, last: bool, locked: bool = False) -> tuple[Side, Side]:
    """Target and source of an instruction with two operands. `last`: the target comes last."""
    first, second = thread.operands(2)
    target, source = (second, first) if last else (first, second)
    width = width_of(thread, letter)
    to, of = Side(thread, target, width, locked), Side(thread, source, width, locked)
    if to.memory is not None and of.memory is not None:
        thread.fail(source, "two operands in memory", "one of them must be a register or a number")
    if to.constant is not None:
        thread.fail(target, "a number cannot be written to")
    return to, of


def width_of(thread: Thread, letter: str) -> int:
    return width_of_line(thread.line, letter)


def width_of_line(line: Line, letter: str) -> int:
    """By the letter after the mnemonic, else that of the register among the operands, else 4 bytes."""
    if letter:
        return LETTERS[letter]
    known = [WIDTHS[operand.text] for operand in line.operands if operand.text in WIDTHS]
    return known[0] if known else 4
