"""Relations in a normal form, for comparing them by their shape: flat unions and sequences, and no abbreviations.

A recursion has one equation here: what it says of its other names is unfolded into it.
"""

from functools import lru_cache

from porf.cache import word
from porf.language import base
from porf.language import relation as r
from porf.language.relation import IDENTITY, NOTHING, Node

WRITES = r.Unary("test", base.events("W"))
READ = r.Unary("inverse", base.relation("rf"))


def is_empty(node: Node) -> bool:
    return isinstance(node, r.Empty)


def is_all(node: Node) -> bool:
    return isinstance(node, r.Universe)


def term_of(node: Node, without: frozenset[str] = frozenset()) -> Node:
    """The normal form; the sets `without` are known to be empty."""
    return _Builder(without).build(node, {})


class _Builder:
    def __init__(self, without: frozenset[str]) -> None:
        self._without = without
        self._known: dict[Node, Node] = {}  # of what depends on nothing that is bound

    def build(self, node: Node, bound: dict[tuple[int, int], Node]) -> Node:
        """`bound`: what stands for each variable and member (its depth and number), and the recursion of each."""
        if node.free:
            return self._build(node, bound)
        if node not in self._known:
            self._known[node] = self._build(node, {})
        return self._known[node]

    def _build(self, node: Node, bound: dict[tuple[int, int], Node]) -> Node:
        match node:
            case r.Base(name, "set"):
                return r.Empty("set") if name in self._without else r.Universe("set") if name == "_" else node
            case r.Component(recursion, index):
                every: dict[tuple[int, int], Node] = {
                    (recursion.depth, at): recursion for at in range(len(recursion.bodies))
                }
                return self._equation(recursion, index, {**bound, **every})
            case r.Variable(depth, index):
                found = bound[depth, index]
                return self._equation(found, index, bound) if isinstance(found, r.Recursion) else found
            case r.Member(depth):
                return bound[depth, 0]
            case r.Each(depth, events, body):
                own = r.Member(_next(bound))
                return r.Each(own.depth, self.build(events, bound), self.build(body, {**bound, (depth, 0): own}))
            case r.Abbreviation(_, meaning):
                return self.build(meaning, bound)
        return _normal(r.remade(node, lambda part: self.build(part, bound)))

    def _equation(self, recursion: r.Recursion, index: int, bound: dict[tuple[int, int], Node]) -> Node:
        own = r.Variable(_next(bound), 0, recursion.bodies[index].kind)
        body = self.build(recursion.bodies[index], {**bound, (recursion.depth, index): own})
        return r.Component(r.Recursion(own.depth, (body,)), 0)


def _next(bound: dict[tuple[int, int], Node]) -> int:
    """The depth of a new binder: how many are open."""
    return sum(not isinstance(node, r.Recursion) for node in bound.values())


def union(*terms: Node) -> Node:
    parts: dict[Node, None] = {}
    for term in terms:
        parts |= dict.fromkeys(term.operands if isinstance(term, r.Union) else () if is_empty(term) else (term,))
    if len(parts) < 2:
        return next(iter(parts), r.Empty(terms[0].kind))
    return r.Union(tuple(sorted(parts, key=_digest)))


@lru_cache(maxsize=1 << 16)
def _digest(term: Node) -> str:
    """Terms are put in order by it. The parts of large ones are in many, so it is made of theirs."""
    fields = [getattr(term, name) for name in term.__match_args__]
    return word(type(term).__name__, *(_said(field) for field in fields))


def _said(field: object) -> object:
    if isinstance(field, tuple):
        return tuple(map(_said, field))
    return _digest(field) if r.is_node(field) else field


def sequence(terms: list[Node]) -> Node:
    """Flat, without `id`; around rf, the writes that it leads from are spelled out."""
    out: list[Node] = []
    for term in terms:
        for part in term.operands if isinstance(term, r.Sequence) else (term,):
            if is_empty(part):
                return NOTHING
            if part is IDENTITY:
                continue
            if out and out[-1] is READ and part is not WRITES:
                out.append(WRITES)
            out.append(part)
    return out[0] if len(out) == 1 else r.Sequence(tuple(out)) if out else IDENTITY


def replaced(term: Node, depth: int, new: Node) -> Node:
    """A term with another in the place of what is bound at a depth."""
    if not term.free >> depth & 1:
        return term
    if isinstance(term, r.Variable | r.Member):
        return new
    return _normal(r.remade(term, lambda part: replaced(part, depth, new)))


def _normal(node: Node) -> Node:
    """Of a node whose parts are in normal form."""
    match node:
        case r.Union(parts):
            return union(*parts)
        case r.Sequence(parts):
            return sequence(list(parts))
        case r.Unary("complement" | "star" | "optional") | r.Component() | r.Recursion() | r.Each():
            return node
        case r.Difference(left, _):
            return r.Empty(node.kind) if is_empty(left) else node
    return r.Empty(node.kind) if any(map(is_empty, node.below)) else node


def leads_nowhere(term: Node) -> bool:
    """Whether it relates events to themselves at most."""
    match term:
        case r.Unary("test"):
            return True
        case r.Intersection(left, right):
            return IDENTITY in (left, right)
    return term is IDENTITY


def negative(term: Node, depth: int) -> bool:
    """Whether what is bound at a depth stands under a complement, or on the right of a difference."""
    for part in r.walk(term):
        match part:
            case r.Unary("complement", body) if body.free >> depth & 1:
                return True
            case r.Difference(_, right) if right.free >> depth & 1:
                return True
    return False
