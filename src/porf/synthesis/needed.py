"""What orders programs need, as one value: asked for, found, and in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from porf._core import Engine, engine_facts
from porf.exploration.found import Exploration
from porf.exploration.sources import place_text
from porf.models.registry import Model
from porf.programs.sites import Site, Strength
from porf.record import Record, field, replace
from porf.result import Case, Exit, nothing_to_draw
from porf.synthesis.choices import Choice, Space, space_of
from porf.synthesis.clients import Client
from porf.synthesis.costs import Cost
from porf.synthesis.judge import Answer, Judge
from porf.synthesis.patch import Patch, patch_of
from porf.synthesis.search import Found, Search

if TYPE_CHECKING:
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest


class Orders(Record, eq=False):
    """What orders programs need under a model.

    >>> import porf
    >>> porf.orders("examples/litmus/MP+relaxed.litmus", "rc11")
    <Orders of MP+relaxed under rc11: unsafe, 2 changes>

    The verdict is "safe" if they are safe as they are written: then each choice has the weakest orders that keep them
    so. It is "unsafe" if they are not: then each choice has the least stronger orders that make them so, and there is
    none if no order does. It is "undecided" if that is not known, or not whether some order can be weaker.
    """

    programs: tuple[Program | LitmusTest, ...]
    model: str
    verdict: str
    space: Space
    choices: tuple[Choice, ...]
    seconds: float
    executions: int = 0  # of all programs, with the first choice
    open: tuple[Site, ...] = ()  # it is not known whether these can be weaker
    complete: bool = False  # there are no other choices that are minimal
    every: bool = False  # all were asked for
    monotone: bool = True  # stronger orders only forbid more, so that an execution tells of many choices
    found: Exploration | None = None  # a bug of the programs as they are written, or why nothing is known of it
    strongest: Exploration | None = None  # a bug that they also have with the strongest orders,
    under_sc: Exploration | None = None  # and what there is under SC
    explored: int = 0
    known: int = 0
    checked: int = 0
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fixed: Mapping[Site, Strength] = field(default_factory=dict)
    costs: str = ""  # by whose table choices are compared
    liveness: bool = True  # waiting for ever is a bug
    interrupted: bool = False

    def __repr__(self) -> str:
        changes = f", {len(self.changes())} changes" if self.choices else ""
        return f"<Orders of {self.name} under {self.model}: {self.verdict}{changes}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("orders are safe, unsafe or undecided: ask for their verdict")

    @property
    def name(self) -> str:
        return ", ".join(program.name for program in self.programs)

    def orders(self, number: int = 0) -> dict[Site, Strength]:
        """The order of each site by one of the choices."""
        return self.space.orders(self.choices[number])

    def changes(self, number: int = 0) -> dict[Site, Strength]:
        """Those that are not as they are written."""
        if not self.choices:
            return {}
        return {site: strength for site, strength in self.orders(number).items() if strength != site.strength}

    def patch(self, number: int = 0) -> Patch:
        """The sources with a choice's orders."""
        return patch_of(self.changes(number))

    @property
    def exit_code(self) -> int:
        return {"safe": Exit.HOLDS, "unsafe": Exit.FAILS, "undecided": Exit.UNDECIDED}[self.verdict]

    def headline(self) -> str:
        from porf.synthesis.report import headline

        return headline(self)

    def report(self) -> str:
        from porf.synthesis.report import report

        return report(self)

    def record(self) -> dict[str, Any]:
        from porf.synthesis.report import record

        return record(self)

    def case(self) -> Case:
        """The bugs of the programs as they are written, with the first choice of stronger orders as their repair."""
        found = self.found
        file = "" if found is None else found.file
        wrong = () if found is None or self.verdict != "unsafe" else found.case().findings
        changes = tuple(
            f"{place_text(site.place, file)}: {site.strength} -> {strength}"
            for site, strength in self.changes().items()
        )
        wrong = tuple(replace(one, repairs=changes, again="") for one in wrong)
        return Case(f"orders of {self.name} under {self.model}", file, self.seconds, wrong)

    def draw(self) -> str:
        for found in (self.under_sc, self.strongest, self.found):
            if found is not None and found.bugs:
                return found.draw()
        raise nothing_to_draw("no execution has a bug")


def needed(
    clients: Sequence[Client],
    sites: Sequence[Site],
    model: Model,
    *,
    fixed: Mapping[Site, Strength],
    every: bool,
    costs: Cost,
    named_costs: str,
    seconds: float | None,
    said: float | None,
    checkpoint: Path | None,
    progress: Callable[[int, int], object] | None,
    started: float,
    **options: Any,
) -> Orders:
    """Options are those of `porf.explore`."""
    from porf.synthesis.checkpoint import Saved

    space = space_of(sites, fixed=fixed, without_sc="sc" not in model.header.orders, cost=costs)
    judge = Judge(clients, space, model, seconds=seconds, progress=progress, **options)
    written = space.written
    with Saved(checkpoint, judge, model) as saved:
        first = Answer("safe") if written in judge.safe else judge.ask(written)
        saved.step()
        facts: dict[str, Any] = {
            "programs": tuple(client.program for client in clients),
            "model": model.name,
            "every": every,
            "fixed": fixed,
            "found": first.found,
            "costs": named_costs,
            "liveness": bool(options.get("liveness")),
        }
        found, verdict = Found(), first.verdict
        if first.verdict == "safe":
            found = Search(judge, space.lowest, written, every=every, step=saved.step).run()
            if found.open or judge.spent:
                verdict = "undecided"
        elif first.verdict == "unsafe":
            highest = space.highest
            best = first if highest == written else judge.ask(highest)
            if best.verdict == "unsafe":
                assert best.client is not None
                facts["strongest"] = best.found
                facts["under_sc"] = judge.explore(best.client, written, "sc")
                found.complete = True
            else:
                found = Search(judge, written, highest, every=every, step=saved.step).run()
                if found.open or judge.spent or not found.minimal:
                    verdict = "undecided"
    return _made(judge, found, verdict, first, time.perf_counter() - started, said, facts)


def _made(
    judge: Judge,
    found: Found,
    verdict: str,
    first: Answer,
    seconds: float,
    said: float | None,
    facts: Mapping[str, Any],
) -> Orders:
    reasons = first.reasons if first.verdict == "undecided" else ()
    if verdict == "undecided" and not reasons:
        if judge.interrupted:
            reasons = ("it was interrupted",)
        elif judge.spent:
            reasons = ("the time is up" + (f" ({said:g} s)" if said is not None else ""),)
    return Orders(
        verdict=verdict,
        space=judge.space,
        choices=tuple(found.minimal),
        seconds=seconds,
        executions=judge.executions.get(found.minimal[0], 0) if found.minimal else 0,
        open=tuple(dict.fromkeys(judge.space.domains[at].site for at, _ in found.open)),
        complete=found.complete,
        monotone=judge.monotone,
        explored=judge.explored,
        known=judge.known,
        checked=judge.checked,
        reasons=reasons,
        notes=_notes(judge),
        interrupted=judge.interrupted,
        **facts,
    )


def _notes(judge: Judge) -> tuple[str, ...]:
    model = judge.model
    notes = []
    if model.engine is not Engine.AXIOMS and not engine_facts(model.engine).orders:
        notes.append(f"under {model.name}, the orders of accesses make no difference")
    if not judge.monotone:
        notes.append(f"stronger orders are not known to forbid more under {model.name}: each choice is explored")
    return tuple(notes)
