"""Gradual checking whose last step is a SAT solver's: it orders the pairs that the partial store order leaves open.

The solver starts with next to nothing. What it proposes is put into the graphs; each cycle found there becomes a clause
that forbids it, and the solver tries again, until there is no cycle or nothing left to propose.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from porf.check.budget import Budget
from porf.check.enumeration import SpentError
from porf.check.gradual import climb
from porf.check.order_graph import Nodes, StoreOrders, closure, topological
from porf.check.sat import new_solver, run, truth
from porf.check.verdict import Outcome
from porf.execution import Execution
from porf.language.store_order import Matrix, StoreOrderProblem
from porf.models.registry import Model

ALGORITHM = "gradual-sat"
_CYCLES = 60  # to be forbidden in one round, for each graph


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC or TSO on a history of reads and writes."""
    with new_solver():  # a missing package is said before anything is computed
        pass
    return climb(execution, model, budget, ALGORITHM, refine)


def refine(
    orders: StoreOrders, problem: StoreOrderProblem, forced: Matrix, budget: Budget
) -> tuple[Matrix | None, str]:
    """An order of all pairs that extends `forced` and closes no cycle, by propose and forbid."""
    started = time.monotonic()
    graphs = [_Graph(orders, orders.with_initial(graph), forced) for graph in problem.graphs]
    if problem.broken or not all(graph.acyclic for graph in graphs):
        return None, "nothing was proposed"
    rounds = clauses = 0
    with new_solver() as solver:
        solver.add_clause([orders.pairs + 1])  # so that the solver knows of every pair
        solver.append_formula([[literal] for literal in orders.literal[forced & (orders.literal != 0)].tolist()])
        solver.set_phases(_guess(orders, graphs[0].fixed))
        while True:
            rounds += 1
            found, limit = run(solver, budget, started)
            how = f"{rounds} round{'' if rounds == 1 else 's'}, {clauses} cycle{'' if clauses == 1 else 's'} forbidden"
            if found is None:
                raise SpentError(limit)
            if not found:
                return None, how
            ahead = truth(orders, solver.get_model())
            cycles = {cycle for graph in graphs for cycle in graph.cycles(ahead)}
            if not cycles:
                return orders.matrix(ahead), how
            clauses += len(cycles)
            solver.append_formula([[-literal for literal in cycle] for cycle in cycles])
            if budget.seconds and time.monotonic() - started > budget.seconds:
                raise SpentError(2)


def _guess(orders: StoreOrders, graph: Matrix) -> list[int]:
    """What to try first: the writes as an order of one graph has them."""
    line = topological(graph)
    assert line is not None
    place = np.argsort(line)
    literals = np.arange(1, orders.pairs + 1)
    guessed: list[int] = np.where(place[orders.first] < place[orders.second], literals, -literals).tolist()
    return guessed


class _Graph:
    """What is fixed in a graph, closed, and the edges that a proposal may add."""

    def __init__(self, orders: StoreOrders, graph: Matrix, forced: Matrix) -> None:
        literals, starts, targets = orders.hanging_edges()
        first, second = orders.first[np.abs(literals) - 1], orders.second[np.abs(literals) - 1]
        fixed = np.where(literals > 0, forced[first, second], forced[second, first])
        barred = np.where(literals > 0, forced[second, first], forced[first, second])
        graph[starts[fixed], targets[fixed]] = True
        closed = closure(graph)
        self.acyclic = closed is not None
        self.fixed = graph if closed is None else closed
        free = ~fixed & ~barred
        self._literals, self._starts, self._targets = literals[free], starts[free], targets[free]

    def cycles(self, ahead: Matrix) -> Iterator[tuple[int, ...]]:
        """Cycles under a proposal, each as the literals that make it; none if there are none."""
        holds = ahead[np.abs(self._literals) - 1] == (self._literals > 0)
        literals, starts, targets = self._literals[holds], self._starts[holds], self._targets[holds]
        graph = self.fixed.copy()
        graph[starts, targets] = True
        core = _core_of(graph)
        if len(core) == 0:
            return
        hangs = dict(zip(zip(starts.tolist(), targets.tolist(), strict=True), literals.tolist(), strict=True))
        inside = graph[np.ix_(core, core)]
        for node in np.flatnonzero(np.isin(core, targets))[:_CYCLES].tolist():
            walk = [int(core[at]) for at in _shortest_cycle(inside, node)]
            edges = zip(walk, [*walk[1:], *walk[:1]], strict=True)
            if walk:
                yield tuple(sorted({hangs[edge] for edge in edges if not self.fixed[edge]}))


def _core_of(graph: Matrix) -> Nodes:
    """The nodes on cycles, and between them: what is left when nodes without a way in or out are gone."""
    nodes = np.arange(len(graph), dtype=np.int64)
    while True:
        left = graph[np.ix_(nodes, nodes)]
        inner = nodes[left.any(axis=0) & left.any(axis=1)]
        if len(inner) == len(nodes):
            return nodes
        nodes = inner


def _shortest_cycle(graph: Matrix, node: int) -> list[int]:
    """The nodes of a shortest cycle through a node, from it on; empty if there is none. Breadth first."""
    came = np.full(len(graph), -1, np.int64)
    edge = np.array([node])
    while len(edge):
        onward = graph[edge]
        if onward[:, node].any():
            at = int(edge[np.argmax(onward[:, node])])
            back = [at]
            while at != node:
                at = int(came[at])
                back.append(at)
            return back[::-1]
        new = np.flatnonzero(onward.any(axis=0) & (came < 0))
        came[new] = edge[np.argmax(onward[:, new], axis=0)]
        edge = new
    return []
