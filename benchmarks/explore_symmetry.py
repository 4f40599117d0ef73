"""Exploration up to permutations of threads: how many executions are left, and what that saves; sizes grow by a thread.

`python benchmarks/explore_symmetry.py` (`--quick`: small sizes). *Met* are executions that were explored although
another one stands for them. Programs in which threads do something with their numbers have no symmetry.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import porf
from porf.exploration.found import Exploration
from porf.programs.c import read_c
from porf.programs.form import Program

PROGRAMS = Path(__file__).parent / "programs"
ROWS = (
    ("ainc", (4, 6, 8)),
    ("readers", (4, 8, 16)),
    ("barrier", (3, 4, 5)),
    ("chase-lev", (2, 3)),
    ("dq", (2, 3)),
    ("mpmc-queue", (2,)),
    ("seqlock", (3, 4)),
    ("ttas-lock", (3, 4)),
)


def timed(program: Program, symmetry: bool) -> tuple[float, Exploration]:
    """Processor time of one exploration, and what it found."""
    begun = time.process_time()
    found = porf.explore(program, "rc11", keep_going=True, symmetry=symmetry)
    return time.process_time() - begun, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the first size of each program")
    options = parser.parse_args()
    print(f"{'program':18}{'in all':>12}{'up to symmetry':>16}{'met':>8}{'CPU s':>9}{'without':>9}{'ratio':>8}")
    for name, sizes in ROWS:
        for size in sizes[:1] if options.quick else sizes:
            program = read_c(str(PROGRAMS / f"{name}.c"), [f"-DN={size}"])
            seconds, found = min((timed(program, True) for _ in range(3)), key=lambda row: row[0])
            without, everything = timed(program, False)
            if (found.executions, found.blocked) != (everything.executions, everything.blocked):
                raise SystemExit(f"{name}({size}): {found.executions} executions, and {everything.executions} without")
            few = found.executions if found.up_to_symmetry is None else found.up_to_symmetry
            print(
                f"{f'{name}({size})':18}{found.executions:>12}{few:>16}{found.statistics['repeated']:>8}"
                f"{seconds:>9.3f}{without:>9.3f}{without / seconds:>8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
