"""Functions with a variable number of arguments. Their callers store these in private memory, in words of 8 bytes, and
pass the address of the first (calls.py); a list of arguments is where the machine's code looks for them.
"""

from porf.programs.c.copies import transfer
from porf.programs.c.library.record import Call, function

USED_UP = {"struct.__va_list_tag": ((0, 48), (4, 176)), "struct.__va_list": ((24, 0), (28, 0))}  # x86-64, AArch64
WORDS = {"struct.__va_list_tag": (8, 24), "struct.__va_list": (0, 32)}  # where the address is, and the size of a list


def kind_of_list(call: Call) -> str:
    """The type of lists of arguments: it has a structure on most machines, on others it is a pointer."""
    found = [name for name in WORDS if name in call.frame.unit.module.structs]
    if len(found) > 1:
        raise call.unsupported("lists of arguments of two machines", "compile all parts of the program for one")
    return found[0] if found else ""


@function("llvm.va_start", forgets=(0,))
def start(call: Call) -> None:
    """No argument is in a register of the machine: all are where the list's address points to."""
    kind, code, target = kind_of_list(call), call.code, call.argument(0)
    for offset, value in USED_UP.get(kind, ()):
        code.store(code.add(target, offset), code.constant(value), 4)
    first = call.frame.varargs
    if first is None:
        raise call.unsupported("va_start in a function with a fixed number of arguments")
    code.store(code.add(target, WORDS.get(kind, (0, 8))[0]), first, 8)


@function("llvm.va_copy", forgets=(0, 1))
def copy(call: Call) -> None:
    size = WORDS.get(kind_of_list(call), (0, 8))[1]
    transfer(call.frame, call.argument(0), call.argument(1), call.code.constant(size))
