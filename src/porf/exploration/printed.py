"""What threads printed in an execution: printf formats and their arguments as lines."""

import re
import struct
from collections.abc import Sequence

from porf._core import Printed
from porf.exploration.graph import shown_value
from porf.programs.form import Program, object_of, offset_of
from porf.programs.lower import instruction

SIZES = r"(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?"
DIRECTIVE = re.compile(rf"%{SIZES}(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>.)")


def printed_lines(program: Program, printed: Sequence[Printed], names: Sequence[str]) -> tuple[str, ...]:
    """The lines, in the order of the events that they come after, each with the name of its thread."""
    lines = []
    for part in sorted(printed, key=lambda part: part.event):
        text = formatted(program, program.messages[instruction(program, part.pc)[1].c], part.values)
        lines += [f"{names[part.thread]}: {line}" for line in text.rstrip("\n").split("\n")]
    return tuple(lines)


def formatted(program: Program, text: str, values: Sequence[int]) -> str:
    """A printf format with its arguments. What it does not know stays as it is."""
    left = list(values)

    def size(given: str | None) -> str:
        return str(left.pop(0) if left else 0) if given == "*" else given or ""

    def put(match: re.Match[str]) -> str:
        kind = match["kind"]
        if kind == "%":
            return "%"
        width, precision = size(match["width"]), size(match["precision"])
        if kind not in "diuxXocspaAeEfFgG" or not left:
            return match[0]
        value = left.pop(0)
        sizes = f"{match['flags']}{width}" + (f".{precision}" if precision else "")
        if kind in "aAeEfFgG":
            number: float = struct.unpack("<d", struct.pack("<q", value))[0]
            return number.hex() if kind in "aA" else f"%{sizes}{kind}" % number
        if kind == "s":
            return f"%{sizes}s" % string_at(program, value)
        if kind == "p":
            return shown_value(program, value)
        if kind == "c":
            return f"%{width}c" % (value & 255)
        if kind in "uxXo" and value < 0:
            value &= (1 << 64) - 1 if match["length"] in ("l", "ll", "j", "z", "t") else (1 << 32) - 1
        return f"%{sizes}{'d' if kind in 'diu' else kind}" % value

    return DIRECTIVE.sub(put, text)


def string_at(program: Program, where: int) -> str:
    """The constant string that a pointer points to."""
    index, offset = object_of(where), offset_of(where)
    if not 0 <= index < len(program.objects):
        return "(null)" if where == 0 else "(?)"
    known = {cell.offset: (cell.initial or 0) & 255 for cell in program.objects[index].cells if cell.width == 1}
    data = bytearray()
    while known.get(offset, 0):
        data.append(known[offset])
        offset += 1
    return data.decode(errors="replace")
