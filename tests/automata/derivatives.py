"""Inclusion of expressions without any theory, decided exactly, by partial derivatives.

Expressions are the trees of `random_statements.py`, without converse. A guarded word alternates atoms and letters; an
atom is the set of tests that an event satisfies.
"""

from __future__ import annotations

from itertools import chain, combinations

from tests.automata.random_statements import IDENTITY, Alphabet, Tree

Atom = frozenset[str]


def _ends(tree: Tree, atom: Atom) -> bool:
    """Whether the word that is this atom alone is accepted."""
    match tree:
        case ("letter", "id"):
            return True
        case ("letter", str(name)):
            return name.startswith("[") and name[1:-1] in atom
        case ("*" | "?", _):
            return True
        case ("+", tuple(body)):
            return _ends(body, atom)
        case ("|", tuple(a), tuple(b)):
            return _ends(a, atom) or _ends(b, atom)
        case (";", tuple(a), tuple(b)):
            return _ends(a, atom) and _ends(b, atom)
    raise AssertionError(tree)


def _after(tree: Tree, atom: Atom, letter: str) -> set[Tree]:
    """What may follow the atom and the letter."""
    match tree:
        case ("letter", name):
            return {IDENTITY} if name == letter else set()
        case ("?", tuple(body)):
            return _after(body, atom, letter)
        case ("*" | "+", tuple(body)):
            return {_then(rest, ("*", body)) for rest in _after(body, atom, letter)}
        case ("|", tuple(a), tuple(b)):
            return _after(a, atom, letter) | _after(b, atom, letter)
        case (";", tuple(a), tuple(b)):
            out = {_then(rest, b) for rest in _after(a, atom, letter)}
            return out | _after(b, atom, letter) if _ends(a, atom) else out
    raise AssertionError(tree)


def _then(first: Tree, second: Tree) -> Tree:
    return second if first == IDENTITY else (";", first, second)


def included(left: Tree, right: Tree, alphabet: Alphabet) -> bool:
    """Every guarded word of the left is one of the right: so on every graph the left relation is in the right one."""
    tests = alphabet.tests
    atoms = [frozenset(held) for held in chain.from_iterable(combinations(tests, k) for k in range(len(tests) + 1))]
    seen = {(left, frozenset({right}))}
    open_pairs = list(seen)
    while open_pairs:
        one, others = open_pairs.pop()
        for atom in atoms:
            if _ends(one, atom) and not any(_ends(other, atom) for other in others):
                return False
            for letter in set(alphabet.letters):
                allowed = frozenset(chain.from_iterable(_after(other, atom, letter) for other in others))
                new = {(rest, allowed) for rest in _after(one, atom, letter)} - seen
                seen |= new
                open_pairs.extend(new)
    return True
