"""From syntax tree to relation program: names resolved, kinds checked, functions unfolded, includes read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porf.language import base
from porf.language import program as p
from porf.language import syntax as s
from porf.language.program import Kind, Program, Value
from porf.language.scope import Function, Names, Scope, UnknownNameError


@dataclass(frozen=True)
class CompiledTest:
    test: s.Test
    register: int


_POSTFIX = {"plus": p.PLUS, "star": p.STAR, "optional": p.OPTIONAL, "inverse": p.INVERSE}
_SIGNS = {"union": "|", "intersection": "&", "difference": "\\", "sequence": ";", "product": "*"}

_MAX_UNFOLDINGS = 20_000


class Compiler:
    """Compiles statements one after the other; `tests` and `scope` hold the outcome."""

    def __init__(self, dialect: str, read: Callable[[s.Include], s.Tree | None]) -> None:
        self.dialect = dialect
        self.program = Program()
        self.scope = Scope()
        self.tests: list[CompiledTest] = []
        self._read = read
        self._names = Names(dialect, self.program)
        self._unfolded = 0

    def run(self, tree: s.Tree, prefix: str = "") -> None:
        outer, self._names.prefix = self._names.prefix, prefix
        try:
            for statement in tree.statements:
                self._statement(statement)
        except UnknownNameError as unknown:
            raise unknown.error from None
        finally:
            self._names.prefix = outer

    def _statement(self, statement: s.Statement) -> None:
        match statement:
            case s.Define(bindings=bindings, recursive=recursive):
                self._define(bindings, recursive, self.scope)
            case s.Test():
                value = self._value(statement.expression, self.scope)
                if statement.kind != "empty" or value.kind not in ("set",):
                    value = self._as_relation(value, statement.expression, f"`{statement.kind}` tests a relation")
                self.tests.append(CompiledTest(statement, value.register))
            case s.Include():
                tree = self._read(statement)
                if tree is not None:
                    stem = statement.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
                    self.run(tree, stem if tree.source.dialect == "kat" else "")
            case s.Declare():
                if statement.kind != "disjoint":
                    self._names.declared.update(statement.names)
            case _:
                pass  # claims are for proofs, the rest is for pictures and exported code

    # Definitions.

    def _define(self, bindings: tuple[s.Binding, ...], recursive: bool, scope: Scope) -> None:
        if recursive:
            return self._define_rec(bindings, scope)
        found = [(binding, self._bound(binding, scope)) for binding in bindings]
        for binding, value in found:
            scope.names[self._qualified(binding.name, scope)] = value

    def _bound(self, binding: s.Binding, scope: Scope) -> Value | Function:
        if binding.parameters is not None:
            return Function(binding.parameters, binding.body, Scope(dict(scope.names), scope.outer))
        return self._value(binding.body, scope)

    def _qualified(self, name: str, scope: Scope) -> str:
        prefix = self._names.prefix
        return f"{prefix}::{name}" if prefix and scope is self.scope else name

    def _define_rec(self, bindings: tuple[s.Binding, ...], scope: Scope) -> None:
        for binding in bindings:
            if binding.parameters is not None:
                binding.place.fail("recursive functions are not supported", "recursion is for sets and relations")
        own = {binding.name for binding in bindings}
        kinds = [self._kind_of(binding.body, scope, own) for binding in bindings]
        block, variables = self.program.open_block(kinds)
        for binding, variable in zip(bindings, variables, strict=True):
            scope.names[self._qualified(binding.name, scope)] = variable
        bodies = []
        for binding, variable in zip(bindings, variables, strict=True):
            body = self.program.adapt(self._value(binding.body, scope), variable.kind)
            if variable.kind == "relation":
                body = self._as_relation(body, binding.body, f"'{binding.name}' is a relation")
            elif body.kind != "set":
                self._kind_error(binding.body, body, f"'{binding.name}' is a set", "sets and relations do not mix")
            self.program.update(block, variable, body)
            bodies.append(body)
        self.program.close_block(block, variables, bodies)

    def _kind_of(self, node: s.Expression, scope: Scope, unknown: set[str]) -> Kind:
        """Set or relation, before a recursion's names have a value: the first operand that tells decides."""
        match node:
            case s.Name(name=name) if name not in unknown:
                found = scope.find(name) or self._names.built_in(name)
                return found.kind if isinstance(found, Value) and found.kind == "set" else "relation"
            case s.Binary(operator="union" | "intersection" | "difference", left=left, right=right):
                sides = {self._kind_of(left, scope, unknown), self._kind_of(right, scope, unknown)}
                return "set" if "set" in sides and self.dialect == "cat" else "relation"
            case s.Unary(operator="complement", operand=operand):
                return self._kind_of(operand, scope, unknown)
            case s.Apply(function=name):
                found = scope.find(name)
                if isinstance(found, Function):
                    return self._kind_of(found.body, found.scope, set(found.parameters))
                if name == base.EACH and len(node.arguments) == 2 and isinstance(node.arguments[1], s.Name):
                    return self._kind_of(s.Apply(node.place, node.arguments[1].name, ()), scope, unknown)
                return "set" if name in ("domain", "range") else "relation"
            case s.LetIn(body=body, bindings=bindings):
                return self._kind_of(body, scope, unknown | {binding.name for binding in bindings})
            case s.Try(body=body):
                return self._kind_of(body, scope, unknown)
        return "relation"

    # Expressions.

    def _value(self, node: s.Expression, scope: Scope) -> Value:
        match node:
            case s.Name():
                found = self._names.find(node.name, scope, node.place)
                if isinstance(found, Function):
                    node.place.fail(f"'{node.name}' is a function", f"apply it: {node.name}(…)")
                return found
            case s.Empty():
                return Value(-1, "empty")
            case s.Universe():
                return Value(-1, "universe")
            case s.Unary():
                return self._unary(node, scope)
            case s.Binary():
                return self._binary(node, scope)
            case s.Apply():
                return self._apply(node, scope)
            case s.LetIn():
                inner = Scope(outer=scope)
                self._define(node.bindings, node.recursive, inner)
                return self._value(node.body, inner)
            case s.Try():
                mark = self.program.mark()
                try:
                    return self._value(node.body, scope)
                except UnknownNameError:
                    self.program.rewind(mark)
                    return self._value(node.fallback, scope)

    def _unary(self, node: s.Unary, scope: Scope) -> Value:
        value = self._value(node.operand, scope)
        if node.operator == "test":
            if self.dialect == "kat" or value.kind == "empty":
                return value if value.kind != "empty" else self.program.adapt(value, "relation")
            value = self.program.adapt(value, "set")
            if value.kind != "set":
                self._kind_error(node.operand, value, "`[..]` needs a set", "write the relation without brackets")
            return self.program.identity(value)
        if node.operator == "complement":
            if value.kind in ("empty", "universe"):
                return Value(-1, "universe" if value.kind == "empty" else "empty")
            return self.program.complement(value)
        if node.operator == "rotations":
            node.place.fail("`rot` has no meaning on one execution", "it compares cycles in `assert`")
        sign = node.place.text[-2:] if node.operator in ("inverse", "symmetric") else node.place.text[-1:]
        relation = self._as_relation(value, node.operand, f"`{sign}` needs a relation")
        if node.operator == "symmetric":
            return self.program.pointwise(p.UNION, relation, self.program.unary(p.INVERSE, relation))
        return self.program.unary(_POSTFIX[node.operator], relation)

    def _binary(self, node: s.Binary, scope: Scope) -> Value:
        left, right = self._value(node.left, scope), self._value(node.right, scope)
        sign = _SIGNS[node.operator]
        if node.operator == "sequence":
            needs = "`;` joins relations"
            return self.program.compose(
                self._as_relation(left, node.left, needs), self._as_relation(right, node.right, needs)
            )
        if node.operator == "product":
            left, right = self.program.adapt(left, "set"), self.program.adapt(right, "set")
            for value, side in ((left, node.left), (right, node.right)):
                if value.kind != "set":
                    self._kind_error(
                        side,
                        value,
                        "`*` between two expressions pairs sets",
                        "the closure `r*` is followed by an operator",
                    )
            return self.program.product(left, right)
        kinds = {left.kind, right.kind}
        if kinds <= {"empty", "universe"}:
            return _constant(node.operator, left, right)
        if {"set", "relation"} <= kinds and self.dialect == "cat":
            side, value = (node.left, left) if left.kind == "set" else (node.right, right)
            self._kind_error(side, value, f"`{sign}` cannot mix it with a relation", f"write [{_short(side)}]")
        kind: Kind = "relation" if "relation" in kinds else "set"
        left, right = (self._coerce(value, kind) for value in (left, right))
        return self.program.pointwise(p.POINTWISE[node.operator], left, right)

    def _coerce(self, value: Value, kind: Kind) -> Value:
        """kat: a predicate among relations is a test."""
        value = self.program.adapt(value, kind)
        return self.program.identity(value) if value.kind == "set" and kind == "relation" else value

    def _as_relation(self, value: Value, node: s.Expression, needs: str) -> Value:
        value = self.program.adapt(value, "relation")
        if value.kind == "set":
            if self.dialect == "cat":
                self._kind_error(node, value, needs, f"write [{_short(node)}] for the identity on it")
            return self.program.identity(value)
        return value

    def _kind_error(self, node: s.Expression, value: Value, needs: str, hint: str) -> None:
        node.place.unwrapped().fail(f"{_short(node)} is a {value.kind}; {needs}", hint)

    def _apply(self, node: s.Apply, scope: Scope) -> Value:
        found = scope.find(node.function)
        if found is None and node.function in base.FUNCTIONS:
            return self._apply_built_in(node, scope)
        if found is None and node.function == base.EACH and self.dialect == "cat":
            return self._apply_each(node, scope)
        if found is None:
            found = self._names.find(node.function, scope, node.place)
        if not isinstance(found, Function):
            node.place.fail(f"'{node.function}' is not a function", "an operator such as `;` or `|` may be missing")
        if len(found.parameters) != len(node.arguments):
            node.place.fail(
                f"'{node.function}' takes {_count(len(found.parameters))}, not {len(node.arguments)}",
                f"it is defined as {node.function}({', '.join(found.parameters)})",
            )
        return self._unfold(node, found, [self._value(argument, scope) for argument in node.arguments])

    def _unfold(self, node: s.Apply, function: Function, values: list[Value]) -> Value:
        self._unfolded += 1
        if self._unfolded > _MAX_UNFOLDINGS:
            node.place.fail("functions of this model unfold without end", "they may double at every level")
        inner = Scope(dict(zip(function.parameters, values, strict=True)), function.scope)
        return self._value(function.body, inner)

    def _apply_each(self, node: s.Apply, scope: Scope) -> Value:
        """`each(S, f)`: the union of f({e}) over the events e of S."""
        usage = "write each(S, f) for the union of f({e}) over the events e of the set S"
        if len(node.arguments) != 2:
            node.place.fail(f"'each' takes 2 arguments, not {len(node.arguments)}", usage)
        over, name = node.arguments
        function = scope.find(name.name) if isinstance(name, s.Name) else None
        if not isinstance(function, Function) or len(function.parameters) != 1:
            name.place.fail(f"{_short(name)} is not the name of a function with one argument", usage)
        events = self.program.adapt(self._value(over, scope), "set")
        if events.kind != "set":
            self._kind_error(over, events, "`each` goes through a set", usage)
        member = self.program.open_each(events)
        body = self._unfold(node, function, [member])
        return self.program.close_each(member, self.program.adapt(body, "relation"))

    def _apply_built_in(self, node: s.Apply, scope: Scope) -> Value:
        if len(node.arguments) != 1:
            node.place.fail(f"'{node.function}' takes one argument, not {len(node.arguments)}")
        argument = node.arguments[0]
        value = self._value(argument, scope)
        if node.function == "fencerel":
            value = self.program.adapt(value, "set")
            if value.kind != "set":
                self._kind_error(argument, value, "`fencerel` needs a set of fences", "give it a set such as F")
            po = self.program.relation("po")
            return self.program.compose(po, self.program.compose(self.program.identity(value), po))
        relation = self._as_relation(value, argument, f"`{node.function}` needs a relation")
        return self.program.project(p.DOMAIN if node.function == "domain" else p.RANGE, relation)


def _constant(operator: str, left: Value, right: Value) -> Value:
    """Operators between `0` and `_`, whose outcome is again one of them."""
    a, b = left.kind == "universe", right.kind == "universe"
    everything = {"union": a or b, "intersection": a and b, "difference": a and not b}[operator]
    return Value(-1, "universe" if everything else "empty")


def _short(node: s.Expression) -> str:
    text = " ".join(node.place.unwrapped().text.split())
    return text if len(text) <= 40 else f"{text[:37]}…"


def _count(arguments: int) -> str:
    return "one argument" if arguments == 1 else f"{arguments} arguments"
