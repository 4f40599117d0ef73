"""From syntax tree to regular expressions: names resolved, and every operator that is not regular refused.

Serves both dialects: in kat a predicate is a test wherever it stands, in cat a set and a relation differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from porf.automata import expression as x
from porf.automata.recursion import NotLinearError, solve
from porf.automata.selection import (
    ANY,
    Broken,
    EventSet,
    Function,
    Near,
    Product,
    Selection,
    Selector,
    Value,
    is_relation,
    is_value,
)
from porf.errors import ModelError, nearest
from porf.language import syntax as s

_HALVES: dict[str, x.Formula] = {"domain": ("and", "R", "EXCL"), "range": ("and", "W", "EXCL")}  # of rmw
_NOT_REGULAR = "is not a regular operation"
_MAX_UNFOLDINGS = 2000


class Elaborator:
    """Expressions of one file and its includes. `built_in` gives the meaning of names that no file defines."""

    def __init__(
        self,
        dialect: str,
        built_in: dict[str, Value],
        below: Callable[[str, str], bool],
        tolerant: bool = False,
        near: Near | None = None,
    ) -> None:
        """Tolerant: a definition that is not regular is said to whoever uses it. Near: a regular relation that is
        larger or smaller stands for one that is not."""
        self.dialect = dialect
        self.scope: dict[str, Value] = {}
        self.prefix = ""
        self._built_in = built_in
        self._selection = Selection(below, near)
        self._tolerant = tolerant
        self._near = near
        self._unfolded = 0

    # Names.

    def qualified(self, name: str) -> str:
        return f"{self.prefix}::{name}" if self.prefix else name

    def find(self, name: str) -> Value | None:
        for candidate in (self.qualified(name), name):
            if candidate in self.scope:
                return self.scope[candidate]
        return self._built_in.get(name)

    def unknown(self, node: s.Name | s.Apply, name: str) -> s.Place:
        own = f"{self.prefix}::"
        known = {found.removeprefix(own) for found in self.scope} | self._built_in.keys()
        elsewhere = [found for found in self.scope if found.endswith(f"::{name}")]
        hint = f"did you mean '{elsewhere[0]}'?" if elsewhere else nearest(name, known)
        node.place.fail(f"unknown name '{name}'", hint or "declare it with `relation` or `predicate`, or define it")

    def define(self, statement: s.Define) -> None:
        try:
            self._define(statement)
        except ModelError as error:
            if not self._tolerant:
                raise
            for binding in statement.bindings:
                self.scope[self.qualified(binding.name)] = Broken(error)

    def _define(self, statement: s.Define) -> None:
        if statement.recursive:
            found = self._recursive(statement.bindings)
        else:
            found = {}
            for binding in statement.bindings:
                if binding.parameters is None:
                    found[binding.name] = self.value(binding.body)
                else:
                    found[binding.name] = Function(binding.parameters, binding.body, dict(self.scope))
        for name, value in found.items():
            self.scope[self.qualified(name)] = value

    def _recursive(self, bindings: tuple[s.Binding, ...]) -> dict[str, Value]:
        """Stands for the names while their bodies are read, as steps of their own; then they are eliminated."""
        names = {binding.name: x.Step(f"rec {binding.name}") for binding in bindings}
        saved = dict(self.scope)
        for name, variable in names.items():
            self.scope[self.qualified(name)] = variable
        bodies = {}
        for binding in bindings:
            if binding.parameters is not None:
                binding.place.fail("recursive functions are not supported", "recursion is for relations")
            bodies[names[binding.name]] = self.relation(binding.body)
        self.scope = saved
        try:
            found = solve(bodies)
        except NotLinearError as error:
            if self._near is not None:
                near = _any_path(bodies) if self._near == "larger" else x.NOTHING
                return dict.fromkeys(names, near)
            place = next(binding for binding in bindings if names[binding.name] == error.where).body.place
            name = error.name.removeprefix("rec ")
            place.unwrapped().fail(
                f"'{name}' {error.why}: such a recursion {_NOT_REGULAR}",
                "a recursive name may only be the first factor of a `;`, or an alternative of `|` or `?`",
            )
        return {name: found[variable] for name, variable in names.items()}

    # Expressions.

    def relation(self, node: s.Expression) -> x.Regular:
        """Its value as a relation; a set is told that it is none."""
        value = self.value(node)
        if isinstance(value, EventSet):
            text = node.place.unwrapped().text
            node.place.unwrapped().fail(f"{text} is a set; a relation is needed", f"write [{text}]")
        if isinstance(value, Product):
            return x.sequence((x.Check(value.left), ANY, x.Check(value.right)))
        if isinstance(value, Selector):
            if value.name == "loc":
                return x.Step("loc")
            node.place.fail(f"`{value.name}` alone {_NOT_REGULAR}: it only selects", "cut a step with it: rf & ext")
        if isinstance(value, Function):
            node.place.fail(f"'{node.place.text}' is a function", f"apply it: {node.place.text}(…)")
        if isinstance(value, Broken):
            raise value.error
        return value

    def inner(self, node: s.Expression, operator: str) -> x.Regular:
        """A relation inside another operator, where only regular ones may stand."""
        found = self.relation(node)
        if (isinstance(found, x.Union) and any(map(x.is_outer, found.parts))) or x.is_outer(found):
            self._not_inside(node, found, operator)
        return found

    def _not_inside(self, node: s.Expression, found: x.Regular, operator: str) -> None:
        outer = next(part for part in x.walk(found) if x.is_outer(part))
        sign, why = {
            x.Loops: ("&", "no path tells where another one ends"),
            x.Rotations: ("rot", "it speaks of whole cycles"),
            x.Minus: ("\\", "the paths of a difference are not those of one expression less the other's"),
        }[type(outer)]
        node.place.unwrapped().fail(
            f"`{sign}` inside `{operator}` {_NOT_REGULAR}: {why}",
            {
                "&": "`A & id` stands at the outside of one side of a statement; predicates may meet anywhere",
                "rot": "`rot A` stands at the outside of one side of a statement",
                "\\": "`A \\ B <= C` is read as `A <= B | C`; elsewhere only predicates may be subtracted",
            }[sign],
        )

    def value(self, node: s.Expression) -> Value:
        match node:
            case s.Name(name=name):
                found = self.find(name)
                if found is None:
                    self.unknown(node, name)
                assert found is not None
                if isinstance(found, Broken):
                    raise found.error
                return found
            case s.Empty():
                return x.NOTHING
            case s.Universe():
                return EventSet(True)
            case s.Unary():
                return self._unary(node)
            case s.Binary():
                return self._binary(node)
            case s.Apply():
                return self._apply(node)
            case s.LetIn(bindings=bindings, recursive=recursive, body=body):
                saved = dict(self.scope)
                self.define(s.Define(node.place, bindings, recursive))
                found = self.value(body)
                self.scope = saved
                return found
            case s.Try(body=body, fallback=fallback):
                names = [part.name for part in _names_in(body)]
                return self.value(body if all(self.find(name) is not None for name in names) else fallback)

    def _unary(self, node: s.Unary) -> Value:
        operator = node.operator
        if operator == "test":
            found = self.value(node.operand)
            if isinstance(found, EventSet):
                return x.Check(found.formula)
            return found if self.dialect == "kat" else self._needs_set(node.operand, found)
        if operator == "complement":
            return self._complement(node)
        sign = {"plus": "+", "star": "*", "optional": "?", "inverse": "^-1", "symmetric": "^=", "rotations": "rot"}
        body = self.inner(node.operand, sign[operator])
        match operator:
            case "plus":
                return x.plus(body)
            case "star":
                return x.star(body)
            case "optional":
                return x.optional(body)
            case "inverse":
                return x.inverse(body)
            case "symmetric":
                return x.union((body, x.inverse(body)))
        return x.Rotations(body)

    def _needs_set(self, node: s.Expression, found: Value) -> Value:
        if found == x.NOTHING:
            return found
        node.place.unwrapped().fail("`[..]` needs a set", "write the relation without brackets")

    def _complement(self, node: s.Unary) -> Value:
        found = self.value(node.operand)
        if isinstance(found, EventSet):
            return EventSet(x.negation(found.formula))
        if isinstance(found, Selector) and found.name in ("int", "ext"):
            return Selector("ext" if found.name == "int" else "int")
        node.place.fail(f"`~` of a relation {_NOT_REGULAR} on paths", "complements of sets are regular")

    def _binary(self, node: s.Binary) -> Value:
        operator = node.operator
        if operator == "sequence":
            return x.sequence((self.inner(node.left, ";"), self.inner(node.right, ";")))
        left, right = self.value(node.left), self.value(node.right)
        if operator == "product":
            sides = []
            for value, side in ((left, node.left), (right, node.right)):
                if value == x.NOTHING:
                    value = EventSet(False)
                if not isinstance(value, EventSet):
                    side.place.unwrapped().fail("`*` between two expressions pairs sets", "r* is a closure")
                sides.append(value.formula)
            return Product(sides[0], sides[1])
        if isinstance(left, EventSet) and isinstance(right, EventSet):
            return EventSet(_pointwise(operator, left.formula, right.formula))
        if isinstance(left, EventSet) and right == x.NOTHING:
            return EventSet(_pointwise(operator, left.formula, False))
        if isinstance(right, EventSet) and left == x.NOTHING:
            return EventSet(_pointwise(operator, False, right.formula))
        if operator == "union":
            if isinstance(left, Selector) and isinstance(right, Selector):
                node.place.fail(f"this {_NOT_REGULAR}: it only selects", "cut a step with it: rf & ext")
            return x.union((self.relation(node.left), self.relation(node.right)))
        for value, side in ((left, node.left), (right, node.right)):
            if isinstance(value, EventSet):
                side.place.unwrapped().fail(
                    f"{side.place.unwrapped().text} is a set; a relation is needed",
                    f"write [{side.place.unwrapped().text}]",
                )
        if isinstance(left, Function) or isinstance(right, Function):
            return self.relation(node.left if isinstance(left, Function) else node.right)
        found = self._selection.meet(left, right) if operator == "intersection" else self._selection.less(left, right)
        if self._near is not None and (found is None or (is_value(found) and not is_relation(found))):
            found = self._selection.nearest(left, right, operator)
        if found is None:
            sign = "&" if operator == "intersection" else "\\"
            why = "no path tells where another one ends" if sign == "&" else "no path tells that there is no other"
            node.place.unwrapped().fail(
                f"`{sign}` of these relations {_NOT_REGULAR}: {why}",
                "regular are: P & Q of predicates, r & ([A];any;[B]), and `A & id` at the outside of a statement",
            )
        return found

    def _apply(self, node: s.Apply) -> Value:
        found = self.find(node.function)
        if found is None and node.function in ("domain", "range", "fencerel", "each"):
            return self._apply_built_in(node)
        if found is None:
            self.unknown(node, node.function)
        if not isinstance(found, Function):
            node.place.fail(f"'{node.function}' is not a function", "an operator such as `;` or `|` may be missing")
        self._unfolded += 1
        if self._unfolded > _MAX_UNFOLDINGS:
            node.place.fail("this model applies functions too often", "a function may double at every level")
        values = [self.value(argument) for argument in node.arguments]
        saved, self.scope = self.scope, {**found.scope, **dict(zip(found.parameters, values, strict=True))}
        try:
            return self.value(found.body)
        finally:
            self.scope = saved

    def _apply_built_in(self, node: s.Apply) -> Value:
        ends = _HALVES.get(node.function)
        if ends is not None and self.value(node.arguments[0]) == x.Step("rmw") and "EXCL" in self._built_in:
            return EventSet(ends)
        if node.function != "fencerel":
            node.place.fail(f"`{node.function}(…)` {_NOT_REGULAR} here", "name the set by its predicates")
        value = self.value(node.arguments[0])
        if not isinstance(value, EventSet):
            node.place.fail("fencerel needs a set", "fencerel(F & geSC)")
        return x.sequence((x.Step("po"), x.Check(value.formula), x.Step("po")))


def _any_path(bodies: dict[x.Step, x.Regular]) -> x.Regular:
    """All paths of the steps of a recursion: at least what it defines."""
    steps = {step for body in bodies.values() for step in x.steps_of(body)}
    known = x.union(sorted((step for step in steps if x.Step(step.name) not in bodies), key=repr))
    standing = any(x.empty_paths(body) is not False for body in bodies.values())
    return x.star(known) if standing else x.plus(known)


def _pointwise(operator: str, left: x.Formula, right: x.Formula) -> x.Formula:
    if operator == "union":
        return x.disjunction(left, right)
    return x.conjunction(left, right if operator == "intersection" else x.negation(right))


def _names_in(node: s.Expression) -> Iterable[s.Name]:
    match node:
        case s.Name():
            yield node
        case s.Unary(operand=operand):
            yield from _names_in(operand)
        case s.Binary(left=left, right=right):
            yield from _names_in(left)
            yield from _names_in(right)
        case s.Apply(arguments=arguments):
            for argument in arguments:
                yield from _names_in(argument)
