"""What a compiler may read for a program whose author is not trusted: the folder of the program, and system headers.

The compiler sees a file system of its own (an overlay of clang's), in which there is nothing else: so neither its
messages nor an array made by `#embed` show what is in other files. Arguments that could do more than define macros or
name such files are refused before it runs, and the list of what it has read is compared afterwards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from porf.errors import ProgramError, UsageError
from porf.programs.c.compiler import Compiler
from porf.record import Record

MOST_FILES = 20_000
_SYSTEM = (
    "/usr/include",
    "/usr/local/include",
    "/usr/lib",
    "/usr/lib64",
    "/Library/Developer",
    "/Applications/Xcode.app",
)
# Arguments that name no file, load nothing and make no other output.
_HARMLESS = re.compile(
    r"-[DU].+|--?std=[\w+:]+|-O(?:[0-3sgz]|fast)?|-g[0-3]?|-w|-pthread|-ansi|-pedantic(?:-errors)?|-m(?:32|64)"
    r"|-W(?:no-)?[\w+-]*(?:=[\w+-]+)?"
    r"|-f(?:no-)?(?:(?:un)?signed-char|short-enums|common|gnu89-inline|exceptions|rtti|strict-aliasing|wrapv|builtin"
    r"|inline|math-errno|pic|PIC|pie|PIE|omit-frame-pointer|stack-protector)",
    re.DOTALL,
)
_VALUED = ("-D", "-U")
_FOLDERS = ("-iquote", "-isystem", "-idirafter", "-I")
_FILES = ("-include", "-imacros")
# Outside of functions: the assembler, which LLVM asks about symbols, opens files by itself.
_ASSEMBLY = re.compile(rb"^module asm ", re.MULTILINE)
_HINT = "macros, warnings, the standard, and what is in the folder of the program are"


class Sandbox(Record):
    """The one of a program: its folder as it really is, and as it may be named."""

    folder: str
    names: tuple[str, ...]

    def refuse(self, flags: Sequence[str], sources: Sequence[str]) -> None:
        """What the compiler is not given."""
        for source in sources:
            if not self._has(source):
                raise UsageError(f"--sandbox: {source} is not in {self.folder}", hint="the folder of the program")
        left = list(flags)
        while left:
            argument = left.pop(0)
            option = next((o for o in (*_FOLDERS, *_FILES) if argument.startswith(o)), None)
            if argument in _VALUED and left:
                del left[0]
            elif option is not None and (argument != option or left):
                named = argument[len(option) :] or left.pop(0)
                if option in _FILES and argument != option:
                    raise UsageError(f"--sandbox: '{argument}' is not passed to the compiler", hint=f"{option} FILE")
                if not (self._has(named) or self._has(str(Path(self.folder, named)))):
                    raise UsageError(f"--sandbox: {named} is not in {self.folder}", hint="the folder of the program")
            elif not _HARMLESS.fullmatch(argument):
                raise UsageError(f"--sandbox: '{argument}' is not passed to the compiler", hint=_HINT)

    def overlay(self, compiler: Compiler) -> str:
        """The file system that the compiler sees, as clang wants it described."""
        import json

        inside = list(self._files())
        roots = [
            {"name": f"{name}/{part}", "type": "file", "external-contents": f"{self.folder}/{part}"}
            for name in self.names
            for part in inside
        ]
        roots += [{"name": name, "type": "directory-remap", "external-contents": name} for name in _headers(compiler)]
        return json.dumps({"version": 0, "fallthrough": "false", "roots": roots}, ensure_ascii=False)

    def compare(self, path: str, read: Collection[str], compiler: Compiler) -> None:
        """Whether what the compiler says that it has read is in this sandbox; it says nothing if a file is missing."""
        allowed = [os.path.realpath(folder) for folder in (self.folder, *_headers(compiler))]
        for name in read:
            real = os.path.realpath(name)
            if not Path(real).is_file():
                raise ProgramError(f"{path} names a file that is not there", hint="--sandbox hides all other folders")
            if not any(_is_in(real, folder) for folder in allowed):
                raise ProgramError(f"{path} reads {name}, which is not in its folder", hint="--sandbox refuses that")

    def _has(self, path: str) -> bool:
        return _is_in(os.path.realpath(path), self.folder)

    def _files(self) -> Iterator[str]:
        """Of the folder and those in it, but for hidden folders and for links that lead elsewhere."""
        count = 0
        for folder, inner, files in os.walk(self.folder):
            inner[:] = [name for name in inner if not name.startswith(".")]
            for name in files:
                path = f"{folder}/{name}"
                count += 1
                if count > MOST_FILES:
                    raise UsageError(
                        f"--sandbox: there are more than {MOST_FILES} files in {self.folder}",
                        hint="put the program into a folder of its own",
                    )
                if self._has(path) and Path(path).is_file() and not _is_odd(path):
                    yield os.path.relpath(path, self.folder)


def sandbox_of(path: str) -> Sandbox:
    """The sandbox of a program, whose main file is given."""
    near = Path(path).parent
    folder = os.path.realpath(near)
    if not _is_in(os.path.realpath(path), folder):
        raise UsageError("this is a link to a file in another folder", source=path, hint="--sandbox refuses these")
    names = (*(os.path.normpath(here / near) for here in (Path.cwd(), Path(os.environ.get("PWD", "/")))), folder)
    return Sandbox(folder, tuple(dict.fromkeys(name for name in names if os.path.realpath(name) == folder)))


def as_text(command: Sequence[str]) -> list[str]:
    """The command, of the driver or of the compiler proper, that makes text and not bitcode."""
    return [{"-c": "-S", "-emit-llvm-bc": "-emit-llvm"}.get(part, part) for part in command]


def without_assembly(path: str, text: bytes) -> None:
    """Refuses assembly outside of functions."""
    if _ASSEMBLY.search(text):
        raise ProgramError(
            f"{path} has assembly outside of functions", hint="--sandbox refuses that: it can open files"
        )


def _headers(compiler: Compiler) -> list[str]:
    from porf.programs.c.compile import INCLUDE

    return [folder for folder in dict.fromkeys((*_SYSTEM, compiler.folder, str(INCLUDE))) if Path(folder).is_dir()]


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_odd(path: str) -> bool:
    """Whether a name cannot be written into a description."""
    return any(c < " " or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff" for c in path)
