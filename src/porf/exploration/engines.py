"""Which engine of the core explores a program under a model."""

from __future__ import annotations

from porf._core import Engine
from porf.exploration.adapt import has_sc, only_sc
from porf.models.registry import MODELS, Model
from porf.programs.form import Program


def engine_of(model: Model, program: Program, to_the_first_bug: bool = False) -> Engine:
    """The engine of a built-in model; any other file is evaluated.

    If all atomic accesses are SC, RC11 is SC as long as there is no data race; if there is one, SC has one: the theorem
    of data-race freedom. So a search that ends at the first bug may use the faster engine.
    """
    rc11 = model is MODELS["rc11"]
    if rc11 and to_the_first_bug and only_sc(program):
        return Engine.SC
    if rc11 and not has_sc(program):
        return Engine.RC11_WITHOUT_SC  # then its axiom of SC events says nothing
    return model.engine
