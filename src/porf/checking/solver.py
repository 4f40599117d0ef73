"""A SAT solver of python-sat that hears Ctrl-C and keeps to a budget, whatever it is doing."""

from __future__ import annotations

import time
from collections.abc import Iterable
from threading import Thread
from types import TracebackType
from typing import Any

from porf import _core
from porf.allowance import look
from porf.checking.budget import Budget, Limit

_SLICE = 2_000  # conflicts between two counts of them
_LOOK_EVERY = 0.02  # seconds, at the clock
_PATIENCE = 0.5  # seconds, for the solver to see that it is interrupted
_AT_A_TIME = 5_000  # clauses that it is given between two looks


class Solver:
    """python-sat's solvers differ only in speed. It runs on a thread of its own: only so can it be interrupted."""

    def __init__(self) -> None:
        from pysat.solvers import Glucose4  # takes time to start

        self._solver: Any = Glucose4()
        self._thread: Thread | None = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        if self._thread is None or not self._thread.is_alive():  # else it is left to itself
            self._solver.delete()

    def add(self, clauses: list[list[int]]) -> None:
        for begin in range(0, len(clauses), _AT_A_TIME):
            look()
            self._solver.append_formula(clauses[begin : begin + _AT_A_TIME], no_return=True)

    def guess(self, literals: Iterable[int]) -> None:
        """What to try first."""
        self._solver.set_phases(list(literals))

    def model(self) -> list[int]:
        """The literals that hold, once it has said that all clauses can."""
        found: list[int] = self._solver.get_model()
        return found

    def run(self, budget: Budget, started: float) -> tuple[bool | None, Limit]:
        """Whether all clauses can hold; None, and which limit, if the budget ends first."""
        before = self._conflicts()
        while True:
            found, limit = self._slice(budget, started)
            if found is not None or limit is not Limit.NONE:
                return found, limit
            spent = self._conflicts() - before
            if budget.progress:
                budget.progress(spent)
            if budget.steps and spent >= budget.steps:
                return None, Limit.STEPS

    def _conflicts(self) -> int:
        count: int = self._solver.accum_stats()["conflicts"]
        return count

    def _slice(self, budget: Budget, started: float) -> tuple[bool | None, Limit]:
        answers: list[bool | None] = []
        self._solver.conf_budget(_SLICE)
        self._thread = Thread(
            target=lambda: answers.append(self._solver.solve_limited(expect_interrupt=True)), daemon=True
        )
        self._thread.start()
        try:
            while True:
                self._thread.join(_LOOK_EVERY)
                if not self._thread.is_alive():
                    return answers[0], Limit.NONE
                limit = _core.Allowance.exceeded(0)
                if limit is Limit.NONE and budget.seconds and time.monotonic() - started > budget.seconds:
                    limit = Limit.TIME
                if limit is not Limit.NONE:
                    self._interrupt()
                    return None, limit
        except BaseException:  # Ctrl-C
            self._interrupt()
            raise

    def _interrupt(self) -> None:
        self._solver.interrupt()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
