"""Growth of the cost of an exploration with the length of its executions, where what races stays the same.

`programs/long.c` has a race of two threads with some dozen executions, and beside it steps that no other thread sees,
or that all have in one order: main fills a table, each thread writes an array of its own, makes and frees a list,
counts, or reads what main has made. The time is that of the exploration, without compiling; the exponent is fitted to
the sizes that the engine takes, 1 is best.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from measuring import exponent, peak, powers, reset_peak, seconds

import porf
from porf.programs.c import read_c

PROGRAM = str(Path(__file__).parent / "programs" / "long.c")
# How many events a step has in an execution, in all threads.
PHASES = {
    "initialisation": 1,
    "private array": 2,
    "private list": 8,
    "own counter": 2,
    "table": 3,
    "list of main": 8,
    "read after join": 4,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1_000, metavar="N", help="the smallest number of events")
    parser.add_argument("--last", type=int, default=128_000, metavar="N", help="the largest one")
    parser.add_argument("--model", action="append", help="instead of sc, tso, ra and rc11")
    options = parser.parse_args()
    print(
        f"{'phase':16}{'model':8}{'executions':>12}{'events':>9}{'ms':>10}{'us an event':>13}{'exponent':>10}{'MB':>7}"
    )
    for phase, name in enumerate(PHASES):
        for model in options.model or ("sc", "tso", "ra", "rc11"):
            measure(phase, name, model, powers(options.first, options.last))


def measure(phase: int, name: str, model: str, sizes: list[int]) -> None:
    """Ends at the first size that is too large for the engine."""
    fitting: list[int] = []
    times: list[float] = []
    executions = 0
    for events in sizes:
        n = events // PHASES[name]
        program = read_c(PROGRAM, [f"-DN={n}", f"-DPHASE={phase}"])
        reset_peak()
        found = porf.explore(program, model, unroll=10 * n)
        if found.verdict != "safe":
            break
        executions = found.executions
        fitting.append(events)
        times.append(seconds(lambda p=program, most=10 * n: porf.explore(p, model, unroll=most)))  # type: ignore[misc]
    if len(fitting) < 2:
        print(f"{name:16}{model:8}{'-':>12}")
        return
    print(
        f"{name:16}{model:8}{executions:>12}{fitting[-1]:>9,}{1000 * times[-1]:>10.1f}"
        f"{1e6 * times[-1] / fitting[-1]:>13.2f}{exponent(fitting, times):>10.2f}{peak() >> 20:>7}",
        flush=True,
    )


if __name__ == "__main__":
    main()
