"""From the tree of a model to regular expressions, refusing what is not regular.

A reader of `porf.language.relation`: names, functions and kinds are settled there. Each node is read once.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import NoReturn

from porf.automata import expression as x
from porf.automata.recursion import NotLinearError, solve
from porf.automata.selection import ANY, EventSet, Near, Product, Selection, Selector, Value, is_relation, is_value
from porf.automata.theory import Theory
from porf.errors import ModelError
from porf.language import base
from porf.language import formula as f
from porf.language import relation as r
from porf.language import syntax as s
from porf.language.resolve import Claimed, Defined, Disjoint, Mentioned, Tested

DEEPEST = 100
_NOT_REGULAR = "is not a regular operation"
_SIGNS = {"plus": "+", "star": "*", "optional": "?", "inverse": "^-1", "rotations": "rot"}
_HALVES: dict[str, f.Formula] = {"domain": f.conjunction("R", "EXCL"), "range": f.conjunction("W", "EXCL")}  # of rmw
Statement = Claimed | Defined | Disjoint | Mentioned | Tested


class Elaborator:
    """Relations of one file, over the predicates and the primitive relations of a theory."""

    def __init__(
        self,
        theory: Theory,
        view: str,
        names: Theory | None = None,
        cuts: bool = False,
        near: Near | None = None,
        bindings: Mapping[r.Recursion, tuple[s.Binding, ...]] | None = None,
    ) -> None:
        """The primitives are those of the theory `names`. Cuts: `loc`, `int` and `ext` select pairs of other relations.
        Near: a regular relation that is larger or smaller stands for one that is not."""
        self.statement: Statement | None = None  # that is being read: errors are shown there
        self._theory, self._names = theory, names or theory
        self._view, self._cuts, self._near = view, cuts, near
        self._selection = Selection(theory.below, near)
        self._bindings = bindings or {}
        self._known: dict[r.Node, Value] = {}
        self._solved: dict[r.Recursion, list[x.Regular]] = {}

    def value(self, node: r.Node) -> Value:
        for part in r.walk(node, into=self._parts):
            if part not in self._known:
                self._known[part] = self._shallow(part, self._value(part))
        return self._known[node]

    def _shallow(self, node: r.Node, value: Value) -> Value:
        """What comes after this goes through a value by recursion."""
        deep = value.formula if isinstance(value, EventSet) else value
        if getattr(deep, "depth", 0) > DEEPEST:
            self._fail(
                node,
                f"this is nested too deeply for proofs: more than {DEEPEST} operators are inside each other",
                "say the same with fewer brackets",
            )
        return value

    def relation(self, node: r.Node) -> x.Regular:
        value = self.value(node)
        match value:
            case EventSet(formula):
                return x.Check(formula)
            case Product(left, right):
                return x.sequence((x.Check(left), ANY, x.Check(right)))
            case Selector("loc"):
                return x.Step("loc")
            case Selector(name):
                self._fail(
                    node, f"`{name}` alone {_NOT_REGULAR}: it only selects", "intersect a step with it: rf & ext"
                )
        return value

    def empty(self, node: r.Node) -> x.Regular:
        """What is empty if the node is: two relations have no pair in common if the one, and the other back, have no
        loop together."""
        node = r.plain(node)
        if isinstance(node, r.Intersection) and node.kind == "relation":
            one, other = self.relation(node.left), self.relation(node.right)
            return x.Loops(x.sequence((other, x.inverse(one))))
        return self.relation(node)

    def formula(self, node: r.Node) -> f.Formula:
        """Of a set."""
        value = self.value(node)
        assert isinstance(value, EventSet)
        return value.formula

    def _fail(self, node: r.Node, message: str, hint: str) -> NoReturn:
        if self.statement is None:
            raise ModelError(message, hint=hint)
        self.statement.places.get(node, self.statement.place).unwrapped().fail(message, hint)

    # Nodes.

    def _parts(self, node: r.Node) -> Iterable[r.Node]:
        """What is read before a node."""
        whole = node in self._known or isinstance(node, r.Component | r.Each) or self._primitive(node) is not None
        return () if whole else node.below

    def _primitive(self, node: r.Node) -> Value | None:
        """An abbreviation that the theory has as a primitive, or a name that the file declares."""
        if isinstance(node, r.Abbreviation | r.Declared):
            if node.kind == "set" and node.name in self._names.predicates:
                return EventSet(node.name)
            if node.kind == "relation" and node.name in self._names.relations:
                return x.Step(node.name)
        return None

    def _value(self, node: r.Node) -> Value:
        """Of a node whose parts are read."""
        if (primitive := self._primitive(node)) is not None:
            return primitive
        if node.kind == "set":
            return EventSet(self._set(node))
        match node:
            case r.Base(name):
                return self._base(node, name)
            case r.Abbreviation(_, meaning):
                return self._known[meaning]
            case r.Empty():
                return x.NOTHING
            case r.Universe():
                return ANY
            case r.Union(parts):
                if all(isinstance(self._known[part], Selector) for part in parts):
                    self._fail(node, f"this {_NOT_REGULAR}: it only selects", "intersect a step with it: rf & ext")
                return x.union(map(self.relation, parts))
            case r.Sequence(parts):
                return x.sequence([self._inner(part, ";") for part in parts])
            case r.Product(left, right):
                return Product(self.formula(left), self.formula(right))
            case r.Intersection(left, right) | r.Difference(left, right):
                return self._selected(node, self._known[left], self._known[right])
            case r.Unary():
                return self._unary(node)
            case r.Component(recursion, index):
                if recursion not in self._solved:
                    self._solved[recursion] = self._recursion(recursion)
                return self._solved[recursion][index]
            case r.Variable(depth, index):
                return _variable(depth, index)
            case r.Declared(name):
                self._fail(node, f"'{name}' is not a relation of this theory", "define it with `let`")
        self._fail(node, f"`each(…)` {_NOT_REGULAR} here", "name the relation without it")

    def _base(self, node: r.Node, name: str) -> Value:
        if name == "id":
            return x.IDENTITY
        if self._cuts and name in ("loc", "int", "ext"):
            return Selector(name)
        if name not in self._names.relations:
            self._fail(node, f"proofs do not support `{name}`", "declare a relation with another name")
        return x.Step(name)

    def _set(self, node: r.Node) -> f.Formula:
        match node:
            case r.Base(name):
                row = base.SETS[name]
                formula = row.predicate
                if self._view == "two" and row.predicate_two is not None:
                    formula = row.predicate_two
                if not f.predicates_of(formula) <= self._theory.predicates | self._names.predicates:
                    self._fail(node, f"proofs do not support `{name}`", "declare a predicate with another name")
                return formula
            case r.Tagged(architecture, tag):
                self._fail(node, f"proofs do not support `{tag}` of {architecture}", "declare a predicate of this name")
            case r.Abbreviation(_, meaning):
                return self.formula(meaning)
            case r.Empty():
                return False
            case r.Universe():
                return True
            case r.Union(parts):
                return reduce(f.disjunction, map(self.formula, parts))
            case r.Intersection(left, right):
                return f.conjunction(self.formula(left), self.formula(right))
            case r.Difference(left, right):
                return f.conjunction(self.formula(left), f.negation(self.formula(right)))
            case r.Unary("complement", body):
                return f.negation(self.formula(body))
            case r.Unary("domain" | "range" as side, body):
                if self._known[body] == x.Step("rmw") and self._view == "two":
                    return _HALVES[side]
                self._fail(node, f"`{side}(…)` {_NOT_REGULAR} here", "describe the set by its predicates")
        self._fail(node, f"this set {_NOT_REGULAR}", "describe the set by its predicates")

    def _unary(self, node: r.Unary) -> Value:
        if node.operator == "test":
            return x.Check(self.formula(node.body))
        if node.operator == "complement":
            match self._known[node.body]:
                case Selector("int" | "ext" as name):
                    return Selector("ext" if name == "int" else "int")
            self._fail(node, f"`~` of a relation {_NOT_REGULAR} on paths", "complements of sets are regular")
        body = self._inner(node.body, _SIGNS[node.operator])
        match node.operator:
            case "plus":
                return x.plus(body)
            case "star":
                return x.star(body)
            case "optional":
                return x.optional(body)
            case "inverse":
                return x.inverse(body)
        return x.Rotations(body)

    def _selected(self, node: r.Intersection | r.Difference, left: Value, right: Value) -> Value:
        meet = isinstance(node, r.Intersection)
        found = self._selection.meet(left, right) if meet else self._selection.less(left, right)
        if self._near is not None and (found is None or (is_value(found) and not is_relation(found))):
            found = self._selection.nearest(left, right, meet)
        if found is None:
            sign = "&" if meet else "\\"
            why = "no path shows where another one ends" if meet else "no path shows that there is no other"
            self._fail(
                node,
                f"`{sign}` of these relations {_NOT_REGULAR}: {why}",
                "these are regular: P & Q of predicates, r & ([A];any;[B]), and an outermost `A & id` of a statement",
            )
        return found

    def _inner(self, node: r.Node, operator: str) -> x.Regular:
        """A relation inside another operator, where only regular ones may stand."""
        found = self.relation(node)
        if (isinstance(found, x.Union) and any(map(x.is_outer, found.parts))) or x.is_outer(found):
            self._not_inside(node, found, operator)
        return found

    def _not_inside(self, node: r.Node, found: x.Regular, operator: str) -> NoReturn:
        outer = next(part for part in x.walk(found) if x.is_outer(part))
        sign, why = {
            x.Loops: ("&", "no path shows where another one ends"),
            x.Rotations: ("rot", "it is about whole cycles"),
            x.Minus: ("\\", "the paths of a difference are not those of one expression without the other's"),
        }[type(outer)]
        self._fail(
            node,
            f"`{sign}` inside `{operator}` {_NOT_REGULAR}: {why}",
            {
                "&": "`A & id` can only be outermost on one side of a statement; predicates may be anywhere",
                "rot": "`rot A` can only be outermost on one side of a statement",
                "\\": "`A \\ B <= C` is read as `A <= B | C`; elsewhere only predicates may be subtracted",
            }[sign],
        )

    def _recursion(self, node: r.Recursion) -> list[x.Regular]:
        """Its variables are steps of their own while the equations are read; then they are eliminated."""
        bodies = {_variable(node.depth, at): self.relation(body) for at, body in enumerate(node.bodies)}
        try:
            found = solve(bodies)
        except NotLinearError as error:
            if self._near is not None:
                return [_any_path(bodies) if self._near == "larger" else x.NOTHING] * len(bodies)
            bindings = dict(zip(bodies, self._bindings[node], strict=True))
            bindings[error.where].body.place.unwrapped().fail(
                f"'{bindings[x.Step(error.name)].name}' {error.why}: such a recursion {_NOT_REGULAR}",
                "a recursive name may only be the first factor of a `;`, or an alternative of `|` or `?`",
            )
        return [found[variable] for variable in bodies]


def _variable(depth: int, index: int) -> x.Step:
    return x.Step(f"rec {depth}.{index}")


def _any_path(bodies: dict[x.Step, x.Regular]) -> x.Regular:
    """All paths of the steps of a recursion: at least what it defines."""
    steps = {step for body in bodies.values() for step in x.steps_of(body)}
    known = x.union(sorted((step for step in steps if x.Step(step.name) not in bodies), key=repr))
    standing = any(x.empty_paths(body) is not False for body in bodies.values())
    return x.star(known) if standing else x.plus(known)
