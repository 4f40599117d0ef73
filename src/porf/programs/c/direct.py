"""The compiler proper, without the driver before it.

zig's driver takes a quarter of the time that a small program needs, and all that it does is to work out flags. These
depend on the flags that it is given and not on the source; so it is asked once for what it would run, and that is kept.
"""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from porf import cache
from porf.programs.c.compiler import Compiler, surroundings

_NAMES = ("-main-file-name", "-o", "-dependency-file", "-MT")  # flags whose values depend on the source
Run = Callable[[Sequence[str]], "CompletedProcess[bytes]"]


def driven(
    compiler: Compiler, command: Sequence[str], path: str, output: str, depends: str, run: Run
) -> list[str] | None:
    """What the driver would run for this command, with these files; None if that is not known."""
    if not compiler.zig or not cache.is_on() or sum(part.startswith("-o") for part in command) > 1:
        return None
    names = {path: "source", output: "output", depends: "depends"}
    asked = [names.get(part, part) for part in command]
    try:
        key = cache.word(surroundings(compiler), asked, Path(path).suffix)
    except OSError:
        return None
    found = cache.get("driver", key)
    if found is None:
        found = _ask(command, path, run)
        cache.put("driver", key, found)
    if not found:
        return None
    values = dict(zip(_NAMES, (Path(path).name, output, depends, output), strict=True))
    said = [values.get(before, part) for before, part in zip(["", *found], found, strict=False)]
    return [*said, path]


def _ask(command: Sequence[str], path: str, run: Run) -> list[str]:
    """The command of the one process that the driver would start, but for the source at its end; or nothing."""
    said = run([*command[:2], "-###", *command[2:]]).stderr.decode("utf-8", "replace")
    lines = [line for line in said.splitlines() if line.startswith(' "')]
    words = shlex.split(lines[0]) if len(lines) == 1 else []
    return words[:-1] if words[1:2] == ["-cc1"] and words[-1] == path and "-emit-llvm-bc" in words else []
