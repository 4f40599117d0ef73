"""A litmus test in C as one of a machine: each instruction of its program by the standard mapping of C's orders.

The program form is what is explored, so what is compiled means the same. Registers stay what they are, one of the
machine for each; the final condition is asked of them.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import NoReturn

from porf.architectures import ARCHITECTURES
from porf.errors import ProgramError, UsageError
from porf.execution import Op
from porf.formats.litmus import LANGUAGES, find_language
from porf.formats.litmus.assembly import Assembler, table
from porf.formats.litmus.mapping import MAPPINGS
from porf.programs.form import Binary, Instruction, Modify, Opcode, Template, object_of, offset_of
from porf.programs.litmus.observation import LitmusTest

_COMBINE = {Binary.ADD: "add", Binary.SUB: "sub", Binary.AND: "and", Binary.OR: "or", Binary.XOR: "xor"}
_COMPARE = {
    Binary.EQ: "eq", Binary.NE: "ne", Binary.LT: "lt", Binary.LE: "le", Binary.GT: "gt", Binary.GE: "ge",
}  # fmt: skip
_OTHERWISE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_MODIFY = {
    Modify.EXCHANGE: "exchange", Modify.ADD: "add", Modify.AND: "and", Modify.OR: "or", Modify.XOR: "xor",
}  # fmt: skip
_POINTERS = 1 << 32  # numbers from here on are addresses
_WIDTH = 4


def compiled(test: LitmusTest, language: str) -> str:
    """The text of the test on a machine: x86, aarch64, ppc or riscv."""
    language = find_language(language)
    if test.architecture or language == "c":
        what = "the Linux kernel" if test.architecture == "lkmm" else "a machine already" if test.architecture else "C"
        raise UsageError(f"{test.name} is a test of {what}", hint="tests in C are compiled to x86, aarch64, ppc, riscv")
    if test.filter is not None:
        raise UsageError(f"{test.name} has a filter, which is not compiled", hint="put it into the condition")
    values = {}
    for item in test.program.objects:
        if len(item.cells) != 1 or item.size != _WIDTH or not 0 <= (item.cells[0].initial or 0) < 1 << 31:
            raise UsageError(
                f"{test.name}: only locations that hold a small number are compiled, and {item.name} does not"
            )
        values[item.name] = item.cells[0].initial or 0
    machine: type[Assembler] = import_module(LANGUAGES[language]).Instructions
    threads = [_Thread(test, test.program.templates[n], machine(n)) for n in range(test.threads)]
    for thread in threads:
        thread.write()
    names = {w.label: f"{w.thread}:{threads[w.thread].observed(w.where)}" for w in test.watched if w.thread is not None}
    condition = re.sub(r"\b\d+:\w+", lambda found: names.get(found[0], found[0]), test.condition_text)
    if re.search(r"=\s*-\s*\d", condition):
        raise UsageError(f"{test.name}: its condition has negative numbers, which registers of 64 bits do not hold")
    labels = [test.watched[n].label for n in test.shown]
    shown = " ".join(f"{names.get(label, label)};" for label in labels)
    outcome = f"locations [{shown}]\n{condition}" if labels else condition
    return table(f"{machine.heading} {test.name}", [], values, [thread.out for thread in threads], outcome)


class _Thread:
    """Writes the instructions of one thread."""

    def __init__(self, test: LitmusTest, template: Template, out: Assembler) -> None:
        self._test, self._template, self.out = test, template, out
        self._mapping = MAPPINGS[out.architecture]
        self._registers: dict[int, int] = {}
        self._numbers: dict[int, int] = {}  # registers that hold a number, since the last label
        self._compared: Instruction | None = None  # a comparison that the next instruction branches on
        self._labels: dict[int, str] = {}

    def observed(self, register: int) -> str:
        return self.out.register(self._register(register))

    def write(self) -> None:
        code = self._template.code
        targets = sorted({target for i in code if (target := i.target) is not None and i.opcode != Opcode.HEAD})
        self._labels = {target: self.out.label() for target in targets}
        for at, instruction in enumerate(code):
            if at in self._labels:
                self.out.line(f"{self._labels[at]}:")
                self._numbers.clear()
            if instruction.opcode is Opcode.BINARY and Binary(instruction.kind) in _COMPARE:
                self._compare(at, instruction)
            else:
                self._write(instruction)

    def _compare(self, at: int, i: Instruction) -> None:
        """It is made by the branch that comes next, if that is all it is for."""
        code, lists = self._template.code, self._template.argument_lists
        users = [n for n, other in enumerate(code) if i.a in other.operands(lists)]
        watched = any(w.thread == self.out.number and w.where == i.a for w in self._test.watched)
        fused = at + 1 not in self._labels and code[at + 1].opcode in (Opcode.JUMP_IF, Opcode.JUMP_UNLESS)
        if users != [at + 1] or watched or not fused:
            self._refuse(i, "the result of a comparison that is kept")
        self._compared = i

    def _write(self, i: Instruction) -> None:
        match i.opcode:
            case Opcode.LOAD | Opcode.STORE | Opcode.RMW:
                self._access(i)
            case Opcode.FENCE:
                for tag in self._mapping.fences.get(i.order, ()):
                    self.out.fence(tag)
            case Opcode.MOVE:
                self.out.copy(self._register(i.a), self._operand(i, i.b))
            case Opcode.BINARY if Binary(i.kind) in _COMBINE:
                left, right = self._operand(i, i.b), self._operand(i, i.c)
                self.out.combine(_COMBINE[Binary(i.kind)], self._register(i.a), left, right)
            case Opcode.JUMP:
                self.out.jump(self._labels[i.a])
            case Opcode.JUMP_IF | Opcode.JUMP_UNLESS:
                self._branch(i)
            case Opcode.BACK:
                self.out.jump(self._labels[i.c])
            case Opcode.EXIT | Opcode.HEAD:
                return
            case _:
                self._refuse(i, str(i))

    def _access(self, i: Instruction) -> None:
        op = {Opcode.LOAD: Op.READ, Opcode.STORE: Op.WRITE, Opcode.RMW: Op.UPDATE}[i.opcode]
        if i.width != _WIDTH or i.b >= 0:
            self._refuse(i, f"an access of {i.width} bytes" if i.width != _WIDTH else "an address that is computed")
        where = self._template.pool[~i.b]
        item = self._test.program.objects[object_of(where)]
        assert offset_of(where) == 0
        base = self.out.base(item.name)
        becomes = self._mapping.access(op, i.order)
        for tag in becomes.before:
            self.out.fence(tag)
        if op == Op.READ:
            self.out.load(self._register(i.a), base, None, becomes.tags)
        elif op == Op.WRITE:
            self.out.store(self._operand(i, i.c), base, None, becomes.tags)
        elif Modify(i.kind) in _MODIFY:
            value = self._operand(i, i.c)
            self.out.modify(_MODIFY[Modify(i.kind)], self._register(i.a), value, base, becomes.tags)
        else:
            self._refuse(i, f"an update of this kind ({Modify(i.kind).name.lower()})")
        if becomes.control:
            self.out.to_next(self._register(i.a))
        for tag in becomes.after:
            self.out.fence(tag)

    def _branch(self, i: Instruction) -> None:
        """A comparison and the branch on it are one; another value is compared with 0."""
        taken = i.opcode is Opcode.JUMP_IF
        compared, self._compared = self._compared, None
        target = i.target
        assert target is not None
        label = self._labels[target]
        if compared is None:
            zero = self._number(0)
            self.out.compare("ne" if taken else "eq", self._operand(i, i.b), zero, label)
            return
        condition = _COMPARE[Binary(compared.kind)]
        left, right = self._operand(i, compared.b), self._operand(i, compared.c)
        self.out.compare(condition if taken else _OTHERWISE[condition], left, right, label)

    def _operand(self, i: Instruction, operand: int) -> int:
        """A register that holds it."""
        if operand >= 0:
            return self._register(operand)
        value = self._template.pool[~operand]
        if not 0 <= value < _POINTERS >> 1:
            self._refuse(i, "an address as a value" if value >= _POINTERS else f"the number {value}")
        return self._number(value)

    def _number(self, value: int) -> int:
        if value not in self._numbers:
            self._numbers[value] = self.out.fresh()
            self.out.set_number(self._numbers[value], value)
        return self._numbers[value]

    def _register(self, register: int) -> int:
        if register not in self._registers:
            self._registers[register] = self.out.fresh()
        return self._registers[register]

    def _refuse(self, i: Instruction, what: str) -> NoReturn:
        title = ARCHITECTURES[self.out.architecture].title
        place = i.place
        raise ProgramError(
            f"{what} is not compiled to {title}",
            source=(place.file if place else "") or self._test.program.source or self._test.name,
            line=place.line if place else None,
            column=place.column if place else None,
            hint="what is compiled: accesses, exchanges, fetch-and-add, fences, arithmetic, if and while",
        )
