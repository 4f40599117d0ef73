"""Undefined behaviour: the compiler's checks, values that were never set, and variables that stay in memory."""

from porf._core import BugKind
from porf.programs.c.library.names import NEVER, PIN
from porf.programs.c.library.record import ALL, Call, function
from porf.programs.form import WIDTHS, Opcode

SIZES = {8 * width: width for width in WIDTHS}
# The compiler's number of a check -> what it has found.
CHECKS = {
    0: BugKind.OVERFLOW,  # addition
    1: BugKind.UNREACHABLE,
    3: BugKind.QUOTIENT,
    5: BugKind.CONVERSION,
    8: BugKind.BUILTIN,
    10: BugKind.INVALID_VALUE,
    11: BugKind.NO_RETURN,
    12: BugKind.OVERFLOW,  # multiplication
    13: BugKind.OVERFLOW,  # negation
    16: BugKind.NULL_ARGUMENT,
    17: BugKind.NULL_ARGUMENT,  # of a result
    18: BugKind.INDEX,
    20: BugKind.SHIFT,
    21: BugKind.OVERFLOW,  # subtraction
    24: BugKind.ARRAY_SIZE,
}


@function("llvm.ubsantrap")
def found(call: Call) -> None:
    bug = CHECKS.get(call.number(0) or 0)
    call.code.fail(call.message("trap"), bug)


@function(NEVER + "*")
def never(call: Call) -> tuple[int, ...]:
    name = call.name.removeprefix(NEVER).partition(".")[2]

    def scalar(bits: int) -> int:
        if "indeterminate" in call.frame.unit.allowed or bits not in SIZES:
            return call.code.constant(0)
        return call.code.value(Opcode.UNSET, c=call.message(name), width=SIZES[bits])

    return tuple(scalar(call.frame.bits(kind)) for _, kind in call.frame.leaves(call.type))


@function(PIN + "*", forgets=ALL, fixed=True)
def nothing(call: Call) -> None:
    """It has held a variable in memory, and that is all."""
