"""From what was written to what it means: the statements of a file and its includes, over the nodes of `relation.py`.

Both dialects, and models as well as proofs, are resolved here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.architectures import Architecture
from porf.errors import nearest
from porf.language import base
from porf.language import relation as r
from porf.language import syntax as s
from porf.language.meaning import Meanings, Places
from porf.language.relation import Kind, Node
from porf.language.scope import Adaptable, Function, Scope, UnknownNameError, adapt
from porf.language.shapes import SHAPES, Shape
from porf.record import Record, replace


class Defined(Record, eq=False):
    node: Node
    place: s.Place
    places: Places


class Tested(Record, eq=False):
    """A test, by what it forbids."""

    test: s.Test
    shape: Shape
    node: Node
    places: Places

    @property
    def place(self) -> s.Place:
        return self.test.place


class Claimed(Record, eq=False):
    """kat: an assertion or an assumption; of `total r`, r is both sides."""

    claim: s.Claim
    left: Node
    right: Node
    places: Places

    @property
    def place(self) -> s.Place:
        return self.claim.place


class Declared(Record, eq=False):
    """kat: a name that may stand for anything; of a relation, then also one for its pairs of one location."""

    names: tuple[str, ...]
    kind: Kind


class Disjoint(Record, eq=False):
    """kat: predicates that no event has two of."""

    nodes: tuple[Node, ...]
    place: s.Place
    places: Places


class Mentioned(Record, eq=False):
    """kat: what is only exported, or says when a test is needed. It must make sense, no more."""

    nodes: tuple[Node, ...]
    place: s.Place
    places: Places


Resolved = Defined | Tested | Claimed | Declared | Disjoint | Mentioned
_MAX_CALLS = 100
_MOST_CALLS = 2_000  # in all
_DECLARE_IT = "declare it with `relation` or `predicate`, or define it"


class Resolver:
    """Resolves statements one after the other; `statements` holds the outcome.

    For proofs: claims are resolved, too, and a name may be declared once. In a file with a prefix, what is declared is
    the file's own, even if a built-in name is the same.
    """

    def __init__(
        self,
        dialect: str,
        read: Callable[[s.Include], s.Tree | None],
        for_proofs: bool = False,
        architecture: Architecture | None = None,
    ) -> None:
        self.statements: list[Resolved] = []
        self.meanings = Meanings(dialect, _DECLARE_IT if for_proofs else None, architecture)
        self._read = read
        self._for_proofs = for_proofs
        self._declared: set[str] = set()
        self._procedures: dict[str, tuple[s.Procedure, Scope]] = {}
        self._calls: list[s.Call] = []
        self._called = 0  # procedures, so far

    def run(self, tree: s.Tree, prefix: str = "") -> None:
        outer, self.meanings.prefix = self.meanings.prefix, prefix
        try:
            for statement in tree.statements:
                self.meanings.places = {}
                self._statement(statement)
        except UnknownNameError as unknown:
            raise unknown.error from None
        finally:
            self.meanings.prefix = outer

    def follow(self, other: Resolver) -> None:
        """Begins where another file ended."""
        self.meanings = other.meanings
        self.statements = other.statements
        self._procedures = other._procedures

    def relations(self) -> dict[str, Node]:
        """What the names that the file defines mean in the end."""
        found = self.meanings.top.names().items()
        return {name: adapt(value, "relation") for name, value in found if not isinstance(value, Function | r.Declared)}

    def _statement(self, statement: s.Statement) -> None:
        match statement:
            case s.Define():
                self._define(statement)
            case s.Test():
                self._test(statement)
            case s.Include():
                tree = self._read(statement)
                if tree is not None:
                    stem = statement.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
                    self.run(tree, stem if tree.source.dialect == "kat" else "")
            case s.Chosen():
                self._chosen(statement)
            case s.Procedure(name=name):
                self._procedures[name] = (statement, self.meanings.top)
            case s.Call():
                self._call(statement)
            case s.Forall():
                statement.place.fail("`forall` is not supported: loops over sets", "use each(S, f) in an axiom")
            case s.Enum():
                self._enum(statement)
            case s.Block(body=body):
                for inner in body:
                    self._statement(inner)
            case s.Declare(kind="disjoint"):
                self._disjoint(statement)
            case s.Declare():
                self._declare(statement)
            case s.Claim() if self._for_proofs:
                self._claim(statement)
            case s.Other(subject=subject, unless=unless) if self._for_proofs:
                expressions = () if subject is None or isinstance(subject, str) else (subject,)
                self._mention(statement.place, *expressions, *_sides(unless))
            case _:
                pass  # claims are for proofs, the rest is for pictures

    def _define(self, statement: s.Define) -> None:
        meanings = self.meanings
        for binding in statement.bindings:
            if self._for_proofs and meanings.qualified(binding.name, meanings.top) in self._declared:
                binding.place.fail(f"'{binding.name}' is declared already", "give the definition another name")
        found = meanings.define(statement.bindings, statement.recursive, meanings.top)
        for binding in statement.bindings:
            value = found[meanings.qualified(binding.name, meanings.top)]
            if not isinstance(value, Function | Adaptable):
                self.statements.append(Defined(value, binding.body.place, meanings.places))

    def _test(self, test: s.Test) -> None:
        shape = SHAPES[test.kind]
        value = self.meanings.value(test.expression, self.meanings.top)
        if not shape.of_sets or value.kind != "set":
            value = self.meanings.as_relation(value, test.expression, f"`{test.kind}` tests a relation")
        node = shape.forbidden(adapt(value, "set"))
        if self._calls and self._calls[-1].name is not None:
            test = replace(test, name=self._calls[-1].name)
        self.statements.append(Tested(test, shape, node, self.meanings.places))
        if self._for_proofs:
            self._mention(test.place, *_sides(test.unless))

    # Statements of cat that are more than a definition or a test.

    def _chosen(self, statement: s.Chosen) -> None:
        """Which modification order there is, is found by search; of other choices there is none."""
        order = base.meaning("mo", self.meanings.dialect)
        if statement.name not in ("co", "mo") or order is None:
            hint = "only the modification order is looked for: `with co from …`"
            statement.place.fail(f"a choice of '{statement.name}' is not supported (with … from)", hint)
        self.meanings.top.define({statement.name: order})

    def _call(self, call: s.Call) -> None:
        """The statements of a procedure, in a scope of its own."""
        if call.procedure not in self._procedures:
            hint = nearest(call.procedure, self._procedures) or "define it with `procedure`"
            call.place.fail(f"there is no procedure '{call.procedure}'", hint)
        procedure, scope = self._procedures[call.procedure]
        if len(procedure.parameters) != len(call.arguments):
            takes = f"takes {len(procedure.parameters)}, not {len(call.arguments)} arguments"
            call.place.fail(f"'{call.procedure}' {takes}", f"its parameters are {', '.join(procedure.parameters)}")
        if len(self._calls) >= _MAX_CALLS:
            call.place.fail("the procedures of this model call one another without end", "remove the recursion")
        self._called += 1
        if self._called > _MOST_CALLS:
            call.place.fail("this model calls too many procedures", "calls may double in number at every level")
        meanings, outer = self.meanings, self.meanings.top
        values = [meanings.value(argument, outer) for argument in call.arguments]
        meanings.top = Scope(dict(zip(procedure.parameters, values, strict=True)), scope)
        self._calls.append(call)
        try:
            for statement in procedure.body:
                self._statement(statement)
        finally:
            self._calls.pop()
            meanings.top = outer

    def _enum(self, enum: s.Enum) -> None:
        """bell: a tag is a set of events by its name, which begins with a capital letter."""
        for tag in enum.tags:
            name = tag if tag[:1].isupper() else tag[:1].upper() + tag[1:]
            if base.meaning(name, self.meanings.dialect, self.meanings.architecture) is None:
                on = self.meanings.architecture
                where = "the orders of C have" if on is None else f"{on.title} has"
                enum.place.fail(
                    f"{where} no events with the tag '{tag}", "programs cannot have instructions of their own"
                )

    # Statements of kat.

    def _claim(self, claim: s.Claim) -> None:
        needs = f"`{claim.kind}` compares relations"
        sides = (claim.total, claim.total) if claim.total is not None else _sides(claim.constraint)
        left, right = (self.meanings.relation(side, needs) for side in sides)
        self.statements.append(Claimed(claim, left, right, self.meanings.places))

    def _mention(self, place: s.Place, *expressions: s.Expression) -> None:
        nodes = tuple(self.meanings.relation(node, "only relations can be exported") for node in expressions)
        if nodes:
            self.statements.append(Mentioned(nodes, place, self.meanings.places))

    def _disjoint(self, statement: s.Declare) -> None:
        if not self._for_proofs:
            return
        place, nodes = statement.place, []
        for name in statement.names:
            found = self.meanings.find(name, self.meanings.top, place)
            if isinstance(found, Function | Adaptable) or found.kind != "set":
                place.fail(f"'{name}' is a relation; `disjoint` is for predicates", "name predicates only")
            nodes.append(found)
        self.statements.append(Disjoint(tuple(nodes), place, self.meanings.places))

    def _declare(self, statement: s.Declare) -> None:
        kind: Kind = "set" if statement.kind == "predicate" else "relation"
        own = self._for_proofs and bool(self.meanings.prefix)
        for name in statement.names:
            names = (name, f"{name}-loc") if own and kind == "relation" else (name,)
            full = tuple(self.meanings.qualified(one, self.meanings.top) for one in names)
            if self._for_proofs and self.meanings.top.find(full[0]) is not None:
                statement.place.fail(f"'{name}' is defined already", "declare another name")
            self._declared.update(full)
            if own or base.meaning(name, self.meanings.dialect) is None:
                self.meanings.top.define({one: r.Declared(one, kind) for one in full})
            self.statements.append(Declared(full, kind))


def _sides(constraint: s.Constraint | None) -> tuple[s.Expression, ...]:
    return () if constraint is None else (constraint.left, constraint.right)
