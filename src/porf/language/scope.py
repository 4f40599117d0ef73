"""What a name may mean, and where it is looked up: a definition in scope first, then what is built in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from porf.architectures import Architecture
from porf.errors import nearest
from porf.language import base
from porf.language import syntax as s
from porf.language.relation import Empty, Kind, Node, Universe
from porf.record import Record


class UnknownNameError(Exception):
    """Carries the message; `try … with` catches it."""

    def __init__(self, error: Exception, name: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.name = name


class Adaptable(Enum):
    """`0` and `_`: a set or a relation, as the context requires."""

    NOTHING = "empty"
    EVERYTHING = "universe"

    @property
    def kind(self) -> str:
        return self.value

    def adapted(self, kind: Kind) -> Node:
        return Empty(kind) if self is Adaptable.NOTHING else Universe(kind)


class Function(Record, eq=False):
    parameters: tuple[str, ...]
    body: s.Expression
    scope: Scope


Value = Node | Adaptable
Meaning = Value | Function


def adapt(value: Value, kind: Kind) -> Node:
    """`0` and `_` as a set or a relation, other values as they are."""
    return value.adapted(kind) if isinstance(value, Adaptable) else value


class Scope:
    """Names and what they mean; the innermost definition wins, and of one scope the latest."""

    def __init__(self, names: Mapping[str, Meaning] | None = None, outer: Scope | None = None) -> None:
        self._written: dict[str, list[tuple[int, Meaning]]] = {}  # with when that was
        self._now = 0
        self._outer = outer
        self.define(names or {})

    def define(self, names: Mapping[str, Meaning]) -> None:
        for name, meaning in names.items():
            self._written.setdefault(name, []).append((self._now, meaning))
        self._now += 1

    def as_it_is(self) -> Scope:
        """This scope without what will be defined later, which shares what is there already."""
        found = Scope(outer=self._outer)
        found._written, found._now = self._written, self._now
        return found

    def find(self, name: str) -> Meaning | None:
        scope: Scope | None = self
        while scope is not None:
            found = scope._own(name)
            if found is not None:
                return found
            scope = scope._outer
        return None

    def _own(self, name: str) -> Meaning | None:
        written = reversed(self._written.get(name, ()))
        return next((meaning for when, meaning in written if when < self._now), None)

    def names(self) -> dict[str, Meaning]:
        """What is defined in this very scope."""
        found = ((name, self._own(name)) for name in self._written)
        return {name: meaning for name, meaning in found if meaning is not None}

    def _all_names(self) -> set[str]:
        out: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            out |= scope.names().keys()
            scope = scope._outer
        return out

    def unknown(
        self, name: str, place: s.Place, dialect: str, otherwise: str | None, architecture: Architecture | None
    ) -> UnknownNameError:
        """The error for a name that nobody defined; `otherwise` is the hint if it is not a misspelling."""
        names = self._all_names()
        elsewhere = [found for found in names if found.endswith(f"::{name}")]
        known = {found.rsplit("::", 1)[-1] for found in names} | base.known_names(dialect, architecture)
        near = f"did you mean '{min(elsewhere)}'?" if elsewhere else nearest(name, known)
        hint = f"{near} If not, {otherwise}" if near and otherwise else near or otherwise
        there = base.elsewhere(name) if dialect == "cat" else []
        if there:
            here = "in the orders of C" if architecture is None else f"on {architecture.title}"
            hint = f"it is a set of {' and '.join(there)}, and means nothing {here}"
        return UnknownNameError(place.error(f"unknown name '{name}'", hint), name)
