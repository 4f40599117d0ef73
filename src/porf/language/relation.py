"""The relations and sets of a model once every name has its meaning: a tree in which equal parts are one node.

The resolver makes these nodes and everything else reads them: relation programs, automata, and the analyses of models.
A recursion and an `each` bind variables, which are numbered by how deep their binder stands, so that equal relations
are equal nodes whatever they were called. Where a node was written, the resolver keeps beside the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeGuard

from porf.language import once

Kind = Literal["relation", "set"]
UnaryOperator = Literal[
    "inverse", "plus", "star", "optional", "complement", "test", "domain", "range", "rotations"
]  # test: the identity on a set; rotations: the cycles of a relation, begun anywhere (for proofs only)


class _Node(once.Node):
    """What follows from the fields of a node."""

    __slots__ = ("below", "depth_below", "free", "kind")
    kind: Kind
    free: int  # bit k: it depends on what the binder of depth k binds
    below: tuple[Node, ...]  # what it is made of
    depth_below: int  # how many nodes are inside each other

    def settle(self) -> None:
        fields = [getattr(self, name) for name in self.__match_args__]
        parts = [part for field in fields for part in (field if isinstance(field, tuple) else (field,))]
        self.below = tuple(part for part in parts if is_node(part))
        self.depth_below = 1 + max((part.depth_below for part in self.below), default=0)
        self.free = 0
        for part in self.below:
            self.free |= part.free
        match self:
            case Base() | Declared() | Empty() | Universe():
                self.kind = self.of
            case Tagged():
                self.kind = "set"
            case Variable() | Member():
                self.kind = self.of if isinstance(self, Variable) else "set"
                self.free = 1 << self.depth
            case Unary(operator) if operator != "complement":
                self.kind = "set" if operator in ("domain", "range") else "relation"
            case Product() | Sequence():
                self.kind = "relation"
            case Component(recursion, index):
                self.kind = recursion.bodies[index].kind
            case Recursion() | Each():
                self.kind = self.below[-1].kind
                self.free &= ~(1 << self.depth)
            case _:
                self.kind = self.below[0].kind


def is_node(value: object) -> TypeGuard[Node]:
    return isinstance(value, _Node)


class Base(_Node, metaclass=once.Once):
    """A relation or a set that every execution has: one of the core's."""

    name: str
    of: Kind


class Tagged(_Node, metaclass=once.Once):
    """The events with a tag of an architecture."""

    architecture: str
    tag: str


class Declared(_Node, metaclass=once.Once):
    """A name that a kat file declares and does not define: proofs know it, executions do not."""

    name: str
    of: Kind


class Empty(_Node, metaclass=once.Once):
    of: Kind


class Universe(_Node, metaclass=once.Once):
    """All events, or all pairs of them."""

    of: Kind


class Abbreviation(_Node, metaclass=once.Once):
    """A built-in name that the theories of the automata have as a primitive; all others look at its meaning."""

    name: str
    meaning: Node


class Unary(_Node, metaclass=once.Once):
    operator: UnaryOperator
    body: Node


class Union(_Node, metaclass=once.Once):
    operands: tuple[Node, ...]


class Intersection(_Node, metaclass=once.Once):
    left: Node
    right: Node


class Difference(_Node, metaclass=once.Once):
    left: Node
    right: Node


class Product(_Node, metaclass=once.Once):
    """All pairs from one set into another."""

    left: Node
    right: Node


class Sequence(_Node, metaclass=once.Once):
    operands: tuple[Node, ...]


class Variable(_Node, metaclass=once.Once):
    """What a recursion of this depth defines by its equation `index`, inside its equations."""

    depth: int
    index: int
    of: Kind


class Member(_Node, metaclass=once.Once):
    """The set of the one event that an `each` of this depth is at."""

    depth: int


class Recursion(_Node, metaclass=once.Once):
    """The least solution of equations, the k-th for the k-th variable of this depth. Only in a `Component`."""

    depth: int
    bodies: tuple[Node, ...]


class Component(_Node, metaclass=once.Once):
    """What a recursion defines by one of its equations."""

    recursion: Recursion
    index: int


class Each(_Node, metaclass=once.Once):
    """The union of the body over the events of a set."""

    depth: int
    events: Node
    body: Node


Node = (
    Base
    | Tagged
    | Declared
    | Abbreviation
    | Empty
    | Universe
    | Unary
    | Union
    | Intersection
    | Difference
    | Product
    | Sequence
) | (Variable | Member | Recursion | Component | Each)

IDENTITY = Base("id", "relation")
NOTHING = Empty("relation")


def below(node: Node) -> tuple[Node, ...]:
    return node.below


def walk(*roots: Node, into: Callable[[Node], Iterable[Node]] = below) -> Iterator[Node]:
    """Every different part, each after all that it is made of; no nesting is too deep for it."""
    done: set[Node] = set()
    waiting = [(root, False) for root in reversed(roots)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            yield node
        elif node not in done:
            done.add(node)
            waiting.append((node, True))
            waiting += [(part, False) for part in reversed(tuple(into(node))) if part not in done]


def remade(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with other parts."""
    make: Callable[..., Node] = type(node)
    fields: list[Any] = [getattr(node, name) for name in node.__match_args__]
    return make(*(tuple(map(change, f)) if isinstance(f, tuple) else change(f) if is_node(f) else f for f in fields))


def plain(node: Node) -> Node:
    """Without the name of an abbreviation."""
    return node.meaning if isinstance(node, Abbreviation) else node


def operands(node: Node) -> set[Node]:
    """The operands of a union, however it is bracketed."""
    found: set[Node] = set()
    waiting = [node]
    while waiting:
        one = plain(waiting.pop())
        if isinstance(one, Union):
            waiting += one.operands
        else:
            found.add(one)
    return found


def size_of(node: Node) -> int:
    """How many nodes there would be if nothing were shared."""
    sizes: dict[Node, int] = {}
    for part in walk(node):
        sizes[part] = 1 + sum(sizes[child] for child in part.below)
    return sizes[node]
