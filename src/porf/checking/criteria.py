"""The causal criteria below SC and TSO (Zennou et al. 2019), and what the procedures built on them can take."""

import numpy as np

from porf.execution import Execution, Op
from porf.formats.locate import error_on_field
from porf.models.registry import MODELS

NAMES = {"cc": "CC", "ccv": "CCv", "cm": "CM", "ccm": "CCM", "wccm": "wCCM"}

# From weak to strong. Every store order of the model contains the partial store order of the last. That CC and CCv are
# below TSO is only believed in the paper, but is so: a path of po and rf from a write to a write leaves each thread by
# a write and enters it by a read, so TSO keeps it; and from a write to a read of its location TSO or its uniprocessor
# axiom keeps the last step.
LADDER = {model.name: model.criteria for model in MODELS.values() if model.criteria}


def only_accesses(execution: Execution) -> bool:
    """Whether there are reads and writes only, as in Zennou et al. 2019."""
    return not bool(((execution.op == Op.UPDATE) | (execution.op == Op.FENCE)).any())


def refuse_all_but_accesses(execution: Execution, algorithm: str) -> None:
    """Zennou et al. 2019 has no updates and no fences."""
    others = np.flatnonzero((execution.op == Op.UPDATE) | (execution.op == Op.FENCE))
    if len(others) == 0:
        return
    row = int(others[0])
    more = f", and {len(others) - 1} more are not" if len(others) > 1 else ""
    raise error_on_field(
        execution,
        row,
        "op",
        f"{algorithm} handles only reads and writes: {execution.name(row)} is '{execution.describe(row)}'{more}",
        hint="choose another --algorithm, or leave it to auto",
    )
