"""Histories in which nobody knows the writer of some reads: is there a choice of writers that is consistent?

A SAT solver proposes who is read, the model's own procedure looks at the proposal. What it refutes becomes a clause:
not all of the choices that its cycle rests on. One of these reads is then left out, so that the rest of the proposal is
looked at, too; and each read that was left out tries its other candidates beside what is left. So one proposal gives
many clauses, and the next differs little from it. When no proposal is left, no choice is consistent.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from porf import _core
from porf.allowance import LIMITS, Limit, look
from porf.checking import choose
from porf.checking.budget import Budget
from porf.checking.guess import guessed, replayed
from porf.checking.refusal import refusal
from porf.checking.solver import Solver
from porf.checking.verdict import Answer, Outcome
from porf.evidence.data import Choice
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Int32
from porf.models.registry import Model

_STEPS, _STEPS_AN_EVENT = 1_000, 20  # of SC and TSO, for a part: what is forced, and a search that runs straight
_PART_SECONDS = 5.0  # of other models, for a part
_READING = (int(_core.Op.READ), int(_core.Op.UPDATE))
_RF, _WRITE, _UPDATE = _core.Ground.RF, int(_core.Op.WRITE), int(_core.Op.UPDATE)
_TRIES = 400  # of other candidates, between two proposals


def decide(execution: Execution, model: Model, algorithm: str, budget: Budget) -> Outcome:
    """Decides a history with open reads by any algorithm that decides the model."""
    if algorithm in ("auto", choose.ROW_ORDER) and model.allows_sequential:
        rf = replayed(execution)
        if rf is not None:
            chosen = replace(execution, rf=rf)
            return replace(choose.decide_known(chosen, model, choose.ROW_ORDER, budget), chosen=chosen)
    if algorithm == choose.ROW_ORDER:
        return choose.no_row_order()
    return _Search(execution, model, algorithm, budget).run()


class _Search:
    def __init__(self, execution: Execution, model: Model, algorithm: str, budget: Budget) -> None:
        self._x = execution
        self._model = model
        self._algorithm = algorithm
        self._budget = budget
        self._started = time.monotonic()
        self._candidates = [execution.open_reads.of(at).tolist() for at in range(len(execution.open_reads))]
        self._rows: Int32 = execution.open_reads.rows
        self._at = {row: at for at, row in enumerate(self._rows.tolist())}
        self._variable: list[int] = (1 + execution.open_reads.start[:-1]).tolist()  # of each read's first candidate
        self._lemmas: dict[frozenset[Choice], None] = {}
        # Leaving out events proves nothing about axioms that may hold again when there are more.
        self._parts = all(axiom.restrictable for axiom in model.file.axioms if not axiom.flagged)
        self._limit = Limit.NONE

    def run(self) -> Outcome:
        for pair in _exclusive_starts(self._x):
            self._lemmas.setdefault(frozenset((row, INITIAL) for row in pair))
        starts = list(self._lemmas)
        hidden = set(_hidden(self._x)) if self._model.memory is not None and self._parts else set()
        for choice in sorted(hidden):
            self._lemmas.setdefault(frozenset((choice,)))
        proposal = guessed(self._x, hidden)
        rounds = 0
        with Solver() as solver:
            solver.add([[first + k for k in range(len(c))] for first, c in self._variables()])
            solver.add([self._clause(lemma) for lemma in self._lemmas])
            while True:
                rounds += 1
                solver.guess(self._phases(proposal))
                found, limit = solver.run(self._budget.since(self._started), time.monotonic())
                if found is None:
                    return self._undecided(limit, rounds)
                if not found:
                    return refusal(self._x, self._model, list(self._lemmas), starts, self._budget.since(self._started))
                known = len(self._lemmas)
                outcome = self._improve(self._proposed(solver.model(), proposal), proposal)
                if outcome is not None:
                    return outcome
                if self._limit is not Limit.NONE or self._budget.over(self._started):
                    return self._undecided(self._limit or Limit.TIME, rounds)
                fresh = list(self._lemmas)[known:]
                solver.add([self._clause(lemma) for lemma in fresh])
                if self._budget.progress:
                    self._budget.progress(len(self._lemmas))

    def _undecided(self, limit: Limit, rounds: int) -> Outcome:
        if self._budget.interrupted:
            limit = Limit.STOPPED
        note = f"{LIMITS[limit]}; {len(self._rows)} reads are open, {rounds} proposals, {len(self._lemmas)} refuted"
        return Outcome(Answer.UNDECIDED, "writers", note=note)

    def _variables(self) -> Iterator[tuple[int, list[int]]]:
        return zip(self._variable, self._candidates, strict=True)

    def _clause(self, lemma: Iterable[Choice]) -> list[int]:
        return [-(self._variable[self._at[row]] + self._candidates[self._at[row]].index(w)) for row, w in lemma]

    def _phases(self, proposal: list[int]) -> list[int]:
        return [
            first + k if writer == chosen else -(first + k)
            for (first, writers), chosen in zip(self._variables(), proposal, strict=True)
            for k, writer in enumerate(writers)
        ]

    def _proposed(self, model: list[int], before: list[int]) -> list[int]:
        """A writer for each read; the one from before where the solver lets it be."""
        out = []
        for (first, writers), old in zip(self._variables(), before, strict=True):
            allowed = [writer for k, writer in enumerate(writers) if model[first + k - 1] > 0]
            out.append(old if old in allowed else allowed[0])
        return out

    def _improve(self, now: list[int], proposal: list[int]) -> Outcome | None:
        """Looks at what the solver proposes; leaves in `proposal` what the next should be like."""
        kept = dict(enumerate(now))
        left_out: list[int] = []
        blamed: dict[int, int] = {}
        while True:
            whole = not left_out
            outcome = self._look(kept) if whole else None
            if outcome is not None and outcome.answer != Answer.INCONSISTENT:
                return outcome
            lemma = self._blame(outcome, kept) if outcome is not None else self._conflict(kept)
            if lemma is None or self._limit is not Limit.NONE:
                break
            if not lemma:
                return outcome if outcome is not None else self._look({})
            self._lemmas.setdefault(lemma)
            if not self._parts:
                break
            reads = [self._at[row] for row, _ in lemma]
            for read in reads:
                blamed[read] = blamed.get(read, 0) + 1
            worst = max(reads, key=lambda read: (blamed[read], len(self._candidates[read]), read))
            del kept[worst]
            left_out.append(worst)
            if self._budget.over(self._started):
                break
        self._try_others(kept, left_out, now)
        proposal[:] = [kept.get(read, writer) for read, writer in enumerate(now)]
        return None

    def _try_others(self, kept: dict[int, int], left_out: list[int], now: list[int]) -> None:
        """The other candidates of reads that were left out, beside what is kept: each fits, or is a clause."""
        tries = 0
        for read in left_out:
            for writer in self._candidates[read]:
                if writer == now[read] or frozenset([(int(self._rows[read]), writer)]) in self._lemmas:
                    continue
                tries += 1
                if tries > _TRIES or self._limit is not Limit.NONE or self._budget.over(self._started):
                    return
                if self._excluded(kept, read, writer):
                    continue
                lemma = self._conflict({**kept, read: writer})
                if lemma is None:
                    kept[read] = writer
                    break
                self._lemmas.setdefault(lemma)

    def _excluded(self, kept: dict[int, int], read: int, writer: int) -> bool:
        """Whether the start would have two values."""
        row = int(self._rows[read])
        if writer != INITIAL:
            return False
        others = (other for other, chosen in kept.items() if chosen == INITIAL)
        return any(frozenset(((row, INITIAL), (int(self._rows[other]), INITIAL))) in self._lemmas for other in others)

    def _chosen(self, kept: dict[int, int]) -> Execution:
        rf = self._x.rf.copy()
        rf[self._rows[list(kept)]] = list(kept.values())
        return replace(self._x, rf=rf)

    def _look(self, kept: dict[int, int]) -> Outcome:
        """The model's own procedure, on what is chosen so far."""
        chosen = self._chosen(kept)
        left = self._budget.since(self._started)
        if len(kept) == len(self._rows):
            outcome = choose.decide_known(chosen, self._model, self._algorithm, left)
            return replace(outcome, chosen=chosen)
        return decide_part(self._x, chosen, self._model, self._algorithm, left)

    def _conflict(self, kept: dict[int, int]) -> frozenset[Choice] | None:
        """Choices that cannot all be; None if nothing was found within the steps for a part."""
        look()
        model = self._model
        if model.memory is None or not self._parts:
            part_budget = replace(self._budget, seconds=_PART_SECONDS).since(time.monotonic())
            chosen = self._chosen(kept)
            outcome = decide_part(self._x, chosen, model, self._algorithm, part_budget)
            return self._blame(outcome, kept) if outcome.answer == Answer.INCONSISTENT else None
        if model.time != _core.RealTime.IGNORED:
            chosen = self._chosen(kept)
            part = chosen.restrict(_without_open(chosen))
            rows, core, timing = part.rows, part.execution.core, part.execution.timing
        else:
            rows, core = self._part(kept)
            timing = None
        budget = Budget(steps=_STEPS + _STEPS_AN_EVENT * len(rows), bytes=self._budget.bytes).start()
        found = _core.check_global_order(core, timing, model.memory, model.time, True, budget)
        if found.answer != Answer.INCONSISTENT:
            return None
        readers = {found.read} if found.breach != _core.Uniprocessor.NONE else set()
        others = {found.own} if readers else set()
        for edge in found.edges:
            read, target = edge.read, edge.target
            if read >= 0 or edge.ground == _RF:
                readers.add(read if read >= 0 else target)
            others.add(target)
            others.add(edge.source)
        if not readers:
            return self._blame(self._look(kept), kept)
        whole = rows[[row for row in others if 0 <= row < len(rows)]]  # others are moments of time
        updates = whole[self._x.op[whole] == _UPDATE]
        return self._choices([*rows[list(readers)].tolist(), *updates.tolist()], kept)

    def _part(self, kept: dict[int, int]) -> tuple[Int32, _core.Execution]:
        """The rows without open reads, as SC and TSO look at them."""
        x = self._x
        rf = x.rf.copy()
        rf[self._rows[list(kept)]] = list(kept.values())
        rows = _without_open(replace(x, rf=rf)) if len(kept) < len(self._rows) else np.arange(len(x), dtype=np.int32)
        place = np.full(len(x) + 1, INITIAL, np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        columns = (x.thread[rows], x.op[rows], x.loc[rows], x.order[rows], place[rf[rows]])
        return rows, _core.Execution(*columns, x.threads, x.locations, None)

    def _blame(self, outcome: Outcome, kept: dict[int, int]) -> frozenset[Choice]:
        """The choices that a refutation rests on; all, if it does not say."""
        mentioned = _mentioned(outcome)
        if mentioned is None or not self._parts:
            return self._choices(self._rows[list(kept)].tolist(), kept)
        return self._choices(mentioned, kept)

    def _choices(self, rows: Iterable[int], kept: dict[int, int]) -> frozenset[Choice]:
        """What was chosen for these rows, and for updates that they read: no update is there before it has a writer."""
        found: dict[int, int] = {}
        seen, front = set(), list(rows)
        while front:
            row = front.pop()
            if row in seen:
                continue
            seen.add(row)
            at = self._at.get(row)
            writer = int(self._x.rf[row]) if at is None else kept.get(at, UNKNOWN)
            if at in kept:
                found[row] = writer
            if writer >= 0 and self._x.reads(row):
                front.append(writer)
        return frozenset(found.items())


def _mentioned(outcome: Outcome) -> set[int] | None:
    if outcome.proof is not None and outcome.proof.cycle:
        return {ref for ref in outcome.proof.events() if ref >= 0}
    return set(outcome.core.rows) if outcome.core is not None else None


def decide_part(whole: Execution, chosen: Execution, model: Model, algorithm: str, budget: Budget) -> Outcome:
    """Decides the part of a history whose writers are chosen. Its evidence names the events of the whole."""
    from porf.checking.shrink import outward
    from porf.evidence.data import Core

    part = chosen.restrict(_without_open(chosen))
    if len(part.execution) == 0:
        return Outcome(Answer.CONSISTENT, "writers")
    outcome = choose.decide_known(part.execution, model, algorithm, budget)
    proof = None if outcome.proof is None else outward(outcome.proof, part)
    core = None
    if outcome.core is not None:
        rows = tuple(int(part.rows[row]) for row in outcome.core.rows)
        core = Core(
            rows, tuple((part.outward(a), part.outward(b)) for a, b in outcome.core.forced), outcome.core.minimal
        )
    return replace(outcome, proof=proof, core=core, witness=None)


def _without_open(execution: Execution) -> Int32:
    """The rows but for open reads, and those who read what such updates write."""
    kept = ~((execution.rf == UNKNOWN) & np.isin(execution.op, (int(_core.Op.READ), int(_core.Op.UPDATE))))
    reading = execution.rf >= 0
    writers = np.where(reading, execution.rf, 0)
    while True:
        orphans = kept & reading & ~kept[writers]
        if not orphans.any():
            return np.flatnonzero(kept).astype(np.int32)
        kept[orphans] = False


def _hidden(execution: Execution) -> Iterator[Choice]:
    """Choices that SC and TSO forbid within a thread: a later write of its own, or what a write of its own hides. Of
    updates nothing is said: some are there only with a writer."""
    last: dict[tuple[int, int], int] = {}  # of a thread and a location
    thread, loc, op = execution.thread.tolist(), execution.loc.tolist(), execution.op.tolist()
    for row in range(len(execution)):
        key = (thread[row], loc[row])
        for writer in execution.open_reads.of_row(row).tolist() if op[row] in _READING else ():
            own = writer >= 0 and thread[writer] == thread[row]
            later, older = own and writer >= row, key in last and writer < last[key] and (own or writer == INITIAL)
            if (writer == INITIAL or op[writer] != _UPDATE) and (later or older):
                yield row, writer
        if op[row] == _WRITE:
            last[key] = row


def _exclusive_starts(execution: Execution) -> Iterator[tuple[int, int]]:
    """Open reads that cannot both read the start of a location, because they read different values."""
    if execution.read_value is None:
        return
    shared: dict[int, list[int]] = {}
    for at, row in enumerate(execution.open_reads.rows.tolist()):
        loc = int(execution.loc[row])
        unknown = execution.init_value[loc] == NO_VALUE and execution.read_value[row] != NO_VALUE
        if unknown and INITIAL in execution.open_reads.of(at):
            shared.setdefault(loc, []).append(row)
    for rows in shared.values():
        for second, row in enumerate(rows):
            look()
            for other in rows[:second]:
                if execution.read_value[row] != execution.read_value[other]:
                    yield other, row
