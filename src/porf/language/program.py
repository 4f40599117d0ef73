"""A relation program under construction: instructions for the core, each value once, with its traits.

The numbers are those of core/relations/program.hpp.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from porf.execution import Int32
from porf.language import base

Kind = Literal["relation", "set", "empty", "universe"]  # the last two adapt to their surroundings

BASE_RELATION, BASE_SET, EMPTY, UNIVERSE = 0, 1, 2, 3
UNION, INTERSECTION, DIFFERENCE, COMPLEMENT = 4, 5, 6, 7
COMPOSE, INVERSE, PLUS, STAR, OPTIONAL = 8, 9, 10, 11, 12
IDENTITY, PRODUCT, DOMAIN, RANGE = 13, 14, 15, 16
VARIABLE, UPDATE, LOOP, MEMBER, GATHER = 17, 18, 19, 20, 21
POINTWISE = {"union": UNION, "intersection": INTERSECTION, "difference": DIFFERENCE}


@dataclass(frozen=True, slots=True)
class Traits:
    """What the checker may rely on.

    grade: 0 only selects pairs, 1 a base edge a pair, 2 a path of several edges.
    local: whether a pair is in it depends on that pair alone, and not on mo.
    monotone: more events and more mo only add pairs.   monotone_mo: more mo only adds pairs.
    whole: the path shown for a pair holds every event that the pair depends on.
    members: the events of open `each`s (their registers) on which it depends. All else is said of fixed members.
    """

    grade: int = 0
    uses_mo: bool = False
    local: bool = True
    monotone: bool = True
    monotone_mo: bool = True
    whole: bool = True
    members: frozenset[int] = frozenset()

    def join(self, other: Traits) -> Traits:
        return Traits(
            max(self.grade, other.grade),
            self.uses_mo or other.uses_mo,
            self.local and other.local,
            self.monotone and other.monotone,
            self.monotone_mo and other.monotone_mo,
            self.whole and other.whole,
            self.members | other.members,
        )


@dataclass(frozen=True, slots=True)
class Value:
    """A register and its kind; `register` is -1 for `0` and `_` until their kind is known."""

    register: int
    kind: Kind


class Program:
    def __init__(self) -> None:
        self.code: list[tuple[int, int, int, int, int]] = []
        self.traits: list[Traits] = []
        self._known: dict[tuple[int, int, int, int, int], int] = {}
        self._blocks = 0
        self._open_blocks: list[int] = []  # where the bodies of open recursions and `each`s begin
        self._open_members: list[int] = []

    def columns(self) -> Int32:
        return np.array(self.code, np.int32).reshape(-1)

    def emit(self, op: int, a: int, b: int, c: int, kind: Kind, traits: Traits) -> Value:
        key = (op, a, b, c, int(kind == "set"))
        register = self._known.get(key)
        if register is None:
            register = len(self.code)
            self.code.append(key)
            self.traits.append(traits)
            self._known[key] = register
        return Value(register, kind)

    # Leaves.

    def relation(self, name: str) -> Value:
        selects = name in base.SELECTORS
        uses_mo = name in ("mo", "fr")
        traits = Traits(grade=0 if selects else 1, uses_mo=uses_mo, local=not uses_mo)
        return self.emit(BASE_RELATION, base.RELATIONS.index(name), -1, 0, "relation", traits)

    def event_set(self, name: str) -> Value:
        return self.emit(BASE_SET, base.SETS.index(name), -1, 0, "set", Traits())

    def adapt(self, value: Value, kind: Kind) -> Value:
        """`0` or `_` as a set or a relation; other values as they are."""
        if value.kind == "empty":
            return self.emit(EMPTY, -1, -1, 0, kind, Traits())
        if value.kind == "universe":
            return self.emit(UNIVERSE, -1, -1, 0, kind, Traits())
        return value

    # Operators; operands have the right kinds.

    def pointwise(self, op: int, left: Value, right: Value) -> Value:
        a, b = self.traits[left.register], self.traits[right.register]
        traits, choice = a.join(b), 0
        if op == INTERSECTION:
            # The path shown is that of the operand with more to tell; two paths cannot both be shown.
            choice = int(b.grade > a.grade)
            traits = replace(traits, whole=traits.whole and min(a.grade, b.grade) < 2)
        elif op == DIFFERENCE:
            traits = replace(
                traits,
                grade=a.grade,
                monotone=a.monotone and b.local,
                monotone_mo=a.monotone_mo and not b.uses_mo,
                whole=a.whole and not b.members,  # no path shows the member that takes a pair away
                local=traits.local and not (left.kind == "set" and b.members),
            )
        return self.emit(op, left.register, right.register, choice, left.kind, traits)

    def complement(self, value: Value) -> Value:
        of = self.traits[value.register]
        traits = replace(
            of,
            grade=0,
            monotone=of.local,
            monotone_mo=not of.uses_mo,
            whole=not of.members,
            local=of.local and not (value.kind == "set" and of.members),
        )
        return self.emit(COMPLEMENT, value.register, -1, 0, value.kind, traits)

    def compose(self, left: Value, right: Value) -> Value:
        a, b = self.traits[left.register], self.traits[right.register]
        traits = a.join(b)
        # [S];r selects among the pairs of r; only two steps make a path.
        if self.code[left.register][0] != IDENTITY and self.code[right.register][0] != IDENTITY:
            traits = replace(traits, grade=2, local=False)
        return self.emit(COMPOSE, left.register, right.register, 0, "relation", traits)

    def unary(self, op: int, value: Value) -> Value:
        traits = self.traits[value.register]
        if op in (PLUS, STAR):
            traits = replace(traits, grade=2, local=False)
        return self.emit(op, value.register, -1, 0, "relation", traits)

    def identity(self, value: Value) -> Value:
        return self.emit(IDENTITY, value.register, -1, 0, "relation", self._selection(value))

    def product(self, left: Value, right: Value) -> Value:
        traits = self._selection(left).join(self._selection(right))
        return self.emit(PRODUCT, left.register, right.register, 0, "relation", traits)

    def _selection(self, value: Value) -> Traits:
        """A set as a filter: events that only decided membership are not shown in a path."""
        traits = self.traits[value.register]
        return replace(traits, grade=0, whole=traits.local)

    def project(self, op: int, value: Value) -> Value:
        traits = replace(self.traits[value.register], grade=0, local=False)
        return self.emit(op, value.register, -1, 0, "set", traits)

    # Recursion.

    def open_block(self, kinds: list[Kind]) -> tuple[int, list[Value]]:
        """Starts a recursion: its number, and a variable for each binding."""
        self._blocks += 1
        block = self._blocks
        traits = Traits(grade=2, uses_mo=True, local=False, members=frozenset(self._open_members))
        variables = []
        for kind in kinds:
            register = len(self.code)
            self.code.append((VARIABLE, register, -1, block, int(kind == "set")))
            self.traits.append(traits)
            variables.append(Value(register, kind))
        self._open_blocks.append(len(self.code))
        return block, variables

    def update(self, block: int, variable: Value, body: Value) -> None:
        """Ends one binding. What was computed inside may not be shared: the variable has changed."""
        self.code.append((UPDATE, variable.register, body.register, block, int(variable.kind == "set")))
        self.traits.append(Traits())
        self._forget(self._open_blocks[-1])

    def close_block(self, block: int, variables: list[Value], bodies: list[Value]) -> None:
        start = self._open_blocks.pop()
        self.code.append((LOOP, start, -1, block, 0))
        self.traits.append(Traits())
        self._forget(start)
        joined = Traits(grade=2, local=False)
        for body in bodies:
            joined = joined.join(self.traits[body.register])
        # The variables were assumed to use mo; the leaves inside say whether they do.
        mo = {base.RELATIONS.index("mo"), base.RELATIONS.index("fr")}
        inside = range(start, len(self.code))
        uses_mo = any(self._reads_mo(register, mo, variables) for register in inside)
        for variable in variables:
            self.traits[variable.register] = replace(joined, uses_mo=uses_mo)

    def _reads_mo(self, register: int, mo: set[int], variables: list[Value]) -> bool:
        op, a, b, _, _ = self.code[register]
        if op == BASE_RELATION:
            return a in mo
        own = {variable.register for variable in variables}
        first = variables[0].register
        outside = [r for r in (a, b) if 0 <= r < first and r not in own] if op not in (BASE_SET, LOOP) else []
        return any(self.traits[r].uses_mo for r in outside)

    # One event of a set after the other.

    def open_each(self, events: Value) -> Value:
        """Starts what is done for each event of a set: the set of that one event."""
        member = len(self.code)
        self.code.append((MEMBER, events.register, -1, 0, 1))
        of = self.traits[events.register]
        # Which event it is, is fixed from here on; how it came to be one is the affair of `close_each`.
        self.traits.append(Traits(uses_mo=of.uses_mo, members=frozenset({member})))
        self._open_blocks.append(len(self.code))
        self._open_members.append(member)
        return Value(member, "set")

    def close_each(self, member: Value, body: Value) -> Value:
        """The union of the body over all members."""
        self._forget(self._open_blocks.pop())
        self._open_members.pop()
        events = self.code[member.register][1]
        of, found = self.traits[events], self.traits[body.register]
        traits = replace(
            of.join(found),
            grade=2,
            local=False,
            # A path shows a member that it depends on, but not that there is any: some event of it must be one.
            whole=found.whole and self.code[events][0] == UNIVERSE,
            members=(of.members | found.members) - {member.register},
        )
        register = len(self.code)
        self.code.append((GATHER, body.register, member.register, 0, int(body.kind == "set")))
        self.traits.append(traits)
        return Value(register, body.kind)

    def mark(self) -> int:
        return len(self.code)

    def rewind(self, mark: int) -> None:
        """Forgets everything emitted since the mark, and the recursions opened since."""
        del self.code[mark:]
        del self.traits[mark:]
        self._forget(mark)
        self._open_blocks = [start for start in self._open_blocks if start <= mark]
        self._open_members = [member for member in self._open_members if member < mark]

    def _forget(self, start: int) -> None:
        self._known = {key: register for key, register in self._known.items() if register < start}
