"""From a file of C, C++ or LLVM to a program: as it was read before, or by way of a module."""

import time
from collections.abc import Sequence
from pathlib import Path

from porf.programs.c.beforehand import Beforehand
from porf.programs.c.kept import keep, key_of, recall
from porf.programs.form import Program


def read_program(
    path: str,
    arguments: Sequence[str],
    choices: tuple[int, int],
    volatile: str,
    allowed: frozenset[str],
    before: Beforehand | None = None,
    sandboxed: bool = False,
) -> Program:
    """The program in a file, as it was read before if nothing has changed since then."""
    before = before or Beforehand()
    started = time.time_ns()
    key = key_of(path, arguments, (choices, volatile, sorted(allowed), sandboxed))
    program = (before.programs.get(key) or recall(key)) if key is not None else None
    if program is None:
        from porf.programs.c.module import module_of
        from porf.programs.c.sources import Used
        from porf.programs.c.translate import translate

        used = Used(before=before)
        module = module_of(path, arguments, allowed, used, sandboxed)
        program = translate(module, Path(path).stem, path, choices, volatile, allowed)
        if key is not None:
            keep(key, program, used, min(started, used.since))
    return program
