"""A relation program under construction: instructions for the core, each with what its value depends on.

The traits of a value are worked out as it is emitted, from those of its operands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from porf._core import TAGGED
from porf._core import RelationOpcode as Op
from porf.language import base
from porf.language.relation import Kind


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


class Program:
    """A register is the number of the instruction that computes it."""

    def __init__(self) -> None:
        self.code: list[tuple[int, int, int, int, int]] = []
        self.traits: list[Traits] = []
        self._blocks = 0
        self._open_members: list[int] = []

    def rows(self) -> list[int]:
        """The instructions as the core takes them, one after the other."""
        return list(chain.from_iterable(self.code))

    def emit(self, op: Op, a: int, b: int, c: int, kind: Kind, traits: Traits) -> int:
        self.code.append((op, a, b, c, int(kind == "set")))
        self.traits.append(traits)
        return len(self.code) - 1

    def _is_set(self, register: int) -> bool:
        return self.code[register][4] == 1

    def _kind(self, register: int) -> Kind:
        return "set" if self._is_set(register) else "relation"

    # Leaves.

    def base(self, name: str, kind: Kind) -> int:
        if kind == "set":
            return self.emit(Op.BASE_SET, base.SETS[name].core, -1, 0, kind, Traits())
        row = base.RELATIONS[name]
        traits = Traits(grade=0 if row.selects else 1, uses_mo=row.mo, local=not row.mo)
        return self.emit(Op.BASE_RELATION, row.core, -1, 0, kind, traits)

    def tagged(self, bit: int) -> int:
        return self.emit(Op.BASE_SET, TAGGED + bit, -1, 0, "set", Traits())

    def constant(self, op: Op, kind: Kind) -> int:
        return self.emit(op, -1, -1, 0, kind, Traits())

    # Operators; operands have the right kinds.

    def pointwise(self, op: Op, left: int, right: int) -> int:
        a, b = self.traits[left], self.traits[right]
        traits, choice = a.join(b), 0
        if op == Op.INTERSECTION:
            # The path shown is that of the operand with more to tell; two paths cannot both be shown.
            choice = int(b.grade > a.grade)
            traits = replace(traits, whole=traits.whole and min(a.grade, b.grade) < 2)
        elif op == Op.DIFFERENCE:
            traits = replace(
                traits,
                grade=a.grade,
                monotone=a.monotone and b.local,
                monotone_mo=a.monotone_mo and not b.uses_mo,
                whole=a.whole and not b.members,  # no path shows the member that takes a pair away
                local=traits.local and not (self._is_set(left) and b.members),
            )
        return self.emit(op, left, right, choice, self._kind(left), traits)

    def complement(self, value: int) -> int:
        of = self.traits[value]
        traits = replace(
            of,
            grade=0,
            monotone=of.local,
            monotone_mo=not of.uses_mo,
            whole=not of.members,
            local=of.local and not (self._is_set(value) and of.members),
        )
        return self.emit(Op.COMPLEMENT, value, -1, 0, self._kind(value), traits)

    def compose(self, left: int, right: int) -> int:
        a, b = self.traits[left], self.traits[right]
        traits = a.join(b)
        # [S];r selects among the pairs of r; only two steps make a path.
        if self.code[left][0] != Op.IDENTITY and self.code[right][0] != Op.IDENTITY:
            traits = replace(traits, grade=2, local=False)
        return self.emit(Op.COMPOSE, left, right, 0, "relation", traits)

    def unary(self, op: Op, value: int) -> int:
        traits = self.traits[value]
        if op in (Op.PLUS, Op.STAR):
            traits = replace(traits, grade=2, local=False)
        return self.emit(op, value, -1, 0, "relation", traits)

    def identity(self, value: int) -> int:
        return self.emit(Op.IDENTITY, value, -1, 0, "relation", self._selection(value))

    def product(self, left: int, right: int) -> int:
        traits = self._selection(left).join(self._selection(right))
        return self.emit(Op.PRODUCT, left, right, 0, "relation", traits)

    def _selection(self, value: int) -> Traits:
        """A set as a filter: events that only decided membership are not shown in a path."""
        traits = self.traits[value]
        return replace(traits, grade=0, whole=traits.local)

    def project(self, op: Op, value: int) -> int:
        traits = replace(self.traits[value], grade=0, local=False)
        return self.emit(op, value, -1, 0, "set", traits)

    # Recursion.

    def open_block(self, kinds: list[Kind]) -> tuple[int, list[int]]:
        """Starts a recursion: its number, and a variable for each equation."""
        self._blocks += 1
        traits = Traits(grade=2, uses_mo=True, local=False, members=frozenset(self._open_members))
        variables = [self.emit(Op.VARIABLE, len(self.code), -1, self._blocks, kind, traits) for kind in kinds]
        return self._blocks, variables

    def update(self, block: int, variable: int, body: int) -> None:
        """Ends one equation."""
        self.emit(Op.UPDATE, variable, body, block, self._kind(variable), Traits())

    def close_block(self, block: int, variables: list[int], bodies: list[int]) -> None:
        start = variables[-1] + 1
        self.emit(Op.LOOP, start, -1, block, "relation", Traits())
        joined = Traits(grade=2, local=False)
        for body in bodies:
            joined = joined.join(self.traits[body])
        # The variables were assumed to use mo; the leaves inside and what is used from outside say whether they do.
        uses_mo = any(self._reads_mo(register, variables[0]) for register in range(start, len(self.code)))
        for variable in variables:
            self.traits[variable] = replace(joined, uses_mo=uses_mo)

    def _reads_mo(self, register: int, first: int) -> bool:
        op, a, b, _, _ = self.code[register]
        if op in (Op.BASE_RELATION, Op.BASE_SET, Op.LOOP):
            return op == Op.BASE_RELATION and self.traits[register].uses_mo
        return any(self.traits[operand].uses_mo for operand in (a, b) if 0 <= operand < first)

    # One event of a set after the other.

    def open_each(self, events: int) -> int:
        """Starts what is done for each event of a set: the set of that one event."""
        # Which event it is, is fixed from here on; how it came to be one is the affair of `close_each`.
        traits = Traits(uses_mo=self.traits[events].uses_mo, members=frozenset({len(self.code)}))
        member = self.emit(Op.MEMBER, events, -1, 0, "set", traits)
        self._open_members.append(member)
        return member

    def close_each(self, member: int, body: int) -> int:
        """The union of the body over all members."""
        self._open_members.pop()
        events = self.code[member][1]
        of, found = self.traits[events], self.traits[body]
        traits = replace(
            of.join(found),
            grade=2,
            local=False,
            # A path shows a member that it depends on, but not that there is any: some event of it must be one.
            whole=found.whole and self.code[events][0] == Op.UNIVERSE,
            members=(of.members | found.members) - {member},
        )
        return self.emit(Op.GATHER, body, member, 0, self._kind(body), traits)
