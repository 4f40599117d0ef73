"""One model implies another by the shape of their axioms alone, whatever stands in them: no automata, no executions.

A relation is within another if it is a part of a union, drops a test, repeats what may be repeated, and the like. That
is little, but it also reaches what is not regular: intersections, inverses, recursions.
"""

from __future__ import annotations

from functools import cache

from porf.automata.enlarge import enlarged
from porf.automata.polarity import ORDER_SETS
from porf.automata.terms import ALL, EMPTY, IDENTITY, Term, leads_nowhere, negative, replaced, sequence, term_of, union
from porf.language.header import OPERATIONS
from porf.language.model_file import ModelFile
from porf.models.registry import Model

_EVENTS_OF = {"updates": "U", "fences": "F"}
_DEEPEST = 40  # nested steps of an argument; recursions are unfolded no further


def implied(strong: Model, weak: Model) -> str | None:
    """Why every axiom of the weaker model follows from one of the stronger; None where that is not seen."""
    if strong.header.view != weak.header.view:
        return None
    both = set(strong.header.interprets) & set(weak.header.interprets)
    without = frozenset(_EVENTS_OF[word] for word in OPERATIONS if word in _EVENTS_OF and word not in both)
    known = _axioms(strong.file, without)
    wanted = _axioms(weak.file, without)
    if known is None or wanted is None:
        return None

    def follows(axiom: Axiom) -> bool:
        return axiom[1] == EMPTY or any(_follows(axiom, other) for other in known)

    def never_cyclic(term: Term) -> bool:
        return follows(("irreflexive", term))

    if all(map(follows, wanted)):
        return "proved, what it forbids is a part of what is forbidden there"
    if "U" in without and all(follows((kind, enlarged(term, never_cyclic))) for kind, term in wanted):
        return "proved, the order of writes that it infers is a part of mo"
    return None


Axiom = tuple[str, Term]


def _axioms(file: ModelFile, without: frozenset[str]) -> list[Axiom] | None:
    """Kinds and terms, `acyclic r` as `irreflexive r+`; None where one is negated."""
    out: list[Axiom] = []
    for axiom, test in zip(file.axioms, file.tests, strict=True):
        if axiom.flagged:
            continue
        if axiom.negated:
            return None
        term = term_of(file, test.register, without)
        out.append(("empty", term) if axiom.kind == "empty" else ("irreflexive", _closed(term, axiom.kind)))
    return out


def _closed(term: Term, kind: str) -> Term:
    return ("plus", term) if kind == "acyclic" and term[0] != "plus" else term


def _follows(wanted: Axiom, known: Axiom) -> bool:
    if wanted[0] == "empty":
        return known[0] == "empty" and within(wanted[1], known[1])
    return any(within(turned, known[1]) for turned in _rotations(wanted[1]))  # what is empty is irreflexive, too


def _rotations(term: Term) -> list[Term]:
    """A cycle may begin anywhere."""
    if term[0] != "sequence":
        return [term]
    parts = term[1:]
    return [sequence([*parts[at:], *parts[:at]]) for at in range(len(parts))]


def within(a: Term, b: Term, depth: int = 0) -> bool:
    """Whether it is plain that every pair of `a` is one of `b`."""
    if a in (b, EMPTY) or b == ALL:
        return True
    return depth < _DEEPEST and _within(a, b, depth + 1)


@cache
def _within(a: Term, b: Term, depth: int) -> bool:
    return _left(a, b, depth) or _right(a, b, depth)


def _left(a: Term, b: Term, depth: int) -> bool:
    """By what the smaller side is made of."""
    match a:
        case ("union", *parts):
            return all(within(part, b, depth) for part in parts)
        case ("plus", inner):
            return b[0] in ("plus", "star") and within(inner, b, depth)
        case ("star", inner):
            return b[0] == "star" and within(inner, b, depth)
        case ("optional", inner):
            return within(IDENTITY, b, depth) and within(inner, b, depth)
        case ("intersection", left, right):
            return within(left, b, depth) or within(right, b, depth)
        case ("difference", left, right):
            if b[0] == "difference" and within(left, b[1], depth) and within(b[2], right, depth):
                return True
            return within(left, b, depth)
        case ("set", name) if name in ORDER_SETS and b[0] == "set" and b[1] in ORDER_SETS:
            return ORDER_SETS[name] <= ORDER_SETS[b[1]]
        case ("test", inner):
            return b == IDENTITY or (b[0] == "test" and within(inner, b[1], depth))
        case ("inverse", inner):
            return b[0] == "inverse" and within(inner, b[1], depth)
        case ("product", left, right):
            return b[0] == "product" and within(left, b[1], depth) and within(right, b[2], depth)
        case ("mu", own, body):
            if negative(body, own):
                return False
            if b[:2] == a[:2] and not negative(b[2], own) and within(body, b[2], depth):
                return True  # whatever the variable stands for, the one gives less
            return within(replaced(body, own, a), b, depth + 8)
        case ("each", _, _, body):
            return within(body, b, depth)
    return False


def _right(a: Term, b: Term, depth: int) -> bool:
    """By what the larger side is made of."""
    match b:
        case ("union", *parts):
            return any(within(a, part, depth) for part in parts) or _pieces(a, b, depth)
        case ("intersection", left, right):
            return within(a, left, depth) and within(a, right, depth)
        case ("plus", inner):
            return within(a, inner, depth) or _chain(a, b, depth) or _pieces(a, b, depth)
        case ("star", inner):
            return within(a, IDENTITY, depth) or within(a, ("plus", inner), depth)
        case ("optional", inner):
            return within(a, IDENTITY, depth) or within(a, inner, depth)
        case ("difference", _, _):
            return False
        case ("mu", own, body):
            return not negative(body, own) and within(a, replaced(body, own, b), depth + 8)
        case ("each", events, _, body):
            return events == ALL and within(a, body, depth)  # its member: the one of `a`, or any event
        case ("sequence", *parts):
            return _split(tuple(a[1:]) if a[0] == "sequence" else (a,), tuple(parts), depth) or _pieces(a, b, depth)
    return _pieces(a, b, depth)


def _pieces(a: Term, b: Term, depth: int) -> bool:
    """A sequence with a step that may be left out, in both ways; or without a step that leads nowhere."""
    if a[0] != "sequence":
        return False
    parts = list(a[1:])
    for at, part in enumerate(parts):
        rest = [*parts[:at], *parts[at + 1 :]]
        if part[0] in ("optional", "star"):
            taken = part[1] if part[0] == "optional" else ("plus", part[1])
            both = (sequence(rest), sequence([*parts[:at], taken, *parts[at + 1 :]]))
            return within(union(*both), b, depth)
        if leads_nowhere(part) and within(sequence(rest), b, depth):
            return True
    return False


def _chain(a: Term, b: Term, depth: int) -> bool:
    """A sequence of paths of a closure is one."""
    if a[0] != "sequence":
        return False
    parts = a[1:]
    return any(
        within(sequence(list(parts[:at])), b, depth) and within(sequence(list(parts[at:])), b, depth)
        for at in range(1, len(parts))
    )


def _split(parts: tuple[Term, ...], wanted: tuple[Term, ...], depth: int) -> bool:
    """Consecutive pieces of one sequence within the steps of another; a test between two pieces may serve both."""
    if not wanted:
        return not parts
    for at in range(len(parts) + 1):
        if within(sequence(list(parts[:at])), wanted[0], depth):
            shared = parts[at - 1 : at] if at and parts[at - 1][0] == "test" else ()
            if _split(parts[at:], wanted[1:], depth) or (shared and _split(shared + parts[at:], wanted[1:], depth)):
                return True
    return False
