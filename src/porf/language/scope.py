"""What a name means: a definition in scope, or one of the names that every execution offers."""

from __future__ import annotations

from dataclasses import dataclass, field

from porf.errors import nearest
from porf.language import base
from porf.language import syntax as s
from porf.language.program import POINTWISE, Program, Value


class UnknownNameError(Exception):
    """Carries the message; `try … with` catches it."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Function:
    parameters: tuple[str, ...]
    body: s.Expression
    scope: Scope


@dataclass
class Scope:
    """Names and what they mean; the innermost definition wins."""

    names: dict[str, Value | Function] = field(default_factory=dict)
    outer: Scope | None = None

    def find(self, name: str) -> Value | Function | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def all_names(self) -> set[str]:
        return set(self.names) | (self.outer.all_names() if self.outer else set())


class Names:
    """Looks names up for one model: its dialect decides what is built in."""

    def __init__(self, dialect: str, program: Program) -> None:
        self.prefix = ""  # kat: the included file whose names are meant first
        self.declared: set[str] = set()  # kat: without a definition
        self._dialect = dialect
        self._program = program

    def find(self, name: str, scope: Scope, place: s.Place) -> Value | Function:
        found = scope.find(f"{self.prefix}::{name}") if self.prefix else None
        found = found or scope.find(name) or self.built_in(name)
        if found is None:
            known = scope.all_names() | base.names(self._dialect)
            message, hint = f"unknown name '{name}'", nearest(name, known)
            if name in self.declared:
                message = f"'{name}' is declared but not defined, so no execution has it"
                hint = "define it with `let`"
            raise UnknownNameError(place.error(message, hint))
        return found

    def built_in(self, name: str) -> Value | None:
        kat = self._dialect == "kat"
        name = (base.ALIASES_KAT if kat else base.ALIASES_CAT).get(name, name)
        derived = base.DERIVED.get(name) or (base.DERIVED_KAT.get(name) if kat else None)
        if derived is not None:
            left, right = self.built_in(derived[1]), self.built_in(derived[2])
            assert left is not None and right is not None
            return self._program.pointwise(POINTWISE[derived[0]], left, right)
        if kat and (name == "any" or name in base.EMPTY_KAT):
            return Value(-1, "universe" if name == "any" else "empty")
        if name in base.RELATIONS:
            return self._program.relation(name)
        return self._program.event_set(name) if name in base.SETS else None
