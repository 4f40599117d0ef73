"""Robustness: are all executions of a program under a model sequentially consistent? Then reasoning with interleavings
is enough. If one is not, the smallest is shown, with the cycle for which it has no order.

All executions are counted under the model and under SC. A model that allows what SC allows has as many only if it has
no others. Where that does not settle it, executions are looked at one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from porf._core import Engine, ExploredEvent, Limit, Task, Unique
from porf.checking import check
from porf.errors import UsageError
from porf.exploration import DEFAULT_MODEL
from porf.exploration.graph import Shown, prefix_of
from porf.exploration.history import Graph
from porf.exploration.request import Request, opened, request_of
from porf.exploration.run import Plan, Totals, run
from porf.record import Record, replace
from porf.result import Case, Exit, Finding, Spot, nothing_to_draw

if TYPE_CHECKING:
    from porf.checking.verdict import Verdict
    from porf.models.registry import Model
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder

SLICE = 500  # executions that are looked at together
SMALL = 40  # events up to which the shortest cycle is looked for
AFTER = 5.0  # seconds in which a smaller execution is looked for, when one is found


class Robustness(Record, eq=False):
    """Whether all executions of a program are sequentially consistent.

    >>> import porf
    >>> porf.robust("examples/litmus/SB.litmus", "rc11").verdict
    'not robust'
    """

    program: Program
    model: str
    verdict: str  # robust, not robust or undecided
    executions: int  # that were explored
    seconds: float
    reasons: tuple[str, ...] = ()
    evidence: Verdict | None = None  # of the execution that is not SC
    smallest: bool = False  # all were looked at for it
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"<Robustness of {self.program.name} under {self.model}: {self.verdict}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("a program is robust, not robust, or that is undecided: ask for the verdict")

    @property
    def exit_code(self) -> int:
        return {"robust": Exit.HOLDS, "not robust": Exit.FAILS}.get(self.verdict, Exit.UNDECIDED)

    def headline(self) -> str:
        why = f": {'; '.join(self.reasons)}" if self.reasons else ""
        said = {
            "robust": f"robust under {self.model}: all executions are sequentially consistent",
            "not robust": f"not robust under {self.model}: an execution is not sequentially consistent",
        }.get(self.verdict, f"undecided whether it is robust under {self.model}{why}")
        return f"{self.program.name}: {said}"

    def report(self) -> str:
        plural = "" if self.executions == 1 else "s"
        lines = [self.headline(), f"  {self.executions} execution{plural} ({self.seconds:.3f} s)"]
        if self.evidence is not None:
            size = sum(not word.startswith("start") for word in self._shown.words)
            which = "The smallest has" if self.smallest else "The smallest that was found in time has"
            lines += ["", f"{which} {size} events; {self.evidence.explain()}"]
        return "\n".join(lines)

    @property
    def _shown(self) -> Shown:
        assert self.evidence is not None and isinstance(self.evidence.execution, Shown)
        return self.evidence.execution

    def record(self) -> dict[str, Any]:
        """As one JSON object."""
        out: dict[str, Any] = {
            "program": self.program.name,
            "model": self.model,
            "verdict": self.verdict,
            "executions": self.executions,
            "seconds": round(self.seconds, 6),
        }
        if self.reasons:
            out["undecided"] = list(self.reasons)
        if self.evidence is not None:
            shown = self._shown
            out["smallest"] = self.smallest
            out["events"] = [
                {
                    "event": shown.name(row),
                    "thread": shown.thread_names[int(shown.thread[row])],
                    "what": shown.words[row],
                }
                for row in range(len(shown))
            ]
            proof = self.evidence.proof
            out["cycle"] = [] if proof is None else [
                {"from": shown.name(e.source), "relation": e.relation, "to": shown.name(e.target)} for e in proof.cycle
            ]  # fmt: skip
        return out

    def case(self) -> Case:
        file = self.program.source or self.program.name
        said = () if self.evidence is None else tuple(self.evidence.explain().splitlines())
        about = "an execution that no interleaving of the threads explains"
        wrong = (Finding("not-robust", self.headline(), Spot(file), about, said),)
        name = f"{self.program.name} under {self.model}"
        return Case(name, file, self.seconds, wrong if self.verdict == "not robust" else ())

    def draw(self) -> str:
        if self.evidence is None:
            raise nothing_to_draw("no execution was found that is not sequentially consistent")
        return self.evidence.draw()


def robust(
    program: str | Path | ProgramBuilder | Program | LitmusTest,
    model: str | Path | Model = DEFAULT_MODEL,
    *,
    unroll: int | None = None,
    spurious: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Callable[[int, int, float], object] | None = None,
) -> Robustness:
    """Whether all executions of a program under a model are sequentially consistent.

    >>> import porf
    >>> porf.robust("examples/programs/ticket_lock.c", "rc11").verdict
    'robust'

    If not, the result has the smallest execution that was found, and the cycle that shows it: its events come each
    before the next, by program order or by what reads and writes saw of each other.
    """
    from porf.allowance import Allowance, most_of_memory
    from porf.errors import check_options
    from porf.exploration.request import name_of
    from porf.models.registry import find_model

    check_options(unroll=unroll, seconds=seconds, memory=memory)
    started = time.perf_counter()
    allowance = Allowance(seconds, memory, what=f"{name_of(program)} under {model}")
    with allowance:
        known = find_model(model)
        form, _ = opened(program)
        asked = request_of(
            form, known, keep_going=True, unroll=unroll, spurious=spurious, all_blocked=True, commuting=False
        )
    if asked.settings.kept >= 0:
        raise UsageError(
            f"{known.name} allows cycles of program order and reads-from, which no interleaving has",
            hint="--model rc11, or another model in which they have no cycle",
        )
    asked = asked.asking(guess_woken=False, guess_unique=Unique.NONE)
    plan = Plan(
        seconds=allowance.seconds,
        bytes=memory or most_of_memory(),
        keep_going=True,
        stop_at_cut=unroll is None,
        progress=progress,
    )
    with allowance.without_ticks():
        found = _Search(asked, plan, known).run()
    said = ("the time is up" + (f" ({seconds:g} s)" if seconds is not None else ""),)
    reasons = tuple(said[0] if reason == "time" else reason for reason in found.reasons)
    return replace(found, program=form, seconds=time.perf_counter() - started, reasons=reasons)


class _Search:
    def __init__(self, request: Request, plan: Plan, model: Model) -> None:
        self.request = request
        self.plan = plan
        self.model = model
        self.until = None if plan.seconds is None else time.monotonic() + plan.seconds
        self.totals = Totals()

    def run(self) -> Robustness:
        self.totals = run(self.request, self._plan())
        reason = _unfinished(self.totals)
        if reason is None and self.model.allows_sequential and self._as_many_under_sc():
            return self._found("robust")
        return self._look(reason)

    def _plan(self) -> Plan:
        left = None if self.until is None else max(1e-3, self.until - time.monotonic())
        return replace(self.plan, seconds=left)

    def _as_many_under_sc(self) -> bool:
        """Every execution under SC is one under the model, so there are no others if there are as many."""
        ours = self.totals.findings
        under_sc = run(self.request.asking(engine=Engine.SC), self._plan())
        if _unfinished(under_sc) is not None or ours.erroneous:
            return False
        theirs = under_sc.findings
        return (ours.complete, ours.blocked, 0) == (theirs.complete, theirs.blocked, theirs.erroneous)

    def _look(self, reason: str | None) -> Robustness:
        """One by one. What ends in an error may hide others that do: then nothing is known if none is found."""
        best: Verdict | None = None
        everything = reason is None
        until = self.until
        for rows in self._executions():
            if until is not None and time.monotonic() >= until:
                everything = False
                break
            evidence = _not_sc(self.request.program, rows, None if best is None else len(best.execution))
            if evidence is None:
                continue
            if best is None:
                until = min(until or float("inf"), time.monotonic() + AFTER)
            best = evidence
        if best is not None:
            return replace(self._found("not robust"), evidence=best, smallest=everything)
        reasons = [] if reason is None else [reason]
        if not everything and not reasons:
            reasons.append("time")
        if self.totals.findings.erroneous and not reasons:
            reasons.append("executions under sc end in errors, and hide what comes after: porf explore shows them")
        return replace(self._found("undecided" if reasons else "robust"), reasons=tuple(reasons))

    def _executions(self) -> Iterator[Sequence[ExploredEvent]]:
        """Of all bugs, of all executions that are complete, and of those that are not."""
        for report in (*self.totals.findings.bugs, *self.totals.findings.refused):
            yield report.events
        asked = self.request.asking(collect=True)
        tasks = [Task([], 0)]
        while tasks and (self.until is None or time.monotonic() < self.until):
            totals = run(asked, replace(self._plan(), limit=SLICE, progress=None), tasks)
            yield from totals.findings.executions
            yield from totals.findings.stuck
            if totals.limit is not Limit.NONE or totals.too_large:
                return
            tasks = totals.remaining

    def _found(self, verdict: str) -> Robustness:
        found = self.totals.findings
        return Robustness(
            program=self.request.program,
            model=self.request.model,
            verdict=verdict,
            executions=found.complete + found.blocked + found.erroneous,
            seconds=0.0,
            interrupted=self.totals.limit is Limit.STOPPED,
        )


def _unfinished(totals: Totals) -> str | None:
    """Why not everything was explored."""
    if totals.too_large:
        return "an execution has more events, threads or writes to one location than the engine supports"
    if totals.findings.cut:
        return "a loop was cut off: --unroll N follows it further"
    if totals.limit is Limit.TIME:
        return "time"
    if totals.limit is Limit.MEMORY:
        return "the memory is used up"
    if totals.limit is Limit.STOPPED:
        return "it was interrupted"
    return "there is more to explore" if totals.remaining else None


def _not_sc(program: Program, rows: Sequence[ExploredEvent], most: int | None) -> Verdict | None:
    """The smallest part of an execution that is not SC, if it has fewer rows than `most`; in words of the program."""
    graph = Graph(rows, range(len(rows)))
    verdict = check(graph.history(), "sc")
    if not verdict.inconsistent:
        return None
    part = list(range(len(rows)))
    if verdict.proof is not None:
        events = {graph.origin[n] for n in verdict.proof.events() if n >= 0}
        smaller = sorted(prefix_of(rows, [n for n in events if n >= 0]))
        if check(Graph(rows, smaller).history(), "sc").inconsistent:
            part = smaller
    part = _least(rows, part)
    graph = Graph(rows, part)
    if most is not None and len(graph.origin) >= most:
        return None
    algorithm = "generic" if len(graph.origin) <= SMALL else "auto"
    return check(graph.shown(program), "sc", algorithm=algorithm)


def _least(rows: Sequence[ExploredEvent], part: list[int]) -> list[int]:
    """Without events that nothing else needs, as long as it is not SC."""
    changed = True
    while changed:
        changed = False
        for n in sorted(part, key=lambda n: -n):
            fewer = [m for m in part if m != n]
            if len(prefix_of(rows, fewer)) > len(fewer):
                continue  # something comes after it
            if check(Graph(rows, fewer).history(), "sc").inconsistent:
                part, changed = fewer, True
    return part
