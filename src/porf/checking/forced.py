"""What reads force on the order of writes under SC, TSO, PSO and RMO, and what these models need of an execution."""

from __future__ import annotations

from typing import Any

import numpy as np

from porf import _core
from porf.execution import Execution, Int32, Op
from porf.models.registry import MODELS, Model

_CODES = {"sc": 0, "tso": 1, "pso": 2, "rmo": 3}  # the core's numbers
_NONE: Int32 = np.empty(0, np.int32)
NO_DEPENDENCIES = "the history gives no dependencies"

Pairs = tuple[tuple[int, int], ...]


def is_store_order(model: Model) -> bool:
    """Whether it is one of the four, as porf's own files define them."""
    return model.name in _CODES and model is MODELS[model.name]


def arguments(execution: Execution, model: Model) -> dict[str, Any]:
    """What the core takes to make the graphs of one of the four models."""
    sources, targets = _dependencies(execution) if model.name == "rmo" else (_NONE, _NONE)
    return {
        "model": _CODES[model.name],
        **execution.columns(),
        "dependency_from": sources,
        "dependency_to": targets,
    }


def forced_pairs(execution: Execution, model: Model) -> Pairs:
    """The pairs of writes of a location whose order every good order shares, as far as the rules find them.

    Nearest ones only: what follows from them is left out.
    """
    if not is_store_order(model):
        return ()
    before, after = _core.forced_order(**arguments(execution, model))
    return tuple(zip(before.tolist(), after.tolist(), strict=True))


def remark(execution: Execution, model: Model) -> str | None:
    """What a person should know of an RMO verdict: without dependencies, more is consistent."""
    if model is not MODELS["rmo"] or len(_dependencies(execution)[0]):
        return None
    return NO_DEPENDENCIES


def _dependencies(execution: Execution) -> tuple[Int32, Int32]:
    """RMO's dp: address and data dependencies, from a read."""
    given = [execution.dependencies.get(kind, (_NONE, _NONE)) for kind in ("addr", "data")]
    sources, targets = (np.concatenate(side).astype(np.int32) for side in zip(*given, strict=True))
    reading = np.isin(execution.op[sources], (Op.READ, Op.UPDATE))
    return sources[reading], targets[reading]
