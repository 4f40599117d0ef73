"""Models whose axioms are walks (`porf.language.walks`): RC11 and its kin, IMM, hardware, and files like these.

Coherence and clocks force an order on the chains of writes. An order that keeps it is tried, and checked in time linear
in the steps. If a walk comes back under it, what else is forced is found, by the paths that walks show, and the next
order is tried; then a SAT solver proposes orders, and learns from each cycle which pairs cannot all stand.
"""

from __future__ import annotations

import time
from functools import lru_cache

import numpy as np

from porf import _core
from porf.checking.budget import LIMITS, Budget, Limit
from porf.checking.shrink import with_small_proof
from porf.checking.steps import Prepared, UnsuitedError, prepare
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.errors import UsageError
from porf.evidence.data import Witness
from porf.execution import Execution, Int32
from porf.language.model_file import ModelFile
from porf.language.walks import WalkModel, walks_of
from porf.models.registry import Model
from porf.record import Record

ALGORITHM = "walks"
_ROUNDS = 50  # of what is forced, before orders are proposed

Pair = tuple[int, int]


@lru_cache(maxsize=64)
def walks(model: ModelFile) -> WalkModel | None:
    """The walks of a model file; None if it has another shape."""
    return walks_of(model)


class Found(Record, eq=False):
    """What the search found."""

    answer: Answer
    witness: Witness | None = None
    limit: Limit = Limit.NONE
    tried: int = 0  # orders of writes


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides a model whose axioms are walks, and nothing else."""
    found = solve(execution, model, budget)
    if found is None:
        raise UsageError(
            f"walks do not decide {model.name} on this history",
            hint="they are for coherent models that forbid cycles of regular relations; use --algorithm generic",
        )
    return outcome_of(found, execution, model, budget)


def outcome_of(found: Found, execution: Execution, model: Model, budget: Budget) -> Outcome:
    """The evidence for what was found."""
    if found.answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, ALGORITHM, note=f"{LIMITS[found.limit]}; {_orders(found.tried)} tried")
    if found.answer == Answer.CONSISTENT:
        return Outcome(Answer.CONSISTENT, ALGORITHM, witness=found.witness)

    def inconsistent(part: Execution, steps: int) -> bool | None:
        again = solve(part, model, Budget(steps=steps))
        return None if again is None else REFUTED[again.answer]

    return with_small_proof(execution, model, budget, inconsistent, ALGORITHM, None)


def _orders(tried: int) -> str:
    return f"{tried} order{'' if tried == 1 else 's'} of writes"


def solve(execution: Execution, model: Model, budget: Budget) -> Found | None:
    """The answer; None if model or execution have something that is not for walks."""
    found = walks(model.file)
    if found is None:
        return None
    try:
        return _Search(execution, model, found, budget).run()
    except UnsuitedError:
        return None


class _Search:
    def __init__(self, execution: Execution, model: Model, walks_: WalkModel, budget: Budget) -> None:
        self._x = execution
        self._model = model
        self._walks = walks_
        self._budget = budget
        self._started = time.monotonic()
        self._core = budget.start()
        self._tried = 0

    def run(self) -> Found:
        prepared = prepare(self._x, self._model.file, self._walks, self._core)
        if prepared is None:
            return self._spent()
        if prepared.problem is None:
            return Found(Answer.INCONSISTENT)
        problem = prepared.problem
        answer = problem.begin(self._core)
        if answer != Answer.CONSISTENT:
            return self._spent() if answer == Answer.UNDECIDED else Found(answer)
        keys = problem.keys()
        found = self._attempt(prepared, problem, keys, [])
        if isinstance(found, Found):
            return found
        for _ in range(_ROUNDS):
            answer = problem.saturate(self._core)
            if self._core.limit != Limit.NONE:
                return self._spent()
            if answer == Answer.INCONSISTENT:
                return Found(answer, tried=self._tried)
            if answer == Answer.CONSISTENT:
                break
        return self._propose(prepared, problem, keys)

    def _propose(self, prepared: Prepared, problem: _core.WalkProblem, keys: Int32) -> Found:
        """Orders that agree with all that was learned, until one will do or none is left."""
        from porf.checking.solver import Solver  # takes time to start

        pairs: list[Pair] = []
        number: dict[Pair, int] = {}
        proposed: list[Pair] = []
        with Solver() as solver:
            while True:
                learned = self._attempt(prepared, problem, keys, proposed)
                if isinstance(learned, Found):
                    return learned
                clauses = []
                for clause in learned:
                    literals = []
                    for a, b in clause:
                        pair = (min(a, b), max(a, b))
                        if pair not in number:
                            pairs.append(pair)
                            number[pair] = len(pairs)
                            solver.guess([number[pair] if keys[pair[0]] <= keys[pair[1]] else -number[pair]])
                        # Not: a before b.
                        literals.append(-number[pair] if a < b else number[pair])
                    clauses.append(literals)
                solver.add(clauses)
                answer, limit = solver.run(self._budget.since(self._started), time.monotonic())
                if answer is None:
                    return Found(Answer.UNDECIDED, limit=limit, tried=self._tried)
                if not answer:
                    return Found(Answer.INCONSISTENT, tried=self._tried)
                truth = solver.model()
                proposed = [pair if truth[at] > 0 else (pair[1], pair[0]) for at, pair in enumerate(pairs)]

    def _attempt(
        self, prepared: Prepared, problem: _core.WalkProblem, keys: Int32, proposed: list[Pair]
    ) -> Found | list[list[Pair]]:
        """What came of an order: an answer, or sets of pairs of chains that cannot all stand."""
        self._tried += 1
        columns = np.array(proposed, np.int32).reshape(-1, 2)
        before, after = np.ascontiguousarray(columns[:, 0]), np.ascontiguousarray(columns[:, 1])
        attempt = problem.attempt(keys, (before, after), self._core)
        if attempt.answer == Answer.CONSISTENT:
            return Found(Answer.CONSISTENT, Witness(prepared.events.row[attempt.writes], attempt.start))
        if attempt.answer == Answer.INCONSISTENT:
            return Found(Answer.INCONSISTENT, tried=self._tried)
        if self._core.limit != Limit.NONE:
            return self._spent()
        flat, ends = attempt.clauses.reshape(-1, 2).tolist(), attempt.clause_end.tolist()
        return [[(a, b) for a, b in flat[begin:end]] for begin, end in zip([0, *ends], ends, strict=False)]

    def _spent(self) -> Found:
        return Found(Answer.UNDECIDED, limit=self._core.limit, tried=self._tried)
