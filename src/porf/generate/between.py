"""Tests that tell two models apart: critical cycles that one of them allows and the other forbids.

The execution of a cycle comes with its modification order, so the axioms of a model file decide it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from porf.checking.suited import suited
from porf.errors import UsageError
from porf.generate.critical import critical, edges_of
from porf.generate.cycles import Cycle, Made, execution_of
from porf.generate.edges import vocabulary
from porf.language.evaluation import evaluate
from porf.models.registry import Model, find_model
from porf.record import Record


class Separating(Record, eq=False):
    """A cycle, and which of the two models allows it."""

    cycle: Cycle
    made: Made
    allows: Model
    forbids: Model


def separating(
    left: str | Path | Model,
    right: str | Path | Model,
    edges: str | None = None,
    size: int = 4,
    arch: str | None = None,
    tick: Callable[[int], object] | None = None,
) -> Iterator[Separating]:
    """The critical cycles of these edges that tell two models apart, small ones first."""
    a, b = find_model(left), find_model(right)
    words = vocabulary(arch or language_of(a, b))
    for number, cycle in enumerate(critical(edges_of(edges, words), size, words)):
        if tick is not None:
            tick(number)
        made = execution_of(cycle)
        one, other = allows(a, made), allows(b, made)
        if one != other:
            yield Separating(cycle, made, a if one else b, b if one else a)


def language_of(*models: Model) -> str:
    """The language of tests that all these models are about: that of the architecture that one of them names."""
    found = {model.header.architecture for model in models} - {None}
    if len(found) > 1:
        names = " and ".join(model.name for model in models)
        raise UsageError(f"{names} are models of different machines", hint="porf compare A B compares them")
    return next(iter(found), None) or "c"


def allows(model: Model, made: Made) -> bool:
    """Whether the model allows the execution under its modification order."""
    pairs = [pair for order in made.mo for pair in pairwise(order)]
    return not evaluate(suited(model, made.execution).file, made.execution, pairs).violated
