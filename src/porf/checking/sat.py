"""SC, TSO, PSO, RMO and models like them by a SAT solver: a direct encoding of the axioms, as a baseline.

A variable says which of two writes of a location comes first. For each graph that must be acyclic, and each pair of a
write x and another node b that the fixed edges leave open, a variable says whether x reaches b. An edge that hangs on
the order of two writes carries what reaches its start on to its end, and nothing may reach what reaches it.
"""

import time
from collections.abc import Iterator

import numpy as np

from porf.allowance import look, most_of_memory
from porf.checking import generic
from porf.checking.budget import LIMITS, Budget, Limit
from porf.checking.order_graph import Nodes, StoreOrders, closure
from porf.checking.shrink import Refutes, kernel_refutes, with_small_proof
from porf.checking.solver import Solver
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.errors import UsageError
from porf.evidence.data import Witness
from porf.execution import Execution, Int32
from porf.language.store_order import Matrix, StoreOrderProblem, store_order_problem
from porf.models.registry import Model

ALGORITHM = "sat"
_HOLDS = 1 << 30  # among variables: known to be true; 0 is known to be false
_CLAUSE_BYTES = 120  # of three literals, in the solver and on the way to it
_ROWS = 256  # of a matrix, that are multiplied between two looks


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides a model whose axioms on mo are all `acyclic B | mo | fr`."""
    answer, witness, note = solve(execution, model, budget)
    if answer == Answer.INCONSISTENT:
        refutes = kernel_refutes(model) if model.memory is not None else _refutes(model)
        return with_small_proof(execution, model, budget, refutes, ALGORITHM, note)
    return Outcome(answer, ALGORITHM, witness, note=note)


def _refutes(model: Model) -> Refutes:
    return lambda part, steps: REFUTED[solve(part, model, Budget(steps=steps))[0]]


def solve(execution: Execution, model: Model, budget: Budget) -> tuple[Answer, Witness | None, str]:
    """The answer, a witness where there is one, and a note on the size of the encoding."""
    started = time.monotonic()
    memory = generic.too_large(execution, model.file, budget.bytes or generic.MEMORY_LIMIT)
    if memory:
        return Answer.UNDECIDED, None, memory
    problem = store_order_problem(model.file, execution)
    if problem is None or not problem.axioms:
        raise UsageError(
            f"sat does not decide {model.name}",
            hint="it is for models whose axioms on mo are all `acyclic B | mo | fr`, with B free of mo",
        )
    orders = StoreOrders(execution)
    with Solver() as solver:
        encoding = _Encoding(orders, solver, budget, started)
        answer = encoding.state(problem)
        note = f"{encoding.variables} variables, {encoding.clauses} clauses"
        if answer is not None:
            return answer, None, f"{LIMITS[encoding.limit]}; {note}" if answer == Answer.UNDECIDED else note
        found, limit = solver.run(budget, started)
        if found is None:
            return Answer.UNDECIDED, None, f"{LIMITS[limit]}; {note}"
        if not found:
            return Answer.INCONSISTENT, None, note
        return Answer.CONSISTENT, orders.witness(orders.matrix(truth(orders, solver.model()))), note


def truth(orders: StoreOrders, model: list[int]) -> Matrix:
    """Of each pair, whether a solver's model puts its first write first."""
    ahead: Matrix = np.array(model[: orders.pairs], np.int64) > 0
    return ahead


class _Encoding:
    """Clauses as they go to the solver."""

    def __init__(self, orders: StoreOrders, solver: Solver, budget: Budget, started: float) -> None:
        self._orders = orders
        self._solver = solver
        self._deadline = started + budget.seconds if budget.seconds else None
        self._most = (budget.bytes or most_of_memory()) // _CLAUSE_BYTES
        self.variables = orders.pairs
        self.clauses = 0
        self.limit = Limit.NONE  # which part of the budget ended it

    def state(self, problem: StoreOrderProblem) -> Answer | None:
        """Gives the solver the whole problem. Returns an answer if it is known already, or if the budget ended."""
        if problem.broken:
            return Answer.INCONSISTENT
        for graph in problem.graphs:
            reach = closure(self._orders.with_initial(graph))
            if reach is None:
                return Answer.INCONSISTENT
            if not self._graph(reach):
                return Answer.UNDECIDED
        return None

    def _graph(self, reach: Matrix) -> bool:
        """One graph; False if the budget ended."""
        edges = list(self._edges(reach))
        targets = np.unique(np.array([target for _, target, _ in edges], np.int64))
        nodes = np.unique(np.array([node for edge in edges for node in edge[:2]], np.int64))
        carries, arrives = self._reached(reach, targets, nodes)
        for a, b in np.argwhere(_reduced(reach[np.ix_(nodes, nodes)])).tolist():
            self._carry(carries[:, a], arrives[:, b], None)
        at = {node: k for k, node in enumerate(nodes.tolist())}
        for start, target, literal in edges:
            if reach[target, start]:
                self._add([[-literal]])
            else:
                self._carry(carries[:, at[start]], arrives[:, at[target]], literal)
            if self._over():
                return False
        return True

    def _edges(self, reach: Matrix) -> Iterator[tuple[int, int, int]]:
        """The edges (start, target, literal) that hang on an order, but for those that another one implies."""
        literal = self._orders.literal
        for before, after in np.argwhere(literal).tolist():
            look()
            starts = np.array(self._orders.sources(before, after), np.int64)
            last = starts[~reach[np.ix_(starts, starts)].any(axis=1)]
            for start in last.tolist():
                yield start, after, int(literal[before, after])

    def _reached(self, reach: Matrix, targets: Nodes, nodes: Nodes) -> tuple[Int32, Int32]:
        """For each target x and node b, whether x reaches b: a variable, or known. Twice, for they differ at b = x.

        An edge that starts at x carries x on. One that arrives at x, or at what reaches x, closes a cycle.
        """
        onward, back = reach[np.ix_(targets, nodes)], reach[np.ix_(nodes, targets)].T
        itself = targets[:, None] == nodes[None, :]
        known = onward | back | itself
        fresh = np.cumsum(~known).reshape(known.shape) + self.variables
        self.variables += int((~known).sum())
        arrives = np.where(known, np.where(onward, _HOLDS, 0), fresh).astype(np.int32)
        return np.where(itself, _HOLDS, arrives).astype(np.int32), arrives

    def _carry(self, start: Int32, end: Int32, literal: int | None) -> None:
        """What reaches the start of an edge reaches its end, if the edge is there."""
        needed = (start != 0) & (end != _HOLDS)
        hangs = [] if literal is None else [-literal]
        self._add(
            [
                hangs + ([] if a == _HOLDS else [-a]) + ([b] if b else [])
                for a, b in zip(start[needed].tolist(), end[needed].tolist(), strict=True)
            ]
        )

    def _add(self, clauses: list[list[int]]) -> None:
        self.clauses += len(clauses)
        self._solver.add(clauses)

    def _over(self) -> bool:
        if self.clauses > self._most:
            self.limit = Limit.MEMORY
        elif self._deadline and time.monotonic() > self._deadline:
            self.limit = Limit.TIME
        return self.limit != Limit.NONE


def _reduced(reach: Matrix) -> Matrix:
    """The edges of a closed graph that no other path makes."""
    counts = reach.astype(np.float32)
    reduced: Matrix = reach.copy()
    for begin in range(0, len(reach), _ROWS):
        look()
        reduced[begin : begin + _ROWS] &= ~((counts[begin : begin + _ROWS] @ counts) > 0)
    return reduced
