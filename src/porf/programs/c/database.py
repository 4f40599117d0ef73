"""Flags from compile_commands.json, which build systems write: how a source is compiled that the user names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

NAME = "compile_commands.json"
FOLDERS = ("", "build", "builddir", "_build", "out", "cmake-build-debug", "cmake-build-release")
PATHS = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")  # of folders and files
MEANINGS = ("-D", "-U", "-std", "--std")  # others that change what a program means
SWITCHES = {
    *("-funsigned-char", "-fsigned-char", "-fshort-enums", "-fms-extensions", "-fplan9-extensions", "-fcommon"),
    *("-fgnu89-inline", "-fexceptions", "-frtti", "-fblocks", "-pthread", "-ansi"),
}
NDEBUG = "NDEBUG"  # release builds have it, but assertions are what an exploration checks


def flags_of(path: str) -> tuple[list[str], list[str]]:
    """The flags that a source is built with, if a build system says, and notes about that."""
    wanted = os.path.realpath(path)
    for file in _candidates(Path(wanted).parent):
        import json  # most sources have no such file
        import shlex

        try:
            entries = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return [], [f"{_shown(file)} cannot be read, and is not used"]
        for entry in entries if isinstance(entries, list) else ():
            if not isinstance(entry, dict) or os.path.realpath(_source(entry)) != wanted:
                continue
            flags, without = _kept(_words(entry), str(entry.get("directory", "")))
            left_out = ", without -DNDEBUG, so that assertions count" if without else ""
            said = f"{path} is compiled as {_shown(file)} says: {shlex.join(flags)}{left_out}"
            return flags, [said] if flags or without else []
    return [], []


def _candidates(folder: Path) -> Iterator[Path]:
    """Databases in a folder, in folders for builds in it, and so on outwards."""
    for parent in (folder, *folder.parents):
        for inner in FOLDERS:
            if (file := parent / inner / NAME).is_file():
                yield file


def _source(entry: dict[str, Any]) -> Path:
    return Path(str(entry.get("directory", "")), str(entry.get("file", "")))


def _words(entry: dict[str, Any]) -> list[str]:
    given = entry.get("arguments")
    if isinstance(given, list):
        return [str(word) for word in given]
    import shlex

    try:
        return shlex.split(str(entry.get("command", "")))
    except ValueError:
        return []


def _kept(words: Sequence[str], directory: str) -> tuple[list[str], bool]:
    """The flags that matter to what a program means, with whole paths; and whether assertions were switched off."""
    found: list[str] = []
    without = False
    left = iter(words[1:])
    for word in left:
        option = next((o for o in (*PATHS, *MEANINGS) if word.startswith(o)), None)
        if word in SWITCHES:
            found.append(word)
        if option is None:
            continue
        value = word[len(option) :]
        if not value and option in (*PATHS, "-D", "-U"):
            value = next(left, "")
        if option == "-D" and value.partition("=")[0] == NDEBUG:
            without = True
        elif option in PATHS:
            found += [option, os.path.normpath(Path(directory, value))]
        else:
            found.append(option + value)
    return found, without


def _shown(file: Path) -> str:
    near = os.path.relpath(file)
    return near if len(near) < len(str(file)) else str(file)
