"""From a file to a module: compiled if it is a source, prepared by LLVM as text, and parsed."""

from collections.abc import Sequence
from pathlib import Path

from porf.errors import UsageError
from porf.programs.c import ir
from porf.programs.c.bitcode import prepared_text
from porf.programs.c.compile import HERE, compile_source, find_compiler
from porf.programs.c.runtime_library import runtime_bitcode
from porf.programs.c.suffixes import COMPILED
from porf.programs.c.text import parse_module


def read_module(path: str, arguments: Sequence[str] = ()) -> ir.Module:
    """The module in a file. `arguments` are passed to the compiler; a file that is already compiled takes none."""
    foreign = [str(HERE)]
    if path.endswith(COMPILED):
        if arguments:
            raise UsageError(f"{path} is already compiled, so there is no compiler to pass '{arguments[0]}' to")
        try:
            code = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror or error}") from None
    else:
        code = compile_source(path, arguments)
        foreign.append(find_compiler().folder)
    text = prepared_text(code, path, lambda: runtime_bitcode(find_compiler()))
    return parse_module(text, path, foreign)
