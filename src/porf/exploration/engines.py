"""Which engine of the core explores a program under a model."""

from porf._core import Engine
from porf.exploration.adapt import has_sc, only_sc
from porf.exploration.recognise import recognise
from porf.models.registry import MODELS, Model
from porf.programs.form import Program


def engine_of(model: Model, program: Program, to_the_first_bug: bool = False) -> Engine:
    """The engine of a built-in model, or of the one that a user's file is recognised as; any other file is evaluated.

    The theorem of data-race freedom: if all atomic accesses are SC, a model such as RC11 is SC as long as there is no
    data race; if there is one, SC has one. So a search that ends at the first bug may use the faster engine.
    """
    like = known_as(model)
    if like is not None:
        # That it has no races but those of the built-in model, is known of the same `hb` alone.
        return engine_of(MODELS[like], program, to_the_first_bug and recognise(model).hb is MODELS[like].races)
    if model.drf_sc and to_the_first_bug and only_sc(program):
        return Engine.SC
    if model.engine_without_sc is not None and not has_sc(program):
        return model.engine_without_sc
    return model.engine


def known_as(model: Model) -> str | None:
    """The built-in model that a user's file is recognised as."""
    return recognise(model).model if model.engine is Engine.AXIOMS else None
