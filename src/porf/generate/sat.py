"""Chini and Saivasan 2020, Section 5: a formula as a history that is consistent iff the formula is satisfiable.

Figure 1 is for sc, Figure 2 (Appendix C) for tso and pso. Where the paper's construction has one location a literal,
this one has one for each long clause that the literal is in: see docs/errata.md.
"""

from __future__ import annotations

import numpy as np

from porf.errors import UsageError, nearest
from porf.execution import INITIAL, NO_VALUE, Execution, Op, Order
from porf.generate.dimacs import Formula

SAT_MODELS = ("sc", "tso", "pso")


def sat(formula: Formula, model: str = "sc", *, shared: bool = False) -> Execution:
    """The history of a formula, consistent under the model iff the formula is satisfiable.

    With `shared` every literal has one location, as printed. Then 2·variables + 2·literals writes are enough, and an
    unsatisfiable formula is still inconsistent; but a satisfiable one may be inconsistent too.
    """
    if model not in SAT_MODELS:
        hint = nearest(model, SAT_MODELS) or "it is one of " + " ".join(SAT_MODELS)
        raise UsageError(f"no reduction to model '{model}'", hint=hint)
    if formula.variables == 0 and not formula.clauses:
        raise UsageError("the formula has no variables and no clauses", hint="a history has at least one event")
    history = _History()
    for variable in range(1, formula.variables + 1):
        name = f"x{variable}"
        for value in (0, 1):
            history.write(f"T{value}({name})", name, value)
    for number, clause in enumerate(formula.clauses, 1):
        _clause(history, number, clause, model, shared)
    return history.execution(f"<{model} history of a formula, {formula.variables} variables>")


def _clause(history: _History, number: int, clause: tuple[int, ...], model: str, shared: bool) -> None:
    """Threads of two reads each; if every literal is 0 they form a cycle through the whole clause.

    A clause of m literals needs m threads. If just one literal is 1, the others turn 0 one after the other, in the
    clause's order. Two clauses could ask for contrary orders, unless their literals have locations of their own.
    Clauses of up to two literals ask for no order: they take any location of the literal.
    """
    literals = list(dict.fromkeys(clause))
    if not literals:
        return _contradiction(history, f"C{number}")
    own = len(literals) > 2 and not shared
    names = [_location(history, literal, model, own) for literal in literals]
    for at, name in enumerate(names):
        thread = f"T{at + 1}(C{number})"
        history.read(thread, names[at - 1], 0)
        history.read(thread, name, 1)


def _contradiction(history: _History, name: str) -> None:
    """The empty clause: a read that goes back in time, which every model forbids."""
    history.write(f"T({name})", name, 0)
    history.write(f"T({name})", name, 1)
    history.read(f"T({name})", name, 0)


def _location(history: _History, literal: int, model: str, own: bool) -> str:
    """A location that holds the literal's value, with the threads that write it after the variable's value."""
    base = f"{'+' if literal > 0 else '-'}x{abs(literal)}"
    taken = history.long_clauses.get(literal, 0)
    if own:
        history.long_clauses[literal] = taken + 1
    name = f"{base}.{taken + 1}" if own and taken else base
    if name in history.locations:
        return name
    variable = f"x{abs(literal)}"
    for value in (0, 1):
        thread, written = f"T{value}({name})", value if literal > 0 else 1 - value
        history.read(thread, variable, value)
        history.write(thread, name, written)
        if model == "sc":
            history.read(thread, variable, value)
        else:  # a read after a write of the same thread could overtake it; in a thread of its own it cannot
            history.read(f"T'{value}({name})", name, written)
            history.read(f"T'{value}({name})", variable, value)
    return name


class _History:
    """Events as they are said. A read names the value; each location is written 0 once and 1 once."""

    def __init__(self) -> None:
        self.threads: dict[str, int] = {}
        self.locations: dict[str, int] = {}
        self.long_clauses: dict[int, int] = {}  # how many of these a literal has been in
        self.rows: list[tuple[int, int, int, int, int]] = []  # thread, op, loc, rf, value
        self.writes: dict[tuple[int, int], int] = {}

    def write(self, thread: str, location: str, value: int) -> None:
        loc = self.locations.setdefault(location, len(self.locations))
        self.writes[loc, value] = len(self.rows)
        self.rows.append((self._thread(thread), Op.WRITE, loc, INITIAL, value))

    def read(self, thread: str, location: str, value: int) -> None:
        loc = self.locations[location]
        self.rows.append((self._thread(thread), Op.READ, loc, self.writes[loc, value], value))

    def _thread(self, name: str) -> int:
        return self.threads.setdefault(name, len(self.threads))

    def execution(self, source: str) -> Execution:
        thread, op, loc, rf, value = np.array(self.rows, np.int64).T
        written = np.flatnonzero(op == Op.WRITE)
        names = list(self.locations)
        return Execution(
            thread=thread.astype(np.int32),
            op=op.astype(np.uint8),
            loc=loc.astype(np.int32),
            order=np.full(len(op), Order.RLX, np.uint8),
            rf=rf.astype(np.int32),
            thread_names=list(self.threads),
            loc_names=names,
            init_value=np.zeros(len(names), np.int64),
            read_value=np.where(op == Op.READ, value, NO_VALUE),
            written_value=np.where(op == Op.WRITE, value, NO_VALUE),
            id_rows=written.astype(np.int32),
            id_names=[f"{names[loc[row]]}:{value[row]}" for row in written.tolist()],
            source=source,
        )
