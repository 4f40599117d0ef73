"""From the tree of a model to a relation program for the core: each node once, outside every loop that it can be.

A recursion, and an `each`, is a block of instructions that is run again and again. What does not depend on what the
block binds is computed before it.
"""

from collections.abc import Iterable

from porf._core import RelationOpcode as Op
from porf.architectures import ARCHITECTURES
from porf.language import relation as r
from porf.language.program import Program
from porf.language.relation import Node
from porf.language.resolve import Defined, Tested

_CLOSURES = {"inverse": Op.INVERSE, "plus": Op.PLUS, "star": Op.STAR, "optional": Op.OPTIONAL}
MOST_INSTRUCTIONS = 20_000


class Compiler:
    """Compiles one statement after the other; `registers` says where each node's value is."""

    def __init__(self) -> None:
        self.program = Program()
        self.registers: dict[Node, int] = {}
        self._bound: set[Node] = set()  # those of them that depend on what is bound
        self._statement: Defined | Tested | None = None

    def add(self, statement: Defined | Tested) -> int:
        self._statement = statement
        return self._computed(statement.node)

    def register(self, node: Node) -> int:
        """Of a node that a statement has, or of a constant."""
        return self._computed(node)

    def _computed(self, node: Node) -> int:
        for part in r.walk(node, into=self._first):
            if part not in self.registers:
                self._keep(part, self._emit(part))
        return self.registers[node]

    def _first(self, node: Node) -> Iterable[Node]:
        """What is computed before a node."""
        if node in self.registers:
            return ()
        match node:
            case r.Recursion(depth, bodies):
                return _independent(bodies, depth)
            case r.Each(depth, events, body):
                return (events, *_independent((body,), depth))
        return node.below

    def _emit(self, node: Node) -> int:
        """The instructions of one node, whose parts are computed."""
        at, program = self.registers, self.program
        if len(program.code) > MOST_INSTRUCTIONS:
            self._fail(
                node, f"this model has more than {MOST_INSTRUCTIONS:,} operators", "leave out what no axiom needs"
            )
        match node:
            case r.Base(name, kind):
                return program.base(name, kind)
            case r.Tagged(architecture, tag):
                return program.tagged(ARCHITECTURES[architecture].tags.index(tag))
            case r.Empty(kind):
                return program.constant(Op.EMPTY, kind)
            case r.Universe(kind):
                return program.constant(Op.UNIVERSE, kind)
            case r.Abbreviation(_, meaning):
                return at[meaning]
            case r.Union((first, *rest)):
                found = at[first]
                for part in rest:
                    found = program.pointwise(Op.UNION, found, at[part])
                return found
            case r.Intersection(left, right):
                return program.pointwise(Op.INTERSECTION, at[left], at[right])
            case r.Difference(left, right):
                return program.pointwise(Op.DIFFERENCE, at[left], at[right])
            case r.Sequence((first, *rest)):
                found = at[first]
                for part in rest:
                    found = program.compose(found, at[part])
                return found
            case r.Product(left, right):
                return program.product(at[left], at[right])
            case r.Unary():
                return self._unary(node, at[node.body])
            case r.Recursion():
                return self._recursion(node)
            case r.Component(recursion, index):
                return at[recursion] + index
            case r.Each():
                return self._each(node)
            case r.Declared(name):
                self._fail(
                    node, f"'{name}' is declared but not defined, so no execution has it", "define it with `let`"
                )
        raise AssertionError(node)  # variables and members have their registers from their binders

    def _unary(self, node: r.Unary, body: int) -> int:
        match node.operator:
            case "complement":
                return self.program.complement(body)
            case "test":
                return self.program.identity(body)
            case "domain":
                return self.program.project(Op.DOMAIN, body)
            case "range":
                return self.program.project(Op.RANGE, body)
            case "rotations":
                self._fail(node, "`rot` has no meaning on one execution", "it compares cycles in `assert`")
        return self.program.unary(_CLOSURES[node.operator], body)

    def _recursion(self, node: r.Recursion) -> int:
        """The register of its first variable; the others follow."""
        block, variables = self.program.open_block([body.kind for body in node.bodies])
        for index, (body, variable) in enumerate(zip(node.bodies, variables, strict=True)):
            self._keep(r.Variable(node.depth, index, body.kind), variable)
        bodies = []
        for body, variable in zip(node.bodies, variables, strict=True):
            bodies.append(self._computed(body))
            self.program.update(block, variable, bodies[-1])
            self._forget(node.depth, keep=r.Variable)  # what was computed is of the old value
        self.program.close_block(block, variables, bodies)
        self._forget(node.depth)
        return variables[0]

    def _each(self, node: r.Each) -> int:
        member = self.program.open_each(self.registers[node.events])
        self._keep(r.Member(node.depth), member)
        found = self.program.close_each(member, self._computed(node.body))
        self._forget(node.depth)
        return found

    def _keep(self, node: Node, register: int) -> None:
        self.registers[node] = register
        if node.free:
            self._bound.add(node)

    def _forget(self, depth: int, keep: type | tuple[()] = ()) -> None:
        gone = {node for node in self._bound if node.free >> depth & 1 and not isinstance(node, keep)}
        self._bound -= gone
        for node in gone:
            del self.registers[node]

    def _fail(self, node: Node, message: str, hint: str) -> None:
        statement = self._statement
        assert statement is not None
        statement.places.get(node, statement.place).fail(message, hint)


def _independent(bodies: Iterable[Node], depth: int) -> list[Node]:
    """The largest parts that depend on nothing that is bound at this depth or further inside."""
    parts = r.walk(*bodies, into=lambda node: node.below if node.free >> depth else ())
    return [node for node in parts if not node.free >> depth]
