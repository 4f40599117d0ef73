"""RA consistency one event at a time, with a modification order that is always transitively closed, as in C11Tester.

A baseline to compare with: happens-before by vector clocks; per location the forced order, with all that precedes and
all that follows each write as bit sets. Each new edge updates every pair that it implies.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from porf.execution import Op


class ClosedOrder:
    """A strict order under insertion of pairs, closed after each; nodes are numbered from 0."""

    def __init__(self) -> None:
        self.before: list[int] = []  # per node: the set of nodes before it, as bits
        self.after: list[int] = []

    def node(self) -> int:
        self.before.append(0)
        self.after.append(0)
        return len(self.before) - 1

    def add(self, a: int, b: int) -> bool:
        """Puts a before b; false when b is a or before it."""
        if a == b or self.before[a] >> b & 1:
            return False
        if self.after[a] >> b & 1:
            return True
        down, up = self.before[a] | 1 << a, self.after[b] | 1 << b
        for node in members(up):
            self.before[node] |= down
        for node in members(down):
            self.after[node] |= up
        return True


def members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class ClosedMonitor:
    """Takes what the core's monitor takes: events in an order that respects po and rf."""

    def __init__(self) -> None:
        self.clock: defaultdict[int, dict[int, int]] = defaultdict(dict)  # per thread
        self.view: list[dict[int, int]] = []  # per event: its clock
        self.orders: dict[int, ClosedOrder] = {}  # per location; node 0 is the initial write
        self.node_of: list[int] = []  # per event: the write that it leaves in its location
        self.update_of: dict[tuple[int, int], int] = {}  # (location, node) -> the update that reads it
        # Per location and thread: the indices of its accesses there, and what each leaves.
        self.log: defaultdict[int, dict[int, tuple[list[int], list[int]]]] = defaultdict(dict)

    def feed(self, thread: int, op: int, loc: int, _order: int, rf: int) -> bool:
        """Adds an event; false when the execution is inconsistent with it."""
        clock = self.clock[thread]
        order = self.orders.setdefault(loc, ClosedOrder())
        if not order.before:
            order.node()
        fine = True
        if op == Op.WRITE:
            value = target = order.node()
            order.add(0, value)
            fine = self._insert(loc, 0, value)
        else:
            value = target = 0 if rf < 0 else self.node_of[rf]
        for other, (indices, left) in self.log[loc].items():
            at = bisect_right(indices, clock.get(other, 0))
            if at and left[at - 1] != target:
                fine = fine and self._insert(loc, left[at - 1], target)
        if op == Op.UPDATE:
            fine = fine and (loc, target) not in self.update_of
            value = self._update(loc, target)
        clock[thread] = clock.get(thread, 0) + 1
        if op != Op.WRITE and rf >= 0:
            for other, seen in self.view[rf].items():
                if seen > clock.get(other, 0):
                    clock[other] = seen
        self.view.append(dict(clock))
        self.node_of.append(value)
        indices, left = self.log[loc].setdefault(thread, ([], []))
        indices.append(clock[thread])
        left.append(value)
        return fine

    def _insert(self, loc: int, a: int, b: int) -> bool:
        """Nothing comes between a write and its update, so what follows a follows its updates too."""
        while (loc, a) in self.update_of:
            a = self.update_of[loc, a]
            if a == b:
                return True
        return self.orders[loc].add(a, b)

    def _update(self, loc: int, target: int) -> int:
        order = self.orders[loc]
        node = order.node()
        followers = order.after[target]
        order.add(target, node)
        for follower in members(followers):
            order.add(node, follower)
        self.update_of[loc, target] = node
        return node
