"""Programs from a file, whatever its kind: a litmus test, or Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from porf.errors import UsageError
from porf.programs.form import Program
from porf.programs.litmus import LitmusTest, read_litmus
from porf.programs.python import load_programs


def read_programs(target: str, parameters: Mapping[str, int]) -> list[Program | LitmusTest]:
    """What `porf explore` is given: a path, for Python also `path:name`."""
    path, names = split(target)
    if path.endswith(".py"):
        return list(load_programs(path, names, parameters))
    if names:
        raise UsageError(f"{target}: only a Python file has programs with names", hint=f"porf explore {path}")
    if parameters:
        raise UsageError(f"{path}: a litmus test has no parameters", hint="-D is for programs in Python")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(
            f"{path}: not a text file", hint="a program is a litmus test in C, or a Python file (.py)"
        ) from None
    return [read_litmus(text, path)]


def split(target: str) -> tuple[str, list[str]]:
    """A path, and the names that may follow it."""
    path, colon, names = target.rpartition(":")
    if colon and path.endswith(".py"):
        return path, [name for name in names.split(",") if name]
    return target, []
