"""An exploration in words: the answer, what it rests on, and each bug with the execution that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from porf.execution import INITIAL
from porf.explore.bugs import Bug, told
from porf.explore.exploration import Exploration
from porf.programs.form import Place

WIDEST = 100  # columns of a table; beyond that, threads stand below each other


def told_exploration(found: Exploration, file: str, command: str) -> str:
    """The answer for people. `command` is how porf was called, for the replay."""
    lines = [f"{found.program.name}: {found.verdict} under {found.model}{_because(found)}"]
    lines.append(f"  {_counts(found)}")
    for place in found.spins:
        lines.append(
            f"  the loop at {told(place, file)} only waits: an iteration without effect ends the execution there"
        )
    for place in found.cuts:
        lines.append(f"  the loop at {told(place, file)} runs long: --unroll N cuts loops after N iterations")
    for bug in found.bugs:
        lines += ["", *told_bug(bug, file, command)]
    return "\n".join(lines)


def _because(found: Exploration) -> str:
    if found.verdict == "undecided":
        return ": " + "; ".join(found.reasons)
    if found.verdict == "unsafe":
        kinds = [bug.kind for bug in found.bugs]
        return ": " + ", ".join(dict.fromkeys(kinds))
    return ""


def _counts(found: Exploration) -> str:
    parts = [f"{found.executions} complete execution{'s' if found.executions != 1 else ''}"]
    if found.blocked:
        parts.append(f"{found.blocked} blocked")
    if found.statistics.get("erroneous"):
        parts.append(f"{found.statistics['erroneous']} ended by an error")
    if found.statistics.get("cut"):
        parts.append(f"{found.statistics['cut']} cut")
    if found.estimate is not None and not found.finished:
        parts.append(f"about {found.estimate:.3g} in all, by what was seen")
    if found.duplicates is not None:
        parts.append(f"{found.duplicates} duplicates")
    rate = f", {found.executions / found.seconds:,.0f}/s" if found.seconds > 0.01 else ""
    return f"{', '.join(parts)} ({found.algorithm}, {found.seconds:.3g} s{rate})"


def told_bug(bug: Bug, file: str, command: str) -> list[str]:
    """What, where, the execution as a table, and how to see it again."""
    lines = [f"{bug.kind}: {bug.message}"]
    for thread, place in bug.where:
        lines.append(f"  {told(place, file)} in {thread}")
    lines += ["  The execution:", *(f"    {line}" for line in table(bug))]
    lines.append(f"  Again: {command} --replay {bug.token}")
    return lines


def table(bug: Bug) -> list[str]:
    """The execution with a column a thread, each event below what it stands on; `<-` says where a value is from."""
    e = bug.execution
    cells = [_cell(bug, row) for row in range(len(e))]
    widths = [
        max([len(e.thread_names[t]), *(len(c) for r, c in enumerate(cells) if e.thread[r] == t)])
        for t in range(e.threads)
    ]
    if sum(widths) + 3 * e.threads + 8 > WIDEST:
        return _listing(bug, cells)
    lines = ["       " + "   ".join(name.ljust(w) for name, w in zip(e.thread_names, widths, strict=True)).rstrip()]
    for row, cell in enumerate(cells):
        before = sum(widths[: e.thread[row]]) + 3 * int(e.thread[row])
        mark = ">" if row in bug.marked else " "
        lines.append(f"{mark} {e.name(row):<4} {' ' * before}{cell}")
    return lines


def _listing(bug: Bug, cells: Sequence[str]) -> list[str]:
    e = bug.execution
    width = max(len(name) for name in e.thread_names)
    return [
        f"{'>' if row in bug.marked else ' '} {e.name(row):<4} {e.thread_names[e.thread[row]]:<{width}}  {cell}"
        for row, cell in enumerate(cells)
    ]


def _cell(bug: Bug, row: int) -> str:
    e = bug.execution
    source = ""
    if e.reads(row):
        source = " <- init" if e.rf[row] == INITIAL else f" <- {e.name(int(e.rf[row]))}"
    return f"{e.describe(row)}{source}{_line(bug.places[row])}"


def _line(place: Place | None) -> str:
    return "" if place is None else f"  :{place.line}"
