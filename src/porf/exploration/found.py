"""What an exploration found, as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porf._core import Engine, engine_facts
from porf.exploration.sources import place_text
from porf.programs.form import Place, Program
from porf.record import Record, field
from porf.result import Case, Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porf.exploration.bugs import Bug
    from porf.exploration.repair import Repair
    from porf.programs.litmus import Observation
    from porf.result import View


CANDIDATES = "candidates"  # the algorithm for models under which program order and reads-from may form a cycle


class Exploration(Record):
    """The executions of a program under a model: how many, which final states, which bugs.

    >>> import porf
    >>> porf.explore("examples/programs/message_passing.py:message_passing_relaxed", "rc11")
    <Exploration of message_passing_relaxed under rc11: unsafe, 0 executions, 1 bug>

    The verdict is "unsafe" if there is a bug, or an execution that the condition of a litmus test excludes; "safe" if
    everything was explored and there is none; otherwise "undecided".
    """

    program: Program
    model: str
    verdict: str
    executions: int  # complete; in all, those included that differ by a permutation of threads
    blocked: int  # by an assumption, a loop that spins forever, or a lock behind one of these
    bugs: tuple[Bug, ...]
    states: dict[tuple[int, ...], int]  # values of the watched registers -> executions that end so
    algorithm: str
    seconds: float
    finished: bool
    interrupted: bool = False
    replayed: bool = False  # one execution alone
    reasons: tuple[str, ...] = ()  # why it is undecided
    unsaved: str = ""  # why the checkpoint does not have what was found
    spins: tuple[Place | None, ...] = ()  # loops that were pruned: an iteration had no effect
    cuts: tuple[Place | None, ...] = ()  # loops that ran too often
    turns: int = 0  # for which they may be followed instead
    further: tuple[str, str] = ("porf.explore(…, unroll=", ")")  # what does that, before and after this number
    assumptions: tuple[Place | None, ...] = ()  # those that failed in an execution
    duplicates: int | None = None  # None: they were not looked for
    statistics: dict[str, Any] = field(default_factory=dict)
    up_to_symmetry: int | None = (
        None  # complete executions that differ by more than such a permutation, if that is fewer
    )
    up_to_lock_orders: bool = (
        False  # executions that differ only in the order of critical sections that commute are one
    )
    flags: dict[str, int] = field(default_factory=dict)  # of the model: in how many executions each is raised
    observation: Observation | None = None  # of a litmus test: its final states against its condition
    repair: Repair | None = None  # what was suggested for the bugs
    again: tuple[str, str] = ('porf.explore(…, replay="', '")')  # what replays a bug, before and after its token

    def __repr__(self) -> str:
        parts = [self.verdict, f"{self.executions} execution{'' if self.executions == 1 else 's'}"]
        if self.bugs:
            parts.append(f"{len(self.bugs)} bug{'' if len(self.bugs) == 1 else 's'}")
        return f"<Exploration of {self.program.name} under {self.model}: {', '.join(parts)}>"

    def __bool__(self) -> bool:
        raise TypeError("an exploration is safe, unsafe or undecided: ask for its verdict")

    @property
    def file(self) -> str:
        """The file of places that do not name one."""
        return self.program.source or self.program.name

    @property
    def impossible(self) -> bool:
        """An execution was explored twice, or was stuck although its engine is made for its model: a bug in porf."""
        dead = self.statistics["dead"] and not self.algorithm.endswith(f"/{engine_facts(Engine.AXIOMS).family}")
        return bool(self.duplicates or dead)

    @property
    def vacuous(self) -> str:
        """Why it says little that there is no bug: every execution is blocked. Empty if some execution is complete."""
        if self.verdict != "safe" or self.executions or not self.blocked:
            return ""
        failed = [place_text(place, self.file) for place in self.assumptions]
        waiting = [place_text(place, self.file) for place in self.spins]
        causes = [f"the assumption at {' or '.join(failed)} fails"] if failed else []
        causes += [f"the loop at {' or '.join(waiting)} waits (--liveness says whether for ever)"] if waiting else []
        return f"no execution is complete: in each, {', or '.join(causes) or 'a thread waits'}"

    @property
    def exit_code(self) -> int:
        if self.impossible:
            return Exit.BUG
        return {"safe": Exit.HOLDS, "unsafe": Exit.FAILS, "undecided": Exit.UNDECIDED}[self.verdict]

    def headline(self) -> str:
        from porf.exploration.report import headline

        return headline(self)

    def report(self) -> str:
        from porf.exploration.report import report

        return report(self)

    def draw(self) -> str:
        from porf.exploration.picture import draw_bug

        return draw_bug(self.bugs, self.program.name, self.model, self.file)

    def views(self) -> Iterator[View]:
        from porf.exploration.picture import views_of

        return views_of(self.bugs, self.program.name, self.model, self.file)

    def case(self) -> Case:
        from porf.exploration.findings import findings_of

        found = findings_of(self.bugs, self.file, self.again, self.repair)
        return Case(f"{self.program.name} under {self.model}", self.file, self.seconds, found)

    def record(self) -> dict[str, Any]:
        """As one JSON object."""
        out: dict[str, Any] = {
            "program": self.program.name,
            "model": self.model,
            "verdict": self.verdict,
            "executions": self.executions,
            "blocked": self.blocked,
            "errors": [{**bug.record(self.file), "again": bug.token.join(self.again)} for bug in self.bugs],
            "algorithm": self.algorithm,
            "seconds": round(self.seconds, 6),
        }
        if self.up_to_symmetry is not None:
            out["up_to_symmetry"] = self.up_to_symmetry
        if self.up_to_lock_orders:
            out["up_to_lock_orders"] = True
        if notes := [*self.program.notes, *filter(None, [self.unsaved, self.vacuous])]:
            out["notes"] = notes
        if self.flags:
            out["flags"] = self.flags
        if self.repair is not None:
            out["repair"] = self.repair.record(self.file)
        if self.reasons:
            out["undecided"] = list(self.reasons)
        if self.duplicates is not None:
            out["duplicates"] = self.duplicates
        if self.observation is not None:
            out |= self.observation.record()
            if not self.finished and out["observation"] != "Sometimes":
                out["observation"] = None  # what is left may change it
        return out
