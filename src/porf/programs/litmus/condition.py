"""Final conditions: propositions over final states, as data that can be asked."""

from __future__ import annotations

from collections.abc import Mapping

from porf.record import Record


class Truth(Record):
    value: bool

    def holds(self, state: Mapping[str, int]) -> bool:
        return self.value


class Atom(Record):
    """A register or location, and what it is compared with: a number, or another register or location (by label)."""

    label: str
    equal: bool
    other: int | str

    def holds(self, state: Mapping[str, int]) -> bool:
        other = state[self.other] if isinstance(self.other, str) else self.other
        return (state[self.label] == other) == self.equal


class Not(Record):
    part: Condition

    def holds(self, state: Mapping[str, int]) -> bool:
        return not self.part.holds(state)


class All(Record):
    parts: tuple[Condition, ...]

    def holds(self, state: Mapping[str, int]) -> bool:
        return all(part.holds(state) for part in self.parts)


class Some(Record):
    parts: tuple[Condition, ...]

    def holds(self, state: Mapping[str, int]) -> bool:
        return any(part.holds(state) for part in self.parts)


Condition = Truth | Atom | Not | All | Some
