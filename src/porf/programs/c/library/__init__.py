"""The C library's functions that become instructions, and LLVM's own functions: one record each.

A record (`record.py`) says how a call is translated, and what others must know about it: what becomes of its pointers,
what it allocates. The other modules hold the records by theme. They are found by listing this folder, so a new function
is one record in one of them. A function that can be written in C is one function in `runtime/` instead.
"""

import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path

from porf.programs.c import ir
from porf.programs.c.library.record import FUNCTIONS, OPAQUE, PATTERNS, VARIABLES, Call, Record

__all__ = [
    "Call", "Record", "called", "find", "is_atomic", "is_variable", "nearest", "opaque_words", "recorded_functions",
    "runtime_functions",
]  # fmt: skip

DEFINITION = re.compile(r"^[a-z][a-z0-9_ *]*[ *(]([a-z_]\w*)\)?\([^;{}]*\{", re.MULTILINE)


@cache
def _load() -> None:
    """Only when somebody asks: the records' modules import much of the translator, which asks here."""
    for file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        import_module(f"{__name__}.{file.stem}")


@cache
def find(name: str) -> Record | None:
    """The record of a function, by its name."""
    _load()
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name.startswith("llvm."):  # the last parts of the name may be types, which the operands say, too
        return find(name.rpartition(".")[0])
    return next((record for pattern, record in PATTERNS.items() if fnmatchcase(name, pattern)), None)


def is_atomic(name: str) -> bool:
    """Whether a function of the program with this name is executed as one step."""
    record = find(name)
    return record is not None and record.atomic


def called(i: ir.Instruction, module: ir.Module) -> Record | None:
    """The record of what an instruction calls; None if that is not a call, or of what the program itself defines."""
    if not isinstance(i.callee, ir.Symbol):
        return None
    record = find(i.callee.name)
    function = module.functions.get(i.callee.name)
    return record if function is None or not function.blocks or (record is not None and record.fixed) else None


def nearest(name: str) -> str | None:
    """A known function that people may have meant."""
    from difflib import get_close_matches  # only when something is wrong

    _load()
    return next(iter(get_close_matches(name, [*FUNCTIONS, *runtime_functions()], 1, 0.8)), None)


@cache
def runtime_functions(static: bool = True) -> dict[str, Path]:
    """The functions that are written in C, and the file of each; `static`: also those that programs cannot call."""
    found = {}
    for source in sorted((Path(__file__).parent.parent / "runtime").glob("*.c")):
        for definition in DEFINITION.finditer(source.read_text(encoding="utf-8")):
            if static or not definition[0].startswith("static "):
                found[definition[1]] = source
    return found


def recorded_functions() -> dict[str, Record]:
    """The functions that have a record; in some names, * stands for any characters."""
    _load()
    return {**FUNCTIONS, **PATTERNS}


def opaque_words(type: str) -> int | None:
    """How many words of 4 bytes the library uses of its own type with this name (0: all), None if it has none."""
    _load()
    return OPAQUE.get(type)


def is_variable(name: str) -> bool:
    """Whether the library has a variable of this name."""
    _load()
    return name in VARIABLES
