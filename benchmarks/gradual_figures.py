"""Claim: on the histories of Figures 4, 5 and 6 of Zennou et al. 2019, auto is 100 times faster than Datalog and SAT.

Runs of the simulated cache protocols (mi, mesi and moesi in turn), rows cpu by cpu, by each procedure that decides SC
and TSO: mean processor milliseconds, and the ratio to the default on the same histories. A procedure that has used up
its seconds at a point gets no more histories there; how many it got is printed. Histories of Figure 5 have a fault.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import fmean

import measuring
from simulated import faulty, valid

from porf import check
from porf.execution import Execution

OURS = "auto"
OTHERS = ("gradual", "gradual-sat", "sat", "datalog")
OPERATIONS = [(n, 4) for n in range(100, 501, 100)]
CPUS = [(50 * cpus, cpus) for cpus in range(2, 7)]
FIGURES = {
    "4a": ("SC, valid histories, 4 cpus", "sc", OPERATIONS),
    "4b": ("SC, valid histories, 50 operations a cpu", "sc", CPUS),
    "6a": ("TSO, valid histories, 4 cpus", "tso", OPERATIONS),
    "6b": ("TSO, valid histories, 50 operations a cpu", "tso", CPUS),
}


def times(histories: list[Execution], model: str, algorithm: str, answer: str, patience: float) -> list[float]:
    """Seconds for each history, in turn, as long as there is patience; always for one."""
    out: list[float] = []

    def decide(history: Execution) -> None:
        verdict = check(history, model, algorithm=algorithm)
        assert verdict.answer == answer, f"{algorithm}: {verdict.headline()}"

    for history in histories:
        if sum(out) > patience:
            break
        out.append(measuring.once(lambda history=history: decide(history)))
    return out


def point(histories: list[Execution], model: str, answer: str, patience: float) -> Iterator[tuple[str, object]]:
    """The columns of one point of a figure."""
    ours = times(histories, model, OURS, answer, patience)
    yield "ours_ms", 1000 * fmean(ours)
    asked = []
    for algorithm in OTHERS:
        theirs = times(histories, model, algorithm, answer, patience)
        yield f"{algorithm}_ms", 1000 * fmean(theirs)
        yield f"x_{algorithm}", fmean(theirs) / fmean(ours[: len(theirs)])
        asked.append(len(theirs))
    yield "histories", f"{len(ours)}, " + " ".join(map(str, asked))


def warm_up(model: str) -> None:
    """Imports, and the model file."""
    for algorithm in (OURS, *OTHERS):
        check(valid(40, 4, 4, "sc", 0), model, algorithm=algorithm)


def on_valid(report: measuring.Report, figure: str, options: argparse.Namespace) -> None:
    title, model, points = FIGURES[figure]
    report.title(f"Fig. {figure}: {title}, {options.addresses} addresses")
    warm_up(model)
    for operations, cpus in points[-1:] if options.last else points:
        histories = [valid(operations, cpus, options.addresses, "sc", seed) for seed in range(options.histories)]
        columns = dict(point(histories, model, "consistent", options.patience))
        report.row(figure=figure, operations=operations, cpus=cpus, **columns)


def on_faulty(report: measuring.Report, options: argparse.Namespace) -> None:
    report.title(f"Fig. 5: SC, faulty histories, 100 to 400 operations, {options.addresses} addresses; proof included")
    warm_up("sc")
    weaker: dict[str, int] = {"cc": 0, "ccv": 0, "ccm": 0}
    count = 0
    for cpus in range(2, 9):
        runs = faulty("sc", cpus, options.addresses, sizes=(100, 200, 300, 400))
        histories = [next(runs).history for _ in range(options.histories)]
        columns = dict(point(histories, "sc", "inconsistent", options.patience))
        report.row(figure="5", cpus=cpus, **columns)
        count += len(histories)
        for criterion in weaker:
            weaker[criterion] += sum(check(history, criterion).inconsistent for history in histories)
    report.title("of these, violations of weaker criteria, in percent (the paper: CC or CCv 50, CCM 100)")
    report.row(histories=count, **{criterion: 100 * found / count for criterion, found in weaker.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", choices=[*FIGURES, "5"], action="append", help="one of them; all unless told")
    parser.add_argument("--histories", type=int, default=50, help="a point, of each procedure with enough patience")
    parser.add_argument("--patience", type=float, default=0.5, help="seconds of a procedure at a point")
    parser.add_argument("--last", action="store_true", help="only the largest point of Figures 4 and 6")
    parser.add_argument("--addresses", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    for figure in options.figure or [*FIGURES, "5"]:
        if figure == "5":
            on_faulty(report, options)
        else:
            on_valid(report, figure, options)


if __name__ == "__main__":
    main()
