"""Completes a partial store order by enumeration: orders one more pair of writes, sees what follows, backtracks.

Each graph of the model is kept as its transitive closure, so that an edge that would close a cycle is seen at once.
Where one order of a pair would, the other is forced; only then is a pair chosen. Pairs that stand early in the graph
are chosen first: what contradicts a choice is then near, and little is done in vain.
"""

import time

import numpy as np
import numpy.typing as npt

from porf._core import Limit
from porf.allowance import SpentError
from porf.checking.budget import Budget
from porf.checking.order_graph import Nodes, OpenOrders, StoreOrders, open_orders
from porf.language.store_order import Matrix, StoreOrderProblem
from porf.record import Record


def complete_by_enumeration(
    orders: StoreOrders, problem: StoreOrderProblem, forced: Matrix, budget: Budget
) -> tuple[Matrix | None, str]:
    """A total order of the writes of each location that extends `forced` and closes no cycle, or None; and how."""
    left = open_orders(orders, problem, forced)
    search = None if left is None else _Search(left, budget)
    ahead = search.run() if search else None
    choices = search.choices if search else 0
    return None if ahead is None else orders.matrix(ahead), f"choices: {choices}"


class _Choice(Record, eq=False):
    """Where to go back to: how much had been done, and the order that is left to try."""

    settled: int
    changes: int
    literal: int


class _Search:
    """Literals as in `StoreOrders`: a pair's number, negative for its opposite order."""

    def __init__(self, left: OpenOrders, budget: Budget) -> None:
        self._left = left
        self._budget = budget
        self._deadline = time.monotonic() + budget.seconds if budget.seconds else None
        self._reach = [reach.copy() for reach in left.closures]
        self._truth = np.where(left.settled, np.where(left.ahead, 1, -1), 0).astype(np.int8)
        self._open = np.flatnonzero(~left.settled)
        self._edges_of = _grouped(left.literals)
        self._settled: list[int] = []
        self._changes: list[tuple[int, Nodes, Matrix]] = []  # graph, rows, what they were
        self.choices = 0

    def run(self) -> Matrix | None:
        """Of each pair, whether its first write comes first; None if no order will do."""
        choices: list[_Choice] = []
        alive = True
        while True:
            alive = alive and self._propagate()
            if alive and (self._truth[self._open] != 0).all():
                return self._truth > 0
            if alive:
                literal = self._choose()
                choices.append(_Choice(len(self._settled), len(self._changes), -literal))
                self._spend()
                alive = self._settle(literal)
            elif choices:
                last = choices.pop()
                self._undo(last)
                alive = self._settle(last.literal)
            else:
                return None

    def _propagate(self) -> bool:
        """Settles every pair of which one order would close a cycle; False if both would."""
        left = self._left
        pairs = np.abs(left.literals) - 1
        while True:
            closing = np.zeros(len(pairs), np.bool_)
            for reach in self._reach:
                closing |= reach[left.targets, left.starts]
            forced = np.unique(-left.literals[closing & (self._truth[pairs] == 0)]).tolist()
            if not forced:
                return True
            for literal in forced:
                if self._truth[abs(literal) - 1] != 0 or not self._settle(literal):
                    return False

    def _settle(self, literal: int) -> bool:
        """Orders a pair; False if that closes a cycle."""
        self._truth[abs(literal) - 1] = 1 if literal > 0 else -1
        self._settled.append(abs(literal) - 1)
        edges = self._edges_of[literal]
        for number, reach in enumerate(self._reach):
            for start, target in zip(
                self._left.starts[edges].tolist(), self._left.targets[edges].tolist(), strict=True
            ):
                if reach[target, start]:
                    return False
                if reach[start, target]:
                    continue
                above = reach[:, start] & ~reach[:, target]
                above[start] = True
                rows = np.flatnonzero(above)
                self._changes.append((number, rows, reach[rows]))
                onward = reach[target].copy()
                onward[target] = True
                reach[rows] |= onward
        return True

    def _undo(self, choice: _Choice) -> None:
        while len(self._changes) > choice.changes:
            number, rows, before = self._changes.pop()
            self._reach[number][rows] = before
        self._truth[self._settled[choice.settled :]] = 0
        del self._settled[choice.settled :]

    def _choose(self) -> int:
        """The open pair that stands earliest, in the order in which its writes stand; few come before an early one."""
        rank = np.sum([reach.sum(axis=0, dtype=np.int64) for reach in self._reach], axis=0)
        left = self._left
        free = self._truth[np.abs(left.literals) - 1] == 0
        literals, targets = left.literals[free], left.targets[free]
        place = np.zeros((2, len(self._truth)), np.int64)
        place[(literals > 0).astype(np.int64), np.abs(literals) - 1] = rank[targets]  # who is second where it is true
        pairs = np.unique(np.abs(literals) - 1)
        first, second = place[0, pairs], place[1, pairs]
        at = int(np.argmin(np.maximum(first, second)))
        return int(pairs[at] + 1) * (1 if first[at] <= second[at] else -1)

    def _spend(self) -> None:
        self.choices += 1
        if self._budget.progress:
            self._budget.progress(self.choices)
        if self._budget.steps and self.choices > self._budget.steps:
            raise SpentError(Limit.STEPS)
        if self._deadline and time.monotonic() > self._deadline:
            raise SpentError(Limit.TIME)


def _grouped(literals: Nodes) -> dict[int, npt.NDArray[np.int64]]:
    """The edges of each literal."""
    order = np.argsort(literals, kind="stable")
    distinct, begin = np.unique(literals[order], return_index=True)
    return dict(zip(distinct.tolist(), np.split(order, begin)[1:], strict=True))
