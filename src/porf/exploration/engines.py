"""Which engine of the core explores a model, and what a program must keep to under it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from porf.exploration.adapt import has_sc, only_sc
from porf.models.registry import MODELS, Model
from porf.programs.form import Program


class Sync(IntEnum):
    """How happens-before arises, for the race detector; the core's numbers."""

    NONE = 0  # program order alone
    ALL = 1  # every read
    ORDERS = 2  # as the orders of accesses say
    ATOMIC = 3  # every atomic access releases and acquires
    ATOMIC_ORDERS = 4  # as the orders say, and non-atomic accesses pass nothing on


@dataclass(frozen=True)
class Engine:
    """The core's number of an engine, its name for people, and what it looks at."""

    code: int
    name: str
    races: Sync
    orders: bool = False  # whether the orders of accesses make a difference


ENGINES = {
    "relaxed": Engine(0, "coherence", Sync.NONE),
    "rc20": Engine(1, "coherence", Sync.ATOMIC_ORDERS, orders=True),
    "ra": Engine(2, "coherence", Sync.ATOMIC),
    "wra": Engine(3, "weak-coherence", Sync.ATOMIC),
    "sra": Engine(4, "order", Sync.ATOMIC),
    "sc": Engine(5, "order", Sync.ATOMIC),
    "tso": Engine(6, "order", Sync.ATOMIC),
    "pso": Engine(7, "order", Sync.ATOMIC),
}
FILE = Engine(8, "axioms", Sync.ATOMIC_ORDERS, orders=True)
RC11_WITHOUT_SC = Engine(9, "coherence", Sync.ATOMIC_ORDERS, orders=True)  # then its axiom of SC events says nothing


def engine_of(model: Model, program: Program, to_the_first_bug: bool = False) -> Engine:
    """The engine of a built-in model; any other file is evaluated.

    If all atomic accesses are SC, RC11 is SC as long as there is no data race; if there is one, SC has one: the theorem
    of data-race freedom. So who looks for the first bug only may have the faster engine.
    """
    if MODELS.get(model.name) is not model:
        return FILE
    if model.name == "rc11" and to_the_first_bug and only_sc(program):
        return ENGINES["sc"]
    if model.name == "rc11" and not has_sc(program):
        return RC11_WITHOUT_SC
    return ENGINES.get(model.name, FILE)
