"""From what the user gives to bitcode: a file, further sources of the same program, and arguments for the compiler."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from porf.errors import PorfError, UsageError
from porf.programs.c.beforehand import Beforehand
from porf.programs.c.compile import compile_source, is_c_plus_plus
from porf.programs.c.database import flags_of
from porf.programs.c.sandbox import Sandbox, sandbox_of
from porf.programs.c.suffixes import COMPILED, SUFFIXES
from porf.record import Record, field

# Options whose value may be the next argument.
SEPARATE = (
    *("-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot"),
    *("-x", "-target", "-arch", "-Xclang", "-mllvm", "-Xpreprocessor", "-o", "-L", "-l", "-MF", "-MT", "-MQ"),
)
FOLDERS = ("-I", "-iquote", "-isystem", "-idirafter")


class Used(Record, frozen=False):
    """What the bitcode of a program was made of, since when (nanoseconds), and what people should know about how it was
    made."""

    files: set[str] = field(default_factory=set)
    flags: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    since: int = field(default_factory=time.time_ns)
    before: Beforehand = field(default_factory=Beforehand)

    def add(self, other: Used) -> None:
        self.files |= other.files
        self.flags += other.flags
        self.notes.update(other.notes)
        self.since = min(self.since, other.since)


def gather(path: str, arguments: Sequence[str], allowed: Collection[str], used: Used, sandboxed: bool) -> bytes:
    """One program of a file and of the sources among the arguments, all compiled with the other arguments; undefined
    behaviour of the kinds `allowed` is not checked."""
    flags, others = split(arguments)
    sandbox = sandbox_of(path) if sandboxed else None
    if sandbox is not None:
        sandbox.refuse(flags, others)
    first = bitcode(path, flags, allowed, used, sandbox)
    if not others:
        return first
    from porf.programs.c.link import linked

    parts = ((other, bitcode(other, fitting(other, flags), allowed, used, sandbox)) for other in others)
    return linked([(path, first), *parts])


def bitcode(path: str, flags: Sequence[str], allowed: Collection[str], used: Used, sandbox: Sandbox | None) -> bytes:
    if made := used.before.code.get((path, *flags, *sorted(allowed))):
        used.add(made[1])
        return made[0]
    if not path.endswith(COMPILED):
        known, said = flags_of(path) if sandbox is None else ([], [])
        used.notes.update(dict.fromkeys(said))
        whole = [*known, *flags, *beside(path, flags)]
        used.flags += whole
        return compile_source(path, whole, allowed, used.files, sandbox)
    if flags:
        raise UsageError(f"{path} is already compiled, so there is no compiler to pass '{flags[0]}' to")
    from porf.programs.c.compiled import read_compiled

    used.files.add(path)
    return read_compiled(path)


def fitting(path: str, flags: Sequence[str]) -> list[str]:
    """The flags without the standard of the other language, or without all if the file is compiled already."""
    if path.endswith(COMPILED):
        return []
    plus = is_c_plus_plus(path)
    return [flag for flag in flags if not flag.startswith(("-std", "--std")) or ("++" in flag) == plus]


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Arguments for the compiler, and sources among them."""
    flags: list[str] = []
    sources: list[str] = []
    for argument in arguments:
        is_value = bool(flags) and flags[-1] in SEPARATE
        if is_value or argument.startswith("-") or not argument.endswith(SUFFIXES):
            flags.append(argument)
        elif Path(argument).is_file():
            sources.append(argument)
        else:
            raise UsageError("no such file", source=argument, hint="sources after -- are part of the program")
    return flags, sources


def beside(path: str, flags: Sequence[str]) -> list[str]:
    """The folders that the flags name are meant relative to the source, too."""
    found: list[str] = []
    for at, flag in enumerate(flags):
        option = next((o for o in FOLDERS if flag.startswith(o)), None)
        if option is None:
            continue
        folder = flag[len(option) :] or (flags[at + 1] if at + 1 < len(flags) else "")
        near = Path(path).parent / folder
        if folder and not Path(folder).is_absolute() and near.is_dir():
            found += [option, str(near)]
    return found


def grouped(
    paths: Sequence[str],
    arguments: Sequence[str],
    allowed: Collection[str],
    is_known: Callable[[str], bool],
    before: Beforehand,
    sandboxed: bool,
) -> dict[str, list[str]]:
    """The programs of several files: those with a main, each with all files that have none. A file that cannot be
    compiled, or if none has a main each of them, stands for itself; reading it says what is wrong. What is compiled to
    see that is put aside, and what `is_known` to be a program by itself need not be compiled."""
    from porf.programs.c.link import defines_main

    flags, _ = split(arguments)
    mains: list[str] = []
    parts: list[str] = []
    for path in paths:
        is_part = False
        if path.endswith(SUFFIXES) and not is_known(path):
            own, used = fitting(path, flags), Used()
            with suppress(PorfError):
                sandbox = sandbox_of(path) if sandboxed else None
                if sandbox is not None:
                    sandbox.refuse(own, ())
                code = bitcode(path, own, allowed, used, sandbox)
                is_part = not defines_main(path, code)
                before.code[path, *own, *sorted(allowed)] = code, used
        (parts if is_part else mains).append(path)
    if not any(path.endswith(SUFFIXES) for path in mains):
        return {path: [] for path in paths}
    return {path: parts if path.endswith(SUFFIXES) else [] for path in mains}
