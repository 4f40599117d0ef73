"""Programs in C and C++. The path of a file, in order:

read.py             a file -> a form.Program: kept.py has it if nothing has changed; otherwise
module.py           a file -> a module of LLVM, by
  sources.py          a file and further sources -> bitcode: compile.py (by clang), direct.py, database.py, link.py;
                      sandbox.py says what the compiler may read
  bitcode.py          bitcode -> text, by LLVM (llvm.py): linked with the runtime, inlined (inlining.py); before that,
                      indeterminate.py marks variables, and dangling.py says which of them registers may hold
  text/module.py      text -> an ir.Module
translate.py        an ir.Module -> a form.Program, by
  reachable.py        which functions and globals matter
  memory.py           globals, stack and heap -> objects with named cells
  private.py          which stack objects need no events
  functions.py        an ir.Function -> a form.Template: instructions.py, calls.py, library/
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from porf.programs.c.suffixes import SUFFIXES

if TYPE_CHECKING:
    from porf.programs.c import ir
    from porf.programs.c.beforehand import Beforehand
    from porf.programs.form import Program

CHOICES = (0, 1)  # what __VERIFIER_nondet_int() and the like return, unless the user gives a range

__all__ = ["CHOICES", "SUFFIXES", "read_c", "read_module"]


def read_c(
    path: str,
    arguments: Sequence[str] = (),
    choices: tuple[int, int] = CHOICES,
    volatile: str = "plain",
    allowed: Collection[str] = (),
    before: Beforehand | None = None,
    sandboxed: bool = False,
) -> Program:
    """The program in a file of C, C++ or LLVM. `arguments` are passed to the compiler; `choices` are the least and the
    greatest value of an unknown number. Accesses of volatile variables are `plain`, or `relaxed` atomic ones. Undefined
    behaviour of the kinds `allowed` is not reported. What was worked out `before` is used. Sandboxed, the compiler
    reads nothing but the folder of the program and system headers."""
    from porf.programs.c.allowed import known
    from porf.programs.c.read import read_program

    return read_program(path, arguments, choices, volatile, known(allowed), before, sandboxed)


def read_module(path: str, arguments: Sequence[str] = (), allowed: Collection[str] = ()) -> ir.Module:
    """The module in such a file. The reader is slow to import, so it is imported only when it is needed."""
    from porf.programs.c.module import module_of
    from porf.programs.c.sources import Used

    return module_of(path, arguments, allowed, Used())
