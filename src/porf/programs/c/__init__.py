"""Programs in C and C++: compiled to LLVM's representation, parsed from its text, and made programs of the form."""

from porf.programs.c.module import read_module

__all__ = ["read_module"]
