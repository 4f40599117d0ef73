"""A litmus test on this machine's cores, as one value: how often each final state was seen, and who forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from porf.checking.verdict import Verdict
from porf.errors import ProgramError, UsageError
from porf.exploration.sources import place_text
from porf.models import Model
from porf.programs.litmus import LitmusTest, Observation, observe
from porf.record import Record
from porf.result import Exit, nothing_to_draw
from porf.stress.allowed import Allowed, State, all_allowed, violation
from porf.stress.native import Counts, run_native
from porf.stress.plan import refuse_layout
from porf.stress.rounds import refuse_seed, usable_cores
from porf.stress.source import source_of, source_of_assembly
from porf.stress.x86 import refuse_elsewhere

MODELS = ("sc", "x86", "rc11")  # x86 is what C means when it is compiled to that machine
OF_ASSEMBLY = ("x86tso",)
SECONDS = 5.0  # how long a test runs if nobody says


class Seen(Record, eq=False):
    """What was seen, beside what each model allows.

    >>> from porf.stress import stress_test
    >>> from porf.programs.litmus import read_litmus
    >>> text = "C one {} P0 (atomic_int* x) { atomic_store(x, 1); } exists ([x]=1)"
    >>> stress_test(read_litmus(text), ["sc"], runs=100).headline()
    'one: no forbidden state in 100 runs'
    """

    test: LitmusTest
    counts: Counts
    allowed: tuple[Allowed, ...]
    violations: tuple[tuple[State, Allowed, Verdict | None], ...]
    seed: int

    @property
    def observation(self) -> Observation:
        return observe(self.test, self.counts.states)

    @property
    def forbidden(self) -> list[State]:
        """The states that were seen and that a model forbids."""
        return [state for state in sorted(self.observation.states) if any(a.forbids(state) for a in self.allowed)]

    @property
    def reasons(self) -> list[str]:
        """Why a test without a finding says even less than others."""
        out = [f"{a.model.name}: {a.why}" for a in self.allowed if a.states is None and "any state" not in a.why]
        if self.counts.cut:
            out.append(f"in {_runs(self.counts.cut)}, a thread waited for too long")
        if not sum(self.counts.states.values()) and not self.counts.faults:
            out.append("no run has ended")
        return out

    @property
    def exit_code(self) -> int:
        if self.forbidden or self.counts.faults:
            return Exit.FAILS
        return Exit.UNDECIDED if self.reasons else Exit.HOLDS

    @property
    def history(self) -> Verdict | None:
        """The first history that a model rejects."""
        return next((verdict for *_, verdict in self.violations if verdict is not None), None)

    def headline(self) -> str:
        name, runs = self.test.name, _runs(self.counts.runs)
        if self.forbidden:
            names = [a.model.name for a in self.allowed if any(map(a.forbids, self.forbidden))]
            return f"{name}: a state that {_and(names)} {'forbids' if len(names) == 1 else 'forbid'} in {runs}"
        if self.counts.faults:
            return f"{name}: {_runs(sum(self.counts.faults.values()))} of {self.counts.runs:,} failed"
        because = f" ({'; '.join(self.reasons)})" if self.reasons else ""
        return f"{name}: no forbidden state in {runs}{because}"

    def report(self) -> str:
        counts, cores = self.counts, usable_cores()
        threads = sum(1 for template in self.test.program.templates if template.name != "observer")
        rate = counts.runs / max(counts.seconds, 1e-9) / 1e6
        used = f"{threads} thread{'s' if threads != 1 else ''} on {min(threads, cores)} of {cores} cores"
        lines = [self.headline(), f"  {used}, {counts.seconds:.1f} s, {rate:.2f} million runs/s, seed {self.seed}"]
        if threads > cores:
            lines.append("  there are fewer cores than threads: not all of them run at the same time")
        lines += [f"  {line}" for line in self._table()]
        test = self.test
        if test.quantifier is not None:
            found = self.observation
            ended = _runs(found.positive + found.negative)
            lines.append(f"  {test.condition_text}: {found.observation}, {found.positive:,} of {ended}")
        if counts.dropped:
            lines.append(f"  {_runs(counts.dropped)} ended at an assumption that does not hold")
        lines += [f"  note: {a.model.name} says nothing ({a.why})" for a in self.allowed if a.states is None]
        for fault, count in counts.faults.items():
            lines.append(f"  {_runs(count)} failed: {fault.what} at {place_text(fault.place, self._file)}")
        for state, allowed, verdict in self.violations:
            lines += ["", f"{allowed.model.name} forbids {self.observation.line(state)}"]
            if verdict is None:
                lines.append(f"  {self._nowhere}")
            else:
                lines += ["  an execution that ends so:", *_indented(verdict.execution), verdict.report()]
        return "\n".join(lines)

    @property
    def _nowhere(self) -> str:
        """Why there is no history of a state."""
        if self.test.architecture:
            return "no execution that x86tso allows ends so"
        return "no execution without a cycle of program order and reads-from ends so"

    @property
    def _file(self) -> str:
        return self.test.program.source or self.test.name

    def _table(self) -> list[str]:
        """A row for each state that was seen or that a model allows."""
        rows = [(f"{count:,}", self.observation.line(state), self._marks(state)) for state, count in self._ends()]
        names = [a.model.name for a in self.allowed]
        counts = max([len(row[0]) for row in rows] + [4])
        states = max([len(row[1]) for row in rows] + [5])
        widths = [max(len(name), 9) for name in names]
        lines = [
            f"{count:>{counts}}  {line:<{states}}  {'  '.join(m.ljust(w) for m, w in zip(marks, widths, strict=True))}"
            for count, line, marks in [("seen", "state", names), *rows]
        ]
        return [line.rstrip() for line in lines]

    def _ends(self) -> list[tuple[State, int]]:
        seen = self.observation.states
        known = {state for a in self.allowed for state in a.states or ()}
        return [(state, seen.get(state, 0)) for state in sorted({*seen, *known})]

    def _known(self, state: State) -> list[bool | None]:
        """Whether each model allows it."""
        return [None if a.states is None else state in a.states for a in self.allowed]

    def _marks(self, state: State) -> list[str]:
        return [{None: "?", True: "allowed", False: "forbidden"}[known] for known in self._known(state)]

    def record(self) -> dict[str, Any]:
        found = self.observation
        names = [a.model.name for a in self.allowed]
        states = [
            {"state": found.values(state), "count": count, "allowed": dict(zip(names, self._known(state), strict=True))}
            for state, count in self._ends()
        ]
        out: dict[str, Any] = {
            "kind": "litmus",
            "test": self.test.name,
            "models": names,
            "runs": self.counts.runs,
            "states": states,
            "forbidden": [found.line(state) for state in self.forbidden],
            "cores": usable_cores(),
            "seed": self.seed,
            "seconds": round(self.counts.seconds, 6),
        }
        if self.test.quantifier is not None:
            out |= {"condition": self.test.condition_text, "observation": found.observation}
            out |= {"positive": found.positive, "negative": found.negative}
        if self.counts.dropped:
            out["dropped"] = self.counts.dropped
        if self.counts.faults:
            out["failed"] = [
                {"what": f.what, "place": place_text(f.place, self._file), "count": n}
                for f, n in self.counts.faults.items()
            ]
        if self.reasons:
            out["undecided"] = self.reasons
        if self.violations:
            out["violations"] = [
                {"model": a.model.name, "state": found.line(s), "history": None if v is None else _lines(v)}
                for s, a, v in self.violations
            ]
        return out

    def draw(self) -> str:
        if self.history is None:
            raise nothing_to_draw("no model forbids what was seen")
        return self.history.draw()


def stress_test(
    test: LitmusTest,
    models: Iterable[str | Model] | None = None,
    *,
    runs: int | None = None,
    seconds: float | None = None,
    layout: str = "both",
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Seen:
    """Runs a litmus test as native code, for five seconds if nothing else is said. The models are sc, x86 and rc11 for
    a test in C, and x86tso for one in assembly, if none are given."""
    refuse_layout(layout)
    refuse_seed(seed)
    if (runs is not None and runs < 1) or (seconds is not None and not seconds > 0):
        raise UsageError("a limit is not positive", hint="leave out --runs or --seconds, or raise it")
    if not test.program.watched:
        raise ProgramError(
            f"{test.program.name} ends in no state that can be told from another",
            source=test.program.source or None,
            hint="end it with a condition, such as exists (0:r0=0), or with locations [x; 0:r0;]",
        )
    if test.architecture:
        refuse_elsewhere(test)
    if models is None:
        models = OF_ASSEMBLY if test.architecture else MODELS
    allowed = all_allowed(test, models)
    source = source_of_assembly(test) if test.architecture else source_of(test.program)
    limit = SECONDS if runs is None and seconds is None else seconds
    counts = run_native(source, runs=runs, seconds=limit, layout=layout, seed=seed, progress=progress)
    seen = sorted(observe(test, counts.states).states)
    found = [(state, a, violation(test, a.model, state)) for a in allowed for state in seen if a.forbids(state)]
    return Seen(test, counts, tuple(allowed), tuple(found), seed)


def _runs(count: int) -> str:
    return f"{count:,} run{'' if count == 1 else 's'}"


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _lines(verdict: Verdict) -> list[str]:
    from porf.formats import dumps

    return dumps(verdict.execution).decode().splitlines()


def _indented(execution: Any) -> list[str]:
    from porf.formats import dumps

    return [f"    {line}" for line in dumps(execution).decode().splitlines()]
