"""The shapes of axioms: what each forbids, in terms of what the core can look for.

A new shape is one row here: both grammars then know the word, and evaluation, automata and analyses the relation it
forbids. `transitive` would be `Shape("transitive", Check.EMPTY, lambda r: Difference(Sequence((r, r)), r))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porf._core import Check
from porf.language.relation import Node


def _itself(node: Node) -> Node:
    return node


@dataclass(frozen=True)
class Shape:
    """`word r` says of the relation `forbidden(r)` that it has no cycle, no loop, or no pair."""

    word: str
    check: Check
    forbidden: Callable[[Node], Node] = _itself
    of_sets: bool = False  # it may be said of a set, too


SHAPES = {
    shape.word: shape
    for shape in (
        Shape("acyclic", Check.ACYCLIC),
        Shape("irreflexive", Check.IRREFLEXIVE),
        Shape("empty", Check.EMPTY, of_sets=True),
    )
}
