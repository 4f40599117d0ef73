"""Classes of executions: what distinguishes explored executions, for tests and for small programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from porf._core import EventKind, ExploredEvent
from porf.execution import OP_LETTERS
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import find_model
from porf.programs.form import Program

Name = tuple[int, int]  # a thread, and an index among its accesses, fences and choices
Listed = tuple[str, int, int, Name | None, int | None, int | None]
Class = tuple[tuple[Listed, ...], ...]
Written = tuple[tuple[int, tuple[Name, ...]], ...]


def classes(
    program: Program,
    model: str | Path,
    strategy: str = "trust",
    equivalence: str = "rf",
    spurious: bool = True,
    all_blocked: bool = True,
) -> tuple[list[Any], list[Class]]:
    """Every complete and every blocked execution, in the order of exploration. Without `all_blocked`, blocked ones that
    show nothing of their own are left out, as in every other exploration.

    A complete one is a class; where modification orders are distinguished, it is a class and its order.
    """
    request = request_of(
        program,
        find_model(model),
        strategy=strategy,
        equivalence=equivalence,
        keep_going=True,
        spurious=spurious,
        all_blocked=all_blocked,
        collect=True,
        symmetry=False,
    )
    found = run(request, Plan(keep_going=True)).findings
    if found.dead:
        raise AssertionError(f"{found.dead} graphs could not continue")
    executions = found.executions
    complete: list[Any] = [class_of(program, rows) for rows in executions]
    if equivalence == "mo":
        pairs = zip(complete, executions, found.orders, strict=True)
        complete = [(c, written_of(rows, order)) for c, rows, order in pairs]
    return complete, [class_of(program, rows) for rows in found.stuck]


def class_of(program: Program, rows: Sequence[ExploredEvent]) -> Class:
    """Of each thread its accesses and fences, with their sources, and its choices."""
    names = names_of(rows)
    started = (r.other + 1 for r in rows if r.kind == EventKind.SPAWN)
    threads = max([len(program.starts), *started, *(r.thread + 1 for r in rows)])
    listed: list[list[Listed]] = [[] for _ in range(threads)]
    for n in names:
        row = rows[n]
        chosen = row.kind == EventKind.CHOOSE
        source = names[row.source] if row.source >= 0 else None
        read, written = row.read if row.reads or chosen else None, row.written if row.writes else None
        letter = "c" if chosen else OP_LETTERS[row.kind]
        listed[row.thread].append((letter, row.pointer, row.order, source, read, written))
    return tuple(tuple(events) for events in listed)


def written_of(rows: Sequence[ExploredEvent], order: Sequence[int]) -> Written:
    """A modification order: of each place that is written, its writers."""
    names = names_of(rows)
    places: dict[int, list[Name]] = {}
    for n in order:
        places.setdefault(rows[n].pointer, []).append(names[n])
    return tuple((place, tuple(places[place])) for place in sorted(places))


def names_of(rows: Sequence[ExploredEvent]) -> dict[int, Name]:
    """What is listed of each thread, in program order: accesses, fences and choices, but no lock that waits."""
    count: dict[int, int] = {}
    names: dict[int, Name] = {}
    listed = (n for n, r in enumerate(rows) if (r.access or r.kind == EventKind.CHOOSE) and not r.waits)
    for n in sorted(listed, key=lambda n: rows[n].index):
        thread = rows[n].thread
        names[n] = (thread, count.get(thread, 0))
        count[thread] = names[n][1] + 1
    return names
