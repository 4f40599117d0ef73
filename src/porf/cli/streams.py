"""The three streams of a process, whatever the caller made of them: closed, a full disk, a pipe that nobody reads."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from porf.cli.colour import coloured
from porf.errors import shown
from porf.result import Exit


def prepare() -> None:
    """A stream that the caller has closed leads nowhere; or else the next file that is opened would have its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or Path(os.devnull).open()  # noqa: SIM115 (as long as the process)
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115


def show_codes() -> None:
    """A terminal that lacks a letter shows its code: a traceback's exit code would read as a verdict."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(text: str) -> None:
    """Says what is wrong, to whoever may listen: the exit code says it in any case."""
    with suppress(OSError):
        print(coloured(shown(text), sys.stderr), file=sys.stderr, flush=True)


def finish(code: int) -> int:
    """Writes what is still held back; the exit code of a call that has this one so far."""
    try:
        sys.stdout.flush()
    except OSError as error:
        code = lost(error)
    with suppress(OSError):
        sys.stderr.flush()
    return code


def lost(error: OSError) -> int:
    """The exit code if standard output could not be written: nobody may have seen the verdict."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # where the rest goes
    if isinstance(error, BrokenPipeError):
        return Exit.BROKEN_PIPE
    complain(f"error: cannot write: {error.strerror or error}")
    return Exit.WRONG_INPUT
