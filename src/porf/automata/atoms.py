"""Atoms: what an event can be, as far as the predicates of a question distinguish events."""

from collections.abc import Iterable

from porf.automata.expression import Formula, negation, predicates_of

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
    operator, *parts = formula
    if operator == "not":
        inner = parts[0]
        if isinstance(inner, str):
            return [(frozenset(), frozenset((inner,)))]
        if inner[0] == "not":
            return clauses_of(inner[1])
        dual = "or" if inner[0] == "and" else "and"
        return clauses_of((dual, *map(negation, inner[1:])))
    if operator == "and":
        return [clause for part in parts for clause in clauses_of(part)]
    out: list[Clause] = [(frozenset(), frozenset())]
    for part in parts:
        out = [(some | more, none | fewer) for some, none in out for more, fewer in clauses_of(part)]
    return [clause for clause in out if not clause[0] & clause[1]]


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
        if formula not in self._masks:
            self._masks[formula] = self._mask(formula)
        return self._masks[formula]

    def _mask(self, formula: Formula) -> int:
        if isinstance(formula, bool):
            return self.all if formula else 0
        if isinstance(formula, str):
            assert formula in self.predicates, formula
            return sum(1 << at for at, held in enumerate(self.members) if formula in held)
        operator, first, *rest = formula
        out = self.mask(first)
        if operator == "not":
            return self.all & ~out
        for part in rest:
            out = out & self.mask(part) if operator == "and" else out | self.mask(part)
        return out


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
