"""The compiler proper, without the driver before it.

zig's driver takes a quarter of the time that a small program needs, and all that it does is to work out flags. These
depend on the flags that it is given and not on the source; so it is asked once for what it would run, and that is kept.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from porf import cache
from porf.programs.c.compiler import VERSIONS, Compiler, surroundings

_NAMES = ("-main-file-name", "-o", "-dependency-file", "-MT")  # flags whose values depend on the source
_HERE = ("-fdebug-compilation-dir=", "-fcoverage-compilation-dir=")  # with the folder that the compiler runs in
_FOLDERS = ("-isystem", "-internal-isystem", "-internal-externc-isystem", "-resource-dir")
_OWN = "-mlong-double-64"  # the one flag about the machine that porf itself gives
Run = Callable[[Sequence[str]], tuple[int, str]]


def driven(
    compiler: Compiler, command: Sequence[str], path: str, output: str, depends: str, run: Run, always: bool
) -> list[str] | None:
    """What the driver would run for this command, with these files; None if that is not known, or asking takes longer
    than it saves, unless it is wanted always."""
    if not compiler.zig or not (always or cache.is_on()) or sum(part.startswith("-o") for part in command) > 1:
        return None
    names = {path: "source", output: "output", depends: "depends"}
    asked = [names.get(part, part) for part in command]
    own = _depends_on_folder(asked)
    try:
        key = cache.word(surroundings(compiler), asked, Path(path).suffix, Path.cwd() if own else "")
    except OSError:
        return None
    found = cache.get("driver", key)
    if found is None:
        found = _lean(_ask(command, path, run), command)
        cache.put("driver", key, found)
    if not found:
        return None
    values = dict(zip(_NAMES, (Path(path).name, output, depends, output), strict=True))
    said = [values.get(before, part) for before, part in zip(["", *found], found, strict=False)]
    return [*(part + str(Path.cwd()) if part in _HERE else part for part in said), path]


def _depends_on_folder(command: Sequence[str]) -> bool:
    """Whether an argument may name something in the folder that the compiler runs in: whatever is no flag of porf's."""
    return any(part.startswith(("-I", "-i", "@")) and not part.startswith("-I/") for part in command)


def _ask(command: Sequence[str], path: str, run: Run) -> list[str]:
    """The command of the one process that the driver would start, but for the source at its end; or nothing."""
    import shlex

    _, said = run([*command[:2], "-###", *command[2:]])
    lines = [line for line in said.splitlines() if line.startswith(' "')]
    words = shlex.split(lines[0]) if len(lines) == 1 else []
    return words[:-1] if words[1:2] == ["-cc1"] and words[-1] == path and "-emit-llvm-bc" in words else []


def _lean(command: list[str], given: Sequence[str]) -> list[str]:
    """The same command for any folder and without what takes time: hundreds of features of a plain processor that it
    does not have, the order of uses in LLVM's lists, and bitcode, if the text is what llvmlite would print of it."""
    plain = not any(part.startswith("-m") and part != _OWN for part in given)
    as_text = any(part.endswith(f"/lib/clang/{VERSIONS[0]}") for part in command)
    found: list[str] = []
    left = iter(command)
    for part in left:
        if part == "-target-feature" and plain:
            next(left)
        elif part == "-emit-llvm-bc" and as_text:
            found.append("-emit-llvm")
        elif part.startswith(_HERE):
            found.append(part.partition("=")[0] + "=")
        elif part in _FOLDERS:
            found += [part, os.path.normpath(Path.cwd() / next(left))]  # zig names them from here
        elif part != "-emit-llvm-uselists":
            found.append(part)
    return found
