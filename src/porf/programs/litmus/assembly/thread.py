"""A thread of an assembly test: its lines become instructions, each by the row of its mnemonic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from porf.architectures import ARCHITECTURES
from porf.errors import nearest
from porf.programs.assemble import Label
from porf.programs.code import Code
from porf.programs.form import Binary, Exclusive, Modify, Opcode, Reading, Template, Unary
from porf.programs.litmus.assembly.columns import Cell, read_columns
from porf.programs.litmus.assembly.listing import Listing
from porf.programs.litmus.assembly.operands import Line, Operand, number, read_line
from porf.programs.litmus.cursor import Cursor
from porf.programs.litmus.dialects import Variable
from porf.programs.litmus.initial import Setting
from porf.programs.litmus.kinds import LONG
from porf.programs.litmus.memory import Memory, Parameter
from porf.programs.litmus.source import Source
from porf.record import Record

Write = Callable[["Thread"], None]
"""Emits the instructions of the line that the thread has reached."""


class Machine(Record, eq=False):
    """An architecture as its tests are written. A register may have several names, and a number for all of them;
    `hidden` is how many more only
    instructions know: flags, and what is in use within one of them."""

    architecture: str
    registers: Mapping[str, int]
    hidden: int
    rows: Callable[[str], Write | None]  # of a mnemonic
    mnemonics: Callable[[], Sequence[str]]  # all there are, for hints
    locations: Callable[[Line], Sequence[Operand]] = lambda _: ()  # that a line names

    @cached_property
    def variables(self) -> dict[str, Variable]:
        return {name: Variable(register, LONG) for name, register in self.registers.items()}

    @cached_property
    def count(self) -> int:
        """All registers."""
        return len(set(self.registers.values())) + self.hidden


class Thread:
    """Satisfies `Thread` of porf.programs.litmus.dialects. A row of an architecture writes with its methods."""

    def __init__(self, source: Source, machine: Machine, number: int, cells: Sequence[Cell], known: set[str]) -> None:
        self.source = source
        self.machine = machine
        self.name = f"P{number}"
        self.cells = cells
        self.pointers = _locations(machine, cells, known)
        self.variables = machine.variables
        self.code = Code(self.name)
        self.line: Line
        self._at = 0  # of the line
        self._first: dict[int, int] = {}

    def compile(self, memory: Memory, settings: Sequence[Setting], messages: list[str]) -> None:
        self.memory = memory
        code = self.code
        code.registers(self.machine.count)
        for setting in settings:
            register = self.machine.registers.get(setting.name)
            if register is None:
                self._no_register(setting.name, setting.at)
            self._first[register] = memory.value(setting.value)
            code.copy(register, code.constant(self._first[register]))
        self._labels: dict[str, Label] = {}
        lines = [(cell, read_line(cell.text)) for cell in self.cells]
        for cell, line in lines:
            for label in line.labels:
                if label.text in self._labels:
                    self.source.fail(cell.at + label.at, f"there are two labels '{label.text}'", None, len(label.text))
                self._labels[label.text] = code.label()
        for cell, line in lines:
            for label in line.labels:
                code.put(self._labels[label.text])
            if line.mnemonic:
                self.line, self._at = line, cell.at
                code.place = self.source.place(cell.at + line.at)
                self._write()

    def template(self, observed: tuple[int, ...]) -> Template:
        return self.code.template(observed)

    def listing(self, dialect: str) -> Listing:
        lines = [(read_line(cell.text), cell.at) for cell in self.cells]
        placed = tuple((line, self.source.place(at + line.at)) for line, at in lines)
        return Listing(dialect, placed, self._first)

    def _write(self) -> None:
        mnemonic = self.line.mnemonic
        write = self.machine.rows(mnemonic)
        if write is None:
            title = ARCHITECTURES[self.machine.architecture].title
            hint = nearest(mnemonic, self.machine.mnemonics())
            at = self._at + self.line.at
            self.source.fail(at, f"unknown instruction '{mnemonic}' of {title}", hint, len(mnemonic))
        write(self)

    # Operands.

    def fail(self, operand: Operand | None, message: str, hint: str | None = None) -> NoReturn:
        """An error at an operand, or at the instruction."""
        at = self.line.at if operand is None else operand.at
        text = self.line.mnemonic if operand is None else operand.text
        self.source.fail(self._at + at, message, hint, max(1, len(text)))

    def operands(self, *counts: int) -> tuple[Operand, ...]:
        """All operands, as many as one of these numbers."""
        found = self.line.operands
        if len(found) not in counts:
            wanted = " or ".join(map(str, counts))
            self.fail(None, f"{self.line.mnemonic} has {wanted} operands, but here it has {len(found)}")
        return found

    def register(self, operand: Operand) -> int:
        found = self.machine.registers.get(operand.text)
        if found is None:
            self._no_register(operand.text, self._at + operand.at)
        return found

    def number(self, operand: Operand) -> int:
        found = number(operand.text)
        if found is None:
            self.fail(operand, f"expected a number, but found '{operand.text}'")
        return found

    def label(self, operand: Operand) -> Label:
        found = self._labels.get(operand.text)
        if found is None:
            hint = nearest(operand.text, self._labels) or f"put {operand.text}: before an instruction of {self.name}"
            self.fail(operand, f"{self.name} has no label '{operand.text}'", hint)
        return found

    def location(self, operand: Operand, name: str) -> int:
        """The address of a location, as an operand."""
        return self.code.constant(self.memory.locations[name].pointer)

    def _no_register(self, name: str, at: int) -> NoReturn:
        title = ARCHITECTURES[self.machine.architecture].title
        hint = nearest(name, self.machine.registers)
        self.source.fail(at, f"{title} has no register '{name}'", hint, max(1, len(name)))

    # Instructions, with the tags of their events.

    def tags(self, *names: str) -> int:
        return ARCHITECTURES[self.machine.architecture].mask(names)

    def load(
        self, into: int, address: int, width: int, tags: int = 0, signed: bool = False, links: bool = False
    ) -> None:
        exclusive = Exclusive.LINKS if links else Exclusive.NONE
        fields = {"width": width, "signed": signed, "tags": tags, "exclusive": exclusive}
        self.code.value(Opcode.LOAD, address, into=into, kind=Reading.USES, **fields)

    def store(self, address: int, value: int, width: int, tags: int = 0) -> None:
        self.code.emit(Opcode.STORE, b=address, c=value, width=width, tags=tags)

    def conditional(self, into: int, address: int, value: int, width: int, kind: Exclusive, tags: int = 0) -> None:
        """A store-conditional: `into` is 1 if it stores, else 0."""
        fields = {"a": into, "b": address, "c": value, "d": value, "e": into, "width": width, "signed": False}
        self.code.emit(Opcode.CAS, **fields, tags=tags, exclusive=kind)

    def modify(
        self, kind: Modify, into: int, address: int, value: int, width: int, tags: int = 0, signed: bool = False
    ) -> None:
        self.code.value(Opcode.RMW, address, value, into=into, kind=kind, width=width, signed=signed, tags=tags)

    def compare_exchange(
        self, into: int, success: int, address: int, expected: int, value: int, width: int, tags: int = 0
    ) -> None:
        fields = {"a": into, "b": address, "c": expected, "d": value, "e": success, "width": width, "signed": False}
        self.code.emit(Opcode.CAS, **fields, tags=tags)

    def fence(self, *tags: str) -> None:
        self.code.emit(Opcode.FENCE, tags=self.tags(*tags))

    def binary(self, kind: Binary, into: int, b: int, c: int, width: int = 8) -> None:
        """Arithmetic as the machine has it: also of known numbers, and of a register with itself, it is an instruction,
        for its result depends on them."""
        self.code.value(Opcode.BINARY, b, c, into=into, kind=kind, width=width, signed=width == 8)

    def unary(self, kind: Unary, into: int, b: int, width: int = 8, signed: bool = False) -> None:
        self.code.value(Opcode.UNARY, b, into=into, kind=kind, width=width, signed=signed or width == 8)

    def select(self, into: int, condition: int, yes: int, no: int) -> None:
        self.code.value(Opcode.SELECT, condition, yes, no, into=into)


def read(cursor: Cursor, machine: Machine) -> list[Thread]:
    """The threads in the table that the cursor has reached."""
    table = cursor.advance()
    columns = read_columns(cursor.source, table.text, table.at)
    known = set(getattr(cursor, "entries", {}))
    return [Thread(cursor.source, machine, n, cells, known) for n, cells in enumerate(columns)]


def _locations(machine: Machine, cells: Sequence[Cell], known: set[str]) -> list[Parameter]:
    from porf.programs.litmus.kinds import INT, pointer_to

    found: dict[str, Parameter] = {}
    for cell in cells:
        for operand in machine.locations(read_line(cell.text)):
            if operand.text not in known:
                found.setdefault(operand.text, Parameter(cell.at + operand.at, operand.text, pointer_to(INT)))
    return list(found.values())
