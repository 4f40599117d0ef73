"""The bitcode of the runtime, which is the library functions that are written in C: compiled once, and cached."""

from pathlib import Path

from porf import cache
from porf.programs.c.compile import INCLUDE, RUNTIME, run_compiler
from porf.programs.c.compiler import Compiler

# Its variables are of no interest; exceptions may be thrown through it.
ARGUMENTS = ("-gline-tables-only", "-fexceptions")


def runtime_bitcode(compiler: Compiler) -> bytes | None:
    """The runtime, compiled by this compiler; None if there is none."""
    if not RUNTIME.is_file():
        return None
    key = _key(compiler)
    kept = cache.get("runtime", key)
    if isinstance(kept, bytes):
        return kept
    code = run_compiler(compiler, str(RUNTIME), ARGUMENTS)
    cache.put("runtime", key, code)
    return code


def _key(compiler: Compiler) -> str:
    """A word for the sources and the compiler."""
    sources = (RUNTIME, *sorted([*RUNTIME.with_suffix("").rglob("*"), *INCLUDE.rglob("*")]))
    return cache.word([cache.state(path) for path in [*sources, Path(compiler.program)]], compiler, ARGUMENTS)
