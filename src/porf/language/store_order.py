"""Models whose axioms on the modification order are all `acyclic B | mo | fr`, with B free of mo: SC, TSO, PSO, RMO.

For them the search for an order needs no model language: only each B as a graph, into which mo and fr are put.
"""

import numpy as np
import numpy.typing as npt

from porf._core import Check
from porf.execution import Execution
from porf.language import base
from porf.language.evaluation import Evaluation, evaluator
from porf.language.model_file import ModelFile
from porf.language.relation import operands
from porf.record import Record

Matrix = npt.NDArray[np.bool_]

_ORDER = {base.relation("mo"), base.relation("fr")}


class StoreOrderGraph(Record):
    """An axiom `acyclic B | mo | fr`: B is the union of these registers of the compiled model."""

    axiom: str
    base: tuple[int, ...]


class StoreOrderProblem(Record, eq=False):
    """Is there a modification order that closes no cycle in any graph?

    Node e of a graph is row e; node n + x, for n rows, is the initial write of location x.
    """

    axioms: tuple[str, ...]
    graphs: tuple[Matrix, ...]  # the base of each axiom's graph
    broken: str | None  # an axiom without mo that fails already


def store_order_graphs(model: ModelFile) -> list[StoreOrderGraph] | None:
    """The graphs that a modification order must leave acyclic; None if the model asks anything else of it."""
    if model.view != "one":
        return None
    graphs = []
    for axiom in model.axioms:
        if axiom.flagged or not axiom.uses_mo:
            continue
        registers = {node: model.registers[node] for node in operands(axiom.node)}
        rest = [at for node, at in registers.items() if node not in _ORDER]
        fixed = not any(model.compiled.traits[at].uses_mo for at in rest)
        if axiom.check != Check.ACYCLIC or axiom.negated or not fixed or not registers.keys() >= _ORDER:
            return None
        graphs.append(StoreOrderGraph(axiom.name, tuple(sorted(rest))))
    return graphs


def store_order_problem(model: ModelFile, execution: Execution) -> StoreOrderProblem | None:
    """The graphs of a model on an execution; None if the model has another shape."""
    graphs = store_order_graphs(model)
    if graphs is None:
        return None
    core = evaluator(model, execution)
    Evaluation(model, execution, core, ())  # fills the registers
    failing = [axiom for k in core.broken() if not (axiom := model.axioms[k]).flagged and not axiom.uses_mo]
    nodes = len(execution) + execution.locations
    return StoreOrderProblem(
        axioms=tuple(graph.axiom for graph in graphs),
        graphs=tuple(_union([core.matrix(register) for register in graph.base], nodes) for graph in graphs),
        broken=failing[0].name if failing else None,
    )


def _union(relations: list[npt.NDArray[np.uint64]], nodes: int) -> Matrix:
    out = np.zeros((nodes, nodes), np.bool_)
    for rows in relations:
        octets = rows.astype("<u8").view(np.uint8)
        out |= np.unpackbits(octets, axis=1, count=nodes, bitorder="little").view(np.bool_)
    return out
