"""Bugs as findings: with the places of all that take part, why, what to change, and the execution step by step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from porf._core import BugKind, bug_facts
from porf.programs.form import Place
from porf.record import replace
from porf.result import Finding, Spot

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug
    from porf.exploration.graph import Shown
    from porf.exploration.repair import Repair


def findings_of(
    bugs: Sequence[Bug], file: str, again: tuple[str, str] = ("", ""), repair: Repair | None = None
) -> tuple[Finding, ...]:
    """`file` is that of places that name none; `again` stands before and after a bug's token in a command."""
    repairs = () if repair is None else tuple(map(str, repair.changes)) or (repair.why,)
    return tuple(_finding(bug, file, again, repairs) for bug in bugs)


@cache
def kinds() -> dict[str, str]:
    """What each kind of bug is, by its name in one word: data-race."""
    facts = [bug_facts(kind) for kind in BugKind.__members__.values()]
    return {rule_of(known.name): known.about for known in facts if known.name}


def rule_of(kind: str) -> str:
    return kind.replace(" ", "-")


def _finding(bug: Bug, file: str, again: tuple[str, str], repairs: tuple[str, ...]) -> Finding:
    spots = [_spot(place, file, name) for name, place in bug.where if place is not None]
    steps = steps_of(bug.execution, file)
    return Finding(
        rule=rule_of(bug.kind),
        message=bug.message,
        where=next(iter(spots or first_of(steps)), Spot(file)),
        about=kinds().get(rule_of(bug.kind), ""),
        words=() if bug.why is None else tuple(word.strip() for word in bug.why.words),
        repairs=repairs,
        related=tuple(spots[1:]),
        steps=steps,
        again=bug.token.join(again) if bug.token and any(again) else "",
    )


def steps_of(e: Shown, file: str) -> tuple[tuple[str, Spot], ...]:
    """The events that have a place, each with its thread."""
    return tuple(
        (e.thread_names[int(e.thread[row])], _spot(place, file, e.describe(row)))
        for row, place in enumerate(e.places)
        if place is not None
    )


def first_of(steps: Sequence[tuple[str, Spot]]) -> list[Spot]:
    """Where an execution begins, for what has no place of its own; services show only what has a line."""
    return [replace(spot, message="") for _, spot in steps[:1]]


def _spot(place: Place, file: str, message: str) -> Spot:
    return Spot(place.file or file, place.line, place.column, message)
