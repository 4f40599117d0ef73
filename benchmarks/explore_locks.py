"""Programs whose threads communicate through mutexes: what an execution costs, and how many orders of sections matter.

An execution with mutexes should cost what one of as many events without them costs: the rows with ATOMIC have atomic
additions instead of sections, and what is compared is events a second. "up to" is the number of executions that
differ by more than the order of critical sections that share nothing: no others are explored without --lock-orders.
Processor time of the exploration alone, one job, the best of three.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import porf
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import find_model
from porf.programs.c import read_c
from porf.programs.form import Program
from porf.programs.python import load_programs

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    name: str
    parameters: str
    quick: str

    def program(self, quick: bool) -> Program:
        given = (self.quick if quick else self.parameters).split()
        if self.name.endswith(".py"):
            path = ROOT / "examples" / "programs" / self.name
            values = {key: int(value) for key, value in (part.split("=") for part in given)}
            return load_programs(str(path), [path.stem], values)[0]
        return read_c(str(ROOT / "benchmarks" / "programs" / self.name), [f"-D{part}" for part in given])


ROWS = (
    Row("locked-sections.c", "N=4 M=3", "N=3 M=1"),
    Row("locked-sections.c", "N=4 M=3 ATOMIC", "N=3 M=1 ATOMIC"),
    Row("locked-sections.c", "N=2 M=8", "N=2 M=2"),
    Row("locked-sections.c", "N=2 M=8 ATOMIC", "N=2 M=2 ATOMIC"),
    Row("locked-sections.c", "N=3 M=4 LOCKS=2", "N=2 M=2 LOCKS=2"),
    Row("locked-sections.c", "N=4 M=2 OWN", "N=3 M=1 OWN"),
    Row("locked-sections.c", "N=4 M=2 READS", "N=3 M=1 READS"),
    Row("locked-map.c", "N=4 M=1", "N=2 M=1"),
    Row("locked-queue.c", "N=3", "N=1"),
    Row("bank.c", "N=4 M=2 ACCOUNTS=4", "N=2 M=1"),
    Row("filesystem.c", "N=20", "N=14"),
    Row("indexer.c", "N=15 LOCKS", "N=12 LOCKS"),
    Row("condition-buffer.c", "N=3", "N=1"),
    Row("read-write-lock.c", "N=4 WRITERS=1", "N=1 WRITERS=1"),
    Row("pthread_demo.py", "loops=8", "loops=2"),
    Row("filesystem.py", "t=20", "t=14"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="rc11")
    parser.add_argument("--quick", action="store_true", help="small parameters, whose rates say little")
    options = parser.parse_args()
    print(
        f"{'program':20}{'parameters':22}{'executions':>11}{'blocked':>9}{'events':>8}{'CPU s':>9}{'per CPU s':>11}"
        f"{'events':>12}{'up to':>10}{'CPU s':>9}"
    )
    for row in ROWS:
        program = row.program(options.quick)
        seconds, executions, blocked = min(timed(program, options.model, True) for _ in range(3))
        fewer, up_to, _ = min(timed(program, options.model, False) for _ in range(3))
        size = events_of(program, options.model)
        rate = (executions + blocked) / seconds
        print(
            f"{row.name:20}{row.quick if options.quick else row.parameters:22}{executions:>11}{blocked:>9}{size:>8}"
            f"{seconds:>9.3f}{rate:>11,.0f}{rate * size:>12,.0f}{up_to:>10}{fewer:>9.3f}",
            flush=True,
        )


def timed(program: Program, model: str, lock_orders: bool) -> tuple[float, int, int]:
    """Processor time of one exploration, and how many executions it found, complete and blocked."""
    started = time.process_time()
    found = porf.explore(program, model, lock_orders=lock_orders)
    seconds = time.process_time() - started
    if found.verdict != "safe":
        raise SystemExit(f"{found.program.name}: {found.verdict}: {found.reasons}")
    return seconds, found.executions, found.blocked


def events_of(program: Program, model: str) -> int:
    """How many events the first execution has."""
    found = run(request_of(program, find_model(model), collect=True), Plan(limit=1)).findings
    return len((found.executions or found.stuck)[0])


if __name__ == "__main__":
    main()
