"""Evidence as plain lists and dicts with names, ready for JSON, and bounded in depth and size."""

from collections import deque
from typing import Any

import numpy as np

from porf.evidence.chosen import reading
from porf.evidence.data import Core, Derivation, Edge, Proof, Witness
from porf.evidence.derived import Derived
from porf.evidence.reasons import INITIAL_FIRST, Frame, Ground, ground, mo_pair, reason
from porf.execution import INITIAL, UNKNOWN, Execution, Int32, initial_write

Record = dict[str, Any]


def cycle_record(execution: Execution, proof: Proof, depth: int = 4, size: int = 1000) -> list[Record]:
    """The cycle, edge by edge; an inferred edge says why, with the cycle that refutes its opposite or with its path.

    These nest at most `depth` deep and hold at most `size` edges; beyond, a reason is only text.
    """
    if proof.derivations:
        return _derived_record(execution, proof, depth, size)
    out: list[Record] = []
    queue = deque([(Frame(proof), out, depth)])
    left = size
    while queue:
        frame, edges, deeper = queue.popleft()
        for edge in frame.proof.cycle:
            under = ground(execution, frame, edge)
            because = _because(execution, edge, under)
            edges.append(_edge_record(execution, edge, because))
            if because is None or under.kind != "step" or under.frame is None or deeper == 0:
                continue
            inner = under.frame.proof
            if len(inner.cycle) <= left:
                left -= len(inner.cycle)
                because["axiom"] = inner.axiom
                because["cycle"] = []
                queue.append((under.frame, because["cycle"], deeper - 1))
    return out


def _derived_record(execution: Execution, proof: Proof, depth: int, left: int) -> list[Record]:
    derived = Derived(execution, proof)
    out: list[Record] = []
    queue: deque[tuple[tuple[Edge, ...], Derivation | None, list[Record], int]] = deque()
    queue.append((proof.cycle, None, out, depth))
    while queue:
        path, inside, edges, deeper = queue.popleft()
        for edge in path:
            at = derived.find(edge, inside)
            because: Record | None = None if at is None else {"text": derived.sentence(at)}
            edges.append(_edge_record(execution, edge, because))
            if because is None or at is None or deeper == 0:
                continue
            inner = derived.all[at]
            if inner.thread is not None:
                because["view"] = execution.thread_names[inner.thread]
            if len(inner.path) <= left:
                left -= len(inner.path)
                because["path"] = []
                queue.append((inner.path, inner, because["path"], deeper - 1))
    return out


def _edge_record(execution: Execution, edge: Edge, because: Record | None) -> Record:
    return {
        "from": execution.name(edge.source),
        "relation": edge.relation,
        "to": execution.name(edge.target),
        "because": because,
    }


def witness_record(execution: Execution, witness: Witness | None) -> Record:
    """The modification order of every location that is written, first write to last; empty if none is needed."""
    order: dict[str, list[str]] = {}
    if witness is None:
        return {"mo": order}
    for loc, name in enumerate(execution.loc_names):
        rows = witness.of(loc).tolist()
        if rows:
            order[name] = [execution.name(row) for row in rows]
    return {"mo": order} if witness.rf is None else {"mo": order, "rf": _chosen(execution, witness.rf)}


def _chosen(execution: Execution, rf: Int32) -> dict[str, str | None]:
    """Whom each read has read of which the history does not say it; nobody, if it had no effect."""
    out: dict[str, str | None] = {}
    for row in np.flatnonzero(reading(execution) & (execution.rf == UNKNOWN)).tolist():
        writer = int(rf[row])
        effective = initial_write(int(execution.loc[row])) if writer == INITIAL else writer
        out[execution.name(row)] = None if writer == UNKNOWN else execution.name(effective)
    return out


def core_record(execution: Execution, core: Core) -> Record:
    """A minimal inconsistent part: its events, and the order of writes that their reads force."""
    forced = [{"from": execution.name(a), "relation": "mo", "to": execution.name(b)} for a, b in core.forced]
    return {"events": [execution.name(row) for row in core.rows], "minimal": core.minimal, "forced": forced}


def _because(execution: Execution, edge: Edge, under: Ground) -> Record | None:
    """The one-line reason of an inferred edge; None where the edge is part of the recording."""
    if under.kind == "base":
        return None
    pair = mo_pair(execution, edge)
    reads = ""
    if edge.relation == "fr" and pair is not None:
        reads = f"{execution.name(edge.source)} reads {execution.name(pair[0])}; "
    if under.kind == "initial":
        return {"text": reads + INITIAL_FIRST}
    if pair is None or under.frame is None:
        return {"text": f"{reads}given"}
    order = f"{execution.name(pair[0])} before {execution.name(pair[1])}"
    if under.kind == "supposed":
        return {"text": f"{reads}{order} is supposed here, to be refuted"}
    return {"text": f"{reads}{order}, because {reason(execution, under.frame)}"}
