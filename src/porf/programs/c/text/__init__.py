"""From the text that LLVM prints of a module to an ir.Module: one dialect, that of the version that prints it."""

from porf.programs.c.text.module import parse_module
from porf.programs.c.text.tokens import TextError

__all__ = ["TextError", "parse_module"]
