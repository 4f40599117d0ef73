"""The bitcode of the runtime, which is the library functions that are written in C: compiled once, and cached."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from porf.programs.c.compile import INCLUDE, RUNTIME, Compiler, run_compiler

# Its variables are of no interest; exceptions may be thrown through it.
ARGUMENTS = ("-gline-tables-only", "-fexceptions")


def runtime_bitcode(compiler: Compiler) -> bytes | None:
    """The runtime, compiled by this compiler; None if there is none."""
    if not RUNTIME.is_file():
        return None
    folder = _cache_folder()
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


def _cache_folder() -> Path | None:
    """A folder in the user's cache; None if it cannot be written."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(base) if base else Path.home() / ".cache") / "porf" / "runtime"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def _key(compiler: Compiler) -> str:
    """A hash of the sources, their place, and the compiler, whose file stands for its version."""
    found = hashlib.sha256()
    for path in (RUNTIME, *sorted([*RUNTIME.with_suffix("").rglob("*"), *INCLUDE.rglob("*")])):
        if path.is_file():
            found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    program = Path(shutil.which(compiler.c[0]) or compiler.c[0]).stat()
    found.update(repr((compiler, ARGUMENTS, str(RUNTIME), program.st_size, program.st_mtime_ns)).encode())
    return found.hexdigest()[:32]


def _keep(path: Path, code: bytes) -> None:
    """Other processes may do the same right now, so a whole file replaces another one in one step."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-")
        with os.fdopen(handle, "wb") as file:
            file.write(code)
        Path(temporary).replace(path)
    except OSError:
        pass
