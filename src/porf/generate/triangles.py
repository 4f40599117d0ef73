"""Tunç et al. 2023, Theorem 1.7: a graph as a history without updates, inconsistent iff the graph has a triangle.

Inconsistent means under any of ra, wra and sra.
"""

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.errors import UsageError
from porf.execution import INITIAL, Execution, Int32, Int64, Op, Order
from porf.generate.graphs import normalised, random_graph
from porf.generate.runs import unique_values


def triangle(
    edges: npt.ArrayLike | None = None,
    *,
    nodes: int | None = None,
    probability: float | None = None,
    bipartite: bool = False,
    seed: int = 0,
) -> Execution:
    """The history of a graph, given as (u, v) pairs or drawn at random.

    For every node a, thread `Wa` writes y_a, then for every edge a < b writes y_a again and signals b.
    Thread `Ra` takes the signals that reach a and only then opens its junction j_a; after that it waits for
    the junction of every neighbour b above a, and reads the first write of every such y_b. A later write of
    y_b reaches that read just if some c joins both.

    The events are the paper's, on two threads a node instead of one an event. Sharing threads adds
    happens-before edges, but no violation: a write of `Wa` reaches, besides its own, only junctions of a's
    other neighbours, and these close a triangle just as well; and what reaches `Ra` through its signals are
    writes of nodes below a, while it reads nodes above a.
    """
    if edges is None:
        if nodes is None or probability is None:
            raise UsageError("triangle needs edges, or nodes and probability")
        graph = random_graph(nodes, probability, bipartite=bipartite, seed=seed)
    else:
        graph = normalised(edges)
    if len(graph) == 0:
        raise UsageError("the graph has no edges", hint="a history has at least one event")
    return _history(graph)


def _history(graph: Int64) -> Execution:
    """All events of a kind at once, then one sort into an order that po and rf respect."""
    labels, flat = np.unique(graph, return_inverse=True)
    n, m = len(labels), len(graph)
    low, high = flat.reshape(-1, 2).T
    every, edge = np.arange(n), np.arange(m)
    above = np.unique(high)  # the nodes with a junction
    zero = np.zeros(m, np.int64)
    # Kind by kind: thread, location, place (phase, node, part, index), writes?
    # Locations: y of a node, then j of a node, then the signal of an edge. Threads: W, then R.
    signal = 2 * n + edge
    kinds = (
        (every, every, (0, every, 0, every), True),  # w_a
        (low, low, (0, low, 1, 2 * edge), True),  # w_a^b
        (low, signal, (0, low, 1, 2 * edge + 1), True),
        (n + high, signal, (1, -high, 0, edge), False),
        (n + above, n + above, (1, -above, 1, above), True),  # wjxn_b
        (n + low, n + high, (1, -low, 2, edge), False),  # e_(a,b), then rjxn_a
        (n + low, high, (1, -low, 3, edge), False),  # r_b^a
    )
    junction = np.zeros(n, np.int64)
    junction[above] = n + 2 * m + m + np.arange(len(above))
    thread = np.concatenate([kind[0] for kind in kinds])
    loc = np.concatenate([kind[1] for kind in kinds])
    op = np.concatenate([np.full(len(k[0]), Op.WRITE if k[3] else Op.READ, np.uint8) for k in kinds])
    nothing = np.full(n + 2 * m, INITIAL)
    rf = np.concatenate([nothing, n + m + edge, np.full(len(above), INITIAL), junction[high], high + zero])
    place = [np.concatenate([np.broadcast_to(k[2][part], len(k[0])) for k in kinds]) for part in range(4)]
    rows = np.lexsort(place[::-1])
    new_row = np.empty(len(rows), np.int32)
    new_row[rows] = np.arange(len(rows), dtype=np.int32)
    return _named(labels, m, thread[rows], op[rows], loc[rows], np.where(rf < 0, rf, new_row[rf])[rows])


def _named(labels: Int64, m: int, thread: Int64, op: npt.NDArray[np.uint8], loc: Int64, rf: Int64) -> Execution:
    numbers = labels.tolist()
    names = [*(f"y{a}" for a in numbers), *(f"j{a}" for a in numbers), *(f"s{e}" for e in range(m))]
    threads = [*(f"W{a}" for a in numbers), *(f"R{a}" for a in numbers)]
    threads, thread_column = _by_appearance(thread, threads)
    names, loc_column = _by_appearance(loc, names)
    row_of: Int32 = rf.astype(np.int32)
    read_value, written_value = unique_values(op, row_of)
    return Execution(
        thread=thread_column,
        op=op,
        loc=loc_column,
        order=np.where(op == Op.READ, Order.ACQ, Order.REL).astype(np.uint8),
        rf=row_of,
        thread_names=threads,
        loc_names=names,
        init_value=np.zeros(len(names), np.int64),
        read_value=read_value,
        written_value=written_value,
        source=f"<triangles of a graph of {len(labels)} nodes and {m} edges>",
    )


def _by_appearance(labels: Int64, names: list[str]) -> tuple[list[str], Int32]:
    """The names that are used, in order of first appearance, and the labels renumbered to match."""
    used, first = np.unique(labels, return_index=True)
    appearing = used[np.argsort(first)].tolist()
    return [names[label] for label in appearing], _core.number_by_appearance(labels.astype(np.int32), len(names))
