"""What reads force on the order of writes under SC, TSO, PSO and RMO, and what these models need of an execution."""

import numpy as np

from porf import _core
from porf._core import StoreOrderModel
from porf.execution import Execution, Op
from porf.models.registry import Model

NO_DEPENDENCIES = "the history records no dependencies"

Pairs = tuple[tuple[int, int], ...]


def forced_pairs(execution: Execution, model: Model) -> Pairs:
    """The pairs of writes of a location whose order every good order shares, as far as the rules find them.

    Nearest ones only: what follows from them is left out.
    """
    if model.store_order is None:
        return ()
    return tuple(_core.forced_order(execution.core, model.store_order))


def remark(execution: Execution, model: Model) -> str | None:
    """What people should know about an RMO verdict: without dependencies, more is consistent."""
    if model.store_order != StoreOrderModel.RMO:
        return None
    given = [execution.dependencies[kind][0] for kind in ("addr", "data") if kind in execution.dependencies]
    if any(np.isin(execution.op[sources], (Op.READ, Op.UPDATE)).any() for sources in given):
        return None
    return NO_DEPENDENCIES
