"""An execution with a bug, asked about with other orders: is it still one, and does it still have the bug?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from porf._core import BugReport, HappensBefore, Order
from porf.checking import check
from porf.execution import Execution
from porf.exploration.graph import prefix_of
from porf.exploration.history import Graph

if TYPE_CHECKING:
    from porf.models.registry import Model

SYNCHRONISE = (HappensBefore.OWN_WRITES, HappensBefore.ATOMIC_ORDERS)  # by releases and acquisitions, as in C
UNORDERED = ("data race",)
ALONE = ("assertion", "uninitialised read", "indeterminate value", "invalid pointer", "out of bounds", "condition")


class Kept:
    """An execution with a bug, asked about with other orders."""

    def __init__(self, history: Execution, origin: Sequence[int], model: Model) -> None:
        self.history = history
        self.origin = origin  # of each row, the event of the report that it is; -1 for none
        self._model = model

    def stays(self, orders: Mapping[int, Order]) -> bool:
        """Whether it is one, with the bug, if some rows have other orders."""
        order = self.history.order.copy()
        for row, other in orders.items():
            order[row] = int(other)
        return check(replace(self.history, order=order), self._model).consistent


def kept(report: BugReport, kind: str, model: Model) -> Kept | None:
    """A bug's execution; nothing if this model or this kind of bug cannot be asked about other orders."""
    if model.races not in SYNCHRONISE or kind not in (*UNORDERED, *ALONE):
        return None
    rows = report.events
    ends = [n for n in (report.event, report.other) if n >= 0]
    part = range(len(rows)) if kind == "condition" else sorted(prefix_of(rows, ends))
    pairs = []
    if kind in UNORDERED:
        if len(ends) < 2:
            return None
        pairs = [(ends[0], ends[1]), (ends[1], ends[0])]
    graph = Graph(rows, part, pairs)
    found = Kept(graph.history(), graph.origin, model)
    return found if found.stays({}) else None
