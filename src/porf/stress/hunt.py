"""The hunt for violations: round after round on the cores, each checked against every model not yet violated."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from porf.checking import check
from porf.checking.verdict import Verdict
from porf.errors import UsageError
from porf.execution import Execution, Op
from porf.models import Model, find_model
from porf.stress.plan import Plan
from porf.stress.rounds import Rounds

SECONDS = 5.0  # how long a hunt lasts if nobody says


@dataclass
class Tally:
    """What is known of one model so far."""

    model: Model
    rounds: int = 0  # that were decided
    operations: int = 0  # in these
    violations: int = 0
    undecided: int = 0
    first: Verdict | None = None  # of the first violation
    first_round: int = 0
    first_after: int = 0  # operations, that round's included
    why_undecided: str | None = None  # of the last round that was

    def add(self, verdict: Verdict, number: int) -> None:
        if verdict.answer == "undecided":
            self.undecided += 1
            self.why_undecided = verdict.note
            return
        self.rounds += 1
        self.operations += len(verdict.execution)
        if verdict.inconsistent:
            self.violations += 1
            if self.first is None:
                self.first, self.first_round, self.first_after = verdict, number, self.operations

    def headline(self) -> str:
        """One line for people: `tso: no violation in 6,430,000 operations`."""
        if self.first is None:
            found = f"no violation in {self.operations:,} operations"
        else:
            found = f"violated in round {self.first_round}, after {self.first_after:,} operations"
            if self.operations > self.first_after:
                found += f"; in {self.violations} of {self.rounds} rounds, {self.operations:,} operations"
        if self.undecided:
            found += f"; undecided in {self.undecided} round{'s' if self.undecided > 1 else ''}: {self.why_undecided}"
        return f"{self.model.name}: {found}"


class Hunt:
    """Ends after so many rounds or seconds, after five seconds if neither is said, or when every model is violated.

    A model is checked until its first violation, or on and on if `count` is set. `patience`: how many seconds the check
    of one round may take before it is called undecided. If the hunt's time ends before that, the check has what is left
    of it, and a second at least.
    """

    def __init__(
        self,
        plan: Plan | None = None,
        models: Sequence[str | Model] = ("sc", "tso"),
        *,
        rounds: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        count: bool = False,
        patience: float = 10.0,
    ) -> None:
        found = [find_model(model) for model in models]
        self.plan = plan or Plan()
        without_sc = [model.name for model in found if "sc" not in model.header.orders]
        if without_sc and self.plan.mix[Op.FENCE] > 0:
            hint = "choose a --mix without fences: r=47,w=47,u=6"
            raise UsageError(f"{without_sc[0]} has no sc fences, but the mix contains fences", hint=hint)
        if (rounds is not None and rounds < 1) or (seconds is not None and not 0 < seconds < math.inf):
            raise UsageError("a limit is not positive", hint="leave out --rounds or --seconds, or raise it")
        self.tallies = [Tally(model) for model in found]
        self.rounds = Rounds(self.plan, seed)
        self.done = 0  # rounds that were run and checked
        self.seconds = 0.0  # how long it has lasted
        self.last: Execution | None = None
        self._most_rounds = math.inf if rounds is None else rounds
        self._most_seconds = (SECONDS if rounds is None else math.inf) if seconds is None else seconds
        self._count = count
        self._patience = patience

    @property
    def operations(self) -> int:
        return self.done * self.plan.ops

    @property
    def history(self) -> Execution | None:
        """The one to look at: that of the last violation found, otherwise that of the last round."""
        violated = [tally for tally in self.tallies if tally.first is not None]
        first = max(violated, key=lambda tally: tally.first_round).first if violated else None
        return first.execution if first is not None else self.last

    def run(
        self, found: Callable[[Tally], object] | None = None, progress: Callable[[Hunt], object] | None = None
    ) -> None:
        """Hunts, and reports each model's first violation at once. `tallies` are right also after an interruption."""
        started = time.monotonic()
        try:
            while self.done < self._most_rounds and self.seconds < self._most_seconds:
                standing = [tally for tally in self.tallies if self._count or tally.first is None]
                if not standing:
                    break
                self._check(next(self.rounds), standing, found)
                self.done += 1
                self.seconds = time.monotonic() - started
                if progress is not None:
                    progress(self)
        finally:
            self.seconds = time.monotonic() - started

    def _check(self, execution: Execution, tallies: list[Tally], found: Callable[[Tally], object] | None) -> None:
        self.last = execution
        for tally in tallies:
            stood = tally.first is None
            patience = min(self._patience, max(1.0, self._most_seconds - self.seconds))
            tally.add(check(execution, tally.model, seconds=patience), self.rounds.done)
            if stood and tally.first is not None and found is not None:
                found(tally)
