"""Axioms as terms: nested tuples in which every name is replaced by its definition.

A term is (operator, operand, …). Sequences and unions are flat. `mu` is a recursion, and `each` goes through the events
of a set; what they bind is named by how deep it stands, so equal terms are equal tuples.
"""

from __future__ import annotations

from typing import Any

from porf.language import base
from porf.language import program as p
from porf.language.model_file import ModelFile

Term = tuple[Any, ...]

EMPTY: Term = ("empty",)
ALL: Term = ("all",)
IDENTITY: Term = ("relation", "id")
_UNARY = {
    p.COMPLEMENT: "not",
    p.INVERSE: "inverse",
    p.PLUS: "plus",
    p.STAR: "star",
    p.OPTIONAL: "optional",
    p.IDENTITY: "test",
    p.DOMAIN: "domain",
    p.RANGE: "range",
}
_BINARY = {p.INTERSECTION: "intersection", p.DIFFERENCE: "difference", p.PRODUCT: "product"}


def term_of(model: ModelFile, register: int, without: frozenset[str] = frozenset()) -> Term:
    """The term of a register; the sets `without` are known to be empty."""
    values = {a: b for op, a, b, _, _ in model.compiled.code if op == p.UPDATE}
    return _Builder(model.compiled.code, values, without).build(register, {})


class _Builder:
    def __init__(
        self, code: list[tuple[int, int, int, int, int]], values: dict[int, int], without: frozenset[str]
    ) -> None:
        self._code, self._values, self._without = code, values, without

    def build(self, register: int, bound: dict[int, Term]) -> Term:
        if register in bound:
            return bound[register]
        op, a, b, _, _ = self._code[register]
        if op == p.BASE_RELATION:
            return ("relation", base.RELATIONS[a])
        if op == p.BASE_SET:
            name = base.SETS[a]
            return EMPTY if name in self._without else ALL if name == "_" else ("set", name)
        if op == p.EMPTY:
            return EMPTY
        if op == p.UNIVERSE:
            return ALL
        if op in _UNARY:
            inner = self.build(a, bound)
            return EMPTY if inner == EMPTY and op not in (p.COMPLEMENT, p.STAR, p.OPTIONAL) else (_UNARY[op], inner)
        if op == p.UNION:
            return union(self.build(a, bound), self.build(b, bound))
        if op == p.COMPOSE:
            return sequence([self.build(a, bound), self.build(b, bound)])
        if op in _BINARY:
            left, right = self.build(a, bound), self.build(b, bound)
            if left == EMPTY or (right == EMPTY and op != p.DIFFERENCE):
                return EMPTY
            return (_BINARY[op], left, right)
        if op == p.VARIABLE:
            own = ("variable", len(bound))
            return ("mu", own, self.build(self._values[register], {**bound, register: own}))
        assert op == p.GATHER
        own = ("member", len(bound))
        return ("each", self.build(self._code[b][1], bound), own, self.build(a, {**bound, b: own}))


def union(*terms: Term) -> Term:
    parts: dict[Term, None] = {}
    for term in terms:
        parts |= dict.fromkeys(term[1:] if term[0] == "union" else () if term == EMPTY else (term,))
    if len(parts) < 2:
        return next(iter(parts), EMPTY)
    return ("union", *sorted(parts, key=repr))


def sequence(terms: list[Term]) -> Term:
    """Flat, without `id`; around rf, the writes that it leads from are spelled out."""
    flat: list[Term] = []
    for term in terms:
        flat += term[1:] if term[0] == "sequence" else [term]
    if EMPTY in flat:
        return EMPTY
    flat = [term for term in flat if term != IDENTITY]
    out: list[Term] = []
    for term in flat:
        if out and out[-1] == _READ and term != _WRITES:
            out.append(_WRITES)
        out.append(term)
    return out[0] if len(out) == 1 else ("sequence", *out) if out else IDENTITY


_READ: Term = ("inverse", ("relation", "rf"))
_WRITES: Term = ("test", ("set", "W"))


def replaced(term: Term, old: Term, new: Term) -> Term:
    """A term with another in the place of a variable."""
    if term == old:
        return new
    parts = tuple(replaced(part, old, new) if isinstance(part, tuple) else part for part in term)
    if parts[0] == "union":
        return union(*parts[1:])
    return sequence(list(parts[1:])) if parts[0] == "sequence" else parts


def leads_nowhere(term: Term) -> bool:
    """Whether it relates events to themselves at most."""
    return term == IDENTITY or term[0] == "test" or (term[0] == "intersection" and IDENTITY in term[1:])


def mentions(term: Term, leaf: Term) -> bool:
    return term == leaf or any(isinstance(part, tuple) and mentions(part, leaf) for part in term)


def negative(term: Term, leaf: Term) -> bool:
    """Whether a leaf stands under a complement, or on the right of a difference."""
    if term[0] == "not":
        return mentions(term, leaf)
    if term[0] == "difference" and mentions(term[2], leaf):
        return True
    return any(isinstance(part, tuple) and negative(part, leaf) for part in term)
