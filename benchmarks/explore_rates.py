"""Executions a second of processor time, on the programs for which GenMC's rates are known.

GenMC 0.11 explores these programs under RA at the rates in the table on a machine of this kind; the ratio is ours to
that. Programs are taken from Python and from C, where there are both. The time is that of the exploration, one job,
without starting Python or compiling C. Each is the best of three, since machines are noisy. The three data structures
are ours, not GenMC's, so their rates compare roughly; there what is blocked is counted, too, on both sides. Peak memory
is that of the whole process: it must not grow with the number of executions.

With --sc one or all, the first atomic access of each program, or all of them, are sequentially consistent, and the rate
is compared with that of the program as it is, under RA.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass, replace
from pathlib import Path

import porf
from porf.execution import Order
from porf.programs.c import read_c
from porf.programs.form import Opcode, Program
from porf.programs.python import load_programs

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    name: str
    parameters: dict[str, int]
    executions: int | None  # that are known
    peer: int  # GenMC's complete executions a second, at best
    peer_all: int  # with those that are blocked
    python: bool = True
    strategies: tuple[str, ...] = ("trust", "tracer")


ROWS = (
    Row("fib-bench", {"N": 5}, 525630, 115_000, 115_000),
    Row("readers", {"N": 15}, 32768, 16_000, 16_000),
    Row("ainc", {"N": 8}, 40320, 20_000, 20_000),
    Row("indexer", {"N": 15}, 4096, 1_500, 1_500),
    Row("lastzero", {"N": 15}, 147456, 9_900, 9_900),
    Row("treiber-stack", {"BOTH": 3}, None, 3_100, 3_100 * (3600 + 4314) // 3600, python=False),
    Row("mpmc-queue", {"BOTH": 3}, None, 970, 970 * (25026 + 221991) // 25026, python=False),
    Row("ms-queue", {"BOTH": 3}, None, 700, 700 * (57390 + 591674) // 57390, python=False),
)
QUICK = {"fib-bench": {"N": 4}, "readers": {"N": 10}, "ainc": {"N": 6}, "indexer": {"N": 13}, "lastzero": {"N": 9}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="ra")
    parser.add_argument("--sc", choices=("one", "all"), help="accesses that are made sequentially consistent")
    parser.add_argument("--quick", action="store_true", help="small parameters, whose rates say little")
    options = parser.parse_args()
    if options.sc:
        compare_sc(options)
        return
    print(
        f"{'program':18}{'source':8}{'strategy':10}{'executions':>12}{'blocked':>9}{'CPU s':>9}{'per CPU s':>12}"
        f"{'GenMC':>10}{'ratio':>8}{'with blocked':>14}{'GenMC':>10}{'ratio':>8}"
    )
    for row in ROWS:
        parameters = QUICK.get(row.name, {"BOTH": 2}) if options.quick else row.parameters
        known = row.executions if options.model == "ra" and not options.quick else None
        for source, program in sources(row, parameters):
            for strategy in row.strategies:
                measure(
                    row, f"{row.name}({next(iter(parameters.values()))})", source, program, strategy, options, known
                )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def compare_sc(options: argparse.Namespace) -> None:
    """Rates of all that is explored, complete and blocked: how many are blocked is not the same."""
    print(f"{'program':18}{'source':8}{'executions':>12}{'blocked':>9}{'per CPU s':>12}{'under RA':>12}{'ratio':>8}")
    for row in ROWS:
        parameters = QUICK.get(row.name, {"BOTH": 2}) if options.quick else row.parameters
        for source, program in sources(row, parameters):
            changed = with_sc(program, options.sc == "all")
            seconds, executions, blocked = min(timed(changed, options.model, "trust") for _ in range(3))
            ra = min(timed(program, "ra", "trust") for _ in range(3))
            rate, base = (executions + blocked) / seconds, (ra[1] + ra[2]) / ra[0]
            print(
                f"{row.name:18}{source:8}{executions:>12}{blocked:>9}{rate:>12,.0f}{base:>12,.0f}{rate / base:>8.2f}",
                flush=True,
            )


def with_sc(program: Program, everything: bool) -> Program:
    """The program with its first atomic access, or all of them, sequentially consistent."""
    left, templates = True, []
    for template in program.templates:
        code = []
        for i in template.code:
            accesses = i.opcode in (Opcode.LOAD, Opcode.STORE, Opcode.RMW, Opcode.CAS) and i.order is not Order.NA
            code.append(replace(i, order=Order.SC) if accesses and (left or everything) else i)
            left &= not accesses
        templates.append(replace(template, code=tuple(code)))
    return replace(program, templates=tuple(templates))


def sources(row: Row, parameters: dict[str, int]) -> list[tuple[str, Program]]:
    """The program from Python, if it is there, and from C."""
    found = []
    if row.python:
        name = row.name.replace("-", "_")
        path = str(ROOT / "examples" / "programs" / f"{name}.py")
        found.append(("Python", load_programs(path, [name], {key.lower(): n for key, n in parameters.items()})[0]))
    path = str(ROOT / "benchmarks" / "programs" / f"{row.name}.c")
    return [*found, ("C", read_c(path, [f"-D{key}={n}" for key, n in parameters.items()]))]


def measure(
    row: Row,
    label: str,
    source: str,
    program: Program,
    strategy: str,
    options: argparse.Namespace,
    known: int | None,
) -> None:
    seconds, executions, blocked = min(timed(program, options.model, strategy) for _ in range(3))
    if known is not None and executions != known:
        raise SystemExit(f"{label} from {source}: {executions} executions, not {known}")
    rate, rate_all = executions / seconds, (executions + blocked) / seconds
    print(
        f"{label:18}{source:8}{strategy:10}{executions:>12}{blocked:>9}{seconds:>9.3f}{rate:>12,.0f}{row.peer:>10,}"
        f"{rate / row.peer:>8.1f}{rate_all:>14,.0f}{row.peer_all:>10,}{rate_all / row.peer_all:>8.1f}",
        flush=True,
    )


def timed(program: Program, model: str, strategy: str) -> tuple[float, int, int]:
    """Processor time of one exploration, and how many executions it found, complete and blocked."""
    started = time.process_time()
    found = porf.explore(program, model, strategy=strategy, symmetry=False)  # executions, one by one
    seconds = time.process_time() - started
    if found.verdict != "safe":
        raise SystemExit(f"{found.program.name}: {found.verdict}: {found.reasons}")
    return seconds, found.executions, found.blocked


if __name__ == "__main__":
    main()
