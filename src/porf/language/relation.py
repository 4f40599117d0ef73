"""The relations and sets of a model once every name has its meaning: a tree in which equal parts are one node.

The resolver makes these nodes and everything else reads them: relation programs, automata, and the analyses of models.
A recursion and an `each` bind variables, which are numbered by how deep their binder stands, so that equal relations
are equal nodes whatever they were called. Where a node was written, the resolver keeps beside the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from porf.language.once import Once

Kind = Literal["relation", "set"]
UnaryOperator = Literal[
    "inverse", "plus", "star", "optional", "complement", "test", "domain", "range", "rotations"
]  # test: the identity on a set; rotations: the cycles of a relation, begun anywhere (for proofs only)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class _Node(metaclass=Once):
    kind: Kind = field(init=False, repr=False, default="relation")
    free: int = field(init=False, repr=False, default=0)  # bit k: it depends on what the binder of depth k binds
    below: tuple[Node, ...] = field(init=False, repr=False, default=())  # what it is made of

    def _settle(self, kind: Kind, *below: Node, own: int = 0, bound: int = 0) -> None:
        object.__setattr__(self, "kind", kind)
        for part in below:
            own |= part.free
        object.__setattr__(self, "free", own & ~bound)
        object.__setattr__(self, "below", below)


@dataclass(frozen=True, slots=True, eq=False)
class Base(_Node):
    """A relation or a set that every execution has: one of the core's."""

    name: str
    of: Kind

    def __post_init__(self) -> None:
        self._settle(self.of)


@dataclass(frozen=True, slots=True, eq=False)
class Declared(_Node):
    """A name that a kat file declares and does not define: proofs know it, executions do not."""

    name: str
    of: Kind

    def __post_init__(self) -> None:
        self._settle(self.of)


@dataclass(frozen=True, slots=True, eq=False)
class Abbreviation(_Node):
    """A built-in name that the theories of the automata have as a primitive; all others look at its meaning."""

    name: str
    meaning: Node

    def __post_init__(self) -> None:
        self._settle(self.meaning.kind, self.meaning)


@dataclass(frozen=True, slots=True, eq=False)
class Empty(_Node):
    of: Kind

    def __post_init__(self) -> None:
        self._settle(self.of)


@dataclass(frozen=True, slots=True, eq=False)
class Universe(_Node):
    """All events, or all pairs of them."""

    of: Kind

    def __post_init__(self) -> None:
        self._settle(self.of)


@dataclass(frozen=True, slots=True, eq=False)
class Unary(_Node):
    operator: UnaryOperator
    body: Node

    def __post_init__(self) -> None:
        kind: Kind = "set" if self.operator in ("domain", "range") else "relation"
        self._settle(self.body.kind if self.operator == "complement" else kind, self.body)


@dataclass(frozen=True, slots=True, eq=False)
class Union(_Node):
    operands: tuple[Node, ...]

    def __post_init__(self) -> None:
        self._settle(self.operands[0].kind, *self.operands)


@dataclass(frozen=True, slots=True, eq=False)
class Intersection(_Node):
    left: Node
    right: Node

    def __post_init__(self) -> None:
        self._settle(self.left.kind, self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False)
class Difference(_Node):
    left: Node
    right: Node

    def __post_init__(self) -> None:
        self._settle(self.left.kind, self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False)
class Product(_Node):
    """All pairs from one set into another."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        self._settle("relation", self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(_Node):
    operands: tuple[Node, ...]

    def __post_init__(self) -> None:
        self._settle("relation", *self.operands)


@dataclass(frozen=True, slots=True, eq=False)
class Variable(_Node):
    """What a recursion of this depth defines by its equation `index`, inside its equations."""

    depth: int
    index: int
    of: Kind

    def __post_init__(self) -> None:
        self._settle(self.of, own=1 << self.depth)


@dataclass(frozen=True, slots=True, eq=False)
class Recursion(_Node):
    """The least solution of equations, the k-th for the k-th variable of this depth. Only in a `Component`."""

    depth: int
    bodies: tuple[Node, ...]

    def __post_init__(self) -> None:
        self._settle("relation", *self.bodies, bound=1 << self.depth)


@dataclass(frozen=True, slots=True, eq=False)
class Component(_Node):
    """What a recursion defines by one of its equations."""

    recursion: Recursion
    index: int

    def __post_init__(self) -> None:
        self._settle(self.recursion.bodies[self.index].kind, self.recursion)


@dataclass(frozen=True, slots=True, eq=False)
class Member(_Node):
    """The set of the one event that an `each` of this depth is at."""

    depth: int

    def __post_init__(self) -> None:
        self._settle("set", own=1 << self.depth)


@dataclass(frozen=True, slots=True, eq=False)
class Each(_Node):
    """The union of the body over the events of a set."""

    depth: int
    events: Node
    body: Node

    def __post_init__(self) -> None:
        self._settle(self.body.kind, self.events, self.body, bound=1 << self.depth)


Node = (
    Base
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
    | Variable
    | Recursion
    | Component
    | Member
    | Each
)

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
