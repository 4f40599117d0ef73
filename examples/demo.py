"""What `make demo` runs: histories against models, one violation explained and drawn, a million events, programs in all
their executions, theorems about models, and this machine's own processor."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import porf
from porf.generate import interleaving, weak
from porf.programs.python import load_programs
from porf.stress import Hunt, Tally, usable_cores

HERE = Path(__file__).parent
OUT = Path("out")
NAMES = tuple(porf.MODELS)


def show_verdicts() -> None:
    """Which models allow which of the example histories?"""
    histories = sorted((HERE / "histories").glob("*.txt"))
    width = max(len(path.stem) for path in histories)
    print(f"{'history'.ljust(width)}  {'  '.join(name.ljust(7) for name in NAMES)}".rstrip())
    for path in histories:
        execution = porf.load(path)
        marks = [mark(execution, name) for name in NAMES]
        print(f"{path.stem.ljust(width)}  {'  '.join(text.ljust(7) for text in marks)}".rstrip())


def mark(execution: porf.Execution, model: str) -> str:
    """A verdict in a word; a dash where the model does not interpret updates or fences."""
    try:
        return "yes" if porf.check(execution, model, verify=True).consistent else "no"
    except porf.PorfError:
        return "-"


def explain_violation() -> None:
    """The evidence of one verdict, in words and as a picture."""
    print((HERE / "histories" / "2+2w.txt").read_text().split("\n#\n")[0].replace("# ", "").replace("#", ""))
    print()
    verdict = porf.check(porf.load(HERE / "histories" / "2+2w.txt"), "sra", verify=True)
    print(f"{verdict.answer} in {verdict.model.name}, by {verdict.algorithm}")
    print(verdict.explain())
    OUT.mkdir(exist_ok=True)
    picture = OUT / "2+2w.svg"
    picture.write_text(verdict.draw(), encoding="utf-8")
    print(f"\ndrawn in {picture}")


def check_millions() -> None:
    """Large histories: made here, checked by the kernels."""
    runs = (
        ("weak run", weak(1_000_000, threads=8, locations=1000, seed=1), ("relaxed", "rc20", "ra", "wra")),
        ("interleaving", interleaving(1_000_000, threads=8, locations=1000, seed=1), ("sc",)),
    )
    for title, execution, models in runs:
        for model in models:
            started = time.perf_counter()
            verdict = porf.check(execution, model)
            seconds = time.perf_counter() - started
            speed = len(execution) / seconds / 1e6
            what = f"{title}, {len(execution):,} events"
            print(f"{what}: {verdict.answer} in {model} by {verdict.algorithm}, {speed:.1f} million events a second")


def explore_programs() -> None:
    """Every execution of some programs: one that is right, one with a bug, and one with half a million."""
    programs = HERE / "programs"
    for name, model, parameters in (
        ("message_passing.py", "rc11", {}),
        ("fib_bench.py", "ra", {"n": 5}),
    ):
        for program in load_programs(str(programs / name), (), parameters):
            print(f"{porf.explore(program, model).report()}\n")


def prove_theorems() -> None:
    """Results of the Kater paper: compilation schemes that are correct, and one that was believed to be."""
    for name in ("c11_to_tso", "c11_sc_accesses_to_power", "c11_orig_to_power"):
        for result in porf.prove(HERE / "proofs" / f"{name}.kat"):
            print(f"{name}: {result.verdict}: {result.statement} ({result.seconds:.2f} s)")
            if result.counterexample is not None and result.counterexample.history is not None:
                print(f"\n  {result.counterexample.word}\n\n{result.counterexample.history}")


def stress_this_machine() -> None:
    """Five seconds of random programs on the cores at hand: what did their reads see?"""

    def tell(tally: Tally) -> None:
        if tally.first is not None:
            print(tally.first.explain())
            print()

    hunt = Hunt(models=("sc", "tso"), seconds=5)
    hunt.run(tell)
    for tally in hunt.tallies:
        print(tally.headline())
    sc = hunt.tallies[0]
    if sc.violations:
        print("This very processor is not sequentially consistent: the cycle above was seen on it.")
    elif usable_cores() == 1:
        print("There is only one core, and a core alone shows its threads one order of everything.")
    else:
        print("This time it showed nothing that is not sequentially consistent. That proves nothing: try again.")


def main() -> int:
    for title, part in (
        ("Is each history allowed by each model? (all evidence verified)", show_verdicts),
        ("One violation, explained", explain_violation),
        ("Large histories", check_millions),
        ("Programs in all their executions", explore_programs),
        ("Statements about all executions, proved or refuted", prove_theorems),
        ("This machine's own processor", stress_this_machine),
    ):
        print(f"== {title}")
        part()
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
