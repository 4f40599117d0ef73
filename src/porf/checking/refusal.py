"""No choice of writers is consistent: the few reads that show it, and for each of their candidates why it cannot be."""

import time
from dataclasses import replace

from porf.checking.budget import Budget
from porf.checking.verdict import Answer, Outcome
from porf.evidence.data import Choice, Lemma, Refusal
from porf.execution import Execution
from porf.models.registry import Model

Chosen = frozenset[Choice]
_SECONDS = 10.0  # to make it small and to prove it, unless the budget says less
_PROOF_SECONDS = 5.0  # for one lemma


def refusal(execution: Execution, model: Model, lemmas: list[Chosen], starts: list[Chosen], budget: Budget) -> Outcome:
    """The verdict, once the lemmas leave no choice. `starts` are those that hold because a location starts once."""
    started = time.monotonic()
    left = replace(budget, seconds=min(budget.seconds or _SECONDS, _SECONDS))
    reads, needed = _smaller(execution, lemmas, left)
    told = []
    for lemma in needed:
        told.append(
            Lemma(tuple(sorted(lemma))) if lemma in starts else _proved(execution, model, lemma, left.since(started))
        )
    note = f"no choice of writers for {len(reads)} of {len(execution.open_reads)} open reads is consistent"
    found = Refusal(tuple(reads), tuple(told))
    return Outcome(Answer.INCONSISTENT, "writers", refusal=found, note=note)


def _proved(execution: Execution, model: Model, lemma: Chosen, budget: Budget) -> Lemma:
    from porf.checking.writers import decide_part

    rf = execution.rf.copy()
    for row, writer in lemma:
        rf[row] = writer
    seconds = min(budget.seconds or _PROOF_SECONDS, _PROOF_SECONDS)
    outcome = decide_part(execution, replace(execution, rf=rf), model, "auto", replace(budget, seconds=seconds))
    return Lemma(tuple(sorted(lemma)), outcome.proof, outcome.core)


def _smaller(execution: Execution, lemmas: list[Chosen], budget: Budget) -> tuple[list[int], list[Chosen]]:
    """Reads and lemmas that leave no choice, none of which can be dropped."""
    from pysat.solvers import Glucose4

    started = time.monotonic()
    variables: dict[Choice, int] = {}

    def variable(choice: Choice) -> int:
        return variables.setdefault(choice, len(variables) + 1)

    found = execution.open_reads
    offers = {row: [variable((row, w)) for w in found.of(at).tolist()] for at, row in enumerate(found.rows.tolist())}
    first = len(variables) + 1
    keys: list[int | Chosen] = [*offers, *lemmas]
    with Glucose4() as solver:
        for number, key in enumerate(keys):
            clause = offers[key] if isinstance(key, int) else [-variable(choice) for choice in key]
            solver.add_clause([*clause, -(first + number)])

        def core(assumed: list[int]) -> list[int] | None:
            return None if solver.solve(assumptions=assumed) else sorted(solver.get_core() or [])

        kept = core([first + number for number in range(len(keys))]) or []
        for literal in list(kept):  # reads come first: few reads say more than few lemmas
            if literal not in kept or budget.over(started):
                continue
            fewer = core([other for other in kept if other != literal])
            kept = kept if fewer is None else fewer
    left = [keys[literal - first] for literal in kept]
    return [key for key in left if isinstance(key, int)], [key for key in left if not isinstance(key, int)]
