"""Relations replaced by larger, simpler ones, with the help of mo, which orders the writes of each location totally.

A relation between writes of one location that never goes against mo is a part of mo. That is how causal criteria follow
from models with a modification order: what they infer of the order of writes, every such order agrees with. Only for
executions without updates, where a read and then mo is from-read and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.automata.terms import ALL, IDENTITY, Term, leads_nowhere, mentions, negative, replaced, sequence, union

MO: Term = ("relation", "mo")
FR: Term = ("relation", "fr")
LOC: Term = ("relation", "loc")
WRITES: Term = ("test", ("set", "W"))
READ: Term = ("inverse", ("relation", "rf"))
NeverCyclic = Callable[[Term], bool]
"""Whether a relation is known to relate no event to itself."""


def enlarged(term: Term, never: NeverCyclic) -> Term:
    """A term that holds at least the same pairs, as far as `never` is right about its relations."""
    match term:
        case ("union", *parts):
            return union(*(enlarged(part, never) for part in parts))
        case ("plus", inner):
            inner = enlarged(inner, never)
            return MO if inner == MO else ("plus", inner)
        case ("star" | "optional" | "inverse", inner):
            return (term[0], enlarged(inner, never))
        case ("intersection", left, right):
            return ("intersection", enlarged(left, never), enlarged(right, never))
        case ("difference", left, right):
            left = enlarged(left, never)
            if right == IDENTITY and left[0] == "sequence" and _end(left[1:], 0) == len(left) - 1:
                return MO if _along_mo(left, never, irreflexive=True) else ("difference", left, right)
            return left if left == MO else ("difference", left, right)
        case ("sequence", *parts):
            return _sequence([enlarged(part, never) for part in parts], never)
        case ("mu", own, body):
            # By induction: if its values so far are within mo, so are the next ones.
            step = enlarged(replaced(body, own, MO), never)
            return MO if step == MO and not negative(body, own) else term
        case ("each", events, member, body):
            body = enlarged(body, never)
            return ("each", events, member, body) if mentions(body, member) or events != ALL else body
    return term


def _sequence(parts: list[Term], never: NeverCyclic) -> Term:
    """Pieces between writes of one location become mo; a read and then mo becomes fr."""
    flat = sequence(parts)
    parts = list(flat[1:]) if flat[0] == "sequence" else [flat]
    for at in range(len(parts)):
        end = _end(parts, at)
        if end and _along_mo(sequence(parts[at:end]), never, irreflexive=False):
            return _sequence([*parts[:at], MO, *parts[end:]], never)
    return from_read(sequence(parts))


def from_read(term: Term) -> Term:
    """`rf^-1; mo` as `fr`, wherever it stands in a sequence."""
    if term[0] != "sequence":
        return term
    out: list[Term] = []
    for part in term[1:]:
        if part == MO and out and out[-1] == WRITES:
            out.pop()  # mo leads from writes
        if part == MO and out and out[-1] == READ:
            out[-1] = FR
        else:
            out.append(part)
    return sequence(out)


def _end(parts: list[Term] | tuple[Term, ...], at: int) -> int:
    """Where a piece `[W]; r & loc; [W]` or `[W]; r & loc; rf^-1` that begins here ends; 0 where there is none."""
    if parts[at] != WRITES or at + 2 >= len(parts):
        return 0
    middle, end = parts[at + 1], at + 2
    if middle[0] != "intersection" or LOC not in middle[1:]:
        return 0
    while end < len(parts) and parts[end] != WRITES and leads_nowhere(parts[end]):
        end += 1
    return end + 1 if end < len(parts) and parts[end] in (WRITES, READ) else 0


def _along_mo(piece: Term, never: NeverCyclic, irreflexive: bool) -> bool:
    """Whether a relation between writes of one location relates none to itself, and none to one before it in mo."""
    return (irreflexive or never(piece)) and never(from_read(sequence([piece, MO])))
