"""Finds a C compiler that makes LLVM's bitcode, and compiles a source file with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from porf.errors import PorfError, ProgramError, UsageError
from porf.programs.c.kinds import CPP_FILES

VERSIONS = range(22, 13, -1)  # whose bitcode llvmlite reads

HERE = Path(__file__).parent
INCLUDE = HERE / "include"  # headers of porf: <genmc.h>, <thread>, ...
RUNTIME = HERE / "runtime.c"

# As the source says it, without any optimisation, but so that later passes may touch it.
_FLAGS = ("-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w", "-D__PORF__=1", "-D__NO_CTYPE")
_ZIG_FLAGS = ("-target", "x86_64-linux-gnu", "-fno-sanitize=all")
_C_PLUS_PLUS_FLAGS = ("-fno-exceptions", "-fno-rtti", "-nostdinc++")  # its library is porf's own
# What newer compilers refuse, and older programs of C have.
_C_FLAGS = tuple(
    f"-Wno-error={what}"
    for what in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-pointer-types",
        "incompatible-function-pointer-types",
        "return-type",
    )
)
_STANDARDS = {False: "-std=gnu11", True: "-std=gnu++20"}


@dataclass(frozen=True)
class Compiler:
    """A clang: a command for C, and one for C++."""

    c: tuple[str, ...]
    c_plus_plus: tuple[str, ...]
    zig: bool = False

    @property
    def folder(self) -> str:
        """Where its own headers may be; people do not mean lines of these."""
        path = os.path.realpath(shutil.which(self.c[0]) or self.c[0])
        return str(Path(path).parent if self.zig else Path(path).parent.parent / "lib")


def find_compiler() -> Compiler:
    """PORF_CLANG if that is set, else a clang of the system, else the one in the package ziglang."""
    given = os.environ.get("PORF_CLANG")
    if given:
        if shutil.which(given) is None:
            raise UsageError(f"PORF_CLANG is '{given}', and there is no such program", hint="PORF_CLANG=/usr/bin/clang")
        return Compiler((given,), (_plus_plus(given) or given,))
    for name in ("clang", *(f"clang-{version}" for version in VERSIONS)):
        if found := shutil.which(name):
            return Compiler((found,), (_plus_plus(found) or found,))
    spec = find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for program in (Path(folder) / "zig", Path(folder) / "zig.exe"):
            if program.is_file():
                return Compiler((str(program), "cc"), (str(program), "c++"), zig=True)
    raise UsageError("programs in C need clang, and there is none", hint="pip install 'porf[c]' brings one")


def _plus_plus(clang: str) -> str | None:
    """clang++ beside clang, and clang++-16 beside clang-16."""
    name = Path(clang).name
    return shutil.which(str(Path(clang).with_name(name.replace("clang", "clang++", 1)))) if "clang" in name else None


def is_c_plus_plus(path: str) -> bool:
    return path.endswith(CPP_FILES)


def compile_source(path: str, arguments: Sequence[str] = ()) -> bytes:
    """The bitcode of a source file; `arguments` are the user's own, for the compiler."""
    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "there is no such file"
        raise UsageError(f"{path}: {what}")
    return run_compiler(find_compiler(), path, arguments)


def run_compiler(compiler: Compiler, path: str, arguments: Sequence[str] = ()) -> bytes:
    plus = is_c_plus_plus(path)
    command = [*(compiler.c_plus_plus if plus else compiler.c), *_FLAGS]
    command += _ZIG_FLAGS if compiler.zig else ()
    command += _C_PLUS_PLUS_FLAGS if plus else _C_FLAGS
    if not any(argument.startswith(("-std", "--std")) for argument in arguments):
        command.append(_STANDARDS[plus])
    # The last one counts: what people take from their build files must not merge accesses.
    arguments = [*arguments, "-O0"]
    # Before the folders of the system, and after those that people name.
    folders = [INCLUDE / "c++", INCLUDE] if plus else [INCLUDE]
    headers = [f"-I{folder}" for folder in folders if folder.is_dir()]
    with tempfile.TemporaryDirectory(prefix="porf-") as folder:
        output = Path(folder) / "program.bc"
        return _run([*command, path, "-o", str(output), *arguments, *headers], output, path, folder)


def _run(command: Sequence[str], output: Path, path: str, folder: str) -> bytes:
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{command[0]}: {reason}", hint="PORF_CLANG names a clang that works") from None
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode:
        raise _refused(path, said)
    try:
        return output.read_bytes()
    except OSError:
        raise UsageError(
            f"{path}: the compiler made no bitcode", hint="arguments after -- must not say what it makes, or where"
        ) from None


def _refused(path: str, said: str) -> PorfError:
    """The compiler's own messages have file, line, column and caret already."""
    return ProgramError(f"{path} does not compile\n{said}" if said else f"{path} does not compile")
