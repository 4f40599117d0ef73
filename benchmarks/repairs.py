"""Repairs of seeded bugs: an order, or a fence, of a lock, a queue or a stack is too weak, and `porf explore` says what
to change.

Each program of benchmarks/programs gets the weakest orders that it needs; then one of them is made weaker by one step,
or a fence is left out. `changes` is what is suggested. It is *right* if the program is safe with it; that is explored
anew. `beyond` is the CPU time beyond the exploration that found the bug.
"""

from __future__ import annotations

import argparse
import time

import porf
from porf.programs.form import Program
from porf.programs.sites import with_orders
from porf.synthesis.repairs import repairs

PROGRAMS = (
    ("ttas-lock", {"N": 2}),
    ("ticket-mutex", {"N": 2}),
    ("mcs-lock", {"N": 2}),
    ("clh", {"N": 2, "ROUNDS": 2}),
    ("treiber-stack", {"BOTH": 2}),
    ("ms-queue", {"BOTH": 2}),
    ("spsc-queue", {"N": 2}),
    ("buf-ring", {}),
    ("seqlock", {"N": 2, "MIXED": 1}),
    ("chase-lev", {"N": 2}),
    ("mutex", {"N": 2}),
    ("linux-rwlocks", {}),
    ("twa-lock", {"N": 2}),
    ("dekker", {}),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="rc11")
    options = parser.parse_args()
    right = bugs = 0
    print(f"{'program':16} {'line':>4} {'seeded':42} {'bug':20} {'beyond':>6}  suggestion")
    for name, defines in PROGRAMS:
        program = porf.load_program(f"benchmarks/programs/{name}.c", defines=defines)
        assert isinstance(program, Program)
        needed = porf.orders(program, options.model).orders()
        for site, strength in needed.items():
            for weaker in site.weaker(strength):
                if weaker not in site.legal():
                    continue
                broken = with_orders(program, {**needed, site: weaker})
                found = porf.explore(broken, options.model, liveness=True)
                if found.verdict != "unsafe":
                    continue
                bugs += 1
                started = time.process_time()
                repair = repairs(broken, options.model, found, liveness=True)
                spent = time.process_time() - started
                right += bool(repair.changes)
                said = "; ".join(map(str, repair.changes)) or repair.why
                seeded = f"{site.kind} {strength} -> {weaker}"
                print(
                    f"{name:16} {site.place.line:4} {seeded:42} {found.bugs[0].kind:20} {spent:6.2f}  "
                    f"{said.replace('benchmarks/programs/', '')} ({repair.executions})",
                    flush=True,
                )
    print(f"{right} of {bugs} bugs have a repair that was explored and is safe")


if __name__ == "__main__":
    main()
