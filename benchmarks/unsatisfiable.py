"""Unsatisfiable formulas with few writes, for benchmarks of searches that are exponential in the writes.

Not a script. In the history of a formula with n variables and all 2^n clauses over them, every assignment fails at just
one clause, so that no part of the search can be left out for a reason that is found early. Such a history has 6n
writes, and each variable that is in no clause adds two.
"""

from __future__ import annotations

import itertools

from porf.execution import Execution
from porf.generate import Formula, sat


def complete(variables: int, unused: int = 0) -> Formula:
    """All clauses over some variables, and as many unused variables."""
    signs = itertools.product((1, -1), repeat=variables)
    clauses = tuple(tuple(sign * at for at, sign in enumerate(row, 1)) for row in signs)
    return Formula(variables + unused, clauses)


def chain(variables: int) -> Formula:
    """x1, each implies the next, and not the last: no choice is ever open."""
    steps = tuple((-at, at + 1) for at in range(1, variables))
    return Formula(variables, ((1,), *steps, (-variables,)))


def inconsistent(writes: int, model: str = "sc", variables: int | None = None) -> Execution:
    """An inconsistent history with just so many writes: an even number from 6.

    `variables` is how many are in clauses, as many as there can be unless told.
    """
    if writes < 6 or writes % 2:
        raise ValueError(f"no such formula has {writes} writes")
    used = writes // 6 if variables is None else variables
    return sat(complete(used, (writes - 6 * used) // 2), model, shared=True)
