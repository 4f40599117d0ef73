"""What a test found, as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porf._core import TestSettings
from porf.programs.form import Place, Program
from porf.record import Record
from porf.result import Case, Exit
from porf.testing.coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porf.exploration.bugs import Bug
    from porf.programs.litmus import Observation
    from porf.result import View


class Testing(Record):
    """Random runs of a program under a model: how many, which bugs, how much was seen.

    >>> import porf
    >>> porf.test("examples/programs/ticket_lock.py", "ra", runs=100)
    <Testing of ticket_lock(3) under ra: no bug in 100 runs>
    """

    program: Program
    model: str
    bugs: tuple[Bug, ...]
    runs: int
    events: int
    complete: int
    blocked: int  # by an assumption or a loop that waits
    cut: int  # by the bound on events
    erroneous: int
    dead: int  # a read had no write to take: must be 0
    states: dict[tuple[int, ...], int]  # values of the watched registers -> runs that end so
    coverage: Coverage
    seconds: float
    how: TestSettings
    interrupted: bool = False
    replayed: bool = False
    reasons: tuple[str, ...] = ()  # why it is undecided
    assumptions: tuple[Place | None, ...] = ()
    spins: tuple[Place | None, ...] = ()
    observation: Observation | None = None
    allowed: frozenset[tuple[int, ...]] | None = None  # the final states that the model allows, if they are known
    by_seed: bool = False  # the run of a bug is too long for a token: the same seed makes it again
    again: tuple[str, str] = ('porf.test(…, replay="', '")')

    def __repr__(self) -> str:
        return f"<Testing of {self.program.name} under {self.model}: {self.answer}>"

    def __bool__(self) -> bool:
        raise TypeError("a test finds a bug or does not; it never shows that there is none: ask for its bugs")

    @property
    def file(self) -> str:
        """The file of places that do not name one."""
        return self.program.source or self.program.name

    @property
    def answer(self) -> str:
        runs = f"{self.runs} run{'' if self.runs == 1 else 's'}"
        if not self.bugs:
            return f"no bug in {runs}"
        return f"{self.bugs[0].kind} in run {self.runs}" if len(self.bugs) == 1 else f"{len(self.bugs)} bugs in {runs}"

    @property
    def exit_code(self) -> int:
        if self.dead:
            return Exit.BUG
        return Exit.FAILS if self.bugs else Exit.UNDECIDED if self.reasons else Exit.HOLDS

    def headline(self) -> str:
        from porf.testing.report import headline

        return headline(self)

    def report(self) -> str:
        from porf.testing.report import report

        return report(self)

    def draw(self) -> str:
        from porf.exploration.picture import draw_bug

        return draw_bug(self.bugs, self.program.name, self.model, self.file)

    def views(self) -> Iterator[View]:
        from porf.exploration.picture import views_of

        return views_of(self.bugs, self.program.name, self.model, self.file)

    def case(self) -> Case:
        from porf.exploration.findings import findings_of

        found = findings_of(self.bugs, self.file, self.again)
        return Case(f"{self.program.name} under {self.model}", self.file, self.seconds, found)

    def record(self) -> dict[str, Any]:
        """As one JSON object."""
        out: dict[str, Any] = {
            "program": self.program.name,
            "model": self.model,
            "answer": self.answer,
            "runs": self.runs,
            "events": self.events,
            "complete": self.complete,
            "blocked": self.blocked,
            "cut": self.cut,
            "errors": [{**bug.record(self.file), "again": bug.token.join(self.again)} for bug in self.bugs],
            "coverage": self.coverage.record(),
            "seed": self.how.seed,
            "scheduler": self.how.scheduler.name.lower(),
            "reading": self.how.reading.name.lower(),
            "seconds": round(self.seconds, 6),
        }
        if self.program.notes:
            out["notes"] = [*self.program.notes]
        if self.reasons:
            out["undecided"] = [*self.reasons]
        if self.observation is not None:
            out["states"] = [
                {"state": line, "runs": runs} | ({} if allowed is None else {"allowed": allowed})
                for line, runs, allowed in self.ends
            ]
        return out

    @property
    def ends(self) -> list[tuple[str, int, bool | None]]:
        """The final states of a litmus test that were seen, and those that the model allows: each as herd prints it,
        with the number of runs, and whether it is allowed, if that is known."""
        if self.observation is None:
            return []
        seen = self.observation.states
        return [
            (self.observation.line(state), seen.get(state, 0), None if self.allowed is None else state in self.allowed)
            for state in sorted({*seen, *(self.allowed or ())})
        ]
