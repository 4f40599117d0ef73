"""Files that were compiled elsewhere, for any machine, and may be damaged: made into bitcode that is safe to use.

LLVM ends the whole process on some of what it is given, so it reads such a file in a process of its own first. What is
said in it about a special processor is left out: the passes that porf runs are those of this machine.
"""

import os
import pickle
import re
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from porf.errors import ProgramError, UsageError
from porf.programs.c.bitcode import parse
from porf.programs.c.llvm import Context

MACHINE = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
TRIPLE = re.compile(r'^target triple = ".*"$', re.MULTILINE)
APPLE_NAME = re.compile(r'@"\\01_([\w.]+)(?:\$[\w.$]*)?"')
# What one file may take: seconds of a processor, and bytes; and what each of its bytes adds to that.
SECONDS, SECONDS_EACH = 5, 50e-6
MEMORY, MEMORY_EACH = 1 << 30, 1000
HINT = "it may be damaged; compile it again, or give porf the source"


def read_compiled(path: str) -> bytes:
    """The bitcode in a file of bitcode or of LLVM's text."""
    try:
        code = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    return guarded(path, lambda: neutral(code, path), len(code))


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


def guarded(path: str, make: Callable[[], bytes], size: int) -> bytes:
    """What `make` returns, or an error if that ends its process, or takes more than a file of this size may take."""
    if not hasattr(os, "fork"):
        return make()
    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            _limit(size)
            os.dup2(said.fileno(), 2)
            os._exit(_answer(make, result.fileno()))
        try:
            _, status = os.waitpid(child, 0)
        except BaseException:  # Ctrl-C: nobody else would wait for it
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        if status != 0:
            said.seek(0)
            reason = _reason(status, said.read().decode("utf-8", "replace").strip().splitlines())
            raise ProgramError(f"{path}: LLVM cannot use this: {reason}", hint=HINT)
        result.seek(0)
        found, error = pickle.load(result)
    if error is not None:
        kind = UsageError if error[0] else ProgramError
        raise kind(error[1], hint=error[2])
    code: bytes = found
    return code


def _limit(size: int) -> None:
    """Of the process of its own. A limit of the user's that is lower stays."""
    import resource

    seconds = int(time.process_time() + SECONDS + size * SECONDS_EACH) + 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # a signal that says so, then the end
    with suppress(OSError, ValueError):
        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        most = held + MEMORY + size * MEMORY_EACH
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _reason(status: int, lines: list[str]) -> str:
    """Why the process ended: in LLVM's words, if it had time for some."""
    end = os.waitstatus_to_exitcode(status)
    if -end in (signal.SIGXCPU, signal.SIGKILL) and not lines:
        return "it takes too long" if -end == signal.SIGXCPU else "it was killed"
    said = next((line for line in reversed(lines) if "ERROR" in line or "Assertion" in line), "it crashes")
    return said.removeprefix("LLVM ERROR: ")[:300]


def _answer(make: Callable[[], bytes], file: int) -> int:
    """In the process of its own: writes what it makes, or the words of an error; returns the exit code."""
    answer: tuple[bytes, tuple[bool, str, str | None] | None]
    try:
        answer = make(), None
    except (ProgramError, UsageError) as error:
        answer = b"", (isinstance(error, UsageError), error.message, error.hint)
    except BaseException:  # whatever it is, this process must not go on as if it were the other one
        return 1
    with os.fdopen(os.dup(file), "wb") as out:
        pickle.dump(answer, out)
    return 0
