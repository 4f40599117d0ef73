"""What programs print. It is seen on replay only."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.form import Opcode


def text_at(frame: Frame, operand: ir.Operand) -> str | None:
    """The text that a pointer to a constant points to."""
    place = frame.code.known(frame.one(operand))
    name = frame.unit.constant_objects.get((place >> 32) - 1) if place else None
    if name is None or place is None:
        return None
    data = frame.unit.memory.contents(name)[place & 0xFFFFFFFF :]
    return data.split(b"\0")[0].decode("utf-8", "replace")


def emit(frame: Frame, i: ir.Instruction, text: str, operands: tuple[ir.Operand, ...]) -> None:
    arguments = tuple(o for operand in operands for o in frame.all(operand))
    frame.code.emit(Opcode.PRINT, c=frame.unit.message(text), d=frame.code.arguments(arguments))
    frame.set(i.result, tuple(frame.code.constant(0) for _ in frame.leaves(i.type)))


def formatted(index: int) -> Callable[[Frame, ir.Instruction], None]:
    """The argument with this number is the format; what follows is printed. Arguments that are no numbers are not."""

    def show(frame: Frame, i: ir.Instruction) -> None:
        text = text_at(frame, i.operands[index])
        if text is None:
            emit(frame, i, "%s", i.operands[index : index + 1])
        else:
            emit(frame, i, text, i.operands[index + 1 :])

    return show


def fixed(text: str, count: int = 1) -> Callable[[Frame, ir.Instruction], None]:
    def show(frame: Frame, i: ir.Instruction) -> None:
        emit(frame, i, text, i.operands[:count])

    return show


def listed(index: int) -> Callable[[Frame, ir.Instruction], None]:
    """The format is shown as it is: its arguments are in a list that is not read."""

    def show(frame: Frame, i: ir.Instruction) -> None:
        text = text_at(frame, i.operands[index])
        emit(frame, i, (text or "").replace("%", "%%"), ())

    return show


TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "printf": formatted(0),
    "fprintf": formatted(1),
    "dprintf": formatted(1),
    "__printf_chk": formatted(1),
    "__fprintf_chk": formatted(2),
    "vprintf": listed(0),
    "vfprintf": listed(1),
    "puts": fixed("%s\n"),
    "putchar": fixed("%c"),
    "putc": fixed("%c"),
    "fputc": fixed("%c"),
    "fputs": fixed("%s"),
    "perror": fixed("%s\n"),
}
