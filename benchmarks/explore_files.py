"""Executions a second of processor time under model files, beside the engines that are written by hand.

The built-in files are given as a user's would be. *Recognised* is a copy, which is proved equivalent to the built-in
model and explored by its engine; *compiled* is the file itself, treated like one that is equivalent to none, with the
races of its own `hb`; *changed* is a copy with another axiom, whose executions need not be the model's. The time is
that of the exploration, one job, the best of three; a run ends after some seconds, and then what it had found counts.
The programs have the orders of their sources, and then only sequentially consistent ones.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import porf
from porf._core import Order
from porf.models.registry import FOLDER
from porf.programs.c import read_c
from porf.programs.form import Program

PROGRAMS = Path(__file__).parent / "programs"
ROWS: tuple[tuple[str, dict[str, int]], ...] = (
    ("fib-bench", {"N": 5}),
    ("readers", {"N": 13}),
    ("ainc", {"N": 7}),
    ("indexer", {"N": 15}),
    ("lastzero", {"N": 12}),
    ("treiber-stack", {"BOTH": 3}),
    ("mpmc-queue", {"BOTH": 3}),
    ("ms-queue", {"BOTH": 3}),
    ("lamport", {"N": 3}),
    ("dekker", {"N": 4}),
    ("parker", {"N": 2}),
    ("szymanski", {"N": 3}),
    ("peterson", {"N": 4}),
)
# What is written instead of what, in a file that is like the model's and not equivalent to it.
CHANGES = {
    "rc11": ("acyclic psc-base | psc-F", "acyclic psc-F"),
    "tso": ("po \\ (", "po \\ ((M * F) | "),
    "ra": ("irreflexive fr; mo", "acyclic (po; [F]; po) | rf | mo | fr as fences\nirreflexive fr; mo"),
    "sc": ("acyclic po | rf", "acyclic (po \\ ([F]; po)) | rf"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run; 2 if not said")
    parser.add_argument("--models", default="rc11,ra,tso,sc")
    parser.add_argument("--only", default="", help="programs whose names have this in them")
    parser.add_argument("sources", nargs="*", help="C files to measure instead")
    options = parser.parse_args()
    columns = "".join(f"{name:>12}" for name in ("by hand", "recognised", "compiled", "changed"))
    print(f"{'program':22}{'orders':8}{'model':6}{columns}   ratios")
    with tempfile.TemporaryDirectory() as folder:
        for label, orders, program in programs(options):
            for model in options.models.split(","):
                if orders != "sc" or model in ("rc11", "cpp20"):
                    show(label, orders, program, model, Path(folder), options.seconds)


def programs(options: argparse.Namespace) -> list[tuple[str, str, Program]]:
    if options.sources:
        return [(Path(path).name, "", read_c(path, [])) for path in options.sources]
    found = []
    for name, parameters in ROWS:
        if options.only in name:
            program = read_c(str(PROGRAMS / f"{name}.c"), [f"-D{key}={n}" for key, n in parameters.items()])
            label = f"{name}({next(iter(parameters.values()))})"
            found += [(label, "own", program), (label, "sc", all_sc(program))]
    return found


def all_sc(program: Program) -> Program:
    """The program with every atomic access and fence sequentially consistent."""

    def strong(order: Order) -> Order:
        return order if order is Order.NA else Order.SC

    templates = tuple(
        replace(t, code=tuple(replace(i, order=strong(i.order), failure=strong(i.failure)) for i in t.code))
        for t in program.templates
    )
    return replace(program, templates=templates)


def show(label: str, orders: str, program: Program, model: str, folder: Path, seconds: float) -> None:
    text = (FOLDER / f"{model}.cat").read_text()
    copy, changed = folder / f"my-{model}.cat", folder / f"other-{model}.cat"
    copy.write_text(text)
    changed.write_text(text.replace(*CHANGES[model]))
    rates = [rate(program, file, seconds) for file in (model, copy, FOLDER / f"{model}.cat", changed)]
    ratios = " ".join(f"{one / rates[0]:6.2f}" for one in rates[1:])
    print(f"{label:22}{orders:8}{model:6}" + "".join(f"{one:>12,.0f}" for one in rates) + f"   {ratios}", flush=True)


def rate(program: Program, model: str | Path, seconds: float) -> float:
    """Complete and blocked executions a second. What is loaded once, and kept, does not count."""
    porf.explore(program, model, limit=1, keep_going=True, symmetry=False)
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        found = porf.explore(program, model, seconds=seconds, keep_going=True, symmetry=False)
        spent = time.process_time() - started
        best = max(best, (found.executions + found.blocked) / spent)
    return best


if __name__ == "__main__":
    main()
