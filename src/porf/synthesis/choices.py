"""Choices of orders: for each site one of the orders that it may have, as a tuple of numbers, from weak to strong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from porf._core import Order
from porf.programs.form import Opcode
from porf.programs.sites import Site, Strength
from porf.record import Record

Choice = tuple[int, ...]
"""Of each site, the number of its strength in its domain."""
Bound = tuple[int, ...]
"""Of each site a set of strengths, as bits: every choice within is unsafe. Such sets are closed downwards."""

# What "weak" means where nobody gives costs: an order that orders less is cheaper; a fence costs a little more than the
# same order of one access, and less than that of two.
_ACCESS = {Order.RLX: 0.0, Order.ACQ: 1.0, Order.REL: 1.0, Order.ACQ_REL: 2.0, Order.SC: 3.0}
_UPDATE = {**_ACCESS, Order.SC: 4.0}
_FENCE = {Order.NA: 0.0, Order.ACQ: 1.5, Order.REL: 1.5, Order.ACQ_REL: 2.5, Order.SC: 3.5}
WEIGHTS = {
    Opcode.LOAD: _ACCESS,
    Opcode.STORE: _ACCESS,
    Opcode.RMW: _UPDATE,
    Opcode.CAS: _UPDATE,
    Opcode.FENCE: _FENCE,
}
FAILURE = 0.5  # of what a load with that order costs


def weight(site: Site, strength: Strength) -> float:
    """What an order costs if nobody says."""
    return WEIGHTS[site.opcode][strength.order] + FAILURE * _ACCESS.get(strength.failure, 0.0)


class Domain(Record, eq=False):
    """What one site may have, weaker strengths first; the first is weaker than all others."""

    site: Site
    strengths: tuple[Strength, ...]
    costs: tuple[float, ...]

    @cached_property
    def below(self) -> tuple[int, ...]:
        """Of each strength: those that it is as strong as, as bits."""
        return tuple(
            sum(1 << n for n, weak in enumerate(self.strengths) if self.site.is_as_strong(strong, weak))
            for strong in self.strengths
        )

    @property
    def everything(self) -> int:
        return (1 << len(self.strengths)) - 1

    def upward(self, least: int, without: int) -> list[int]:
        """The weakest strengths that are as strong as one, and not among these."""
        found = [n for n, below in enumerate(self.below) if below >> least & 1 and not without >> n & 1]
        return [n for n in found if not any(m != n and self.below[n] >> m & 1 for m in found)]

    def stronger(self, than: int) -> list[int]:
        return [n for n, below in enumerate(self.below) if n != than and below >> than & 1]

    def weaker(self, than: int) -> list[int]:
        return [n for n in range(len(self.strengths)) if n != than and self.below[than] >> n & 1]


class Space(Record, eq=False):
    """All choices: sites with what each may have."""

    domains: tuple[Domain, ...]

    @property
    def sites(self) -> list[Site]:
        return [domain.site for domain in self.domains]

    @property
    def lowest(self) -> Choice:
        return (0,) * len(self.domains)

    @property
    def highest(self) -> Choice:
        return tuple(len(domain.strengths) - 1 for domain in self.domains)

    def number(self, at: int, strength: Strength) -> int:
        return self.domains[at].strengths.index(strength)

    @property
    def written(self) -> Choice:
        """The orders as they stand in the sources."""
        return tuple(d.strengths.index(d.site.strength) for d in self.domains)

    def orders(self, choice: Choice) -> dict[Site, Strength]:
        return {d.site: d.strengths[n] for d, n in zip(self.domains, choice, strict=True)}

    def cost(self, choice: Choice) -> float:
        return sum(d.costs[n] for d, n in zip(self.domains, choice, strict=True))

    def is_below(self, a: Choice, b: Choice) -> bool:
        """Whether a is nowhere stronger than b."""
        return all(d.below[y] >> x & 1 for d, x, y in zip(self.domains, a, b, strict=True))

    def weaker(self, choice: Choice) -> Iterator[tuple[int, Choice]]:
        """All choices that are weaker at one site, with the site's number."""
        for at, domain in enumerate(self.domains):
            for n in domain.weaker(choice[at]):
                yield at, with_one(choice, at, n)

    def escapes(self, choice: Choice, bound: Bound) -> Iterator[Choice]:
        """The least choices, stronger at one site, that are not within a bound."""
        for at, (domain, inside) in enumerate(zip(self.domains, bound, strict=True)):
            if inside != domain.everything:
                for n in domain.upward(choice[at], inside):
                    yield with_one(choice, at, n)

    def bound_of(self, choice: Choice) -> Bound:
        """All choices that are nowhere stronger."""
        return tuple(d.below[n] for d, n in zip(self.domains, choice, strict=True))


def with_one(choice: Choice, at: int, n: int) -> Choice:
    return (*choice[:at], n, *choice[at + 1 :])


def is_within(choice: Choice, bound: Bound) -> bool:
    return all(inside >> n & 1 for n, inside in zip(choice, bound, strict=True))


def space_of(
    sites: Sequence[Site],
    *,
    least: Mapping[Site, Strength] | None = None,
    fixed: Mapping[Site, Strength] | None = None,
    without_sc: bool = False,
    cost: Callable[[Site, Strength], float] = weight,
) -> Space:
    """All that C lets the sites have; no weaker than `least`, and as it is where it is fixed. Without SC, only fences
    are seq_cst."""
    domains = []
    for site in sites:
        strengths = site.legal()
        if least is not None and site in least:
            strengths = [strength for strength in strengths if site.is_as_strong(strength, least[site])]
        if without_sc and site.opcode is not Opcode.FENCE:
            strengths = [s for s in strengths if Order.SC not in (s.order, s.failure) or s == site.strength]
        if fixed is not None and site in fixed:
            strengths = [fixed[site]]
        domains.append(Domain(site, tuple(strengths), tuple(cost(site, s) for s in strengths)))
    return Space(tuple(domains))
