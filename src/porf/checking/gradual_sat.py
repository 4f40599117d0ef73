"""Gradual checking whose last step is a SAT solver's: it orders the pairs that the partial store order leaves open.

The solver starts with next to nothing. What it proposes is put into the graphs; each cycle found there becomes a clause
that forbids it, and the solver tries again, until there is no cycle or nothing left to propose.
"""

import time
from collections.abc import Iterator

import numpy as np

from porf._core import Limit
from porf.allowance import SpentError, look
from porf.checking.budget import Budget
from porf.checking.gradual import climb
from porf.checking.order_graph import Nodes, OpenOrders, StoreOrders, open_orders
from porf.checking.sat import truth
from porf.checking.solver import Solver
from porf.checking.verdict import Outcome
from porf.execution import Execution
from porf.language.store_order import Matrix, StoreOrderProblem
from porf.models.registry import Model

ALGORITHM = "gradual-sat"
_CYCLES = 60  # to be forbidden in one round, for each graph


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC or TSO on a history of reads and writes."""
    return climb(execution, model, budget, ALGORITHM, refine)


def refine(
    orders: StoreOrders, problem: StoreOrderProblem, forced: Matrix, budget: Budget
) -> tuple[Matrix | None, str]:
    """A total order of the writes of each location that extends `forced` and closes no cycle, or None; and how."""
    started = time.monotonic()
    left = open_orders(orders, problem, forced)
    if left is None:
        return None, "nothing was proposed"
    rounds = forbidden = 0
    with Solver() as solver:
        solver.add([[orders.pairs + 1]])  # so that the solver knows of every pair
        solver.guess(_guess(left))
        while True:
            rounds += 1
            found, limit = solver.run(budget, started)
            how = f"rounds: {rounds}, cycles forbidden: {forbidden}"
            if found is None:
                raise SpentError(limit)
            if not found:
                return None, how
            ahead = np.where(left.settled, left.ahead, truth(orders, solver.model()))
            cycles = {cycle for closed in left.closures for cycle in _cycles(left, closed, ahead)}
            if not cycles:
                return orders.matrix(ahead), how
            forbidden += len(cycles)
            solver.add([[-literal for literal in cycle] for cycle in cycles])
            if budget.seconds and time.monotonic() - started > budget.seconds:
                raise SpentError(Limit.TIME)


def _guess(left: OpenOrders) -> list[int]:
    """What to try first: the writes as one graph has them; of two, the one that fewer come before."""
    rank = left.closures[0].sum(axis=0, dtype=np.int64)
    place = dict(zip(left.literals.tolist(), rank[left.targets].tolist(), strict=True))  # of the second write
    return [pair if place[-pair] <= place[pair] else -pair for pair in place if pair > 0]


def _cycles(left: OpenOrders, closed: Matrix, ahead: Matrix) -> Iterator[tuple[int, ...]]:
    """Short cycles of a graph under a proposal, each as the literals that make it; none if there are none."""
    holds = ahead[np.abs(left.literals) - 1] == (left.literals > 0)
    literals, starts, targets = left.literals[holds], left.starts[holds], left.targets[holds]
    graph = closed.copy()
    graph[starts, targets] = True
    core = _core_of(graph)
    if len(core) == 0:
        return
    hangs = dict(zip(zip(starts.tolist(), targets.tolist(), strict=True), literals.tolist(), strict=True))
    inside = graph[np.ix_(core, core)]
    for node in np.flatnonzero(np.isin(core, targets))[:_CYCLES].tolist():
        walk = [int(core[at]) for at in _shortest_cycle(inside, node)]
        if walk:
            edges = zip(walk, [*walk[1:], *walk[:1]], strict=True)
            yield tuple(sorted({hangs[edge] for edge in edges if not closed[edge]}))


def _core_of(graph: Matrix) -> Nodes:
    """The nodes on cycles, and between them: what is left when nodes without a way in or out are gone."""
    nodes = np.arange(len(graph), dtype=np.int64)
    while True:
        look()
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
        look()
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
