"""Recursions that say no more than paths: equations such as those of preserved program order in Herding Cats.

Each variable stands for the paths from one *sort* of place to another, and the rules say that paths may be joined, and
that one sort leads to another. If all such rules are there, the least solution is all paths, which automata know.
"""

from __future__ import annotations

from porf.language import relation as r
from porf.record import Record


class Paths(Record):
    """Paths of at least one step between sorts, which are numbers."""

    steps: tuple[tuple[int, r.Node, int], ...]
    onward: frozenset[tuple[int, int]]  # a sort that leads to another without a step; reflexive and transitive
    source: int
    target: int

    def leads(self, a: int, b: int) -> bool:
        return (a, b) in self.onward


def paths_of(recursion: r.Recursion, index: int) -> Paths | None:
    """What one equation of a recursion solves to; None if it is not known to be paths."""
    bodies = [[r.plain(one) for one in r.operands(body)] for body in recursion.bodies]
    sorts = _Sorts(len(bodies))
    steps: list[tuple[int, r.Node]] = []
    rules: set[tuple[int, ...]] = set()  # (a variable, another) or (a variable, two that are joined)
    for variable, body in enumerate(bodies):
        for one in body:
            if (said := _variables(one, recursion.depth)) is not None:
                rules.add((variable, *said))
                if len(said) == 2:
                    sorts.same(2 * variable, 2 * said[0])
                    sorts.same(2 * said[0] + 1, 2 * said[1])
                    sorts.same(2 * variable + 1, 2 * said[1] + 1)
            elif recursion.free or one.free:
                return None
            else:
                steps.append((variable, one))
    names = [(sorts.of(2 * v), sorts.of(2 * v + 1)) for v in range(len(bodies))]
    if len(set(names)) != len(names):
        return None
    onward = {(s, s) for name in names for s in name}
    for rule in rules:
        if len(rule) == 2:  # what is a path from a to b is one from c to d: c leads to a, and b to d
            (c, d), (a, b) = names[rule[0]], names[rule[1]]
            onward |= {(c, a), (b, d)}
    while new := {(a, d) for a, b in onward for c, d in onward if b == c} - onward:
        onward |= new
    by_name = {name: v for v, name in enumerate(names)}
    for (a, b), inner in by_name.items():
        for (c, d), outer in by_name.items():
            # Where paths can be joined, or begin or end elsewhere, a rule must say so.
            if b == c and ((a, d) not in by_name or (by_name[a, d], inner, outer) not in rules):
                return None
            apart = inner != outer and (c, a) in onward and (b, d) in onward
            if apart and not _chained(rules, outer, inner, len(bodies)):
                return None
    source, target = names[index]
    made = tuple((*names[variable][:1], node, names[variable][1]) for variable, node in steps)
    return Paths(made, frozenset(onward), source, target)


def _chained(rules: set[tuple[int, ...]], variable: int, included: int, most: int) -> bool:
    seen = {variable}
    for _ in range(most):
        seen |= {rule[1] for rule in rules if len(rule) == 2 and rule[0] in seen}
    return included in seen


def _variables(node: r.Node, depth: int) -> tuple[int, ...] | None:
    match node:
        case r.Variable(at, index) if at == depth:
            return (index,)
        case r.Sequence((one, other)):
            a, b = _variables(r.plain(one), depth), _variables(r.plain(other), depth)
            if a is not None and b is not None and len(a) == len(b) == 1:
                return (*a, *b)
    return None


class _Sorts:
    """Which ends of variables must be the same sort."""

    def __init__(self, variables: int) -> None:
        self._parent = list(range(2 * variables))

    def of(self, end: int) -> int:
        while self._parent[end] != end:
            end = self._parent[end]
        return end

    def same(self, one: int, other: int) -> None:
        self._parent[self.of(one)] = self.of(other)
