"""Repairs of a bug: the least stronger orders that make a program safe, or one fence where that is less to change. Each
is explored before it is suggested."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf._core import Order
from porf.exploration import DEFAULT_MODEL, explore
from porf.exploration.repair import Change, Repair
from porf.programs.fences import with_fence
from porf.programs.form import Opcode, Place, Program
from porf.programs.sites import WORDS, Site, Strength, order_sites, shared_place
from porf.synthesis.choices import Space, space_of
from porf.synthesis.clients import clients_of
from porf.synthesis.judge import Judge
from porf.synthesis.search import Search

if TYPE_CHECKING:
    from porf.exploration.found import Exploration
    from porf.models.registry import Model

SECONDS = 1.4
MANY = 2  # changes of orders, above which one fence is less
FENCES = (Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)  # weaker ones first


def repairs(
    program: Program,
    model: str | Path | Model = DEFAULT_MODEL,
    found: Exploration | None = None,
    *,
    seconds: float = SECONDS,
    **options: Any,
) -> Repair:
    """What to change in an unsafe program, as far as its orders are concerned. `found` is what an exploration has found
    already; options are those of `porf.explore`."""
    from porf.models.registry import find_model

    until = time.monotonic() + seconds
    known = find_model(model)
    sites = list(order_sites(program))
    under_sc = explore(program, "sc", seconds=seconds / 2, first=True, **options)
    if under_sc.verdict == "unsafe":
        bug = under_sc.bugs[0] if under_sc.bugs else None
        return Repair(why="no order helps: it is a bug under sc, too", under_sc=bug)
    if not sites:
        return Repair(why="there are no atomic accesses or fences whose orders could be stronger")
    space = space_of(sites, without_sc="sc" not in known.header.orders)
    judge = Judge(clients_of([program], sites), space, known, seconds=until - time.monotonic(), **options)
    if found is not None and found.bugs:
        judge.learn(judge.clients[0], space.written, found)
    result = Search(judge, space.written, space.highest, every=False, step=lambda: None).run()
    changes: tuple[Change, ...] = ()
    executions = 0
    if result.minimal:
        changes = _changes(space, result.minimal[0])
        executions = judge.executions.get(result.minimal[0], 0)
    if not changes or len(changes) > MANY:
        fenced = _fence(program, known, found, until, options)
        if fenced is not None:
            return fenced
    if changes:
        return Repair(changes, executions)
    if time.monotonic() >= until:
        return Repair(why=f"none was found in {seconds:g} s; porf orders looks further")
    return Repair(why="no stronger orders, and no single fence, make it safe")


def _changes(space: Space, choice: Sequence[int]) -> tuple[Change, ...]:
    orders = space.orders(tuple(choice))
    return tuple(_change(site, strength) for site, strength in orders.items() if strength != site.strength)


def _change(site: Site, strength: Strength) -> Change:
    place, word = site.place, _words(site.place.file)
    before, after = [word(site.strength.order)], [word(strength.order)]
    if site.opcode is Opcode.CAS:
        before.append(word(site.strength.failure))
        after.append(word(strength.failure))
        if before[1] == after[1]:
            before, after = before[:1], after[:1]
        elif before[0] == after[0]:
            before, after = [f"failure {before[1]}"], [after[1]]
    return Change(place.file, place.line, place.column, ", ".join(before), ", ".join(after))


def _words(file: str) -> Callable[[Order], str]:
    """How a language calls orders."""
    return lambda order: WORDS[order] if file.endswith(".py") else f"memory_order_{WORDS[order]}"


def _fence(
    program: Program, model: Model, found: Exploration | None, until: float, options: dict[str, Any]
) -> Repair | None:
    """One fence that makes the program safe, before an access in the execution with the bug; the first, and the weakest
    that is enough there."""

    def safe(place: Place, order: Order) -> int:
        """In how many executions, or -1."""
        left = until - time.monotonic()
        if left <= 0:
            return -1
        result = explore(with_fence(program, place, order), model, seconds=left, first=True, **options)
        return result.executions if result.verdict == "safe" else -1

    for place in _places(program, found):
        if safe(place, Order.SC) < 0:
            continue
        for order in FENCES:
            executions = safe(place, order)
            if executions >= 0:
                shared = shared_place(program, place)
                word = _words(shared.file)(order)
                call = f"fence({word})" if shared.file.endswith(".py") else f"atomic_thread_fence({word})"
                return Repair((Change(shared.file, shared.line, shared.column, "", call),), executions)
    return None


def _places(program: Program, found: Exploration | None) -> list[Place]:
    """Of the accesses before the bug: those whose threads have accessed something else before."""
    if found is None or not found.bugs:
        return []
    bug = found.bugs[0]
    met: set[int] = set()
    places: dict[Place, None] = {}
    for row, place in enumerate(bug.places):
        thread = int(bug.execution.thread[row])
        if thread in met and place is not None and not place.internal:
            places.setdefault(place)
        met.add(thread)
    return list(places)
