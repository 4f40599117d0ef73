"""What programs print. It is seen on replay only."""

import re

from porf.programs.c import ir
from porf.programs.c.library.record import ALL, VARIABLES, Call, function
from porf.programs.form import Binary, Reading

VARIABLES.update(("stdin", "stdout", "stderr"))


CONVERSION = re.compile(r"%[-+ #0]*(\*|\d+)?(\.(?:\*|\d*))?(?:hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")


def show(call: Call, text: str, operands: tuple[ir.Operand, ...]) -> None:
    read_strings(call, text, operands)
    call.code.print(call.message(text), [o for operand in operands for o in call.frame.all(operand)])


def read_strings(call: Call, text: str, operands: tuple[ir.Operand, ...]) -> None:
    """Reads the strings that a format prints, up to their ends: they must be there."""
    at = 0
    for width, precision, conversion in CONVERSION.findall(text):
        at += (width == "*") + ("*" in precision)
        if conversion == "s" and not precision and at < len(operands):
            pointer = call.frame.one(operands[at])
            if call.frame.constant_bytes(pointer) is None:
                read_string(call, pointer)
        at += conversion not in "%m"


def read_string(call: Call, pointer: int) -> None:
    code, head = call.code, call.code.label()
    place = code.register()
    code.copy(place, pointer)
    code.put(head)
    character = code.load(place, 1, kind=Reading.COPIES)
    code.binary(Binary.ADD, place, code.constant(1), into=place)
    code.jump_if(character, head)


@function("printf", forgets=ALL, shows=(0,))
@function("fprintf", "dprintf", "__printf_chk", "syslog", forgets=ALL, shows=(1,))
@function("__fprintf_chk", forgets=ALL, shows=(2,))
def formatted(call: Call) -> None:
    """What follows the format is printed, as far as it is numbers."""
    index = call.record.shows[0]
    text = call.text(index)
    if text is None:
        show(call, "%s", call.operands[index : index + 1])
    else:
        show(call, text, call.operands[index + 1 :])


@function("vprintf", forgets=ALL, shows=(0,))
@function("vfprintf", "vdprintf", "__vprintf_chk", "vsyslog", forgets=ALL, shows=(1,))
@function("__vfprintf_chk", forgets=ALL, shows=(2,))
def listed(call: Call) -> None:
    """The format as it is: its arguments are in a list that is not read."""
    show(call, (call.text(call.record.shows[0]) or "").replace("%", "%%"), ())


@function("puts", forgets=ALL, shows=(0,))
def line(call: Call) -> None:
    show(call, "%s\n", call.operands[:1])


@function("fputs", forgets=ALL, shows=(0,))
def string(call: Call) -> None:
    show(call, "%s", call.operands[:1])


@function("putchar", "putc", "fputc", "putchar_unlocked", "putc_unlocked", forgets=ALL)
def character(call: Call) -> None:
    show(call, "%c", call.operands[:1])
