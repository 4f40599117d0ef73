"""Calls the command line in this process, and judges what it did: an answer, or an error of porf's own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from porf.cli import main
from porf.result import Exit

SUSPICIOUS = ("Traceback (most recent", "bug in porf", "error: out of memory", "Exception ignored", "terminate called")


def _none(constant: str) -> float:
    """Python's NaN and Infinity are none in JSON."""
    raise ValueError(constant)


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard input, and the two outputs, in memory."""
    out, err = io.BytesIO(), io.BytesIO()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    sys.stdout = io.TextIOWrapper(out, "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, "utf-8", write_through=True)
    try:
        yield out, err
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def complaint(arguments: Sequence[str], given: bytes = b"") -> str | None:
    """What is wrong with what a call did; None if nothing is."""
    with _streams(given) as (out, err):
        try:
            code = main(arguments)
        except SystemExit as stop:  # of the parser
            code = stop.code if isinstance(stop.code, int) else -1
        except BaseException as error:  # nothing else may leave it
            return f"{type(error).__name__}: {error}"
        return wrong(code, out.getvalue(), err.getvalue(), is_json="--json" in arguments, saves="-o" in arguments)


def wrong(code: int, out: bytes, err: bytes, *, is_json: bool = False, saves: bool = False) -> str | None:
    """What is wrong with an exit code and what was said."""
    said = err.decode("utf-8", "replace")
    for sign in SUSPICIOUS:
        if sign in said:
            return said[-2000:]
    if code not in (Exit.HOLDS, Exit.FAILS, Exit.WRONG_INPUT, Exit.UNDECIDED):
        return f"exit code {code}: {said[-2000:]}"
    if code == Exit.WRONG_INPUT and "error: " not in said:
        return f"exit code 2 without an error: {said[-2000:]}"
    if code == Exit.FAILS and not out.strip() and not saves:
        return f"exit code 1, and nothing is said: {said[-2000:]}"
    try:
        text = out.decode("utf-8")
    except UnicodeDecodeError:
        return None if out.startswith(b"PK") else f"standard output is not UTF-8: {out[:200]!r}"
    if is_json:
        for line in text.strip("\n").split("\n") if text else ():
            try:
                json.loads(line, parse_constant=_none)
            except ValueError:
                return f"this is not JSON: {line[:200]}"
    return None
