"""Runs inputs one after the other in a process of their own, with limits: whatever happens to that process, it is known
which input it was, and the next ones are run in a new one."""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROCESSOR_SECONDS = 10  # for one input
WALL_SECONDS = 120  # likewise, on a machine that does other things, too
BYTES = 2 << 30
BATCH = 200  # inputs of one process


@dataclass
class Failure:
    """An input, by its number, and what was wrong with what came of it."""

    number: int
    what: str


def run(numbers: Sequence[int], one: Callable[[int], str | None]) -> Iterator[Failure]:
    """`one` runs an input, and says what was wrong."""
    left = list(numbers)
    while left:
        begun, failures = _batch(left[:BATCH], one)
        yield from failures
        del left[:begun]


def _batch(numbers: Sequence[int], one: Callable[[int], str | None]) -> tuple[int, list[Failure]]:
    """How many of the inputs were run, and what was wrong with them."""
    at = mmap.mmap(-1, 8)  # how many have begun
    with tempfile.TemporaryFile("w+") as found, tempfile.TemporaryFile("w+") as crash:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                faulthandler.enable(crash)
                _serve(numbers, one, at, found.fileno())
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(99)
        end = _end_of(child, at)
        found.seek(0)
        failures = [Failure(*json.loads(line)) for line in found]
        crash.seek(0)
        where = crash.read()
    begun = max(1, _number(at))
    if end is not None:
        failures.append(Failure(numbers[begun - 1], where + end))
    return begun, failures


def _serve(numbers: Sequence[int], one: Callable[[int], str | None], at: mmap.mmap, found: int) -> None:
    """In the process of its own. It ends early if one input took much memory: how much others take is not seen then."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for begun, number in enumerate(numbers, 1):
        at[:8] = begun.to_bytes(8, "little")
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime) + PROCESSOR_SECONDS + 1
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
        said = one(number)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if peak > BYTES:
            said = f"{peak >> 20} MiB of memory were used"
        if said is not None:
            os.write(found, f"{json.dumps([number, said])}\n".encode())
        if peak > BYTES // 2:
            return


def _end_of(child: int, at: mmap.mmap) -> str | None:
    """Waits for the process; what was wrong with its end."""
    begun, since = 0, time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
        now = time.monotonic()
        if _number(at) != begun:
            begun, since = _number(at), now
        if now - since > WALL_SECONDS or resident(child) > 2 * BYTES:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return f"it hangs: {WALL_SECONDS} s are up" if now - since > WALL_SECONDS else "it takes memory without end"
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU:
        return f"{PROCESSOR_SECONDS} s of the processor are up"
    return None if code == 0 else f"its process ended with {code}"


def _number(at: mmap.mmap) -> int:
    return int.from_bytes(at[:8], "little")


def resident(child: int) -> int:
    try:
        return int(Path(f"/proc/{child}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
