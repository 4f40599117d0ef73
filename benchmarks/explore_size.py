"""Growth of the cost of an exploration with the length of its executions, where what races stays the same.

`programs/long.c` has a race of two threads with a handful of executions, and before it N steps that no other thread
sees: main initialises an array, each thread writes an array of its own, makes and frees a list, or counts. The time is
that of the exploration, without compiling; the exponent is fitted to the sizes that the engine takes, 1 is best.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from measuring import exponent, peak, powers, seconds

import porf
from porf.programs.c import read_c

PROGRAM = str(Path(__file__).parent / "programs" / "long.c")
PHASES = ("initialisation", "private array", "private list", "own counter")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=500, metavar="N", help="the smallest number of steps")
    parser.add_argument("--last", type=int, default=16_000, metavar="N", help="the largest one")
    options = parser.parse_args()
    print(f"{'phase':16}{'model':8}{'executions':>12}{'largest N':>11}{'events':>9}{'ms':>10}{'exponent':>10}{'MB':>7}")
    for phase, name in enumerate(PHASES):
        for model in ("sc", "tso", "ra", "rc11"):
            measure(phase, name, model, powers(options.first, options.last))


def measure(phase: int, name: str, model: str, sizes: list[int]) -> None:
    """Ends at the first size that is too large for the engine."""
    fitting: list[int] = []
    times: list[float] = []
    executions = 0
    for n in sizes:
        program = read_c(PROGRAM, [f"-DN={n}", f"-DPHASE={phase}"])
        found = porf.explore(program, model, unroll=10 * n)
        if found.verdict != "safe":
            break
        executions = found.executions
        fitting.append(n)
        times.append(seconds(lambda p=program, most=10 * n: porf.explore(p, model, unroll=most)))  # type: ignore[misc]
    if len(fitting) < 2:
        print(f"{name:16}{model:8}{'-':>12}")
        return
    events = fitting[-1] * (1, 2, 8, 2)[phase]
    print(
        f"{name:16}{model:8}{executions:>12}{fitting[-1]:>11,}{events:>9,}{1000 * times[-1]:>10.1f}"
        f"{exponent(fitting, times):>10.2f}{peak() >> 20:>7}",
        flush=True,
    )


if __name__ == "__main__":
    main()
