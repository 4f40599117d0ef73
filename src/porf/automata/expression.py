"""Regular expressions over the steps of paths: what an expression of a model is, once names are gone.

A test is a Boolean formula over predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from porf.language import formula as f
from porf.language import once


class _Node(once.Node):
    __slots__ = ("depth",)
    depth: int  # how many nodes are inside each other

    def settle(self) -> None:
        fields = [getattr(self, name) for name in self.__match_args__]
        parts = [part for field in fields for part in (field if isinstance(field, tuple) else (field,))]
        self.depth = 1 + max((part.depth for part in parts if isinstance(part, _Node | f.Compound)), default=0)


class Check(_Node, metaclass=once.Once):
    """A path of no step, at an event that satisfies a formula."""

    formula: f.Formula


class Step(_Node, metaclass=once.Once):
    """One step along a primitive relation, or back."""

    name: str
    back: bool = False


class Union(_Node, metaclass=once.Once):
    parts: tuple[Regular, ...]


class Sequence(_Node, metaclass=once.Once):
    parts: tuple[Regular, ...]


class Star(_Node, metaclass=once.Once):
    body: Regular


class Plus(_Node, metaclass=once.Once):
    body: Regular


class Loops(_Node, metaclass=once.Once):
    """`A & id`: the pairs of A whose ends are one event. Only outermost in a statement."""

    body: Regular


class Rotations(_Node, metaclass=once.Once):
    """`rot A`: the paths of A that are cycles, begun at any of their events. Only outermost in a statement."""

    body: Regular


class Minus(_Node, metaclass=once.Once):
    r"""`A \ B`. Only outermost on the left side of a statement."""

    body: Regular
    without: Regular


Regular = Check | Step | Union | Sequence | Star | Plus | Loops | Rotations | Minus

NOTHING = Check(False)
IDENTITY = Check(True)


def union(parts: Iterable[Regular]) -> Regular:
    flat: dict[Regular, None] = {}
    for part in parts:
        for one in part.parts if isinstance(part, Union) else (part,):
            if one != NOTHING:
                flat[one] = None
    tests = [part for part in flat if isinstance(part, Check)]
    if len(tests) > 1:
        formula: f.Formula = False
        for test in tests:
            del flat[test]
            formula = f.disjunction(formula, test.formula)
        flat = {Check(formula): None, **flat}
    found = tuple(flat)
    return NOTHING if not found else found[0] if len(found) == 1 else Union(found)


_LONGEST = 256  # sequences are not flattened into longer ones, for equal halves are shared


def sequence(parts: Iterable[Regular]) -> Regular:
    flat: list[Regular] = []
    for part in parts:
        for one in part.parts if isinstance(part, Sequence) and len(part.parts) < _LONGEST else (part,):
            if one == NOTHING:
                return NOTHING
            if one == IDENTITY:
                continue
            if isinstance(one, Check) and flat and isinstance(flat[-1], Check):
                flat[-1] = Check(f.conjunction(flat[-1].formula, one.formula))
            else:
                flat.append(one)
    return IDENTITY if not flat else flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def star(body: Regular) -> Regular:
    if isinstance(body, Check):
        return IDENTITY
    if isinstance(body, Star | Plus):
        return Star(body.body)
    if isinstance(body, Union):
        kept = (part for part in body.parts if not isinstance(part, Check))
        body = union(part.body if isinstance(part, Star | Plus) else part for part in kept)
    return IDENTITY if isinstance(body, Check) else Star(body)


def plus(body: Regular) -> Regular:
    if isinstance(body, Check | Star | Plus):
        return body
    if isinstance(body, Union):
        if IDENTITY in body.parts or any(isinstance(part, Star) for part in body.parts):
            return star(body)
        body = union(part.body if isinstance(part, Plus) else part for part in body.parts)
    return Plus(body)


def optional(body: Regular) -> Regular:
    return union((IDENTITY, body))


def children(node: Regular) -> tuple[Regular, ...]:
    match node:
        case Union(parts) | Sequence(parts):
            return parts
        case Star(body) | Plus(body) | Loops(body) | Rotations(body):
            return (body,)
        case Minus(body, without):
            return (body, without)
        case _:
            return ()


def walk(node: Regular) -> Iterator[Regular]:
    """Every different part of an expression, itself first."""
    seen, waiting = {node}, [node]
    while waiting:
        found = waiting.pop()
        yield found
        for child in children(found):
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def steps_of(node: Regular) -> set[Step]:
    return {part for part in walk(node) if isinstance(part, Step)}


def tests_of(node: Regular) -> set[f.Formula]:
    return {part.formula for part in walk(node) if isinstance(part, Check)}


def size_of(node: Regular) -> int:
    """How many steps are written in it; equal parts count as often as they occur."""
    known: dict[Regular, int] = {}
    for part in reversed(_topmost_first(node)):
        known[part] = isinstance(part, Step) + sum(known[child] for child in children(part))
    return known[node]


def _topmost_first(node: Regular) -> list[Regular]:
    """Every different part, each before all of its own parts."""
    order: list[Regular] = []
    seen: set[Regular] = set()
    waiting: list[tuple[Regular, bool]] = [(node, False)]
    while waiting:
        part, done = waiting.pop()
        if done:
            order.append(part)
        elif part not in seen:
            seen.add(part)
            waiting.append((part, True))
            waiting += [(child, False) for child in children(part)]
    order.reverse()
    return order


def is_outer(node: Regular) -> bool:
    """Whether it is one of those that can only be outermost in a statement."""
    return isinstance(node, Loops | Rotations | Minus)


def rebuild(node: Regular, leaf: Callable[[Check | Step], Regular]) -> Regular:
    """The expression with its leaves replaced; equal parts are rebuilt once."""
    known: dict[Regular, Regular] = {}

    def go(part: Regular) -> Regular:
        if part in known:
            return known[part]
        out: Regular
        match part:
            case Check() | Step():
                out = leaf(part)
            case Union(parts):
                out = union(map(go, parts))
            case Sequence(parts):
                out = sequence(map(go, parts))
            case Star(body):
                out = star(go(body))
            case Plus(body):
                out = plus(go(body))
            case Loops(body):
                out = Loops(go(body))
            case Rotations(body):
                out = Rotations(go(body))
            case Minus(body, without):
                out = Minus(go(body), go(without))
        known[part] = out
        return out

    return go(node)


@lru_cache(maxsize=1 << 16)
def inverse(node: Regular) -> Regular:
    match node:
        case Check():
            return node
        case Step(name, back):
            return Step(name, not back)
        case Union(parts):
            return union(map(inverse, parts))
        case Sequence(parts):
            return sequence(inverse(part) for part in reversed(parts))
        case Star(body):
            return star(inverse(body))
        case Plus(body):
            return plus(inverse(body))
        case Loops(body):
            return Loops(inverse(body))
        case Rotations(body):
            return Rotations(inverse(body))
        case Minus(body, without):
            return Minus(inverse(body), inverse(without))


@lru_cache(maxsize=1 << 16)
def empty_paths(node: Regular) -> f.Formula:
    """Where the path of no step is one of the expression's."""
    match node:
        case Check(formula):
            return formula
        case Union(parts):
            found: f.Formula = False
            for part in parts:
                found = f.disjunction(found, empty_paths(part))
            return found
        case Sequence(parts):
            found = True
            for part in parts:
                found = f.conjunction(found, empty_paths(part))
            return found
        case Star():
            return True
        case Plus(body):
            return empty_paths(body)
    return False


@lru_cache(maxsize=1 << 16)
def without_empty(node: Regular) -> Regular:
    """The paths of at least one step."""
    match node:
        case Check():
            return NOTHING
        case Union(parts):
            return union(map(without_empty, parts))
        case Sequence(parts):
            rest: Regular = IDENTITY
            left: Regular = NOTHING
            for part in reversed(parts):
                begun = sequence((without_empty(part), rest))
                left = union((begun, sequence((Check(empty_paths(part)), left))))
                rest = sequence((part, rest))
            return left
        case Star(body) | Plus(body):
            return plus(without_empty(body))
    return node


def text_of(node: Regular, strength: int = 0) -> str:
    """As kat writes it. Strength: 0 of `|`, 1 of `&`, 2 of `;`, 3 of postfix operators."""
    match node:
        case Check(formula):
            return f.text_of(formula) if isinstance(formula, bool) else f"[{f.text_of(formula)}]"
        case Step(name, back):
            return name + ("^-1" if back else "")
        case Union(parts):
            if IDENTITY in parts:
                rest = union(part for part in parts if part != IDENTITY)
                return text_of(rest, 3) + "?"
            own, out = 0, " | ".join(text_of(part, 1) for part in parts)
        case Sequence(parts):
            own, out = 2, " ; ".join(text_of(part, 2) for part in parts)
        case Star(body):
            return text_of(body, 3) + "*"
        case Plus(body):
            return text_of(body, 3) + "+"
        case Loops(body):
            own, out = 1, f"{text_of(body, 2)} & id"
        case Rotations(body):
            return f"rot {text_of(body, 3)}"
        case Minus(body, without):
            own, out = 1, f"{text_of(body, 2)} \\ {text_of(without, 2)}"
    return out if own >= strength else f"({out})"
