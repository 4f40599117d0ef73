"""What a kat file says of execution graphs: every expression is a relation, every claim is true or false of a graph.

The walk over the syntax tree is the same for many graphs and for all graphs of a size at once. An `Algebra` knows what
a relation is there, and what a truth value is. Only the parser is shared with the prover.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeGuard

from porf.language import syntax as s
from porf.language.parse import parse
from tests.automata.paths import PathAlgebra

Relation = Any
Truth = Any


class Algebra(Protocol):
    def base(self, name: str) -> Relation | None: ...
    def is_set(self, name: str) -> bool: ...
    def zero(self) -> Relation: ...
    def identity(self) -> Relation: ...
    def union(self, a: Relation, b: Relation) -> Relation: ...
    def meet(self, a: Relation, b: Relation) -> Relation: ...
    def minus(self, a: Relation, b: Relation) -> Relation: ...
    def compose(self, a: Relation, b: Relation) -> Relation: ...
    def inverse(self, a: Relation) -> Relation: ...
    def plus(self, a: Relation) -> Relation: ...
    def some(self, a: Relation) -> Truth: ...
    def both(self, a: Truth, b: Truth) -> Truth: ...
    def negate(self, a: Truth) -> Truth: ...
    def rounds(self, names: int) -> int: ...


@dataclass(frozen=True)
class Vocabulary:
    """What a file declares besides the built-in names."""

    relations: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    disjoint: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class File:
    """A kat file with its includes: the statements, each with the prefix of the file that it stands in."""

    statements: tuple[tuple[str, s.Statement], ...]
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Judged:
    line: int
    statement: str
    violated: Truth


@dataclass
class Judgement:
    """Which assumptions a graph breaks, and which assertions."""

    assumptions: list[Truth] = field(default_factory=list)
    assertions: list[Judged] = field(default_factory=list)


def read(text: str, name: str = "<text>", folder: Path | None = None) -> File:
    statements = tuple(_statements(text, name, folder, ""))
    declared: dict[str, list[s.Declare]] = {"relation": [], "predicate": [], "disjoint": []}
    for _, statement in statements:
        if isinstance(statement, s.Declare):
            declared[statement.kind.replace("declare-loc", "relation").replace("declare", "relation")].append(statement)
    names = {kind: tuple(name for each in found for name in each.names) for kind, found in declared.items()}
    groups = tuple(each.names for each in declared["disjoint"])
    return File(statements, Vocabulary(names["relation"], names["predicate"], groups))


def _statements(text: str, name: str, folder: Path | None, prefix: str) -> Iterator[tuple[str, s.Statement]]:
    for statement in parse(s.Source(name, text, "kat")).statements:
        if isinstance(statement, s.Include):
            assert folder is not None, "a text without a folder includes nothing"
            path = folder / statement.path
            yield from _statements(path.read_text(encoding="utf-8"), str(path), path.parent, path.stem)
        else:
            yield prefix, statement


def judge(file: File, algebra: Algebra) -> Judgement:
    return _Walk(algebra).run(file)


@dataclass(frozen=True)
class _Definition:
    value: Relation
    body: s.Expression
    prefix: str


def _rotates(node: s.Expression) -> TypeGuard[s.Unary]:
    return isinstance(node, s.Unary) and node.operator == "rotations"


def _factors(node: s.Expression) -> Iterator[s.Expression]:
    if isinstance(node, s.Binary) and node.operator == "sequence":
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _cycles(node: s.Expression) -> bool:
    """Whether it is `A & id`."""
    sides = (node.left, node.right) if isinstance(node, s.Binary) and node.operator == "intersection" else ()
    return any(isinstance(side, s.Name) and side.name == "id" for side in sides)


class _Walk:
    def __init__(self, algebra: Algebra) -> None:
        self.algebra = PathAlgebra(algebra)
        self.names: dict[str, _Definition] = {}
        self.prefix = ""
        self.ends: dict[str, list[Relation]] = {}  # tests that both ends of a relation satisfy where it is total

    def run(self, file: File) -> Judgement:
        out = Judgement()
        total: list[s.Expression] = []
        for self.prefix, statement in file.statements:
            match statement:
                case s.Define(bindings=bindings, recursive=False):
                    for binding, value in [(each, self.value(each.body)) for each in bindings]:
                        self._define(binding, value)
                case s.Define(bindings=bindings):
                    self._recursion(bindings)
                case s.Claim(kind="assume", constraint=None, total=r):
                    assert r is not None
                    total.append(r)
                case s.Claim(kind="assume", constraint=constraint):
                    assert constraint is not None
                    self._learn_ends(constraint)
                    out.assumptions.extend(self._violations(constraint))
                case s.Claim(kind="assert", constraint=constraint) if constraint is not None:
                    line = statement.place.source.locate(statement.place.start)[0]
                    out.assertions.append(Judged(line, constraint.place.text, self._violated(constraint)))
        for r in total:
            out.assumptions.extend(self._not_total(r))
        return out

    def _define(self, binding: s.Binding, value: Relation) -> None:
        name = f"{self.prefix}::{binding.name}" if self.prefix else binding.name
        self.names[name] = _Definition(value, binding.body, self.prefix)

    def _recursion(self, bindings: tuple[s.Binding, ...]) -> None:
        for binding in bindings:
            self._define(binding, self.algebra.zero())
        for _ in range(self.algebra.rounds(len(bindings))):
            for binding, value in [(each, self.value(each.body)) for each in bindings]:
                self._define(binding, value)

    # Claims.

    def _violated(self, constraint: s.Constraint) -> Truth:
        first, *others = self._violations(constraint)
        return self.algebra.either(first, others[0]) if others else first

    def _violations(self, constraint: s.Constraint) -> list[Truth]:
        sides = [(constraint.left, constraint.right)]
        if constraint.relation == "=":
            sides.append((constraint.right, constraint.left))
        about_graphs = any(_rotates(right) for _, right in sides)
        return [self._excess(left, right, about_graphs, constraint.same_ends) for left, right in sides]

    def _excess(self, left: s.Expression, right: s.Expression, about_graphs: bool, same_ends: bool) -> Truth:
        """`A <= rot B` speaks of graphs: where A has a cycle, B has one; `A & id <= B` of the events on cycles."""
        if about_graphs:
            x, y = (self.value(side.operand if _rotates(side) else side) for side in (left, right))
            return self.algebra.cyclic_without(x, y)
        x, y = self.value(left), self.value(right)
        return self.algebra.cycles_exceed(x, y) if same_ends or _cycles(left) else self.algebra.exceeds(x, y)

    def _learn_ends(self, constraint: s.Constraint) -> None:
        """`r <= [A];r;[B]` says which events r can relate."""
        parts = list(_factors(constraint.right))
        steps = [part for part in parts if not isinstance(part, s.Unary) or part.operator != "test"]
        if isinstance(constraint.left, s.Name) and len(steps) == 1:
            step, name = steps[0], constraint.left.name
            if isinstance(step, s.Name) and step.name == name:
                self.ends.setdefault(name, []).extend(self.value(part) for part in parts if part is not step)

    def _not_total(self, node: s.Expression) -> list[Truth]:
        """A strict total order of the events that it can relate; of `mo`, per location, that is known anyway."""
        if isinstance(node, s.Name) and node.name in ("mo", "co"):
            return []
        a, r, one = self.algebra, self.value(node), self.algebra.identity()
        ends: Relation = one
        for test in self.ends.get(node.name, []) if isinstance(node, s.Name) else []:
            ends = a.compose(ends, test)
        anything = a.base("any")
        assert anything is not None
        ordered = a.union(a.union(r, a.inverse(r)), one)
        return [
            a.some(a.meet(r, one)),
            a.exceeds(a.compose(r, r), r),
            a.exceeds(a.compose(a.compose(ends, anything), ends), ordered),
        ]

    # Expressions.

    def _find(self, name: str) -> _Definition | None:
        return (self.names.get(f"{self.prefix}::{name}") if self.prefix else None) or self.names.get(name)

    def value(self, node: s.Expression) -> Relation:
        a = self.algebra
        match node:
            case s.Name(name="id"):
                return a.identity()
            case s.Name(name=name):
                found = self._find(name)
                value = a.base(name) if found is None else found.value
                if value is None:
                    node.place.fail(f"unknown name '{name}'")
                return value
            case s.Empty():
                return a.zero()
            case s.Unary(operator="rotations", operand=operand):
                out = a.zero()
                for before, after in self._splits(operand):
                    out = a.union(out, a.compose(after, before))
                return out
            case s.Unary(operator=operator, operand=operand):
                return self._unary(operator, self.value(operand))
            case s.Binary(operator=operator, left=left, right=right):
                operation = {"union": a.union, "intersection": a.meet, "difference": a.minus, "sequence": a.compose}
                return operation[operator](self.value(left), self.value(right))
        raise AssertionError(f"kat has no {node}")

    def _unary(self, operator: str, x: Relation) -> Relation:
        a = self.algebra
        match operator:
            case "test":  # brackets change nothing, whatever they hold
                return x
            case "plus":
                return a.plus(x)
            case "star":
                return a.union(a.identity(), a.plus(x))
            case "optional":
                return a.union(a.identity(), x)
            case "inverse":
                return a.inverse(x)
            case "symmetric":
                return a.union(x, a.inverse(x))
        raise AssertionError(f"kat has no {operator}")

    def _splits(self, node: s.Expression) -> list[tuple[Relation, Relation]]:
        """All ways to cut the paths of an expression in two: it is the union of `before;after`."""
        a = self.algebra
        match node:
            case s.Name(name=name) if (found := self._find(name)) is not None:
                outer, self.prefix = self.prefix, found.prefix
                out = self._splits(found.body)
                self.prefix = outer
                return out
            case s.Binary(operator="union", left=left, right=right):
                return self._splits(left) + self._splits(right)
            case s.Binary(operator="sequence", left=left, right=right):
                first, second = self.value(left), self.value(right)
                return [(x, a.compose(y, second)) for x, y in self._splits(left)] + [
                    (a.compose(first, x), y) for x, y in self._splits(right)
                ]
            case s.Unary(operator="test", operand=operand):
                return self._splits(operand)
            case s.Unary(operator="plus" | "star" as operator, operand=operand):
                star = a.union(a.identity(), a.plus(self.value(operand)))
                out = [(a.compose(star, x), a.compose(y, star)) for x, y in self._splits(operand)]
                return out + [(a.identity(), a.identity())] * (operator == "star")
            case s.Unary(operator="optional", operand=operand):
                return [*self._splits(operand), (a.identity(), a.identity())]
            case s.Unary(operator="inverse", operand=operand):
                return [(a.inverse(y), a.inverse(x)) for x, y in self._splits(operand)]
        whole = self.value(node)
        return [(whole, a.identity()), (a.identity(), whole)]
