"""Executions a second of processor time, on the programs for which GenMC's rates are known.

GenMC 0.11 explores these programs under RA at the rates in the table on a machine of this kind; the ratio is ours to
that. The time is that of the exploration, one job, without starting Python. Each is the best of three, since machines
are noisy. Peak memory is that of the whole process: it must not grow with the number of executions.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import porf
from porf.programs.python import load_programs

PROGRAMS = Path(__file__).parents[1] / "examples" / "programs"
# program, its parameter, executions, GenMC's executions a second of processor time
ROWS = (
    ("fib_bench", "n", 5, 525630, 115_000),
    ("readers", "n", 15, 32768, 16_000),
    ("ainc", "n", 8, 40320, 20_000),
    ("indexer", "n", 15, 4096, 1_500),
    ("lastzero", "n", 15, 147456, 9_900),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="ra")
    options = parser.parse_args()
    print(f"{'program':16}{'strategy':10}{'executions':>12}{'CPU s':>9}{'per CPU s':>12}{'GenMC':>10}{'ratio':>8}")
    for name, parameter, value, expected, peer in ROWS:
        program = load_programs(str(PROGRAMS / f"{name}.py"), [name], {parameter: value})[0]
        for strategy in ("trust", "tracer"):
            runs = [timed(program, options.model, strategy) for _ in range(3)]
            seconds, executions = min(runs)
            if options.model == "ra" and executions != expected:
                raise SystemExit(f"{name}({value}): {executions} executions, not {expected}")
            rate = executions / seconds
            print(
                f"{f'{name}({value})':16}{strategy:10}{executions:>12}{seconds:>9.3f}{rate:>12,.0f}{peer:>10,}"
                f"{rate / peer:>8.1f}",
                flush=True,
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def timed(program: object, model: str, strategy: str) -> tuple[float, int]:
    """Processor time of one exploration, and how many executions it found."""
    started = time.process_time()
    found = porf.explore(program, model, strategy=strategy)
    seconds = time.process_time() - started
    if found.verdict != "safe":
        raise SystemExit(f"{found.program.name}: {found.verdict}: {found.reasons}")
    return seconds, found.executions


if __name__ == "__main__":
    main()
