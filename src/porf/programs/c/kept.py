"""Programs that were read before: a file need not be compiled again if nothing that it depends on has changed.

That is: the arguments and options of the call, the folder that it is made in, the compiler, LLVM, porf itself, every
file that the compiler read, and that no file has come to stand before one of these.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from porf import _core, cache
from porf.programs.c.compiler import find_compiler, surroundings
from porf.programs.c.database import flags_of
from porf.programs.c.suffixes import SUFFIXES
from porf.programs.form import Program
from porf.record import Record

if TYPE_CHECKING:
    from porf.programs.c.beforehand import Beforehand
    from porf.programs.c.sources import Used

KIND = "programs"
# Arguments of the compiler that read no files; and those that name folders, in which it says what it reads.
_PLAIN = re.compile(r"-(?:[DUWOgm]|std=|f[-\w]+$|pthread$|ansi$|pedantic|w$)")
_FOLDERS = re.compile(r"-(?:I|isystem|iquote|idirafter)(.*)", re.DOTALL)
# What a source can depend on besides the text of the files that it includes.
_CHANGING = re.compile(rb"__DATE__|__TIME__|__TIMESTAMP__|__has_include|__has_embed|#\s*embed")
_TICK = 20_000_000  # nanoseconds: times of files may be so coarse
_PARTS = 4  # of the names of headers: sys/types.h has two


class Entry(Record):
    """A program, with what must be as it was: files by their contents, and paths at which nothing was."""

    files: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    program: Program


def key_of(path: str, arguments: Sequence[str], options: object) -> str | None:
    """A word for a call; None if it depends on more than is known here, or nothing can be kept."""
    if not cache.is_on() or folders_of(arguments) is None:
        return None
    sources = [path, *(a for a in arguments if not a.startswith("-") and Path(a).is_file())]
    try:
        llvmlite = find_spec("llvmlite")
        return cache.word(
            *(path, list(arguments), options, [flags_of(source) for source in sources]),
            *([cache.word(Path(source).read_bytes()) for source in sources], surroundings(find_compiler()), Path.cwd()),
            *(cache.stamp(), cache.state(_core.__file__), sys.version),
            cache.state(llvmlite.origin) if llvmlite is not None and llvmlite.origin else "",
        )
    except OSError:
        return None


def folders_of(arguments: Sequence[str]) -> list[str] | None:
    """The folders that arguments name for headers; None if an argument is not plain to see through."""
    found: list[str] = []
    left = list(arguments)
    while left:
        argument = left.pop(0)
        if folder := _FOLDERS.match(argument):
            found.append(folder[1] or (left.pop(0) if left else ""))
        elif argument in ("-D", "-U", "-include"):
            del left[:1]
        elif not argument.endswith(SUFFIXES) if argument[:1] != "-" else not _PLAIN.match(argument):
            return None
    return found


def is_kept(path: str, arguments: Sequence[str], options: object, before: Beforehand) -> bool:
    """Whether the program of a call was kept. It is read now, and put aside."""
    key = key_of(path, arguments, options)
    program = recall(key) if key is not None else None
    if key is not None and program is not None:
        before.programs[key] = program
    return program is not None


def recall(key: str) -> Program | None:
    """The program that was kept by this word, if all is as it was then."""
    entry = cache.get(KIND, key)
    if not isinstance(entry, Entry) or any(map(os.path.lexists, entry.absent)):
        return None
    try:
        same = all(cache.word(Path(path).read_bytes()) == digest for path, digest in entry.files)
    except OSError:
        return None
    return entry.program if same else None


def keep(key: str, program: Program, used: Used, started: int) -> None:
    """Keeps a program, unless the text of the files that it was made of does not say all, or one of them may have
    changed since this work started (nanoseconds)."""
    found: list[tuple[str, str]] = []
    own = find_compiler().folder, str(cache.PACKAGE)
    folders = {*(folders_of(used.flags) or ())}
    for path in map(Path, sorted(used.files)):
        try:
            data, status = path.read_bytes(), path.stat()
        except OSError:
            return
        if not os.path.realpath(path).startswith(own):
            folders.add(str(path.parent))
            if _CHANGING.search(data):
                return
        if max(status.st_mtime_ns, status.st_ctime_ns) > started - _TICK:
            return
        found.append((str(path), cache.word(data)))
    cache.put(KIND, key, Entry(tuple(found), tuple(_before(used.files, folders)), program))


def _before(files: Iterable[str], folders: Iterable[str]) -> list[str]:
    """Paths at which there is nothing, and where a compiler may look for a file before it finds it elsewhere."""
    names = {Path(*Path(path).parts[-parts:]) for path in files for parts in range(1, _PARTS + 1)}
    paths = {Path(folder) / name for folder in folders for name in names}
    return sorted(str(path) for path in paths if not os.path.lexists(path))
