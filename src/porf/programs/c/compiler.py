"""Finds a clang: which one compiles, by what commands, and where its own headers are."""

import os
from importlib.util import find_spec
from pathlib import Path

from porf import cache
from porf.errors import UsageError
from porf.record import Record

VERSIONS = range(22, 13, -1)  # of clang, whose bitcode llvmlite can read; the first prints what it prints itself
# Variables of the environment that can change its output.
VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH", "SDKROOT")


class Compiler(Record):
    """A clang: the commands for C and for C++."""

    c: tuple[str, ...]
    c_plus_plus: tuple[str, ...]
    zig: bool = False

    @property
    def program(self) -> str:
        """Its file, which stands for its version."""
        return os.path.realpath(which(self.c[0]) or self.c[0])

    @property
    def folder(self) -> str:
        """Where its own headers may be: reports do not point into these."""
        path = Path(self.program)
        return str(path.parent if self.zig else path.parent.parent / "lib")


def surroundings(compiler: Compiler) -> object:
    """What a compiler's output depends on besides its arguments, the folder that it runs in and the files that it
    reads."""
    return compiler, cache.state(compiler.program), [os.environ.get(name) for name in VARIABLES]


def find_compiler() -> Compiler:
    """The one that PORF_CLANG names, or else the system's clang, or else the one in the package ziglang."""
    given = os.environ.get("PORF_CLANG")
    if given:
        if which(given) is None:
            raise UsageError(f"PORF_CLANG is '{given}', but there is no such program", hint="PORF_CLANG=/usr/bin/clang")
        return Compiler((given,), (_plus_plus(given) or given,))
    for name in ("clang", *(f"clang-{version}" for version in VERSIONS)):
        if found := which(name):
            return Compiler((found,), (_plus_plus(found) or found,))
    spec = find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for program in (Path(folder) / "zig", Path(folder) / "zig.exe"):
            if program.is_file():
                return Compiler((str(program), "cc"), (str(program), "c++"), zig=True)
    raise UsageError("programs in C need clang, which is not installed", hint="pip install 'porf[c]' installs it")


def _plus_plus(clang: str) -> str | None:
    """clang++ beside clang, and clang++-16 beside clang-16."""
    name = Path(clang).name
    return which(str(Path(clang).with_name(name.replace("clang", "clang++", 1)))) if "clang" in name else None


def which(name: str) -> str | None:
    """The program of this name: that path, or else in the folders of PATH. (`shutil` is slow to import.)"""
    folders = [""] if "/" in name else [f"{folder}/" for folder in os.get_exec_path() if folder]
    paths = (folder + name for folder in folders)
    return next((path for path in paths if os.access(path, os.X_OK) and Path(path).is_file()), None)
