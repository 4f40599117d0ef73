"""Which engine of the core explores a program under a model."""

from porf._core import Engine
from porf.exploration.adapt import has_sc, only_sc
from porf.models.registry import Model
from porf.programs.form import Program


def engine_of(model: Model, program: Program, to_the_first_bug: bool = False) -> Engine:
    """The engine of a built-in model; any other file is evaluated.

    The theorem of data-race freedom: if all atomic accesses are SC, a model such as RC11 is SC as long as there is no
    data race; if there is one, SC has one. So a search that ends at the first bug may use the faster engine.
    """
    if model.drf_sc and to_the_first_bug and only_sc(program):
        return Engine.SC
    if model.engine_without_sc is not None and not has_sc(program):
        return model.engine_without_sc
    return model.engine
