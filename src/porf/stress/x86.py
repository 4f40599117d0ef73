"""The threads of a litmus test in x86 assembly as C: a function each, in which one asm statement has all instructions.

They are written anew from what was read, in the spelling of GNU's assembler: registers are those that the test names,
and a location is so many bytes behind the beginning of its instance. Addresses are the machine's while a thread runs;
final states have the numbers that exploration has for them.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from typing import NoReturn

from porf.errors import ProgramError, UsageError
from porf.exploration.sources import line_of
from porf.programs.form import Place, Program, object_of, offset_of
from porf.programs.litmus import LitmusTest
from porf.programs.litmus.assembly.listing import Listing
from porf.programs.litmus.assembly.operands import Line, Operand, number
from porf.programs.litmus.assembly.x86 import after_lock, parts_of
from porf.programs.litmus.assembly.x86_operands import LETTERS, REGISTERS, WIDTHS, memory_of, width_of_line

DIALECTS = ("X86_64", "X86")
LAST = "X86_64"  # the dialect in which the target comes last, as in GNU's assembler
TURNS = 1 << 25  # that a thread may jump back before it gives up: some tenths of a second
_PROCESSORS = ("x86_64", "amd64")
_STACK = REGISTERS["rsp"]
_ACCUMULATOR, _COUNTER = REGISTERS["rax"], REGISTERS["rcx"]
_SPELLED = {letter: width for width, letter in LETTERS.items()}
_NAMES = {(REGISTERS[name], WIDTHS[name]): name for name in REGISTERS if name.islower() and name[0] != "%"}
_LOCKABLE = frozenset({"add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not", "xchg", "xadd", "cmpxchg"})
_SHIFTS = frozenset({"shl", "sal", "shr"})
_GNU = {"lt": "l", "gt": "g"}  # conditions that only porf's reader spells so


def refuse_elsewhere(test: LitmusTest) -> None:
    """A test in assembly runs on its own machine alone."""
    here = platform.machine().lower() in _PROCESSORS
    dialect = test.listings[0].dialect if test.listings else ""
    if here and dialect in DIALECTS:
        return
    of = "of the Linux kernel" if test.architecture == "lkmm" else f"in assembly of {dialect}"
    runs = f"C, {' and '.join(DIALECTS)}" if here else "C"
    raise UsageError(
        f"{test.program.source or test.name} is a test {of}, and this machine ({platform.machine()}) runs tests in"
        f" {runs}",
        hint="porf explore finds the final states that a model allows",
    )


def thread_functions(test: LitmusTest, layouts: Sequence[Sequence[int]]) -> Iterator[str]:
    """A function for each thread and layout; a layout says where each object begins."""
    for thread, listing in enumerate(test.listings):
        for name, places in zip(("spread", "packed"), layouts, strict=True):
            yield _Function(test, thread, listing, places).text(name)


class _Function:
    """Writes the C of one thread in one layout."""

    def __init__(self, test: LitmusTest, thread: int, listing: Listing, places: Sequence[int]) -> None:
        self._program, self._thread, self._listing, self._places = test.program, thread, listing, places
        self._watched = {w.register: n for n, w in enumerate(test.program.watched) if w.thread == thread}
        self._used: set[int] = set()
        self._labels = {
            label.text: n for n, (line, _) in enumerate(listing.lines) for label in line.labels
        }  # in which line each is
        self._at = 0  # the number of the line

    def text(self, name: str) -> str:
        code = [*self._lines()]
        changed = [*(f'"+r"(r{n})' for n in sorted(self._used)), '[turns] "+r"(turns)']
        packed = int(name == "packed")
        used = sorted(self._used)
        lines = [
            f"static __attribute__((noinline)) int64_t code_{self._thread}_{name}(char *m, int64_t *out) {{",
            f"  int64_t turns = {TURNS};",
            *(f'  register int64_t r{n} __asm__("{_NAMES[n, 8]}") = {self._first(n)};' for n in used),
            "  __asm__ volatile(",
            *(f'    "{line}\\n"' for line in code),
            f"    : {', '.join(changed)}",
            '    : [m] "r"(m) : "memory", "cc");',
            *(f"  int64_t end{n} = r{n};" for n in used if n in self._watched),
            "  (void)out;",
            "  if (turns == 0) return atomic_load(&stopped) ? ABANDONED : CUT;",
        ]
        for register, at in self._watched.items():
            value = f"end{register}" if register in self._used else self._first(register)
            lines.append(f"  out[{at}] = number_of(m, {packed}, {value});")
        return "\n".join([*lines, "  return FINE;", "}"])

    def _first(self, register: int) -> str:
        return initial(self._program, self._listing.first.get(register, 0), self._places)

    def _lines(self) -> Iterator[str]:
        for at, (line, _) in enumerate(self._listing.lines):
            self._at = at
            for label in line.labels:
                yield f"{_label(self._labels[label.text])}:"
            if line.mnemonic:
                yield from self._instruction(line)
        yield f"{_label(len(self._listing.lines))}:"

    def _instruction(self, line: Line) -> Iterator[str]:
        locked = line.mnemonic == "lock"
        if locked:
            line = after_lock(line)
        mnemonic, operands = line.mnemonic, line.operands
        if mnemonic[0] == "j":
            yield from self._jump(mnemonic[1:], operands[0].text)
            return
        if mnemonic.startswith("set"):
            yield f"set{_condition(mnemonic[3:])} {self._operand(operands[0], 1)}"
            return
        found = parts_of(mnemonic)
        if found is None:  # fences, and what does nothing
            yield mnemonic
            return
        name, letter = found
        width = 8 if name == "lea" else width_of_line(line, letter)
        if self._listing.dialect != LAST:
            operands = operands[::-1]
        if locked and (name not in _LOCKABLE or all(memory_of(operand) is None for operand in operands)):
            self._refuse(f"x86 has no locked {name} of this form")
        if name == "cmpxchg":
            self._used.add(_ACCUMULATOR)
        written = [self._operand(operand, width) for operand in operands]
        if name in _SHIFTS and operands[0].text in REGISTERS:
            if REGISTERS[operands[0].text] != _COUNTER:
                self._refuse("x86 shifts by a number or by cl")
            written[0] = "%%cl"
        if name.startswith("cmov"):
            if width == 1:
                self._refuse("x86 moves no single bytes on a condition")
            yield f"cmov{_condition(name[4:])} {', '.join(written)}"
            return
        if name == "movnti" and width < 4:
            self._refuse("movnti writes 4 or 8 bytes")
        yield f"{'lock ' if locked else ''}{name}{_SPELLED[width]} {', '.join(written)}"

    def _jump(self, condition: str, label: str) -> Iterator[str]:
        """A jump back counts turns, and changes no flags: rcx is where `jrcxz` looks."""
        target = self._labels[label]
        jump = "jmp" if condition == "mp" else f"j{_condition(condition)}"
        if target > self._at:
            yield f"{jump} {_label(target)}"
            return
        back, on, out = (f".Lporf%=_{part}{self._at}" for part in ("back", "on", "out"))
        yield from (f"{jump} {back}", f"jmp {on}", f"{back}:")
        yield from ("leaq -1(%[turns]), %[turns]", "xchgq %%rcx, %[turns]", f"jrcxz {out}")
        yield from ("xchgq %%rcx, %[turns]", f"jmp {_label(target)}")
        yield from (f"{out}:", "xchgq %%rcx, %[turns]", f"jmp {_label(len(self._listing.lines))}", f"{on}:")

    def _operand(self, operand: Operand, width: int) -> str:
        place = memory_of(operand)
        if place is None:
            if operand.text in REGISTERS:
                return self._register(operand.text, width)
            return f"${number(operand.text)}"
        parts = sorted(place.parts, key=lambda part: part[1] != 1)  # what is multiplied comes last
        if len(parts) > (1 if place.name else 2) or any(scale != 1 for _, scale in parts[:-1]):
            self._refuse("x86 has no such address: a base, and an index times 1, 2, 4 or 8")
        if place.name:
            index = next(n for n, item in enumerate(self._program.objects) if item.name == place.name)
            inner = ", ".join(["%[m]", *(f"{self._register(name, 8)}, {scale}" for name, scale in parts)])
            return f"{self._places[index] + place.by}({inner})"
        written = [self._register(name, 8) for name, _ in parts]
        if parts and parts[-1][1] != 1:
            inner = f"{written[0] if len(parts) > 1 else ''}, {written[-1]}, {parts[-1][1]}"
        else:
            inner = ", ".join(written)
        return f"{place.by}({inner})"

    def _register(self, name: str, width: int) -> str:
        register = REGISTERS[name]
        if register == _STACK:
            self._refuse("the stack pointer is that of the program that runs the test")
        self._used.add(register)
        return f"%%{_NAMES[register, width]}"

    def _refuse(self, message: str) -> NoReturn:
        place: Place = self._listing.lines[self._at][1]
        source = self._program.source
        raise ProgramError(
            message,
            source=source or self._program.name,
            line=place.line,
            column=place.column,
            text=line_of(place, source) or None,
            hint="porf explore finds the final states that a model allows",
        )


def initial(program: Program, value: int, places: Sequence[int]) -> str:
    """A number as it is; an address as the machine's, in an instance at `m`."""
    index, offset = object_of(value), offset_of(value)
    if 0 <= index < len(program.objects) and 0 <= offset <= program.objects[index].size:
        return f"(int64_t)(intptr_t)(m + {places[index] + offset})"
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def _label(line: int) -> str:
    return f".Lporf%=_{line}"


def _condition(name: str) -> str:
    return _GNU.get(name, name)
