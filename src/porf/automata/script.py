"""A kat file as a theory and its claims: includes read, names declared and defined, assumptions sorted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from porf.automata import expression as x
from porf.automata.elaborate import Elaborator
from porf.automata.selection import EventSet, Near, Value
from porf.automata.theory import Relation, Theory, UnusableError, base_theory
from porf.errors import ModelError
from porf.language import syntax as s
from porf.language.header import read_text
from porf.language.model_file import Includes
from porf.language.parse import parse

THEORIES = Path(__file__).parent / "theories"


@dataclass(frozen=True)
class Claim:
    """An assertion: `left <= right`, or both ways."""

    place: s.Place
    left: x.Regular
    right: x.Regular
    both_ways: bool

    @property
    def line(self) -> int:
        return self.place.source.locate(self.place.start)[0]

    @property
    def statement(self) -> str:
        return " ".join(self.place.text.split())


@dataclass
class Script:
    theory: Theory
    claims: list[Claim] = field(default_factory=list)
    names: dict[str, Value] = field(default_factory=dict)
    axioms: list[tuple[s.Test, x.Regular | None]] = field(default_factory=list)  # None: it is not regular


class _Pending:
    """An assumption of no usable shape: no harm if it follows from the others."""

    def __init__(self, place: s.Place, left: x.Regular, right: x.Regular, error: UnusableError) -> None:
        self.place, self.left, self.right, self.error = place, left, right, error


Open = Callable[[s.Include], s.Tree | None]
Follows = Callable[[Theory, x.Regular, x.Regular], bool]


class Reader:
    """Statements of one file and its includes, into one theory."""

    def __init__(
        self,
        dialect: str,
        theory: Theory,
        names: dict[str, Value],
        open_file: Open,
        tolerant: bool = False,
        near: Near | None = None,
    ) -> None:
        """Tolerant: what is not regular matters only where an axiom needs it. Near: see `Elaborator`."""
        self.script = Script(theory)
        self.elaborator = Elaborator(dialect, names, theory.below, tolerant, near)
        self._tolerant = tolerant
        self._open = open_file
        self._declared: set[str] = set()
        self._pending: list[_Pending] = []
        self._own_base = not names  # the base theory itself is being read

    def read(self, tree: s.Tree, prefix: str) -> None:
        outer, self.elaborator.prefix = self.elaborator.prefix, prefix
        for statement in tree.statements:
            self._statement(statement)
        self.elaborator.prefix = outer

    def finish(self, follows: Follows) -> Script:
        for waiting in self._pending:
            if not follows(self.script.theory, waiting.left, waiting.right):
                waiting.place.fail(waiting.error.why, waiting.error.hint)
        self.script.names = self.elaborator.scope
        return self.script

    def _statement(self, statement: s.Statement) -> None:
        match statement:
            case s.Define():
                for binding in statement.bindings:
                    if self.elaborator.qualified(binding.name) in self._declared:
                        binding.place.fail(f"'{binding.name}' is declared already", "give the definition another name")
                self.elaborator.define(statement)
            case s.Declare():
                self._declare(statement)
            case s.Include():
                tree = self._open(statement)
                if tree is not None:
                    stem = statement.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
                    self.read(tree, stem if tree.source.dialect == "kat" else "")
            case s.Claim():
                self._claim(statement)
            case s.Test():
                self.script.axioms.append((statement, self._axiom(statement)))
                self._constraint(statement.unless)
            case s.Other(subject=subject):
                if subject is not None and not isinstance(subject, str):
                    self.elaborator.relation(subject)
                self._constraint(statement.unless)

    def _axiom(self, statement: s.Test) -> x.Regular | None:
        try:
            if statement.kind == "empty" and self._tolerant:
                return self._empty(statement.expression)
            value = self.elaborator.value(statement.expression)
            if isinstance(value, EventSet):
                return x.Check(value.formula)
            return self.elaborator.relation(statement.expression)
        except ModelError:
            if not self._tolerant:
                raise
            return None

    def _empty(self, node: s.Expression) -> x.Regular:
        """Two relations have no pair in common if the one and the other back have no loop together."""
        if isinstance(node, s.Binary) and node.operator == "intersection":
            sides = [self.elaborator.value(side) for side in (node.left, node.right)]
            if not any(isinstance(side, EventSet) for side in sides):
                one, other = self.elaborator.relation(node.left), self.elaborator.relation(node.right)
                return x.Loops(x.sequence((other, x.inverse(one))))
        value = self.elaborator.value(node)
        return x.Check(value.formula) if isinstance(value, EventSet) else self.elaborator.relation(node)

    def _constraint(self, constraint: s.Constraint | None) -> None:
        if constraint is not None:
            self.elaborator.relation(constraint.left)
            self.elaborator.relation(constraint.right)

    def _declare(self, statement: s.Declare) -> None:
        theory = self.script.theory
        if statement.kind == "disjoint":
            return self._disjoint(statement)
        for name in statement.names:
            full = self.elaborator.qualified(name)
            if full in self.elaborator.scope:
                statement.place.fail(f"'{name}' is defined already", "declare another name")
            self._declared.add(full)
            if statement.kind == "predicate":
                theory.predicates.add(full)
                self.elaborator.scope[full] = x.Check(full)
                continue
            theory.relations[full] = Relation()
            self.elaborator.scope[full] = x.Step(full)
            if not self._own_base:
                located = f"{full}-loc"
                theory.relations[located] = Relation()
                theory.include(x.Step(located), x.Step(full))
                theory.include(x.Step(located), x.Step("loc"))
                self.elaborator.scope[located] = x.Step(located)
                self._declared.add(located)

    def _disjoint(self, statement: s.Declare) -> None:
        formulas = []
        for name in statement.names:
            found = self.elaborator.find(name)
            if found is None:
                self.elaborator.unknown(s.Name(statement.place, name), name)
            if not isinstance(found, x.Check):
                statement.place.fail(f"'{name}' is a relation; `disjoint` is for predicates", "name predicates only")
            formulas.append(found.formula)
        for at, one in enumerate(formulas):
            for other in formulas[at + 1 :]:
                self.script.theory.forbid(("and", one, other))

    def _claim(self, claim: s.Claim) -> None:
        if claim.total is not None:
            return self._total(claim, claim.total)
        constraint = claim.constraint
        assert constraint is not None
        left, right = self.elaborator.relation(constraint.left), self.elaborator.relation(constraint.right)
        for node, side in ((left, constraint.left), (right, constraint.right)):
            self._outside(node, side, side is constraint.right or constraint.relation == "=")
        if constraint.same_ends:
            left = x.Loops(left)
        if claim.kind == "assert":
            both = constraint.relation == "="
            self.script.claims.append(Claim(constraint.place, left, right, both))
            return
        self._assume(constraint.place, left, right)
        if constraint.relation == "=":
            self._assume(constraint.place, right, left)

    def _outside(self, node: x.Regular, side: s.Expression, at_right: bool) -> None:
        """What stands at the outside may not stand inside another of its kind; `\\` not on the right."""
        for part in node.parts if isinstance(node, x.Union) else (node,):
            body = part
            if isinstance(body, x.Loops):
                body = body.body
            if isinstance(body, x.Rotations):
                body = body.body
            if isinstance(part, x.Minus) and not at_right:
                body = part.body.body if isinstance(part.body, x.Loops | x.Rotations) else part.body
                body = x.union((body, part.without))
            if any(map(x.is_outer, x.walk(body))):
                side.place.unwrapped().fail(
                    "this mixture of `&`, `\\` and `rot` is not a regular operation",
                    "`A & id`, `rot A` and, on the left, `A \\ B` may stand at the outside of a side",
                )

    def _assume(self, place: s.Place, left: x.Regular, right: x.Regular) -> None:
        try:
            self.script.theory.assume(left, right)
        except UnusableError as error:
            self._pending.append(_Pending(place, left, right, error))

    def _total(self, claim: s.Claim, node: s.Expression) -> None:
        step = self.elaborator.relation(node)
        if claim.kind == "assert":
            claim.place.fail("totality can be assumed, not asserted", "assume total r")
        if not isinstance(step, x.Step) or step.back:
            node.place.fail("`total` is for a primitive relation", "declare it with `relation`")
        theory = self.script.theory
        theory.total.add(step.name)
        theory.assume(x.sequence((step, step)), step)
        theory.irreflexive.append(step)


def read_script(path: Path, follows: Follows, theory: Theory | None = None) -> Script:
    """A kat file; ModelError with a place where something is wrong with it."""
    return read_source(s.Source(str(path), read_text(path), "kat"), path, follows, theory)


def read_source(source: s.Source, path: Path | None, follows: Follows, theory: Theory | None = None) -> Script:
    base, names = base_theory("two")
    tree = parse(source)
    includes = Includes(tree, path)
    reader = Reader("kat", (theory or base).copy(), dict(names), includes.open)
    try:
        reader.read(tree, path.stem if path is not None else "text")
        return reader.finish(follows)
    except RecursionError:
        s.Place(source, 0, 0).fail("this file is nested too deeply", "name parts of the long expression with `let`")


def read_theory(view: str) -> tuple[Theory, dict[str, Value]]:
    """A base theory, and the names that it gives to files."""
    path = THEORIES / f"{view}.kat"
    reader = Reader("kat", Theory(), {}, lambda include: None)
    reader.elaborator.scope |= {"any": x.Step("any"), "id": x.IDENTITY}
    reader.read(parse(s.Source(str(path), read_text(path), "kat")), "")
    script = reader.finish(lambda *_: False)
    return script.theory, script.names
