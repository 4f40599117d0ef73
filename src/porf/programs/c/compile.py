"""From a source file to LLVM's bitcode, or its text where that is the same to llvmlite and sooner made: runs clang."""

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from porf.errors import PorfError, ProgramError, UsageError
from porf.programs.c.allowed import checks
from porf.programs.c.compiler import Compiler, find_compiler
from porf.programs.c.direct import driven
from porf.programs.c.process import run, temporary_folder
from porf.programs.c.sandbox import Sandbox, as_text, without_assembly
from porf.programs.c.suffixes import CPP_FILES

HERE = Path(__file__).parent
INCLUDE = HERE / "include"  # headers of porf: <genmc.h>, <thread>, ...
RUNTIME = HERE / "runtime.c"

# Without any optimisation, but so that later passes may change the code.
_FLAGS = ("-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w", "-D__PORF__=1", "-D__NO_CTYPE")
_QUIET = "-fno-crash-diagnostics"  # files about a compiler that crashes, in the folder of temporary ones
# Floating point as it is written, and a long double that is a double.
_FLOATING = ("-ffp-contract=off", "-mlong-double-64")
_ZIG_FLAGS = ("-target", "x86_64-linux-gnu", "-fno-sanitize=all")
_C_PLUS_PLUS_FLAGS = ("-nostdinc++",)  # porf has a C++ library of its own
# Without exceptions there is half as much code, so only programs that use them have them.
_WITHOUT_EXCEPTIONS = "-fno-exceptions"
_EXCEPTIONS = r"\b(?:throw|try|catch)\b"
_NEEDS_EXCEPTIONS = "with exceptions disabled"
# How undefined behaviour that the compiler knows of is found: by a check before it happens, and by marks of the lives
# of variables.
_CHECKED = (
    "-fsanitize-trap=all",
    "-fstrict-flex-arrays=1",  # an array at the end of a structure has its size, unless that is 0 or 1
    "-fno-builtin-memcpy",  # what the program copies itself must not overlap
    "-fno-delete-null-pointer-checks",
    *("-Xclang", "-fsanitize-address-use-after-scope"),
)
# What older programs in C do, and newer compilers refuse.
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
_MISSING_HEADER = r"fatal error: '([^']+)' file not found"
_HEADER_OF_C = r".*\.h|c(?!h|o).*"
_OLD_STANDARD = r"(--?std=(?:c|gnu)\+\+)(?:98|03|0x|11)"  # the library needs C++14, which has all of these
_STANDARDS = {False: "-std=gnu11", True: "-std=gnu++20"}


def is_c_plus_plus(path: str) -> bool:
    return path.endswith(CPP_FILES)


def compile_source(
    path: str,
    arguments: Sequence[str] = (),
    allowed: Collection[str] = (),
    files: set[str] | None = None,
    sandbox: Sandbox | None = None,
) -> bytes:
    """The bitcode of a source file; `arguments` are what the user passes to the compiler, and undefined behaviour of
    the kinds `allowed` is not checked. What the compiler reads is added to `files`, and is in the sandbox, if any."""
    flags = [f"-fsanitize={check}" for check in checks(allowed)]
    return run_compiler(find_compiler(), path, arguments, [*flags, *_CHECKED], files, sandbox)


def run_compiler(
    compiler: Compiler,
    path: str,
    arguments: Sequence[str] = (),
    flags: Sequence[str] = (),
    files: set[str] | None = None,
    sandbox: Sandbox | None = None,
) -> bytes:
    if path.startswith(("-", "@")):
        path = f"./{path}"  # it is no option, and no file of options
    plus = is_c_plus_plus(path)
    command = [*(compiler.c_plus_plus if plus else compiler.c), *_FLAGS, _QUIET, *_FLOATING]
    command += _ZIG_FLAGS if compiler.zig else ()
    command += flags
    command += _C_PLUS_PLUS_FLAGS if plus else _C_FLAGS
    if plus and not _uses_exceptions(path):
        command.append(_WITHOUT_EXCEPTIONS)
    if not any(argument.startswith(("-std", "--std")) for argument in arguments):
        command.append(_STANDARDS[plus])
    # The last one counts: options from people's build files must not make the compiler merge accesses.
    arguments = [*(re.sub(_OLD_STANDARD, r"\g<1>14", argument) for argument in arguments), "-O0"]
    # Before the system's folders, and after those that the user names.
    folders = [INCLUDE / "c++", INCLUDE] if plus else [INCLUDE]
    headers = [f"-I{folder}" for folder in folders if folder.is_dir()]
    with temporary_folder() as folder:
        output = folder / "program.bc"
        command += (path, "-o", str(output), *arguments, *headers)
        try:
            return _run(compiler, command, output, path, files, sandbox)
        except ProgramError as error:
            if _WITHOUT_EXCEPTIONS not in command or _NEEDS_EXCEPTIONS not in error.message:
                raise
            command = [part for part in command if part != _WITHOUT_EXCEPTIONS]
            return _run(compiler, command, output, path, files, sandbox)


def _uses_exceptions(path: str) -> bool:
    """A guess: headers may use them, too."""
    try:
        return re.search(_EXCEPTIONS, Path(path).read_text("utf-8", "replace")) is not None
    except OSError:
        return False


def _run(
    compiler: Compiler,
    command: Sequence[str],
    output: Path,
    path: str,
    files: set[str] | None,
    sandbox: Sandbox | None,
) -> bytes:
    """Runs the compiler proper; where that is not known, or fails, its driver, whose words people know."""
    folder, depends = str(output.parent), str(output.with_suffix(".d"))
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
    listing = ["-MD", "-MF", depends] if files is not None or sandbox is not None else []

    def ask(command: Sequence[str]) -> tuple[int, str]:
        try:
            code, said = run(command, environment, output.parent)
            return code, said.decode("utf-8", "replace").strip()
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"{command[0]}: {reason}", hint="set PORF_CLANG to a clang that works") from None

    def make(command: Sequence[str], direct: Sequence[str] | None) -> bytes:
        if direct is None or ask(direct)[0]:
            code, said = ask(command if compiler.zig else [*command, *listing])  # zig makes nothing else if it lists
            if code:
                raise _refused(path, said)
        try:
            return output.read_bytes()
        except OSError:
            raise UsageError(
                f"{path}: the compiler made no bitcode", hint="arguments after -- must not change its output"
            ) from None

    direct = driven(compiler, [*command, *listing], path, str(output), depends, ask, always=sandbox is not None)
    if sandbox is not None:
        (output.parent / "files").write_text(sandbox.overlay(compiler), "utf-8")
        overlay = ["-ivfsoverlay", str(output.parent / "files")]
        command = [*command, *(part for word in overlay for part in ("-Xclang", word))]
        direct = [*direct[:-1], *overlay, direct[-1]] if direct is not None else None
        # Not to bitcode at once: for that, LLVM would parse the assembly.
        without_assembly(path, make(as_text(command), as_text(direct) if direct is not None else None))
    made = make(command, direct)
    read = _named(depends)
    if sandbox is not None:
        sandbox.compare(path, read, compiler)
    if files is not None:
        files.update(read)
    return made


def _named(depends: str) -> list[str]:
    """The files that a rule for make names, after its target; one that cannot be read if there is no rule."""
    try:
        text = Path(depends).read_text("utf-8", "surrogateescape").replace("\\\n", " ")
    except OSError:
        return [depends]
    words = re.findall(r"(?:\\.|\$\$|[^\s\\])+", text.partition(": ")[2])
    return [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def _refused(path: str, said: str) -> PorfError:
    """The compiler's own messages already have file, line, column and caret."""
    missing = re.search(_MISSING_HEADER, said)
    hint = _hint_for(missing[1], path) if missing else None
    return ProgramError(f"{path} does not compile\n{said}" if said else f"{path} does not compile", hint=hint)


def _hint_for(header: str, path: str) -> str:
    """What to do about a header that is missing."""
    names = sorted(file.name for file in (INCLUDE / "c++").iterdir())
    own = [name for name in names if not name.startswith("porf") and not re.fullmatch(_HEADER_OF_C, name)]
    if is_c_plus_plus(path) and "/" not in header and "." not in header:
        return f"porf's C++ library does not have <{header}>; it has {', '.join(own)}, and the headers of C"
    return (
        f"if {header} is the program's own, name its folder: porf explore {path} -- -I FOLDER; if it is another "
        f"library's, porf does not know what its functions do: leave it out where __PORF__ is defined"
    )
