"""The runtime of porf: library functions written in C by simpler ones, compiled once and kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from porf.programs.c.cache import cache_folder
from porf.programs.c.compile import INCLUDE, RUNTIME, Compiler, run_compiler

ARGUMENTS = ("-gline-tables-only",)  # its variables are of no interest


def runtime_bitcode(compiler: Compiler) -> bytes | None:
    """None if there is no runtime."""
    if not RUNTIME.is_file():
        return None
    folder = cache_folder("runtime")
    kept = folder / f"{_key(compiler)}.bc" if folder is not None else None
    if kept is not None:
        try:
            return kept.read_bytes()
        except OSError:
            pass
    code = run_compiler(compiler, str(RUNTIME), ARGUMENTS)
    if kept is not None:
        _keep(kept, code)
    return code


def _key(compiler: Compiler) -> str:
    """Of the sources, their place, and the compiler: its file stands for its version."""
    found = hashlib.sha256()
    for path in (RUNTIME, *sorted([*RUNTIME.with_suffix("").rglob("*"), *INCLUDE.rglob("*")])):
        if path.is_file():
            found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    program = Path(shutil.which(compiler.c[0]) or compiler.c[0]).stat()
    found.update(repr((compiler, ARGUMENTS, str(RUNTIME), program.st_size, program.st_mtime_ns)).encode())
    return found.hexdigest()[:32]


def _keep(path: Path, code: bytes) -> None:
    """Others may do the same at this moment: a whole file takes the place of another, never a part."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-")
        with os.fdopen(handle, "wb") as file:
            file.write(code)
        Path(temporary).replace(path)
    except OSError:
        pass
