"""Runs an exploration: in one go, in several processes, or with a checkpoint; and adds up what they found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from porf import _core
from porf._core import (
    EarlyFound,
    Engine,
    ExploreResult,
    ExploreSettings,
    Findings,
    Guess,
    KeptOrder,
    Limit,
    SectionTable,
    Task,
    Unique,
)
from porf.errors import UsageError
from porf.exploration.request import Request
from porf.programs.lower import lower
from porf.record import Record, field, replace

# In findings, added up.
NUMBERS = ("complete", "blocked", "distinct", "repeated", "cut", "erroneous", "dead", "graphs", "spins", "explored")
SAVE_EVERY = 20.0  # seconds between checkpoints


class Guesses(Record):
    """Guesses of how waits end, and that threads are alike, which leave executions out: see docs/design/exploration.md.
    The core says if one is wrong; then the exploration begins anew without it."""

    woken: bool = True
    unique: Unique = Unique.ALL
    alike: bool = True
    sequences: bool = True  # release sequences are those of the engine for executions without cycles
    sections: SectionTable | None = None  # which critical sections commute, as far as that is known

    def settings(self, settings: ExploreSettings) -> ExploreSettings:
        """What the core is asked for under these guesses."""
        if self == Guesses():
            return settings
        from copy import copy  # seldom needed

        changed = copy(settings)
        changed.guess_woken = settings.guess_woken and self.woken
        changed.guess_unique = min(settings.guess_unique, self.unique, key=lambda guess: guess.value)
        changed.symmetry = settings.symmetry and self.alike
        if not self.sequences:
            changed.engine = Engine.AXIOMS
            changed.kept = settings.kept & ~KeptOrder.SEQUENCES
        if self.sections is not None:
            changed.sections = self.sections
        return changed

    def without(self, found: ExploreResult) -> Guesses:
        """Without the one that turned out wrong."""
        if found.wrong is Guess.SECTIONS:
            return replace(self, sections=found.sections)
        if found.wrong is Guess.SEQUENCES:
            return replace(self, sequences=False)
        if found.wrong is Guess.ALIKE:
            return replace(self, alike=False)
        if found.wrong is Guess.WOKEN:
            return replace(self, woken=False)
        return replace(self, unique=Unique.POINTERS if self.unique is Unique.ALL else Unique.NONE)


class Totals(Record, frozen=False):
    """What was found so far."""

    findings: Findings = field(default_factory=Findings)
    tasks: list[Task] = field(default_factory=lambda: [Task([], 0)])  # the whole
    remaining: list[Task] = field(default_factory=lambda: [Task([], 0)])
    deadly: list[Task] = field(
        default_factory=list
    )  # each ended the processes that explored it; a part of what remains
    limit: Limit = Limit.NONE
    too_large: bool = False  # an execution does not fit into the engine's tables
    commuting: bool = False  # critical sections that commute were not put in order
    earlier: int = 0  # executions that a checkpoint already had
    guesses: Guesses = field(default_factory=Guesses)
    early: EarlyFound = field(default_factory=EarlyFound)  # of what cycles of po and rf could be made
    unjudged: bool = False  # not everything is known of executions with such cycles
    unsaved: str = ""  # why the checkpoint does not have all of this

    def begin_again(self, found: ExploreResult) -> None:
        """Nothing that was found under a wrong guess counts."""
        self.guesses = self.guesses.without(found)
        self.findings, self.remaining, self.earlier, self.commuting = Findings(), self.tasks, 0, False
        self.deadly, self.early = [], EarlyFound()

    def keep_sections(self, found: ExploreResult) -> None:
        """Paths mean something only under what was known of critical sections."""
        self.commuting |= found.commuting
        self.guesses = replace(self.guesses, sections=found.sections)

    @property
    def done(self) -> int:
        """How many executions were explored, whatever became of them."""
        return self.findings.complete + self.findings.blocked + self.findings.cut + self.findings.erroneous


class Plan(Record):
    """How to run it."""

    jobs: int = 1
    checkpoint: Path | None = None
    seconds: float | None = None
    bytes: int = 0
    limit: int = 0  # executions; 0: all
    keep_going: bool = False
    stop_at_cut: bool = False
    progress: Callable[[int, int, float], object] | None = None


def run(request: Request, plan: Plan, tasks: list[Task] | None = None) -> Totals:
    """Everything that the tasks cover, or as much as the plan allows."""
    totals = Totals() if tasks is None else Totals(tasks=tasks, remaining=tasks)
    if tasks is not None or plan.checkpoint is not None:
        request = request.asking(commuting=False)  # paths and checkpoints do not know which critical sections commute
    if plan.jobs == 1 and plan.checkpoint is None:
        deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
        program = lower(request.program)
        while not _take(
            totals, request, program, plan, None if deadline is None else max(1e-3, deadline - time.monotonic())
        ):
            pass
        return totals
    if plan.checkpoint is None:
        for _ in _slices(request, plan, totals):
            pass
        return totals
    from porf.exploration.checkpoint import load_checkpoint, locked

    with locked(plan.checkpoint):
        load_checkpoint(plan.checkpoint, request, totals)
        saved = time.monotonic()
        for _ in _slices(request, plan, totals):
            if time.monotonic() - saved > SAVE_EVERY:
                _save(plan.checkpoint, request, totals)
                saved = time.monotonic()
        _save(plan.checkpoint, request, totals)
    return totals


def _slices(request: Request, plan: Plan, totals: Totals) -> Iterator[None]:
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    if plan.jobs == 1:
        return _alone(request, plan, totals, deadline)
    from porf.exploration.share import shared

    return shared(request, plan, totals, deadline)


def _save(checkpoint: Path, request: Request, totals: Totals) -> None:
    """If it cannot be saved now, what was found still counts."""
    from porf.exploration.checkpoint import save_checkpoint

    totals.unsaved = ""
    try:
        save_checkpoint(checkpoint, request, totals)
    except UsageError as error:
        totals.unsaved = error.message


class _Shown:
    """Progress of a part, added to what was done before it. The core sets `interrupted` at Ctrl-C, and stops."""

    def __init__(self, totals: Totals, progress: Callable[[int, int, float], object] | None) -> None:
        before = totals.findings
        self.before = before.complete, before.blocked, before.explored
        self.progress = progress
        self.interrupted = False

    def __call__(self, complete: int, blocked: int, share: float) -> None:
        if self.progress is not None:
            self.progress(self.before[0] + complete, self.before[1] + blocked, self.before[2] + share)


def _take(totals: Totals, request: Request, program: _core.Program, plan: Plan, seconds: float | None) -> bool:
    """One call of the core, in this process, for all that remains; False if the exploration begins anew. It is done in
    the order of paths, so that the first bug is the same however often the work was interrupted."""
    shown = _Shown(totals, plan.progress)
    found = _core.explore(
        program,
        totals.guesses.settings(request.settings),
        sorted(totals.remaining),
        limit=executions_left(totals, plan),
        seconds=seconds or 0.0,
        bytes=plan.bytes,
        progress=shown,
    )
    if found.wrong is not Guess.NONE:
        totals.begin_again(found)
        totals.limit = Limit.STOPPED if shown.interrupted else Limit.NONE
        return shown.interrupted
    totals.findings.add(found.findings)
    totals.early.add(found.early)
    totals.remaining = found.remaining
    totals.limit = Limit.STOPPED if shown.interrupted else found.limit
    totals.too_large = found.too_large
    totals.keep_sections(found)
    return True


def executions_left(totals: Totals, plan: Plan) -> int:
    """How many executions may still be met; 0: any number."""
    return max(1, plan.limit - (totals.done - totals.earlier)) if plan.limit else 0


def _alone(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Slice after slice, so that a checkpoint can be saved in between."""
    program = lower(request.program)
    while totals.remaining and not is_over(totals, plan):
        seconds = SAVE_EVERY if deadline is None else min(SAVE_EVERY, deadline - time.monotonic())
        if seconds <= 0:
            totals.limit = Limit.TIME
            return
        _take(totals, request, program, plan, seconds)
        if totals.limit is Limit.TIME:
            totals.limit = Limit.NONE  # only this slice's
        yield


def is_over(totals: Totals, plan: Plan) -> bool:
    if totals.findings.bugs and not plan.keep_going:
        return not only_earlier(totals.remaining, totals)
    if plan.limit and totals.done - totals.earlier >= plan.limit:
        return True
    if plan.stop_at_cut and totals.findings.cut:
        return True
    return totals.too_large or totals.limit in (Limit.MEMORY, Limit.STOPPED)


def only_earlier(tasks: list[Task], totals: Totals) -> list[Task]:
    """Tasks in which one process alone would look before it met the first bug that is known."""
    first = totals.findings.bugs[0].path
    return [task for task in tasks if task.path < first]
