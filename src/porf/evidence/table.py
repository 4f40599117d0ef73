"""Decides a model of the shape `acyclic B | mo | fr` on its file's graphs (Chini and Saivasan 2020, Theorem 1).

The verifier decides minimal parts with it once more; `--algorithm subsets` decides other people's models.
"""

import numpy as np

from porf import _core
from porf.errors import UsageError
from porf.execution import Execution, Int32
from porf.language.model_file import ModelFile
from porf.language.store_order import Matrix, store_order_problem

SHAPE_HINT = "every axiom on mo must be `acyclic B | mo | fr`, with at most one B that leaves a location"


def table_of(execution: Execution, model: ModelFile, budget: _core.Budget) -> _core.StoreOrder:
    """The core's answer; where the table of all sets is too large, only the sets that forced orders leave."""
    problem = store_order_problem(model, execution)
    if problem is None or not _one_total_order(execution, problem.graphs):
        raise UsageError(f"{model.name} is not decided over sets of writes", hint=SHAPE_HINT)
    if problem.broken is not None:
        return _core.StoreOrder(_core.Answer.INCONSISTENT)
    edges = [_edges(graph, len(execution)) for graph in problem.graphs]
    writes = int(execution.writing.sum())
    return _core.decide_acyclic_graphs(execution.core, edges, forced=writes > _core.TABLE_WRITES, budget=budget)


def _one_total_order(execution: Execution, graphs: tuple[Matrix, ...]) -> bool:
    """Whether one total order of all writes serves all graphs (Lemma 8): all but one keep within a location each.

    Nothing may lead into an initial write, which stands before all that the table orders.
    """
    n = len(execution)
    same = execution.loc[:, None] == execution.loc[None, :]
    crossing = [graph for graph in graphs if bool((graph[:n, :n] & ~same).any())]
    return len(crossing) <= 1 and not any(bool(graph[:, n:].any()) for graph in graphs)


def _edges(graph: Matrix, rows: int) -> tuple[Int32, Int32]:
    sources, targets = np.nonzero(graph[:rows, :rows])
    return sources.astype(np.int32), targets.astype(np.int32)
