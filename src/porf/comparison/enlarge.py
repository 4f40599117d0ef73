"""Relations replaced by larger, simpler ones, with the help of mo, which orders the writes of each location totally.

A relation between writes of one location that never goes against mo is a part of mo. That is how causal criteria follow
from models with a modification order: what they infer of the order of writes, every such order agrees with. Only for
executions without updates, where a read and then mo is from-read and nothing else.
"""

from collections.abc import Callable

from porf.comparison.terms import READ, WRITES, is_all, leads_nowhere, negative, replaced, sequence, union
from porf.language import base
from porf.language import relation as r
from porf.language.relation import IDENTITY, Node

MO = base.relation("mo")
FR = base.relation("fr")
LOC = base.relation("loc")
NeverCyclic = Callable[[Node], bool]
"""Whether a relation is known to relate no event to itself."""


def enlarged(term: Node, never: NeverCyclic) -> Node:
    """A term that holds at least the same pairs, as far as `never` is right about its relations."""
    match term:
        case r.Union(parts):
            return union(*(enlarged(part, never) for part in parts))
        case r.Unary("plus" | "star" | "optional" | "inverse" as operator, inner):
            inner = enlarged(inner, never)
            return MO if inner is MO and operator == "plus" else r.Unary(operator, inner)
        case r.Intersection(left, right):
            return r.Intersection(enlarged(left, never), enlarged(right, never))
        case r.Difference(left, right):
            left = enlarged(left, never)
            if right is IDENTITY and isinstance(left, r.Sequence) and _end(left.operands, 0) == len(left.operands):
                return MO if _along_mo(left, never, irreflexive=True) else r.Difference(left, right)
            return left if left is MO else r.Difference(left, right)
        case r.Sequence(parts):
            return _sequence([enlarged(part, never) for part in parts], never)
        case r.Component(r.Recursion(own, (body,))):
            # By induction: if its values so far are within mo, so are the next ones.
            step = enlarged(replaced(body, own, MO), never)
            return MO if step is MO and not negative(body, own) else term
        case r.Each(own, events, body):
            body = enlarged(body, never)
            return r.Each(own, events, body) if body.free >> own & 1 or not is_all(events) else body
    return term


def _sequence(parts: list[Node], never: NeverCyclic) -> Node:
    """Pieces between writes of one location become mo; a read and then mo becomes fr."""
    flat = sequence(parts)
    parts = list(flat.operands) if isinstance(flat, r.Sequence) else [flat]
    for at in range(len(parts)):
        end = _end(parts, at)
        if end and _along_mo(sequence(parts[at:end]), never, irreflexive=False):
            return _sequence([*parts[:at], MO, *parts[end:]], never)
    return from_read(sequence(parts))


def from_read(term: Node) -> Node:
    """`rf^-1; mo` as `fr`, wherever it stands in a sequence."""
    if not isinstance(term, r.Sequence):
        return term
    out: list[Node] = []
    for part in term.operands:
        if part is MO and out and out[-1] is WRITES:
            out.pop()  # mo leads from writes
        if part is MO and out and out[-1] is READ:
            out[-1] = FR
        else:
            out.append(part)
    return sequence(out)


def _end(parts: list[Node] | tuple[Node, ...], at: int) -> int:
    """Where a piece `[W]; r & loc; [W]` or `[W]; r & loc; rf^-1` that begins here ends; 0 where there is none."""
    if parts[at] is not WRITES or at + 2 >= len(parts):
        return 0
    middle, end = parts[at + 1], at + 2
    if not isinstance(middle, r.Intersection) or LOC not in (middle.left, middle.right):
        return 0
    while end < len(parts) and parts[end] is not WRITES and leads_nowhere(parts[end]):
        end += 1
    return end + 1 if end < len(parts) and parts[end] in (WRITES, READ) else 0


def _along_mo(piece: Node, never: NeverCyclic, irreflexive: bool) -> bool:
    """Whether a relation between writes of one location relates none to itself, and none to one before it in mo."""
    return (irreflexive or never(piece)) and never(from_read(sequence([piece, MO])))
