"""The papers' tables of programs, row by row: our executions and time beside the figures that they print.

The programs are the C files in benchmarks/programs, compiled before the clock starts. Times are of the processor, one
job; the papers' are of their machines, so read the ratios as orders of magnitude. Where counts show that the program is
the paper's, `=` says that they agree (`!`: they do not, and why), and the ratio is the paper's time (Tracer's, or
Kater's for the model) to ours. Elsewhere ours is a program of that name, and neither counts nor times compare.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from paper_tables import TABLES, Row, Table

import porf
from porf.programs.c import read_c

PROGRAMS = Path(__file__).parent / "programs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds a row; 10 if not said")
    parser.add_argument("--quick", action="store_true", help="only rows of small parameters")
    parser.add_argument("--table", default="", help="only tables whose title has this in it, such as 'Table 5'")
    parser.add_argument("--strategy", choices=("trust", "tracer"), default="trust")
    options = parser.parse_args()
    porf.explore(read_c(str(PROGRAMS / "readers.c"), ["-DN=1"]), "ra")  # what is loaded once counts for no row
    for table in TABLES:
        if options.table in table.title:
            show(table, options.timeout, options.quick, options.strategy)


def show(table: Table, timeout: float, quick: bool, strategy: str) -> None:
    print(f"\n{table.title}")
    print(
        f"{'program':24}{'model':6}{'executions':>11} {'':2}{'printed':>10}{'blocked':>9}{'CPU s':>8}{'per s':>11}"
        f"{'ratio':>8}  the paper's seconds, or executions"
    )
    for row in table.rows:
        if quick and not row.quick:
            continue
        for model, peer in table.peers.items():
            print(line_of(row, model, peer, table.reference, timeout, strategy), flush=True)
        if row.note:
            print(f"{'':24}{row.note}")


def line_of(row: Row, model: str, peer: str, reference: str, timeout: float, strategy: str) -> str:
    """One row under one model."""
    arguments = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in row.defines.items()]
    program = read_c(str(PROGRAMS / f"{row.file}.c"), arguments)
    started = time.process_time()
    # As the papers count: executions, one by one.
    found = porf.explore(program, model, strategy=strategy, seconds=timeout, keep_going=True, symmetry=False)
    seconds = time.process_time() - started
    finished = found.verdict != "undecided"
    printed = row.counts.get(reference)
    same = "" if not (row.same and finished) else "=" if found.executions == printed else "!"
    total = found.executions + found.blocked
    theirs = row.times.get(peer)
    ratio = f"{theirs / seconds:.1f}" if theirs and finished and row.same else "-"
    kinds = sorted({bug.kind for bug in found.bugs})
    return (
        f"{row.name:24}{model:6}{found.executions:>10}{' ' if finished else '+'} {same:2}{printed or '-':>10}"
        f"{found.blocked:>9}{seconds:>8.2f}{total / seconds:>11,.0f}{ratio:>8}  {figures(row)}"
        + ("" if finished else f"; stopped after {timeout:g} s")
        + (f"; {', '.join(kinds)}" if kinds else "")
    )


def figures(row: Row) -> str:
    """What the paper prints of the tools that it compares."""
    if row.times:
        return ", ".join(f"{tool} {'-' if t is None else f'{t:g}'}" for tool, t in row.times.items())
    return ", ".join(f"{tool} {count:,}" for tool, count in row.counts.items() if count is not None)


if __name__ == "__main__":
    main()
