"""Graphs whose edges are fixed, or hang on the order of two writes: what searches for a store order share.

The order of writes w and v of a location adds, to each graph of a model, the edges from w and its readers to v.
Nodes are numbered as in `porf.language.store_order`: rows, then initial writes.
"""

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.allowance import look
from porf.evidence.data import Witness
from porf.execution import INITIAL, Execution, Int32, Op
from porf.language.store_order import Matrix, StoreOrderProblem
from porf.record import Record

Nodes = npt.NDArray[np.int64]

_EDGE = 80  # bytes that an edge takes while edges are collected
_PAIRS = 1 << 18  # that are put into a matrix between two looks: each entry may lie in a page of its own


class StoreOrders:
    """The pairs of writes to be ordered, each with a variable, and who reads what.

    `literal[w, v]` is the variable of the pair, counted from 1, negative where v is the one of the lower row; true
    means that w comes before v. It is 0 where w and v are not two writes of one location.
    """

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.writes = _rows(execution, Op.WRITE, Op.UPDATE)
        lines = [self.line(x) for x in range(execution.locations)]
        above = [np.triu_indices(len(line), 1) for line in lines]
        self.first = _joined([line[a] for line, (a, _) in zip(lines, above, strict=True)])  # of each pair
        self.second = _joined([line[b] for line, (_, b) in zip(lines, above, strict=True)])
        self.pairs = len(self.first)
        _core.Allowance.claim(4 * len(execution) ** 2)
        self.literal = np.zeros((len(execution), len(execution)), np.int32)
        for begin in range(0, self.pairs, _PAIRS):
            look()
            first, second = self.first[begin : begin + _PAIRS], self.second[begin : begin + _PAIRS]
            numbers = np.arange(begin + 1, begin + len(first) + 1)
            self.literal[first, second] = numbers
            self.literal[second, first] = -numbers
        reads = _rows(execution, Op.READ, Op.UPDATE)
        self._readers: dict[int, list[int]] = {}
        for row, writer in zip(reads.tolist(), execution.rf[reads].tolist(), strict=True):
            self._readers.setdefault(~int(execution.loc[row]) if writer == INITIAL else writer, []).append(row)

    def line(self, loc: int) -> Nodes:
        """The writes of a location, but for the initial one."""
        return np.asarray(self.writes[self.execution.loc[self.writes] == loc], np.int64)

    def sources(self, before: int, after: int) -> list[int]:
        """Where the edges start that lead to `after` if `before` precedes it: nothing is from-read before itself."""
        return [before, *(row for row in self._readers.get(before, ()) if row != after)]

    def hanging_edges(self) -> tuple[Nodes, Nodes, Nodes]:
        """Every edge that hangs on an order of two writes: the literal, the edge's start and target."""
        sources = {write: [write, *self._readers.get(write, ())] for write in self.writes.tolist()}
        counts = np.zeros(len(self.execution), np.int64)
        counts[self.writes] = [len(line) for line in sources.values()]
        begin = np.cumsum(counts) - counts
        before, after = np.concatenate((self.first, self.second)), np.concatenate((self.second, self.first))
        _core.Allowance.claim(_EDGE * int(counts[before].sum()))
        order = np.repeat(np.arange(len(before)), counts[before])
        within = np.arange(len(order)) - np.repeat(np.cumsum(counts[before]) - counts[before], counts[before])
        flat = np.array([row for line in sources.values() for row in line], np.int64)
        starts, targets = flat[begin[before[order]] + within], after[order]
        numbers = np.arange(1, self.pairs + 1)
        literals = np.concatenate((numbers, -numbers))[order]
        real = starts != targets
        return literals[real], starts[real], targets[real]

    def with_initial(self, graph: Matrix) -> Matrix:
        """The graph with what the initial writes add: they come first, and so do their readers."""
        out = graph.copy()
        for x in range(self.execution.locations):
            line = self.line(x)
            out[len(self.execution) + x, line] = True
            for row in self._readers.get(~x, ()):
                out[row, line[line != row]] = True
        return out

    def matrix(self, ahead: Matrix) -> Matrix:
        """Who comes before whom, from a truth value for each pair: whether its first write does."""
        out = np.zeros(self.literal.shape, np.bool_)
        out[self.first, self.second] = ahead
        out[self.second, self.first] = ~ahead
        return out

    def witness(self, before: Matrix) -> Witness:
        """The witness in which `before[w, v]` says who of two writes of a location comes first."""
        lines = [self.line(x) for x in range(self.execution.locations)]
        ordered = [line[np.argsort(before[np.ix_(line, line)].sum(axis=0), kind="stable")] for line in lines]
        start = np.concatenate(([0], np.cumsum([len(line) for line in lines]))).astype(np.int64)
        return Witness(_joined(ordered).astype(np.int32), start)


def _rows(execution: Execution, *ops: Op) -> Nodes:
    return np.flatnonzero(np.isin(execution.op, ops))


def _joined(lines: list[Nodes]) -> Nodes:
    return np.concatenate(lines) if lines else np.empty(0, np.int64)


class OpenOrders(Record, eq=False):
    """What a partial store order leaves to be decided: the open pairs, and the edges that hang on them.

    Only nodes where such edges start or end are kept: all other paths are in the closures.
    """

    settled: Matrix  # of each pair, whether the partial order has it
    ahead: Matrix  # of each settled pair, whether its first write comes first
    literals: Nodes  # of each edge
    starts: Nodes
    targets: Nodes
    closures: tuple[Matrix, ...]  # of each graph of the model


def open_orders(orders: StoreOrders, problem: StoreOrderProblem, forced: Matrix) -> OpenOrders | None:
    """What `forced`, a partial store order, leaves open; None if it closes a cycle."""
    if problem.broken:
        return None
    ahead, behind = forced[orders.first, orders.second], forced[orders.second, orders.first]
    literals, starts, targets = orders.hanging_edges()
    pairs = np.abs(literals) - 1
    known = np.where(literals > 0, ahead[pairs], behind[pairs])
    is_open = ~(ahead | behind)[pairs]
    nodes, renamed = np.unique(np.concatenate((starts[is_open], targets[is_open])), return_inverse=True)
    closures = []
    for graph in problem.graphs:
        fixed = orders.with_initial(graph)
        fixed[starts[known], targets[known]] = True
        closed = closure(fixed)
        if closed is None:
            return None
        closures.append(closed[np.ix_(nodes, nodes)])
    half = int(is_open.sum())
    return OpenOrders(ahead | behind, ahead, literals[is_open], renamed[:half], renamed[half:], tuple(closures))


def closure(graph: Matrix) -> Matrix | None:
    """The transitive closure of a graph; None if it has a cycle."""
    order = topological(graph)
    if order is None:
        return None
    sorted_graph = graph[np.ix_(order, order)]
    reach = np.zeros_like(sorted_graph)
    for node in range(len(graph) - 1, -1, -1):
        look()
        row, left = reach[node], sorted_graph[node].copy()
        while left.any():  # the first that is left is on no path from another
            onward = int(left.argmax())
            row |= reach[onward]
            row[onward] = True
            left &= ~row
    out = np.zeros_like(reach)
    out[np.ix_(order, order)] = reach
    return out


def topological(graph: Matrix) -> Int32 | None:
    """The nodes in an order that every edge follows; None if there is a cycle."""
    waiting = graph.sum(axis=0, dtype=np.int32)
    order: list[int] = []
    ready = np.flatnonzero(waiting == 0).tolist()
    while ready:
        look()
        node = ready.pop()
        order.append(node)
        onward = np.flatnonzero(graph[node])
        waiting[onward] -= 1
        ready.extend(onward[waiting[onward] == 0].tolist())
    return np.array(order, np.int32) if len(order) == len(graph) else None
