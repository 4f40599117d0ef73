"""What a name may mean, and where it is looked up: a definition in scope first, then what is built in."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass
class Scope:
    """Names and what they mean; the innermost definition wins."""

    names: dict[str, Meaning] = field(default_factory=dict)
    outer: Scope | None = None

    def find(self, name: str) -> Meaning | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def all_names(self) -> set[str]:
        return set(self.names) | (self.outer.all_names() if self.outer else set())

    def unknown(
        self, name: str, place: s.Place, dialect: str, otherwise: str | None, architecture: Architecture | None
    ) -> UnknownNameError:
        """The error for a name that nobody defined; `otherwise` is the hint if it is not a misspelling."""
        names = self.all_names()
        elsewhere = [found for found in names if found.endswith(f"::{name}")]
        known = {found.rsplit("::", 1)[-1] for found in names} | base.known_names(dialect, architecture)
        near = f"did you mean '{min(elsewhere)}'?" if elsewhere else nearest(name, known)
        hint = f"{near} If not, {otherwise}" if near and otherwise else near or otherwise
        there = base.elsewhere(name) if dialect == "cat" else []
        if there:
            here = "in the orders of C" if architecture is None else f"on {architecture.title}"
            hint = f"it is a set of {' and '.join(there)}, and means nothing {here}"
        return UnknownNameError(place.error(f"unknown name '{name}'", hint), name)
