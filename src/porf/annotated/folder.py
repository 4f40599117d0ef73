"""The annotated sources of folders, in order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from porf.annotated.annotation import Annotation, annotations_of
from porf.errors import PorfError, UsageError
from porf.programs.c import SUFFIXES

KNOWN = (*SUFFIXES, ".litmus", ".py")


def annotated(targets: Sequence[str], *, needed: bool = True) -> list[Annotation | PorfError]:
    """Of files, and of all below folders but hidden ones; an annotation that is wrong stands for itself."""
    found: list[Annotation | PorfError] = []
    for file in dict.fromkeys(file for target in targets for file in _files(target)):
        try:
            found += annotations_of(file)
        except PorfError as error:
            found.append(error)
    if needed and not found:
        hint = "// porf: model=rc11 expect=safe in a line of a C or C++ source; # porf: … in Python"
        raise UsageError("no source has an annotation", source=", ".join(targets), hint=hint)
    return found


def _files(target: str) -> list[str]:
    path = Path(target)
    if path.is_file():
        if not target.endswith(KNOWN):
            raise UsageError("not a source that can be explored", source=target, hint=f"one of *{', *'.join(KNOWN)}")
        return [target]
    if not path.is_dir():
        raise UsageError("no such file or directory", source=target, hint="is it in another directory?")
    out = []
    for folder, inside, names in os.walk(target):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        out += [os.path.join(folder, name) for name in sorted(names) if name.endswith(KNOWN)]  # noqa: PTH118
    return out
