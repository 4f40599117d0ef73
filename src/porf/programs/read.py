"""Programs from a file of any kind: C or C++, a litmus test, or Python. Only the reader of that kind is loaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porf.errors import FormatError, ProgramError, UsageError
from porf.programs.c import CHOICES, SUFFIXES, read_c
from porf.programs.form import Program
from porf.record import Record, replace

if TYPE_CHECKING:
    from porf.programs.c.beforehand import Beforehand
    from porf.programs.litmus import LitmusTest


class Settings(Record):
    """What a call says of the programs that it gives."""

    parameters: Sequence[str] = ()  # NAME=VALUE: numbers for a Python factory, macros for C
    arguments: Sequence[str] = ()  # for the compiler of C
    choices: tuple[int, int] | None = None  # the least and the greatest of what a program in C may choose from
    volatile: str | None = None  # what accesses of volatile variables in C are: plain or relaxed
    allowed: Sequence[str] = ()  # kinds of undefined behaviour that are not reported
    sandboxed: bool = False  # whether a compiler sees nothing but a program's folder and system headers
    before: Beforehand | None = None  # what was worked out about the files of the call

    def call(self, target: str) -> tuple[str, ...]:
        """The same as arguments of `porf explore`."""
        parameters = [part for parameter in self.parameters for part in ("-D", parameter)]
        choices = ["--nondet={}..{}".format(*self.choices)] if self.choices else []
        volatile = ["--volatile", self.volatile] if self.volatile else []
        allowed = ["--allow", ",".join(self.allowed)] if self.allowed else []
        sandbox = ["--sandbox"] if self.sandboxed else []
        arguments = ["--", *self.arguments] if self.arguments else []
        return (target, *parameters, *choices, *volatile, *allowed, *sandbox, *arguments)


def named(targets: Sequence[str], inside: tuple[str, ...] = ()) -> list[str]:
    """The files that the targets of a call are: a folder stands for the litmus tests in it and below, and @FILE for
    the targets that this file names, one a line; paths in it begin where it is. `inside`: the lists that led here."""
    out: list[str] = []
    for target in targets:
        if target.startswith("@") and not Path(target).exists():
            path = os.path.realpath(target[1:])
            if path in inside:
                raise UsageError("this list names itself", source=target[1:])
            out += named(_listed(target[1:]), (*inside, path))
        elif Path(target).is_dir():
            found = sorted(str(path) for path in Path(target).rglob("*.litmus"))
            if not found:
                raise UsageError(
                    "there is no litmus test in this directory", source=target, hint="name the files in it"
                )
            out += found
        else:
            out.append(target)
    return out


def _listed(path: str) -> list[str]:
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(error.strerror or str(error), source=path) from None
    except UnicodeDecodeError:
        raise UsageError("not a text file", source=path) from None
    folder = Path(path).parent
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return [f"@{folder / line[1:]}" if line.startswith("@") else str(folder / line) for line in found]


def as_programs(targets: Sequence[str], settings: Settings) -> list[tuple[str, Settings]]:
    """What `porf explore` is given, file by file. Files of C or C++ without a main are parts of the programs that the
    others are, as if they were named after --."""
    if sum(target.endswith(SUFFIXES) for target in targets) < 2 or not all(map(os.path.isfile, targets)):
        return [(target, settings) for target in targets]
    from porf.programs.c.beforehand import Beforehand
    from porf.programs.c.kept import is_kept
    from porf.programs.c.sources import grouped

    macros = [f"-D{text}" for text in settings.parameters]
    arguments = [*macros, *settings.arguments]
    before = Beforehand()
    options = settings.choices or CHOICES, settings.volatile or "plain", sorted(settings.allowed), settings.sandboxed
    found = grouped(
        targets,
        arguments,
        settings.allowed,
        lambda path: is_kept(path, arguments, options, before),
        before,
        settings.sandboxed,
    )
    settings = replace(settings, before=before)
    return [(path, replace(settings, arguments=[*settings.arguments, *parts])) for path, parts in found.items()]


def read_programs(target: str, settings: Settings) -> list[Program | LitmusTest]:
    """What `porf explore` is given: a path, for Python also `path:name`."""
    call = settings.call(target)
    return [
        replace(found, call=call)
        if isinstance(found, Program)
        else replace(found, program=replace(found.program, call=call))
        for found in _read(target, settings)
    ]


def _read(target: str, settings: Settings) -> list[Program | LitmusTest]:
    path, names = split(target)
    file = Path(path)
    is_folder = file.is_dir()
    if is_folder or not file.exists():
        what, hint = ("this is a directory", "name the files in it") if is_folder else ("no such file", None)
        raise UsageError(what, source=path, hint=hint or "is it in another directory?")
    if path.endswith(SUFFIXES):
        macros = [f"-D{text}" for text in settings.parameters]
        arguments, volatile = [*macros, *settings.arguments], settings.volatile or "plain"
        choices = settings.choices or CHOICES
        return [read_c(path, arguments, choices, volatile, settings.allowed, settings.before, settings.sandboxed)]
    for option, given in (
        ("--", settings.arguments),
        ("--nondet", settings.choices),
        ("--volatile", settings.volatile),
        ("--allow", settings.allowed),
    ):
        if given:
            raise UsageError(f"{path}: {option} is for programs in C and C++", hint=f"porf explore {path}")
    if path.endswith(".py"):
        if settings.sandboxed:
            raise UsageError(f"{path}: a Python file is run, which --sandbox refuses", hint="docs/security.md")
        from porf.programs.python import load_programs

        return list(load_programs(path, names, dict(map(_parameter, settings.parameters))))
    if names:
        raise UsageError(f"{target}: only a Python file has programs with names", hint=f"porf explore {path}")
    if settings.parameters:
        raise UsageError(f"{path}: a litmus test has no parameters", hint="-D is for programs in Python, C and C++")
    from porf.programs.litmus import read_litmus

    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), source=path) from None
    except UnicodeDecodeError:
        raise UsageError(
            "not a text file",
            source=path,
            hint="a program is a litmus test in C, a Python file (.py), or a C or C++ source file (.c, .cpp)",
        ) from None
    try:
        return [read_litmus(text, path)]
    except ProgramError:
        if not _is_history(text, path):
            raise
        raise UsageError(f"{path}: this is a history, not a program", hint=f"porf check {path}") from None


def _is_history(text: str, path: str) -> bool:
    """Whether a file that is no litmus test is a history; asked only when something is wrong."""
    from porf.formats import format_of_name, loads

    try:
        return len(loads(text, format_of_name(path))) > 0
    except FormatError:
        return False


def split(target: str) -> tuple[str, list[str]]:
    """A path, and the names that may follow it."""
    path, colon, names = target.rpartition(":")
    if colon and path.endswith(".py"):
        return path, [name for name in names.split(",") if name]
    return target, []


def _parameter(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    try:
        return name.strip(), int(value, 0)
    except ValueError:
        missing = "" if equals else ": there is no '='"
        raise UsageError(f"-D {text} is not NAME=NUMBER{missing}", hint="-D n=5") from None
