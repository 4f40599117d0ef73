"""What an expression means: names found, functions unfolded, recursions bound, kinds checked, `try` decided."""

from porf.architectures import Architecture
from porf.language import base
from porf.language import relation as r
from porf.language import syntax as s
from porf.language.relation import Kind, Node
from porf.language.scope import Adaptable, Function, Meaning, Scope, UnknownNameError, Value, adapt

Places = dict[Node, s.Place]
"""Where nodes stand: the first place of each."""

_SIGNS = {"union": "|", "intersection": "&", "difference": "\\", "sequence": ";", "product": "*"}
_UNARY: dict[str, r.UnaryOperator] = {
    "inverse": "inverse",
    "plus": "plus",
    "star": "star",
    "optional": "optional",
    "rotations": "rotations",
}
_MAX_UNFOLDINGS = 20_000
_DEEPEST = 50  # applications, `let … in` and `try` inside each other


class Meanings:
    """Of the expressions of one file and its includes."""

    def __init__(self, dialect: str, hint: str | None = None, architecture: Architecture | None = None) -> None:
        """The hint says what to do about an unknown name."""
        self.dialect = dialect
        self.architecture = architecture
        self.prefix = ""  # kat: the included file whose names are meant first
        self.top = Scope()
        self.places: Places = {}
        self.missed: dict[str, s.Place] = {}  # unknown names for which a `try` had something else, and where first
        self.bindings: dict[r.Recursion, tuple[s.Binding, ...]] = {}  # how the equations of each were written
        self._hint = hint
        self._depth = 0  # of open recursions and `each`s
        self._unfolded: dict[tuple[Function, tuple[Value, ...], int], Value | UnknownNameError] = {}
        self._kinds: dict[Function, Kind] = {}
        self._inside = 0  # of how many applications, `let … in` and `try` we are

    def find(self, name: str, scope: Scope, place: s.Place) -> Meaning:
        found = scope.find(f"{self.prefix}::{name}") if self.prefix else None
        found = found or scope.find(name) or base.meaning(name, self.dialect, self.architecture)
        if found is None:
            raise scope.unknown(name, place, self.dialect, self._hint, self.architecture)
        return found

    def qualified(self, name: str, scope: Scope) -> str:
        return f"{self.prefix}::{name}" if self.prefix and scope is self.top else name

    # Definitions.

    def define(self, bindings: tuple[s.Binding, ...], recursive: bool, scope: Scope) -> dict[str, Meaning]:
        """Adds the names to the scope; what it returns has them, too, qualified."""
        if recursive:
            found = self._recursion(bindings, scope)
        else:
            found = {self.qualified(binding.name, scope): self._bound(binding, scope) for binding in bindings}
        scope.define(found)
        return found

    def _bound(self, binding: s.Binding, scope: Scope) -> Meaning:
        if binding.parameters is not None:
            return Function(binding.parameters, binding.body, scope.as_it_is())
        return self.value(binding.body, scope)

    def _recursion(self, bindings: tuple[s.Binding, ...], scope: Scope) -> dict[str, Meaning]:
        for binding in bindings:
            if binding.parameters is not None:
                binding.place.fail("recursive functions are not supported", "only sets and relations can be recursive")
        kinds = self._kinds_of(bindings, scope)
        names = [self.qualified(binding.name, scope) for binding in bindings]
        scope.define({name: r.Variable(self._depth, at, kinds[at]) for at, name in enumerate(names)})
        self._depth += 1
        try:
            bodies = tuple(self._equation(binding, kind, scope) for binding, kind in zip(bindings, kinds, strict=True))
        finally:
            self._depth -= 1
        recursion = r.Recursion(self._depth, bodies)
        self.bindings.setdefault(recursion, bindings)
        return {name: r.Component(recursion, at) for at, name in enumerate(names)}

    def _kinds_of(self, bindings: tuple[s.Binding, ...], scope: Scope) -> list[Kind]:
        """Of the equations of a recursion, some of which may be sets only because others are."""
        kinds: list[Kind] = ["relation"] * len(bindings)
        for _ in bindings:
            assumed = [r.Variable(self._depth, at, kind) for at, kind in enumerate(kinds)]
            inner = Scope({b.name: variable for b, variable in zip(bindings, assumed, strict=True)}, scope)
            found = [self._kind_of(binding.body, inner, set()) for binding in bindings]
            if found == kinds:
                break
            kinds = found
        return kinds

    def _equation(self, binding: s.Binding, kind: Kind, scope: Scope) -> Node:
        body = adapt(self.value(binding.body, scope), kind)
        if kind == "relation":
            return self.as_relation(body, binding.body, f"'{binding.name}' is a relation")
        if body.kind != "set":
            self._kind_error(binding.body, body, f"'{binding.name}' is a set", "sets and relations do not mix")
        return body

    def _kind_of(self, node: s.Expression, scope: Scope, unknown: set[str]) -> Kind:
        """Set or relation, before a recursion's names have a value: the first operand that has a kind decides."""
        waiting = [(node, unknown)]
        while waiting:
            part, unknown = waiting.pop()
            match part:
                case s.Binary(operator="union" | "intersection" | "difference") if self.dialect == "cat":
                    waiting += [(part.right, unknown), (part.left, unknown)]
                case s.Unary(operator="complement", operand=operand):
                    waiting.append((operand, unknown))
                case s.Try(body=body):
                    waiting.append((body, unknown))
                case s.Choice(then=then, otherwise=otherwise, holds=holds):
                    waiting.append((then if holds else otherwise, unknown))
                case s.LetIn(body=body, bindings=bindings):
                    waiting.append((body, unknown | {binding.name for binding in bindings}))
                case s.Name(name=name):
                    found = (
                        None
                        if name in unknown
                        else scope.find(name) or base.meaning(name, self.dialect, self.architecture)
                    )
                    if found is not None and not isinstance(found, Function) and found.kind == "set":
                        return "set"
                case s.Apply():
                    if self._kind_of_applied(part, scope) == "set":
                        return "set"
        return "relation"

    def _kind_of_applied(self, node: s.Apply, scope: Scope) -> Kind:
        name = node.function
        function = scope.find(name)
        if function is None and name == "each" and len(node.arguments) == 2 and isinstance(node.arguments[1], s.Name):
            function = scope.find(node.arguments[1].name)
        if not isinstance(function, Function):
            return "set" if name in ("domain", "range", "imply") else "relation"
        if function not in self._kinds:
            self._enter(node.place)
            self._kinds[function] = self._kind_of(function.body, function.scope, set(function.parameters))
            self._inside -= 1
        return self._kinds[function]

    def _enter(self, place: s.Place) -> None:
        """One level further inside; the caller comes out again."""
        self._inside += 1
        if self._inside > _DEEPEST:
            place.fail("this model is nested too deeply", "name parts of the long expression with `let`")

    # Expressions.

    def value(self, node: s.Expression, scope: Scope) -> Value:
        """Operators inside each other may be many, so they are gone through without recursion."""
        values: list[Value] = []
        waiting = [(node, False)]
        while waiting:
            part, ready = waiting.pop()
            match part:
                case s.Unary(operand=operand) if not ready:
                    waiting += [(part, True), (operand, False)]
                    continue
                case s.Binary(left=left, right=right) if not ready:
                    waiting += [(part, True), (right, False), (left, False)]
                    continue
                case s.Unary():
                    found = self._unary(part, values.pop())
                case s.Binary():
                    after = values.pop()
                    found = self._binary(part, values.pop(), after)
                case _:
                    found = self._value(part, scope)
            if not isinstance(found, Adaptable):
                self.places.setdefault(found, part.place)
            values.append(found)
        return values.pop()

    def relation(self, node: s.Expression, needs: str) -> Node:
        return self.as_relation(self.value(node, self.top), node, needs)

    def _value(self, node: s.Expression, scope: Scope) -> Value:
        """Of what is no operator."""
        match node:
            case s.Name():
                found = self.find(node.name, scope, node.place)
                if isinstance(found, Function):
                    node.place.fail(f"'{node.name}' is a function", f"apply it: {node.name}(…)")
                return found
            case s.Empty():
                return Adaptable.NOTHING
            case s.Universe():
                return Adaptable.EVERYTHING
        self._enter(node.place)
        try:
            return self._nested(node, scope)
        finally:
            self._inside -= 1

    def _nested(self, node: s.Expression, scope: Scope) -> Value:
        match node:
            case s.Apply():
                return self._apply(node, scope)
            case s.LetIn():
                inner = Scope(outer=scope)
                self.define(node.bindings, node.recursive, inner)
                return self.value(node.body, inner)
            case s.Try():
                try:
                    return self.value(node.body, scope)
                except UnknownNameError as unknown:
                    self.missed.setdefault(unknown.name, node.place)
                    return self.value(node.fallback, scope)
            case s.Choice(then=then, otherwise=otherwise, holds=holds):
                return self.value(then if holds else otherwise, scope)
        raise AssertionError(node)

    def _unary(self, node: s.Unary, value: Value) -> Value:
        if node.operator == "test":
            if self.dialect == "kat" or value is Adaptable.NOTHING:
                return value if value is not Adaptable.NOTHING else value.adapted("relation")
            events = adapt(value, "set")
            if events.kind != "set":
                self._kind_error(node.operand, events, "`[..]` needs a set", "write the relation without brackets")
            return r.Unary("test", events)
        if node.operator == "complement":
            if isinstance(value, Adaptable):
                return Adaptable.EVERYTHING if value is Adaptable.NOTHING else Adaptable.NOTHING
            return r.Unary("complement", value)
        sign = node.place.text[-2:] if node.operator in ("inverse", "symmetric") else node.place.text[-1:]
        relation = self.as_relation(value, node.operand, f"`{sign}` needs a relation")
        if node.operator == "symmetric":
            return r.Union((relation, r.Unary("inverse", relation)))
        return r.Unary(_UNARY[node.operator], relation)

    def _binary(self, node: s.Binary, left: Value, right: Value) -> Value:
        if node.operator == "sequence":
            needs = "`;` joins relations"
            return r.Sequence((self.as_relation(left, node.left, needs), self.as_relation(right, node.right, needs)))
        if node.operator == "product":
            needs, hint = (
                "`*` between two expressions needs two sets",
                "for the closure `r*`, write an operator after it",
            )
            return r.Product(self._as_set(left, node.left, needs, hint), self._as_set(right, node.right, needs, hint))
        kinds = {left.kind, right.kind}
        if isinstance(left, Adaptable) and isinstance(right, Adaptable):
            return _constant(node.operator, left, right)
        if {"set", "relation"} <= kinds and self.dialect == "cat":
            side, value = (node.left, left) if left.kind == "set" else (node.right, right)
            sign = _SIGNS[node.operator]
            self._kind_error(side, value, f"`{sign}` cannot mix it with a relation", f"write [{short(side)}]")
        kind: Kind = "relation" if "relation" in kinds else "set"
        one, other = _coerced(left, kind), _coerced(right, kind)
        if node.operator == "union":
            return r.Union((one, other))
        return r.Intersection(one, other) if node.operator == "intersection" else r.Difference(one, other)

    def as_relation(self, value: Value, node: s.Expression, needs: str) -> Node:
        found = adapt(value, "relation")
        if found.kind == "set":
            if self.dialect == "cat":
                self._kind_error(node, found, needs, f"write [{short(node)}] for the identity on it")
            return r.Unary("test", found)
        return found

    def _as_set(self, value: Value, node: s.Expression, needs: str, hint: str) -> Node:
        found = adapt(value, "set")
        if found.kind != "set":
            self._kind_error(node, found, needs, hint)
        return found

    def _kind_error(self, node: s.Expression, value: Value, needs: str, hint: str) -> None:
        node.place.unwrapped().fail(f"{short(node)} is a {value.kind}; {needs}", hint)

    # Applications.

    def _apply(self, node: s.Apply, scope: Scope) -> Value:
        found = scope.find(node.function)
        if found is None and node.function == "each" and self.dialect == "cat":
            return self._each(node, scope)
        if found is None and node.function in base.FUNCTIONS[self.dialect]:
            return self._built_in(node, scope)
        if found is None:
            found = self.find(node.function, scope, node.place)
        if not isinstance(found, Function):
            node.place.fail(f"'{node.function}' is not a function", "an operator such as `;` or `|` may be missing")
        if len(found.parameters) != len(node.arguments):
            node.place.fail(
                f"'{node.function}' takes {_count(len(found.parameters))}, not {len(node.arguments)}",
                f"it is defined as {node.function}({', '.join(found.parameters)})",
            )
        return self._unfold(node, found, tuple(self.value(argument, scope) for argument in node.arguments))

    def _unfold(self, node: s.Apply, function: Function, values: tuple[Value, ...]) -> Value:
        """The body with values for the parameters; for the same values at the same depth it is the same node."""
        key = (function, values, self._depth)
        if key not in self._unfolded:
            if len(self._unfolded) >= _MAX_UNFOLDINGS:
                node.place.fail(
                    "the functions of this model expand without end", "they may double in size at every level"
                )
            inner = Scope(dict(zip(function.parameters, values, strict=True)), function.scope)
            try:
                self._unfolded[key] = self.value(function.body, inner)
            except UnknownNameError as unknown:  # `try` may go on without it, and ask again
                self._unfolded[key] = unknown
        found = self._unfolded[key]
        if isinstance(found, UnknownNameError):
            raise found.with_traceback(None)
        return found

    def _each(self, node: s.Apply, scope: Scope) -> Value:
        """`each(S, f)`: the union of f({e}) over the events e of S."""
        usage = "write each(S, f) for the union of f({e}) over the events e of the set S"
        if len(node.arguments) != 2:
            node.place.fail(f"'each' takes 2 arguments, not {len(node.arguments)}", usage)
        over, name = node.arguments
        function = scope.find(name.name) if isinstance(name, s.Name) else None
        if not isinstance(function, Function) or len(function.parameters) != 1:
            name.place.fail(f"{short(name)} is not the name of a function with one argument", usage)
        events = self._as_set(self.value(over, scope), over, "`each` needs a set", usage)
        self._depth += 1
        try:
            body = self._unfold(node, function, (r.Member(self._depth - 1),))
        finally:
            self._depth -= 1
        return r.Each(self._depth, events, adapt(body, "relation"))

    def _built_in(self, node: s.Apply, scope: Scope) -> Value:
        function = base.FUNCTIONS[self.dialect][node.function]
        if len(node.arguments) != len(function.arguments):
            node.place.fail(
                f"'{node.function}' takes {_count(len(function.arguments))}, not {len(node.arguments)}",
                f"it is of {' and '.join(function.arguments)}",
            )
        given: list[Node] = []
        for argument, kind in zip(node.arguments, function.arguments, strict=True):
            value, needs = self.value(argument, scope), f"`{node.function}` needs a {kind}"
            if kind == "set":
                given.append(self._as_set(value, argument, needs, "give it a set such as F"))
            else:
                given.append(self.as_relation(value, argument, needs))
        return function.result(*given)


def _coerced(value: Value, kind: Kind) -> Node:
    """kat: a predicate among relations is a test."""
    node = adapt(value, kind)
    return r.Unary("test", node) if node.kind == "set" and kind == "relation" else node


def _constant(operator: str, left: Adaptable, right: Adaptable) -> Adaptable:
    """Operators between `0` and `_`, whose outcome is again one of them."""
    a, b = left is Adaptable.EVERYTHING, right is Adaptable.EVERYTHING
    everything = {"union": a or b, "intersection": a and b, "difference": a and not b}[operator]
    return Adaptable.EVERYTHING if everything else Adaptable.NOTHING


def short(node: s.Expression) -> str:
    text = " ".join(node.place.unwrapped().text.split())
    return text if len(text) <= 40 else f"{text[:37]}…"


def _count(arguments: int) -> str:
    return "one argument" if arguments == 1 else f"{arguments} arguments"
