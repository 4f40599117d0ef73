"""What a user's model file says that porf knows: a model that has an engine of its own, a happens-before with clocks.

A file is *recognised* by proof, from the shape of its axioms: each follows from those of the built-in model, and the
other way round. No fact of executions is used, so that holds for explored graphs, too, whose program order leads from
thread to thread. A built-in file that is given by its path is evaluated: so engines are compared with their files.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from porf import cache
from porf._core import Engine, HappensBefore
from porf.models.registry import FOLDER, MODELS, Model
from porf.record import Record

if TYPE_CHECKING:
    from porf.language import relation as r

HB = "hb"
KIND = "recognised"
_EXACT = ("rc11", "cpp20")  # whose races are judged by the very `hb` of their files


class Recognised(Record):
    """Of one file."""

    model: str | None = None  # the built-in model that allows the same executions
    defines_hb: bool = False
    hb: HappensBefore | None = None  # how that arises, if there are clocks for it


def recognise(model: Model) -> Recognised:
    """What is known of a user's file. A built-in model needs none of this: it has a record, or is evaluated."""
    return Recognised() if model.path.parent == FOLDER else _recognise(model, model.text)


@lru_cache(maxsize=64)
def _recognise(model: Model, text: str) -> Recognised:
    """Of a model whose file has this text. Included files are others, so what depends on them is not kept."""
    key = cache.word(cache.stamp(), model.path.suffix, text)
    alone = "include" not in text
    known = cache.get(KIND, key) if alone else None
    if isinstance(known, tuple):
        name, defines_hb, hb = known
        return Recognised(name, defines_hb, None if hb is None else HappensBefore[hb])
    own = _hb(model)
    found = Recognised(_same_as(model), own is not None, None if own is None else _clocks(model, own))
    if alone:
        cache.put(KIND, key, (found.model, found.defines_hb, None if found.hb is None else found.hb.name))
    return found


def _same_as(model: Model) -> str | None:
    from porf.comparison.structural import implied

    def meaning(of: Model) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        return of.header.view, of.header.interprets, of.header.orders

    for known in MODELS.values():
        if known.engine is Engine.AXIOMS or not known.orders_writes or meaning(known) != meaning(model):
            continue
        if implied(model, known) and implied(known, model):
            return known.name
    return None


def _hb(model: Model) -> r.Node | None:
    """The relation of that name, in a normal form if it is small."""
    from porf.comparison.structural import small
    from porf.comparison.terms import term_of

    kind, register = model.file.relations.get(HB, ("set", -1))
    if kind != "relation":
        return None
    node = next(node for node, at in model.file.registers.items() if at == register)
    return term_of(node) if small(node) else node


def _clocks(model: Model, hb: r.Node) -> HappensBefore | None:
    from porf.comparison.terms import term_of
    from porf.language import base
    from porf.language import relation as r

    if hb is term_of(r.Unary("plus", r.Union((base.relation("po"), base.relation("rf"))))):
        return HappensBefore.ALL
    for name in _EXACT:
        if model.header.view == MODELS[name].header.view and hb is _hb(MODELS[name]):
            return MODELS[name].races
    return None
