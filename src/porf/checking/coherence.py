"""The kernels of the C11 family (Tunç et al. 2023): Relaxed, RC20, RA, WRA, SRA. Findings become evidence."""

from __future__ import annotations

from typing import Any

from porf import _core
from porf.checking.budget import Budget
from porf.checking.derivation import Derivation
from porf.checking.shrink import with_small_proof
from porf.checking.verdict import ANSWERS, LIMITS, REFUTED, Outcome
from porf.evidence.data import Proof, Witness
from porf.execution import Execution
from porf.models.registry import Kernel, Model


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides by the model's kernel."""
    kernel = model.kernel
    assert kernel is not None
    found = _core.check_coherence(
        kernel.code,
        **execution.columns(),
        **budget.limits(),
    )
    algorithm = kernel.algorithm
    if found["by_search"]:
        algorithm = "frontier" if found["states"] else "saturation"
    if ANSWERS[found["answer"]] == "undecided":
        return Outcome("undecided", algorithm, note=LIMITS[found["limit"]])
    if ANSWERS[found["answer"]] == "consistent":
        return Outcome("consistent", algorithm, witness=Witness(found["mo"], found["mo_start"]))
    if found["by_search"]:
        note = f"none of {found['states']} frontiers leads to the end" if found["states"] else None

        def inconsistent(part: Execution, steps: int) -> bool | None:
            return REFUTED[_core.check_coherence(kernel.code, **part.columns(), steps=steps)["answer"]]

        return with_small_proof(execution, model, budget, inconsistent, algorithm, note)
    return Outcome("inconsistent", algorithm, proof=_proof(execution, kernel, found))


def _proof(execution: Execution, kernel: Kernel, found: dict[str, Any]) -> Proof:
    derive = Derivation(execution, kernel)
    access, event = found["access"], found["event"]
    grounds = [tuple(map(int, row)) for row in found["cycle"].reshape(-1, 4)]
    match found["breach"]:
        case 1:
            return derive.po_rf([int(row) for row in found["po_rf"]])
        case 2 if kernel.code == 3:
            return derive.two_updates_weakly(event)
        case 2:
            return derive.two_updates(event)
        case 3:
            return derive.before_initial(access, event)
        case 4:
            return derive.back_in_chain(access, event)
        case 5:
            return derive.chain_cycle([(a, e) for _, _, a, e in grounds])
        case 6:
            return derive.strong_cycle([(f, t, a, e) for f, t, a, e in grounds])
        case 7:
            return derive.overwritten(access, event)
    raise AssertionError(f"the core named breach {found['breach']}")
