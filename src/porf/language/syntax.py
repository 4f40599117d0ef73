"""The syntax tree of a model: what both dialects are parsed into. Every node knows its place."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from porf.errors import ModelError


@dataclass(frozen=True, eq=False)
class Source:
    """One model file (or text): its name for messages, its text, its dialect."""

    name: str
    text: str
    dialect: str = "cat"

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0] + [at + 1 for at, char in enumerate(self.text) if char == "\n"]

    def locate(self, offset: int) -> tuple[int, int, str]:
        """Line and column, both from 1, and the text of the line."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        return line, offset - start + 1, self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A stretch of a source."""

    source: Source
    start: int
    end: int

    def to(self, other: Place) -> Place:
        return Place(self.source, self.start, other.end)

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def unwrapped(self) -> Place:
        """Without brackets around the whole."""
        text = self.text
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if depth == 0 and (at < len(text) - 1 or not text.startswith("(")):
                return self
        inner = text[1:-1]
        start = self.start + 1 + len(inner) - len(inner.lstrip())
        return Place(self.source, start, start + len(inner.strip())).unwrapped() if text else self

    def error(self, message: str, hint: str | None = None) -> ModelError:
        line, column, text = self.source.locate(self.start)
        width = max(1, min(self.end - self.start, len(text) - column + 1))
        return ModelError(message, source=self.source.name, line=line, column=column, text=text, width=width, hint=hint)

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        raise self.error(message, hint)


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    place: Place
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    """`0` or `{}`: a set or a relation, as its surroundings ask."""

    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Universe:
    """`_`: all events, or all pairs of them, as its surroundings ask."""

    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """Operators: inverse plus star optional complement test symmetric rotations."""

    place: Place
    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Operators: union intersection difference sequence product."""

    place: Place
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    place: Place
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LetIn:
    place: Place
    bindings: tuple[Binding, ...]
    recursive: bool
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """`try e with f`: f where e mentions a name that nobody defined."""

    place: Place
    body: Expression
    fallback: Expression


Expression = Name | Empty | Universe | Unary | Binary | Apply | LetIn | Try


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    place: Place
    name: str
    parameters: tuple[str, ...] | None  # None: not a function
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Define:
    place: Place
    bindings: tuple[Binding, ...]
    recursive: bool


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """An axiom, or (by its role) a test that only reports: a flag when it holds, undefined when it fails."""

    place: Place
    kind: str  # acyclic irreflexive empty
    negated: bool
    expression: Expression
    name: str | None
    role: str = "axiom"
    unless: Constraint | None = None  # kat: exported code skips the test where this holds


@dataclass(frozen=True, slots=True, eq=False)
class Include:
    place: Place
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """kat: `left <= right` or `left = right`, as paths; `same_ends` for the older `<=&id`."""

    place: Place
    left: Expression
    relation: str  # "<=" or "="
    right: Expression
    same_ends: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """kat: `assert` or `assume` a constraint. Evaluation ignores it; proving is what it is for."""

    place: Place
    kind: str
    constraint: Constraint | None
    total: Expression | None = None  # assume total r


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """kat: names without a definition (`relation`, `predicate`), or known to be `disjoint`."""

    place: Place
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Other:
    """A statement that has no meaning for an execution: `show`, `export coherence`, `export error`, …"""

    place: Place
    kind: str
    subject: Expression | str | None = None  # kat: what is exported
    unless: Constraint | None = None


Statement = Define | Test | Include | Claim | Declare | Other


@dataclass(frozen=True, eq=False)
class Tree:
    """A parsed file, before its includes are read."""

    source: Source
    title: str | None
    statements: tuple[Statement, ...] = field(default=())
