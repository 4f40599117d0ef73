"""Atoms: what an event can be, as far as the predicates of a question distinguish events."""

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import and_, or_
from typing import Literal

from porf.language.formula import Compound, Formula, folded, negation, predicates_of

Clause = tuple[frozenset[str], frozenset[str]]  # one of the first holds, or one of the second does not

MOST_ATOMS = 1 << 14


class TooManyAtomsError(Exception):
    """So many independent predicates that their combinations cannot be listed."""


def clauses_of(formula: Formula) -> list[Clause]:
    """A formula that holds of every event, as clauses."""
    if formula is True:
        return []
    if formula is False:
        return [(frozenset(), frozenset())]
    if isinstance(formula, str):
        return [(frozenset((formula,)), frozenset())]
    return list(_clauses(formula))


@lru_cache(maxsize=1 << 12)
def _clauses(formula: Formula) -> tuple[Clause, ...]:
    """Each different one once."""
    if not isinstance(formula, Compound):
        return tuple(clauses_of(formula))
    if formula.operator == "not":
        inner = formula.parts[0]
        if not isinstance(inner, Compound):
            return ((frozenset(), frozenset(predicates_of(inner))),)
        dual: Literal["and", "or"] = "or" if inner.operator == "and" else "and"
        return _clauses(Compound(dual, tuple(map(negation, inner.parts))))
    found: dict[Clause, None] = {}
    if formula.operator == "and":
        for part in formula.parts:
            found |= dict.fromkeys(_clauses(part))
    else:
        found = {(frozenset(), frozenset()): None}
        for part in formula.parts:
            if len(found) * len(_clauses(part)) > MOST_ATOMS:
                raise TooManyAtomsError
            found = {(some | more, none | fewer): None for some, none in found for more, fewer in _clauses(part)}
        found = {clause: None for clause in found if not clause[0] & clause[1]}
    if len(found) > MOST_ATOMS:
        raise TooManyAtomsError
    return tuple(found)


class Atoms:
    """Every combination of the predicates that an event can have; a set of atoms is an integer, one bit per atom."""

    def __init__(self, predicates: Iterable[str], clauses: Iterable[Clause]) -> None:
        self.predicates = tuple(sorted(predicates))
        found = _combinations(self.predicates, list(clauses))
        self.members = sorted(found, key=lambda held: (len(held), sorted(held)))
        self.all = (1 << len(self.members)) - 1
        self._masks: dict[Formula, int] = {}

    def __len__(self) -> int:
        return len(self.members)

    def mask(self, formula: Formula) -> int:
        """The atoms that satisfy a formula."""
        return folded(formula, self._masks, self._mask, self._combined)

    def _mask(self, name: bool | str) -> int:
        if isinstance(name, bool):
            return self.all if name else 0
        assert name in self.predicates, name
        return sum(1 << at for at, held in enumerate(self.members) if name in held)

    def _combined(self, operator: str, masks: list[int]) -> int:
        if operator == "not":
            return self.all & ~masks[0]
        return reduce(and_ if operator == "and" else or_, masks)


def bits(mask: int) -> list[int]:
    """The numbers of the atoms in a set."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def _combinations(predicates: tuple[str, ...], clauses: list[Clause]) -> set[frozenset[str]]:
    """Combinations that can be completed to all predicates; what nothing forces to hold does not."""
    relevant = dict.fromkeys(predicates)
    grown = True
    while grown:
        grown = False
        for some, none in clauses:
            if some and (not none or any(name in relevant for name in none)):
                for name in sorted(some - relevant.keys()):
                    relevant[name] = None
                    grown = True
    order = list(relevant)
    place = {name: at for at, name in enumerate(order)}
    due: list[list[Clause]] = [[] for _ in order]
    for some, none in clauses:
        if all(name in place for name in (*some, *none)):
            if not some and not none:
                return set()
            due[max(place[name] for name in (*some, *none))].append((some, none))
    own, found = set(predicates), set()
    partial: list[tuple[int, frozenset[str]]] = [(0, frozenset())]
    while partial:
        at, held = partial.pop()
        if at == len(order):
            found.add(held & own)
            if len(found) > MOST_ATOMS:
                raise TooManyAtomsError
            continue
        for candidate in (held, held | {order[at]}):
            if all(some & candidate or none - candidate for some, none in due[at]):
                partial.append((at + 1, candidate))
    return found


def all_predicates(formulas: Iterable[Formula]) -> set[str]:
    return set().union(*map(predicates_of, formulas))
