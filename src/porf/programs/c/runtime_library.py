"""The runtime, which is the library functions that are written in C: compiled once, and cached.

Reading all of it takes longer than reading most programs, so the part that a set of calls needs is cached, too.
"""

import functools
from collections.abc import Collection

from porf import cache
from porf.programs.c.bitcode import Part, Runtime, names_of, part_of
from porf.programs.c.compile import RUNTIME, run_compiler
from porf.programs.c.compiler import Compiler

KIND = "runtime"
# Its variables are of no interest; exceptions may be thrown through it.
ARGUMENTS = ("-gline-tables-only", "-fexceptions")


def runtime(compiler: Compiler) -> Runtime | None:
    """The runtime, compiled by this compiler; None if there is none."""
    if not RUNTIME.is_file():
        return None
    key = _key(compiler)

    @functools.cache
    def bitcode() -> bytes:
        code: bytes = cache.kept(KIND, key, lambda: run_compiler(compiler, str(RUNTIME), ARGUMENTS))
        return code

    def part(wanted: Collection[str], own: Collection[str]) -> Part:
        asked = cache.word(key, sorted(wanted), sorted(own))
        found: Part = cache.kept(KIND, asked, lambda: part_of(bitcode(), wanted, own))
        return found

    return Runtime(cache.kept(KIND, cache.word(key, "names"), lambda: names_of(bitcode())), part)


def _key(compiler: Compiler) -> str:
    """A word for the sources, which are porf's, and the compiler."""
    return cache.word(cache.stamp(), cache.state(RUNTIME), cache.state(compiler.program), compiler, ARGUMENTS)
