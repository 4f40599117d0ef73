"""The causal criteria of Zennou et al. 2019 as Datalog rules (`causal.lp`), and SC and TSO on top: a baseline.

clingo computes the partial store order that CCM (for TSO: wCCM) forces, and checks that it closes no cycle. As in
Algorithms 1 and 2 of Zennou et al. 2019, enumeration then completes it. clingo looks at no clock and does not hear
Ctrl-C, so it runs in a process of its own.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from porf.allowance import Allowance, SpentError
from porf.checking import generic
from porf.checking.budget import LIMITS, Budget
from porf.checking.criteria import LADDER, NAMES, refuse_all_but_accesses
from porf.checking.enumeration import complete_by_enumeration
from porf.checking.order_graph import StoreOrders, topological
from porf.checking.shrink import Refutes, kernel_refutes, with_small_proof
from porf.checking.verdict import Answer, Outcome
from porf.errors import UsageError
from porf.execution import INITIAL, Execution, Op
from porf.language.store_order import Matrix, store_order_problem
from porf.models.registry import Model
from porf.processes import DiedError, apart

ALGORITHM = "datalog"
_QUICK = 50  # events that the rules take no time for
_RULES = Path(__file__).parent / "causal.lp"

Pairs = list[tuple[int, int]]


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides SC, TSO, or a causal criterion, on a history of reads and writes."""
    refuse_all_but_accesses(execution, ALGORITHM)
    started = time.monotonic()
    criterion = LADDER[model.name][-1] if model.name in LADDER else model.name
    too_large = generic.too_large(execution, model.file, budget.bytes or generic.MEMORY_LIMIT)
    if too_large:
        return Outcome(Answer.UNDECIDED, ALGORITHM, note=too_large)
    orders = StoreOrders(execution)

    def ask() -> Matrix | None:
        rules = Rules(execution)
        if not rules.hold(criterion):
            return None
        return rules.some_store_order() if criterion == model.name else rules.partial_store_order()

    _clingo()  # that it is missing is said here
    try:
        with Allowance(budget.seconds):
            found = apart(ask, budget.bytes)
        if found is None:
            left = budget.since(started)
            return _refuted(execution, model, left, None if criterion == model.name else f"not {NAMES[criterion]}")
        if criterion == model.name:
            return Outcome(Answer.CONSISTENT, ALGORITHM, orders.witness(found))
        problem = store_order_problem(model.file, execution)
        assert problem is not None
        order, how = complete_by_enumeration(orders, problem, found, budget.since(started))
    except SpentError as spent:
        return Outcome(Answer.UNDECIDED, ALGORITHM, note=LIMITS[spent.limit])
    except DiedError:
        return Outcome(Answer.UNDECIDED, ALGORITHM, note="clingo ended in the middle of its work")
    note = f"{NAMES[criterion]} holds; {how}"
    if order is None:
        return _refuted(execution, model, budget.since(started), note)
    return Outcome(Answer.CONSISTENT, ALGORITHM, orders.witness(order), note=note)


def _refuted(execution: Execution, model: Model, budget: Budget, note: str | None) -> Outcome:
    def refutes(part: Execution, _: int) -> bool:
        def ask() -> bool:
            return not Rules(part).hold(model.name)

        return ask() if len(part) < _QUICK else apart(ask)

    inconsistent: Refutes = kernel_refutes(model) if model.name in LADDER else refutes
    return with_small_proof(execution, model, budget, inconsistent, ALGORITHM, note)


class Rules:
    """The rules on one execution. Node e is row e; node n + x is the initial write of location x, as elsewhere."""

    def __init__(self, execution: Execution) -> None:
        self._x = execution
        self._clingo = _clingo()
        self._control = self._clingo.Control(["--warn=none"])
        self._control.load(str(_RULES))

    def hold(self, criterion: str) -> bool:
        """Whether the execution satisfies a criterion: whether its part of the program has a model."""
        orders = ("ppo", "loc") if criterion == "wccm" else ("po",)
        self._facts(orders)
        for pi in orders:
            self._ground("causal", pi)
        if criterion in ("cc", "ccv", "cm"):
            self._ground("cc")
        if criterion in ("cm", "ccm", "wccm"):
            for pi in orders:
                for last in _last_events(self._x, pi):
                    self._ground("happens_before", pi, last)
        if criterion in ("ccm", "wccm"):
            for pi in orders:
                self._ground("together", pi)
        if criterion != "cc":
            self._ground(criterion)
        if criterion in ("ccm", "wccm"):
            self._ground("store_order")
        return bool(self._control.solve().satisfiable)

    def partial_store_order(self) -> Matrix:
        """The partial store order of CCM or wCCM, on rows."""
        return self._relation("pww")[: len(self._x), : len(self._x)]

    def some_store_order(self) -> Matrix:
        """An order of all rows that follows what the criterion found: causality and conflicts, or the partial order."""
        graph = self._relation("conflict") | self._relation("pww")
        for atom in self._control.symbolic_atoms.by_signature("edge", 3):
            if atom.symbol.arguments[0].name == "po":
                graph[atom.symbol.arguments[1].number, atom.symbol.arguments[2].number] = True
        order = topological(graph)
        assert order is not None
        place = np.argsort(order)[: len(self._x)]
        return place[:, None] < place[None, :]

    def _relation(self, name: str) -> Matrix:
        nodes = len(self._x) + self._x.locations
        out = np.zeros((nodes, nodes), np.bool_)
        for atom in self._control.symbolic_atoms.by_signature(name, 2):
            before, after = atom.symbol.arguments
            out[before.number, after.number] = True
        return out

    def _ground(self, part: str, *arguments: str | int) -> None:
        terms = [self._clingo.Function(a) if isinstance(a, str) else self._clingo.Number(a) for a in arguments]
        self._control.ground([(part, terms)])

    def _facts(self, orders: tuple[str, ...]) -> None:
        x, rows = self._x, len(self._x)
        reads = np.flatnonzero((x.op == Op.READ) & (x.rf >= INITIAL)).tolist()
        wr = [(rows + int(x.loc[r]) if x.rf[r] == INITIAL else int(x.rf[r]), r) for r in reads]
        external = [(w, r) for w, r in wr if w >= rows or x.thread[w] != x.thread[r]]
        writes = [(e, int(x.loc[e])) for e in np.flatnonzero(x.op == Op.WRITE).tolist()]
        writes += [(rows + loc, loc) for loc in range(x.locations)]
        with self._control.backend() as backend:
            self._add(backend, "wr", wr)
            self._add(backend, "write", writes)
            for pi in orders:
                self._add(backend, "step", list(_steps(x, pi)), pi)
                self._add(backend, "sees", wr if pi == "po" else external, pi)

    def _add(self, backend: Any, name: str, pairs: Pairs, *pi: str) -> None:
        function, number = self._clingo.Function, self._clingo.Number
        head = [function(order) for order in pi]
        for a, b in pairs:
            backend.add_rule([backend.add_atom(function(name, [*head, number(a), number(b)]))])


def _clingo() -> Any:
    try:
        import clingo
    except ImportError:
        raise UsageError(
            "the package clingo is missing", hint="pip install 'porf[datalog]', or choose another --algorithm"
        ) from None
    return clingo


def _steps(x: Execution, pi: str) -> Iterator[tuple[int, int]]:
    """Pairs whose closure is a program order: po; ppo, without writes before reads; loc, within each location.

    An initial write stands before the first event of every thread, as if it had been the thread's own.
    """
    rows, initial = len(x), range(len(x), len(x) + x.locations)
    last: dict[tuple[int, ...], list[int]] = {}
    for e in range(rows):
        thread, loc, writes = int(x.thread[e]), int(x.loc[e]), x.op[e] == Op.WRITE
        if pi == "loc":
            yield from ((a, e) for a in last.get((thread, loc), [rows + loc]))
            last[thread, loc] = [e]
        elif pi == "po":
            yield from ((a, e) for a in last.get((thread,), initial))
            last[(thread,)] = [e]
        else:
            # Before a read stands the last read; before a write also the last write. Reads in between are behind both.
            reads, stores = last.get((thread, 0), []), last.get((thread, 1), list(initial))
            yield from ((a, e) for a in (reads + stores if writes else reads))
            last[thread, int(writes)] = [e]


def _last_events(x: Execution, pi: str) -> list[int]:
    """Events such that every other is before one of them in a program order."""
    last: dict[tuple[int, ...], int] = {}
    for e in range(len(x)):
        key = {"po": 0, "ppo": int(x.op[e]), "loc": int(x.loc[e])}[pi]
        last[int(x.thread[e]), key] = e
    return sorted(last.values())
