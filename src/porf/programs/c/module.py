"""From a file to a module: compiled if it is a source, prepared by LLVM as text, and parsed."""

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from porf.programs.c import ir
from porf.programs.c.bitcode import prepared_text
from porf.programs.c.compile import HERE
from porf.programs.c.compiler import find_compiler
from porf.programs.c.overflow import with_checked_arithmetic
from porf.programs.c.runtime_library import runtime
from porf.programs.c.sources import Used, gather, split
from porf.programs.c.suffixes import COMPILED
from porf.programs.c.text import parse_module
from porf.record import replace


def module_of(
    path: str, arguments: Sequence[str], allowed: Collection[str], used: Used, sandboxed: bool = False
) -> ir.Module:
    """The module in a file. Arguments are further sources of the program, or passed to the compiler; a file that is
    already compiled takes none of these. Undefined behaviour of the kinds `allowed` is not checked."""
    code = gather(path, arguments, allowed, used, sandboxed)
    text = _prepared(code, path, arguments)
    own = [] if path.endswith(COMPILED) else [find_compiler().folder]
    module = with_checked_arithmetic(parse_module(text, path, [str(HERE), *own], _known(used)))
    return replace(module, notes=tuple(used.notes))


def _known(used: Used) -> Callable[[str], bool]:
    """Whether a file was read to make the program, or stands beside or below one that is already compiled. Programs can
    name any other, by `#line 1 "/etc/passwd"` or in what an LLVM file says of its source."""
    read = {os.path.realpath(file) for file in used.files}
    folders = tuple(f"{Path(file).parent}/" for file in read if file.endswith(COMPILED))

    def is_known(path: str) -> bool:
        real = os.path.realpath(path)
        return real in read or (real.startswith(folders) and Path(real).is_file())

    return is_known


def _prepared(code: bytes, path: str, arguments: Sequence[str]) -> str:
    """The text after the passes. LLVM's passes may end the process over what others have compiled, if it is damaged."""

    def prepare() -> str:
        return prepared_text(code, path, lambda: runtime(find_compiler()))

    if not any(file.endswith(COMPILED) for file in (path, *split(arguments)[1])):
        return prepare()
    from porf.programs.c.compiled import guarded

    made = guarded(path, lambda: prepare().encode("utf-8", "surrogateescape"), len(code))
    return made.decode("utf-8", "surrogateescape")
