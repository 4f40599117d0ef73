"""Programs in C and C++: compiled to LLVM's representation, parsed from its text, and made programs of the form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porf.programs.c.kinds import SUFFIXES

if TYPE_CHECKING:
    from porf.programs.c import ir
    from porf.programs.form import Program

CHOICES = (0, 1)  # what __VERIFIER_nondet_int() and the like return, unless somebody says more

__all__ = ["CHOICES", "SUFFIXES", "read_c", "read_module"]


def read_c(path: str, arguments: Sequence[str] = (), choices: tuple[int, int] = CHOICES) -> Program:
    """The program in a file of C, C++ or LLVM. `arguments` are for the compiler; `choices` are the least and the
    greatest number that an unknown value may be."""
    module = read_module(path, arguments)
    from porf.programs.c.translate import translate

    return translate(module, Path(path).stem, path, choices)


def read_module(path: str, arguments: Sequence[str] = ()) -> ir.Module:
    """The module in such a file. What reads it is slow to import, so only who has such a file does."""
    from porf.programs.c.module import read_module

    return read_module(path, arguments)
