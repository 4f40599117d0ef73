"""Files that were compiled elsewhere, for any machine, and may be damaged: made into bitcode that is safe to use.

LLVM ends the whole process on some of what it is given, so it reads such a file in a process of its own first. What is
said in it about a special processor is left out: the passes that porf runs are those of this machine.
"""

import os
import pickle
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from porf.errors import ProgramError, UsageError
from porf.programs.c.bitcode import parse
from porf.programs.c.llvm import Context

MACHINE = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
TRIPLE = re.compile(r'^target triple = ".*"$', re.MULTILINE)
APPLE_NAME = re.compile(r'@"\\01_([\w.]+)(?:\$[\w.$]*)?"')
SECONDS = 120  # of a processor, to read one file
HINT = "it may be damaged; compile it again, or give porf the source"


def read_compiled(path: str) -> bytes:
    """The bitcode in a file of bitcode or of LLVM's text."""
    try:
        code = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    return guarded(path, lambda: neutral(code, path))


def neutral(code: bytes, path: str) -> bytes:
    """The same module for no special processor."""
    module = parse(code, path, Context())
    text = TRIPLE.sub("", MACHINE.sub("", str(module)))
    if "-m:o-" in text[: text.find("\n\n")]:
        text = APPLE_NAME.sub(r"@\1", text)
    module = parse(text.encode("utf-8", "surrogateescape"), path, Context())
    if error := module.error():
        raise ProgramError(f"{path}: LLVM cannot use this: {error.strip().splitlines()[0]}", hint=HINT)
    return module.bitcode()


def guarded(path: str, make: Callable[[], bytes]) -> bytes:
    """What `make` returns, or an error if that ends its process."""
    if not hasattr(os, "fork"):
        return make()
    import resource

    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            os.dup2(said.fileno(), 2)
            os._exit(_answer(make, result.fileno()))
        _, status = os.waitpid(child, 0)
        if status != 0:
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
            reason = next((line for line in reversed(lines) if "ERROR" in line), "it crashes")
            raise ProgramError(f"{path}: LLVM cannot use this: {reason.removeprefix('LLVM ERROR: ')}", hint=HINT)
        result.seek(0)
        found, error = pickle.load(result)
    if error is not None:
        raise ProgramError(error[0], hint=error[1])
    code: bytes = found
    return code


def _answer(make: Callable[[], bytes], file: int) -> int:
    """In the process of its own: writes what it makes, or the words of an error; returns the exit code."""
    answer: tuple[bytes, tuple[str, str | None] | None]
    try:
        answer = make(), None
    except ProgramError as error:
        answer = b"", (error.message, error.hint)
    except BaseException:  # whatever it is, this process must not go on as if it were the other one
        return 1
    with os.fdopen(os.dup(file), "wb") as out:
        pickle.dump(answer, out)
    return 0
