"""One model implies another by the shape of their axioms alone, whatever stands in them: no automata, no executions.

A relation is within another if it is a part of a union, drops a test, repeats what may be repeated, and the like. That
is little, but it also reaches what is not regular: intersections, inverses, recursions.
"""

from porf._core import Check
from porf.comparison.enlarge import enlarged
from porf.comparison.terms import is_all, is_empty, leads_nowhere, negative, replaced, sequence, term_of, union
from porf.language import relation as r
from porf.language.base import ORDER_SETS
from porf.language.header import OPERATIONS
from porf.language.model_file import ModelFile
from porf.language.relation import IDENTITY, Node
from porf.models.registry import Model

_EVENTS_OF = {"updates": "U", "fences": "F"}
_LARGEST = 20_000  # nodes of an axiom, if nothing were shared
STEPS = 200_000
_DEEPEST_TERM = 100  # operators inside each other
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

    argument = Argument()

    def follows(axiom: Axiom) -> bool:
        return is_empty(axiom[1]) or any(argument.follows(axiom, other) for other in known)

    def never_cyclic(term: Node) -> bool:
        return follows((Check.IRREFLEXIVE, term))

    try:
        if all(map(follows, wanted)):
            return "proved, what it forbids is part of what the other forbids"
        if "U" in without and all(follows((check, enlarged(term, never_cyclic))) for check, term in wanted):
            return "proved, the order of writes that it infers is part of mo"
    except TooLongError:
        pass
    return None


Axiom = tuple[Check, Node]
"""What is irreflexive, or empty."""


def _axioms(file: ModelFile, without: frozenset[str]) -> list[Axiom] | None:
    """`acyclic r` as `irreflexive r+`; None where one is negated, or too large to look at."""
    out: list[Axiom] = []
    for axiom in file.axioms:
        if axiom.flagged:
            continue
        if axiom.negated or not small(axiom.node):
            return None
        term = term_of(axiom.node, without)
        cyclic = axiom.check == Check.ACYCLIC and not _is(term, "plus")
        check = Check.EMPTY if axiom.check == Check.EMPTY else Check.IRREFLEXIVE
        out.append((check, r.Unary("plus", term) if cyclic else term))
    return out


def small(node: Node) -> bool:
    """Whether it is worth a look: what follows is by recursion, and normal forms share less."""
    return r.size_of(node) <= _LARGEST and node.depth_below <= _DEEPEST_TERM


def _is(term: Node, *operators: str) -> bool:
    return isinstance(term, r.Unary) and term.operator in operators


def _rotations(term: Node) -> list[Node]:
    """A cycle may begin anywhere."""
    if not isinstance(term, r.Sequence):
        return [term]
    parts = term.operands
    return [sequence([*parts[at:], *parts[:at]]) for at in range(len(parts))]


def _piece(parts: tuple[Node, ...]) -> Node:
    """Consecutive steps of a sequence, which are in normal form as they are."""
    return parts[0] if len(parts) == 1 else r.Sequence(parts) if parts else IDENTITY


class TooLongError(Exception):
    """No argument was found in as many steps as are worth it."""


class Argument:
    """A search for reasons why one relation is within another; what was found out is kept."""

    def __init__(self, steps: int = STEPS) -> None:
        self._left_over = steps
        self._known: dict[tuple[Node, Node, int], bool] = {}

    def follows(self, wanted: Axiom, known: Axiom) -> bool:
        if wanted[0] == Check.EMPTY:
            return known[0] == Check.EMPTY and self.within(wanted[1], known[1])
        return any(
            self.within(turned, known[1]) for turned in _rotations(wanted[1])
        )  # what is empty is irreflexive, too

    def within(self, a: Node, b: Node, depth: int = 0) -> bool:
        """Whether it is plain that every pair of `a` is one of `b`."""
        if a is b or is_empty(a) or is_all(b):
            return True
        return depth < _DEEPEST and self._within(a, b, depth + 1)

    def _within(self, a: Node, b: Node, depth: int) -> bool:
        key = (a, b, depth)
        if key not in self._known:
            self._left_over -= 1
            if self._left_over < 0:
                raise TooLongError
            self._known[key] = self._left(a, b, depth) or self._right(a, b, depth)
        return self._known[key]

    def _left(self, a: Node, b: Node, depth: int) -> bool:
        """By what the smaller side is made of."""
        match a, b:
            case r.Union(parts), _:
                return all(self.within(part, b, depth) for part in parts)
            case r.Unary("plus", inner), _:
                return _is(b, "plus", "star") and self.within(inner, b, depth)
            case r.Unary("star", inner), _:
                return _is(b, "star") and self.within(inner, b, depth)
            case r.Unary("optional", inner), _:
                return self.within(IDENTITY, b, depth) and self.within(inner, b, depth)
            case r.Intersection(left, right), _:
                return self.within(left, b, depth) or self.within(right, b, depth)
            case r.Difference(left, right), r.Difference(other, less):
                if self.within(left, other, depth) and self.within(less, right, depth):
                    return True
                return self.within(left, b, depth)
            case r.Difference(left, _), _:
                return self.within(left, b, depth)
            case r.Base(name, "set"), r.Base(other_name, "set") if name in ORDER_SETS and other_name in ORDER_SETS:
                return ORDER_SETS[name] <= ORDER_SETS[other_name]
            case r.Unary("test", inner), r.Unary("test", other):
                return self.within(inner, other, depth)
            case r.Unary("test"), _:
                return b is IDENTITY
            case r.Unary("inverse", inner), r.Unary("inverse", other):
                return self.within(inner, other, depth)
            case r.Product(left, right), r.Product(other, more):
                return self.within(left, other, depth) and self.within(right, more, depth)
            case r.Component(r.Recursion(own, (body,))), _:
                if negative(body, own):
                    return False
                match b:
                    case r.Component(r.Recursion(other_own, (other,))) if own == other_own:
                        if not negative(other, own) and self.within(body, other, depth):
                            return True  # whatever the variable stands for, the one gives less
                return self.within(replaced(body, own, a), b, depth + 8)
            case r.Each(_, _, body), _:
                return self.within(body, b, depth)
        return False

    def _right(self, a: Node, b: Node, depth: int) -> bool:
        """By what the larger side is made of."""
        match b:
            case r.Union(parts):
                return any(self.within(a, part, depth) for part in parts) or self._pieces(a, b, depth)
            case r.Intersection(left, right):
                return self.within(a, left, depth) and self.within(a, right, depth)
            case r.Unary("plus", inner):
                return self.within(a, inner, depth) or self._chain(a, b, depth) or self._pieces(a, b, depth)
            case r.Unary("star", inner):
                return self.within(a, IDENTITY, depth) or self.within(a, r.Unary("plus", inner), depth)
            case r.Unary("optional", inner):
                return self.within(a, IDENTITY, depth) or self.within(a, inner, depth)
            case r.Difference():
                return False
            case r.Component(r.Recursion(own, (body,))):
                return not negative(body, own) and self.within(a, replaced(body, own, b), depth + 8)
            case r.Each(_, events, body):
                return is_all(events) and self.within(a, body, depth)  # its member: the one of `a`, or any event
            case r.Sequence(parts):
                return self._split(a.operands if isinstance(a, r.Sequence) else (a,), parts, depth) or self._pieces(
                    a, b, depth
                )
        return self._pieces(a, b, depth)

    def _pieces(self, a: Node, b: Node, depth: int) -> bool:
        """A sequence with a step that may be left out, in both ways; or without a step that leads nowhere."""
        if not isinstance(a, r.Sequence):
            return False
        parts = list(a.operands)
        for at, part in enumerate(parts):
            rest = [*parts[:at], *parts[at + 1 :]]
            if isinstance(part, r.Unary) and part.operator in ("optional", "star"):
                taken = part.body if part.operator == "optional" else r.Unary("plus", part.body)
                both = (sequence(rest), sequence([*parts[:at], taken, *parts[at + 1 :]]))
                return self.within(union(*both), b, depth)
            if leads_nowhere(part) and self.within(sequence(rest), b, depth):
                return True
        return False

    def _chain(self, a: Node, b: r.Unary, depth: int) -> bool:
        """A sequence of paths of a closure is one. The first of them is not divided again: what comes after it is."""
        if not isinstance(a, r.Sequence):
            return False
        parts = a.operands
        return any(
            self._is_link(_piece(parts[:at]), b, depth) and self.within(_piece(parts[at:]), b, depth - 1)
            for at in range(1, len(parts))
        )

    def _is_link(self, a: Node, b: r.Unary, depth: int) -> bool:
        """Whether it is one path of a closure, undivided."""
        if not isinstance(a, r.Sequence):
            return self.within(a, b, depth)
        return self.within(a, b.body, depth) or self._pieces(a, b, depth)

    def _split(self, parts: tuple[Node, ...], wanted: tuple[Node, ...], depth: int) -> bool:
        """Consecutive pieces of one sequence within the steps of another; a test between two pieces may serve both."""
        if not wanted:
            return not parts
        for at in range(len(parts) + 1):
            if self.within(_piece(parts[:at]), wanted[0], depth):
                shared = parts[at - 1 : at] if at and _is(parts[at - 1], "test") else ()
                if self._split(parts[at:], wanted[1:], depth) or (
                    shared and self._split(shared + parts[at:], wanted[1:], depth)
                ):
                    return True
        return False
