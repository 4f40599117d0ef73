"""The syntax tree of a model: what both dialects are parsed into. Every node knows its place."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from porf.errors import ModelError
from porf.record import Record


class Source(Record, eq=False):
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
        text, opened, closed_at = self.text, [], {}
        for at, char in enumerate(text):
            if char == "(":
                opened.append(at)
            elif char == ")" and opened:
                closed_at[opened.pop()] = at
        start, end = 0, len(text)
        while start < end and closed_at.get(start) == end - 1:
            start, end = start + 1, end - 1
            while start < end and text[start].isspace():
                start += 1
            while start < end and text[end - 1].isspace():
                end -= 1
        return Place(self.source, self.start + start, self.start + end)

    def error(self, message: str, hint: str | None = None) -> ModelError:
        line, column, text = self.source.locate(self.start)
        width = max(1, min(self.end - self.start, len(text) - column + 1))
        return ModelError(message, source=self.source.name, line=line, column=column, text=text, width=width, hint=hint)

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        raise self.error(message, hint)


class _Written(Record, eq=False):
    """A part of a text."""

    place: Place


class Name(_Written, eq=False):
    name: str


class Empty(_Written, eq=False):
    """`0` or `{}`: a set or a relation, as the context requires."""


class Universe(_Written, eq=False):
    """`_`: all events, or all pairs of them, as the context requires."""


class Unary(_Written, eq=False):
    """Operators: inverse plus star optional complement test symmetric rotations."""

    operator: str
    operand: Expression


class Binary(_Written, eq=False):
    """Operators: union intersection difference sequence product."""

    operator: str
    left: Expression
    right: Expression


class Apply(_Written, eq=False):
    function: str
    arguments: tuple[Expression, ...]


class LetIn(_Written, eq=False):
    bindings: tuple[Binding, ...]
    recursive: bool
    body: Expression


class Try(_Written, eq=False):
    """`try e with f`: f where e mentions a name that nobody defined."""

    body: Expression
    fallback: Expression


class Choice(_Written, eq=False):
    """`if … then … else …`: which of the two is decided when the file is read."""

    then: Expression
    otherwise: Expression
    holds: bool


Expression = Name | Empty | Universe | Unary | Binary | Apply | LetIn | Try | Choice


class Binding(_Written, eq=False):
    name: str
    parameters: tuple[str, ...] | None  # None: not a function
    body: Expression


class Define(_Written, eq=False):
    bindings: tuple[Binding, ...]
    recursive: bool


class Test(_Written, eq=False):
    """An axiom, or (by its role) a test that only reports: a flag when it holds, undefined when it fails."""

    kind: str  # acyclic irreflexive empty
    negated: bool
    expression: Expression
    name: str | None
    role: str = "axiom"
    unless: Constraint | None = None  # kat: exported code skips the test where this holds


class Include(_Written, eq=False):
    path: str


class Constraint(_Written, eq=False):
    """kat: `left <= right` or `left = right`, as paths; `same_ends` for the older `<=&id`."""

    left: Expression
    relation: str  # "<=" or "="
    right: Expression
    same_ends: bool = False


class Claim(_Written, eq=False):
    """kat: `assert` or `assume` a constraint. Evaluation ignores it; proving is what it is for."""

    kind: str
    constraint: Constraint | None
    total: Expression | None = None  # assume total r


class Declare(_Written, eq=False):
    """kat: names without a definition (`relation`, `predicate`), or known to be `disjoint`."""

    kind: str
    names: tuple[str, ...]


class Other(_Written, eq=False):
    """A statement that has no meaning for an execution: `show`, `export coherence`, `export error`, …"""

    kind: str
    subject: Expression | str | None = None  # kat: what is exported
    unless: Constraint | None = None


class Chosen(_Written, eq=False):
    """cat: `with x from e`, one execution after the other for each element."""

    name: str


class Procedure(_Written, eq=False):
    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]


class Call(_Written, eq=False):
    procedure: str
    arguments: tuple[Expression, ...]
    name: str | None


class Forall(_Written, eq=False):
    """cat: statements for each element of a set."""


class Enum(_Written, eq=False):
    """bell: tags that instructions may have."""

    name: str
    tags: tuple[str, ...]


class Block(_Written, eq=False):
    """The statements of the branch that is taken."""

    body: tuple[Statement, ...]


Statement = Define | Test | Include | Claim | Declare | Other | Chosen | Procedure | Call | Forall | Enum | Block


class Tree(Record, eq=False):
    """A parsed file, before its includes are read."""

    source: Source
    title: str | None
    statements: tuple[Statement, ...] = field(default=())
