"""Whether an event that is added last can break an axiom: only if some step of it leads away from that event.

An event that nothing follows in po, rf, mo or fr has no step to another event in these, nor in what is made of them
forwards. Such a relation is *forward*. It is *strict* if it has no step from the event to itself either.
"""

from porf._core import Check
from porf.language import base
from porf.language import relation as r
from porf.language.model_file import ModelFile
from porf.record import Record


class _Steps(Record):
    forward: bool
    strict: bool
    settled: bool = True  # pairs of other events are as before: of a set, its other members


_UNKNOWN = _Steps(False, False, False)


def only_forward(model: ModelFile) -> bool:
    """Whether every axiom that can reject speaks of cycles of strictly forward relations, or of atomicity."""
    known: dict[r.Node, _Steps] = {}
    for node in r.walk(*(axiom.node for axiom in model.axioms)):
        known[node] = _steps(node, known)
    for axiom in model.axioms:
        empty = axiom.check == Check.EMPTY
        fine = _atomicity(axiom.node, known) if empty else _strictly_forward(known[axiom.node])
        if not ((fine and not axiom.negated) or axiom.flagged):
            return False
    return True


def settled(relation: r.Node) -> bool:
    """Whether events that are added last do not change which pairs of other events a relation has."""
    known: dict[r.Node, _Steps] = {}
    for node in r.walk(relation):
        known[node] = _steps(node, known)
    return known[relation].settled


def _strictly_forward(steps: _Steps) -> bool:
    return steps.forward and steps.strict and steps.settled


def _atomicity(node: r.Node, known: dict[r.Node, _Steps]) -> bool:
    """Whether this is `rmw & (a; b)`, both strictly forward. It stays empty: before the write of a new update was
    there, its read was the last event, and had no step a. As one event, the update has no step at all."""
    rmw = base.relation("rmw")
    match r.plain(node):
        case r.Intersection(left, right) if rmw in (left, right):
            other = r.plain(right if left is rmw else left)
            return isinstance(other, r.Sequence) and all(_strictly_forward(known[part]) for part in other.operands)
    return False


def _steps(node: r.Node, known: dict[r.Node, _Steps]) -> _Steps:
    """Of one node, from those of its parts."""
    below = [known[part] for part in node.below]
    settled = all(part.settled for part in below)
    forward = all(part.forward for part in below)
    match node:
        case r.Base(name, "relation"):
            return _Steps(not base.RELATIONS[name].away, base.RELATIONS[name].strict)
        case r.Base() | r.Tagged() | r.Universe():
            return _Steps(forward=False, strict=False)
        case r.Empty():
            return _Steps(forward=True, strict=True)
        case r.Abbreviation():
            return below[0]
        case r.Product() | r.Unary("complement"):
            return _Steps(False, False, settled)
        case r.Unary("test"):
            return _Steps(True, False, settled)
        case r.Difference():
            return _Steps(below[0].forward, below[0].strict, settled)
        case r.Union():
            return _Steps(forward, all(part.strict for part in below), settled)
        case r.Intersection():
            return _Steps(any(part.forward for part in below), any(part.strict for part in below), settled)
        case r.Sequence() if forward:
            return _Steps(True, any(part.strict for part in below), settled)
        case r.Unary("plus") if forward:
            return below[0]
        case r.Unary("star" | "optional") if forward:
            return _Steps(True, False, settled)
    return _UNKNOWN
