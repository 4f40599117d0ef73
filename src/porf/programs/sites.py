"""Where a program says its memory orders, and the same program with others.

An *order site* is an access or a fence of the source: all instructions that stem from it, inlined copies included. What
happens inside a library is no site, for nobody can write another order there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from porf._core import Order
from porf.programs.form import Access, Exclusive, Instruction, Opcode, Place, Program, Retry, Template
from porf.record import Record, replace

_LOADS = {Order.RLX: (), Order.ACQ: (Order.RLX,), Order.SC: (Order.ACQ,)}
_STORES = {Order.RLX: (), Order.REL: (Order.RLX,), Order.SC: (Order.REL,)}
_BOTH = {Order.ACQ_REL: (Order.ACQ, Order.REL), Order.SC: (Order.ACQ_REL,)}
_UPDATES = {Order.RLX: (), Order.ACQ: (Order.RLX,), Order.REL: (Order.RLX,), **_BOTH}
_FENCES = {Order.NA: (), Order.ACQ: (Order.NA,), Order.REL: (Order.NA,), **_BOTH}
# What a site does -> the orders that it can have, each with those that are one step weaker.
STEPS: Mapping[Opcode, Mapping[Order, tuple[Order, ...]]] = {
    Opcode.LOAD: _LOADS,
    Opcode.STORE: _STORES,
    Opcode.RMW: _UPDATES,
    Opcode.CAS: _UPDATES,
    Opcode.FENCE: _FENCES,
}
KINDS = {
    Opcode.LOAD: "load",
    Opcode.STORE: "store",
    Opcode.RMW: "update",
    Opcode.CAS: "compare-exchange",
    Opcode.FENCE: "fence",
}
WORDS = {
    Order.NA: "none",
    Order.RLX: "relaxed",
    Order.ACQ: "acquire",
    Order.REL: "release",
    Order.ACQ_REL: "acq_rel",
    Order.SC: "seq_cst",
}


class Strength(Record):
    """The order of a site; for a compare-exchange, also that of a failure. A fence without an order is not there."""

    order: Order
    failure: Order = Order.NA

    def __str__(self) -> str:
        return WORDS[self.order] + (f", {WORDS[self.failure]}" if self.failure is not Order.NA else "")


class Site(Record):
    """An access or a fence of a source. Two sites are one if they do the same, with the same order, at the same place:
    so sites of several programs that share a file are the same."""

    place: Place
    opcode: Opcode
    strength: Strength  # as it is written there

    @property
    def kind(self) -> str:
        """What it is called: load, store, update, compare-exchange or fence."""
        return KINDS[self.opcode]

    def weaker(self, than: Strength) -> list[Strength]:
        """What it can have that is one step weaker than this."""
        steps = STEPS[self.opcode]
        found = [Strength(order, than.failure) for order in steps[than.order]]
        if self.opcode is Opcode.CAS:
            found += [Strength(than.order, failure) for failure in _LOADS[than.failure]]
        return found

    def stronger(self, than: Strength) -> list[Strength]:
        """What it can have that is one step stronger than this."""
        return [other for other in self.strengths() if than in self.weaker(other)]

    def strengths(self) -> list[Strength]:
        """All that it can have, weaker ones before stronger ones."""
        failures = list(_LOADS) if self.opcode is Opcode.CAS else [Order.NA]
        return [Strength(order, failure) for order in STEPS[self.opcode] for failure in failures]

    def legal(self) -> list[Strength]:
        """All that C lets it have, weaker ones before stronger ones: a failure is not stronger than a success. Since
        C++17 it may be; who writes that may have all."""
        if self.opcode is not Opcode.CAS or not _is_usual(self.strength):
            return self.strengths()
        return list(filter(_is_usual, self.strengths()))

    def is_as_strong(self, a: Strength, b: Strength) -> bool:
        """Whether a is as strong as b, or stronger."""
        return _reaches(self.opcode, a.order, b.order) and (
            self.opcode is not Opcode.CAS or _reaches(Opcode.LOAD, a.failure, b.failure)
        )

    def __str__(self) -> str:
        return f"{self.place.file}:{self.place.line}:{self.place.column}: {self.kind}, {self.strength}"


def _is_usual(strength: Strength) -> bool:
    """Whether the failure of a compare-exchange is no stronger than its success."""
    order = strength.order
    if strength.failure is Order.SC:
        return order is Order.SC
    return strength.failure is Order.RLX or order is not Order.RLX


@cache
def _reaches(opcode: Opcode, order: Order, weaker: Order) -> bool:
    return order is weaker or any(_reaches(opcode, step, weaker) for step in STEPS[opcode][order])


def order_sites(program: Program) -> dict[Site, list[tuple[int, int]]]:
    """The order sites of a program as they stand in its sources, file by file, each with its instructions: the
    number of a template, and that of an instruction in it."""
    found: dict[Site, list[tuple[int, int]]] = {}
    for t, template in enumerate(program.templates):
        for n, i in enumerate(template.code):
            site = site_of(program, i)
            if site is not None:
                found.setdefault(site, []).append((t, n))
    return dict(sorted(found.items(), key=lambda item: _sorted(item[0])))


def _sorted(site: Site) -> tuple[object, ...]:
    place = site.place
    return place.file, place.line, place.column, int(site.opcode), int(site.strength.order), int(site.strength.failure)


def site_of(program: Program, i: Instruction) -> Site | None:
    """The site that an instruction stems from, if it has an order that can be written in another way."""
    if i.tags or i.exclusive is not Exclusive.NONE:  # an instruction of a machine, or of the Linux kernel
        return None
    return _site(program, Access(i.place, i.opcode, i.order, i.failure if i.opcode is Opcode.CAS else Order.NA))


def _site(program: Program, access: Access) -> Site | None:
    steps, place = STEPS.get(access.opcode), access.place
    if steps is None or access.order not in steps or access.order is Order.NA or place is None or place.internal:
        return None
    return Site(shared_place(program, place), access.opcode, Strength(access.order, access.failure))


def shared_place(program: Program, place: Place) -> Place:
    """A place in the program, as sites name it."""
    return Place(place.line, place.column, _shared(place.file or program.source, Path.cwd()))


@cache
def _shared(file: str, here: Path) -> str:
    """One name for a file, however programs lead to it: as people would name it from here."""
    if not file or not Path(file).exists():
        return file
    whole = os.path.realpath(file)
    try:
        near = os.path.relpath(whole, here)
    except ValueError:
        return whole
    return near if len(near) < len(whole) else whole


def with_orders(program: Program, orders: Mapping[Site, Strength]) -> Program:
    """The program with other orders at these sites. The instructions keep their numbers: a fence that is gone leaves a
    jump to what comes next."""
    changed = {site: strength for site, strength in orders.items() if strength != site.strength}
    if not changed:
        return program
    return replace(program, templates=tuple(_changed(program, template, changed) for template in program.templates))


def _changed(program: Program, template: Template, orders: Mapping[Site, Strength]) -> Template:
    code = list(template.code)
    found = False
    for n, i in enumerate(code):
        site = site_of(program, i) if i.opcode in STEPS else None
        strength = orders.get(site) if site is not None else None
        if strength is None:
            continue
        found = True
        if strength.order is Order.NA:
            code[n] = Instruction(Opcode.JUMP, a=n + 1, place=i.place)
        else:
            code[n] = replace(i, order=strength.order, failure=strength.failure)
    if not found:
        return template
    retries = {loop: _retry(program, retry, orders) for loop, retry in template.retries.items()}
    for n, i in enumerate(code):
        if i.opcode is Opcode.BACK and i.a in retries:
            code[n] = replace(i, kind=retries[i.a].back())
    return replace(template, code=tuple(code), retries=retries)


def _retry(program: Program, retry: Retry, orders: Mapping[Site, Strength]) -> Retry:
    """How long the loop has to go on depends on the orders of its accesses."""

    def access(given: Access) -> Access:
        site = _site(program, given)
        strength = orders.get(site) if site is not None else None
        return given if strength is None else replace(given, order=strength.order, failure=strength.failure)

    return Retry(tuple(map(access, retry.loads)), access(retry.trial), retry.only)
