"""Completes a partial store order by enumeration: orders one more pair of writes, sees what follows, backtracks.

Each graph of the model is kept as its transitive closure, so that an edge that would close a cycle is seen at once.
Where one order of a pair would, the other is forced; only then is a pair chosen. Pairs that stand early in the graph
are chosen first: what contradicts a choice is then near, and little is done in vain.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from porf.check.budget import Budget, most_of_memory
from porf.check.order_graph import StoreOrders, closure
from porf.language.store_order import Matrix, StoreOrderProblem

Bits = npt.NDArray[np.uint8]


class SpentError(Exception):
    """The budget ended; `limit` is its number among `verdict.LIMITS`."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Enumeration:
    """The total orders of the writes of each location that extend `forced` and close no cycle in any graph."""

    def __init__(self, orders: StoreOrders, problem: StoreOrderProblem, forced: Matrix, budget: Budget) -> None:
        self._orders = orders
        self._budget = budget
        self._deadline = time.monotonic() + budget.seconds if budget.seconds else None
        self.choices = 0
        first, second = orders.first, orders.second
        self._first, self._second = first, second
        literals, starts, targets = orders.hanging_edges()
        self._edges = np.abs(literals) - 1, (literals < 0).astype(np.int64), starts, targets  # of which pair and side
        self._settled = forced[first, second].astype(np.int8) - forced[second, first]  # 1: first comes first, -1: not
        graphs = [self._with_settled(orders.with_initial(graph)) for graph in problem.graphs]
        closed = [closure(graph) for graph in graphs]
        self._reach = [np.packbits(c, axis=1, bitorder="little") for c in closed if c is not None]
        self._hopeless = problem.broken is not None or len(self._reach) < len(closed)

    def run(self) -> Matrix | None:
        """An order, as a matrix of who comes before whom; None if there is none."""
        if self._hopeless:
            return None
        alternatives: list[tuple[list[Bits], npt.NDArray[np.int8], int, int]] = []
        alive = True
        while True:
            alive = alive and self._propagate()
            if alive and (self._settled != 0).all():
                return self._orders.matrix(self._settled > 0)
            if alive:
                pair, direction = self._choose()
                saved = [reach.copy() for reach in self._reach]
                alternatives.append((saved, self._settled.copy(), pair, -direction))
                self._spend(len(alternatives))
                alive = self._settle(pair, direction)
            elif alternatives:
                self._reach, self._settled, pair, direction = alternatives.pop()
                alive = self._settle(pair, direction)
            else:
                return None

    def _propagate(self) -> bool:
        """Settles every pair of which one order would close a cycle; False if both would."""
        while True:
            blocked = self._blocked()
            open_pairs = self._settled == 0
            if (blocked[0] & blocked[1] & open_pairs).any():
                return False
            forced = np.flatnonzero((blocked[0] | blocked[1]) & open_pairs)
            if len(forced) == 0:
                return True
            for pair in forced.tolist():
                if not self._settle(pair, -1 if blocked[0][pair] else 1):
                    return False

    def _blocked(self) -> npt.NDArray[np.bool_]:
        """For each pair, whether first-before-second (row 0) or the opposite (row 1) would close a cycle."""
        pairs, sides, starts, targets = self._edges
        out = np.zeros((2, len(self._first)), np.bool_)
        for reach in self._reach:
            back = (reach[targets, starts >> 3] >> (starts & 7)) & 1
            closing = back != 0
            out[sides[closing], pairs[closing]] = True
        return out

    def _settle(self, pair: int, direction: int) -> bool:
        """Orders a pair; False if that closes a cycle."""
        before, after = int(self._first[pair]), int(self._second[pair])
        if direction < 0:
            before, after = after, before
        self._settled[pair] = direction
        for reach in self._reach:
            for start in self._orders.sources(before, after):
                if _holds(reach, after, start):
                    return False
                if not _holds(reach, start, after):
                    onward = reach[after].copy()
                    onward[after >> 3] |= 1 << (after & 7)
                    above = ((reach[:, start >> 3] >> (start & 7)) & 1).view(np.bool_)
                    above[start] = True
                    reach[above] |= onward
        return True

    def _choose(self) -> tuple[int, int]:
        """The open pair that stands earliest, in the order in which its writes stand; few come before an early one."""
        nodes = len(self._reach[0])
        rank = np.zeros(nodes, np.int64)
        for reach in self._reach:
            rank += np.unpackbits(reach, axis=1, count=nodes, bitorder="little").sum(axis=0, dtype=np.int64)
        open_pairs = np.flatnonzero(self._settled == 0)
        first, second = rank[self._first[open_pairs]], rank[self._second[open_pairs]]
        at = int(np.argmin(np.maximum(first, second)))
        return int(open_pairs[at]), 1 if first[at] <= second[at] else -1

    def _with_settled(self, graph: Matrix) -> Matrix:
        pairs, sides, starts, targets = self._edges
        holds = self._settled[pairs] == np.where(sides == 0, 1, -1)
        graph[starts[holds], targets[holds]] = True
        return graph

    def _spend(self, depth: int) -> None:
        self.choices += 1
        if self._budget.progress:
            self._budget.progress(self.choices)
        if self._budget.steps and self.choices > self._budget.steps:
            raise SpentError(1)
        if self._deadline and time.monotonic() > self._deadline:
            raise SpentError(2)
        if depth * sum(reach.nbytes for reach in self._reach) > (self._budget.bytes or most_of_memory()):
            raise SpentError(3)


def _holds(reach: Bits, source: int, target: int) -> bool:
    return bool(reach[source, target >> 3] >> (target & 7) & 1)
