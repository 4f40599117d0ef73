"""The kernels that the core knows by their models' names. Their findings become evidence.

A model needs nothing here: without more, what a kernel refutes is made small and proved by the model's file. Kernels of
the C11 family (Tunç et al. 2023: Relaxed, RC20, RA, WRA, SRA) also say which breach they met, and that is the proof.
"""

from porf import _core
from porf._core import CoherenceBreach as Breach
from porf.checking.budget import LIMITS, Budget
from porf.checking.derivation import Derivation
from porf.checking.shrink import with_small_proof
from porf.checking.verdict import REFUTED, Answer, Outcome
from porf.evidence.data import Proof, Witness
from porf.execution import Execution
from porf.models.registry import Model


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides by the model's kernel."""
    assert model.kernel is not None
    found = _core.run_kernel(model.name, execution.core, budget.start())
    algorithm = model.kernel.algorithm
    if found.by_search:
        algorithm = "frontier" if found.states else "saturation"
    if found.answer == Answer.UNDECIDED:
        return Outcome(Answer.UNDECIDED, algorithm, note=LIMITS[found.limit])
    if found.answer == Answer.CONSISTENT:
        return Outcome(Answer.CONSISTENT, algorithm, witness=Witness(found.mo, found.mo_start))
    if found.breach == Breach.FINE:
        note = f"none of {found.states} frontiers leads to the end" if found.states else None

        def inconsistent(part: Execution, steps: int) -> bool | None:
            return REFUTED[_core.run_kernel(model.name, part.core, _core.Budget(steps=steps)).answer]

        return with_small_proof(execution, model, budget, inconsistent, algorithm, note)
    return Outcome(Answer.INCONSISTENT, algorithm, proof=_proof(execution, model, found))


def _proof(execution: Execution, model: Model, found: _core.Finding) -> Proof:
    derive = Derivation(execution, model)
    access, event = found.access, found.event
    match found.breach:
        case Breach.PO_RF:
            return derive.po_rf([int(row) for row in found.po_rf])
        case Breach.ATOMICITY if model.monitor == _core.CoherenceModel.WRA:
            return derive.two_updates_weakly(event)
        case Breach.ATOMICITY:
            return derive.two_updates(event)
        case Breach.BEFORE_INITIAL:
            return derive.before_initial(access, event)
        case Breach.BACK_IN_CHAIN:
            return derive.back_in_chain(access, event)
        case Breach.CYCLE:
            return derive.chain_cycle([(edge.access, edge.event) for edge in found.cycle])
        case Breach.STRONG_CYCLE:
            return derive.strong_cycle(found.cycle)
        case Breach.OVERWRITTEN:
            return derive.overwritten(access, event)
    raise AssertionError(f"the core named breach {found.breach}")
