"""What calls of `porf explore` cost besides exploring: whole calls, in processor time of all their processes.

A *first* call is for a file that was never read, with the compiler's driver and the runtime in the cache; a *cold* one
has an empty cache; a *cached* one is the same call again. Several files in one call are compared with as many calls.
With `--jobs 2`, the processor time of both processes together is compared with that of one. Every time is the best of a
few. Other files can be given, such as clients of a library as they are preprocessed.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from measuring import Report

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "benchmarks" / "programs"
FILES = ("ticket-mutex.c", "ms-queue.c", "chase-lev.c", "concurrent-hashmap.c")
SHARED = (("lastzero.c", "N=16"), ("fib-bench.c", "N=5"), ("ainc.c", "N=8"))
PORF = Path(sys.executable).with_name("porf")
numbers = itertools.count()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="sources in C instead of the repository's")
    parser.add_argument("--model", default="rc11")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = options.files or [PROGRAMS / name for name in FILES]
    report = Report(options.json)
    with tempfile.TemporaryDirectory() as folder:
        calls = Calls(Path(folder), options.model, files)
        report.title("seconds of a whole call")
        for file in files:
            firsts, again = [], []
            for _ in range(options.repeat):
                copy = calls.copied(file)
                firsts.append(calls.seconds(copy))
                again.append(calls.seconds(copy))
            cold = [calls.seconds(calls.copied(file), cache="empty") for _ in range(max(1, options.repeat // 2))]
            row = {"first": min(firsts), "cached": min(again), "cold": min(cold)}
            report.row(file=file.name, **{name: f"{value:.3f}" for name, value in row.items()})
        report.title(f"seconds of {len(files)} files, first calls")
        single = sum(min(calls.seconds(calls.copied(f)) for _ in range(options.repeat)) for f in files)
        whole = min(calls.seconds(*map(calls.copied, files)) for _ in range(options.repeat))
        report.row(calls=f"{single:.3f}", one_call=f"{whole:.3f}", ratio=f"{whole / single:.2f}")
        report.title("seconds of one process, and of two together")
        for name, macro in SHARED:
            call = [str(PROGRAMS / name), "-D", macro]
            one, two = (
                min(calls.seconds(*call, "--jobs", str(jobs)) for _ in range(options.repeat)) for jobs in (1, 2)
            )
            report.row(program=f"{name} {macro}", one=f"{one:.2f}", two=f"{two:.2f}", ratio=f"{two / one:.2f}")


class Calls:
    """Calls of porf, with caches of their own."""

    def __init__(self, folder: Path, model: str, files: Sequence[Path]) -> None:
        self._folder = folder
        self._model = model
        self._folders = [f"-I{parent.resolve()}" for parent in {PROGRAMS, *(file.parent for file in files)}]
        self.seconds(self.copied(PROGRAMS / FILES[0]))  # fills the cache with what all calls share

    def copied(self, file: Path) -> str:
        """The same program as a file that was never read, and not just now."""
        copy = self._folder / file.name
        copy.write_text(f"{file.read_text()}\n// {next(numbers)}\n")
        os.utime(copy, (0, 0))
        time.sleep(0.05)
        return str(copy)

    def seconds(self, *arguments: str, cache: str = "cache") -> float:
        """The processor time of a call and of all processes that it starts."""
        if cache == "empty":
            shutil.rmtree(self._folder / cache, ignore_errors=True)
        environment = {**os.environ, "XDG_CACHE_HOME": str(self._folder / cache)}
        before = _children()
        call = [str(PORF), "explore", *arguments, "--model", self._model, "--", *self._folders]
        done = subprocess.run(call, env=environment, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr.decode())
        return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
