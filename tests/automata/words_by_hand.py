"""Inclusion of guarded automata by trying every short word: the definitions, and nothing clever.

A word is a tuple of atoms and a tuple of letters, one atom more than letters. Automata are lists; the last function
hands them to the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from porf import _core

Word = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass
class Guarded:
    """Transitions are (source, guard, letter, target); a guard and a final set are sets of atoms."""

    states: int
    initial: list[int]
    transitions: list[tuple[int, set[int], int, int]]
    final: list[set[int]]

    def reads(self, word: Word, below: set[tuple[int, int]]) -> bool:
        """Whether it accepts the word, each letter read by a transition that is labelled with one above it."""
        atoms, letters = word
        states = set(self.initial)
        for atom, letter in zip(atoms, letters, strict=False):
            states = {
                target
                for source, guard, label, target in self.transitions
                if source in states and atom in guard and (letter, label) in below
            }
        return any(atoms[-1] in self.final[state] for state in states)

    def core(self, atoms: int) -> _core.GuardedAutomaton:
        source, letter, target = (np.array([t[i] for t in self.transitions], np.int32) for i in (0, 2, 3))
        return _core.GuardedAutomaton(
            self.states,
            atoms,
            np.array(self.initial, np.int32),
            source,
            letter,
            target,
            bits([t[1] for t in self.transitions], atoms),
            bits(self.final, atoms),
        )


def bits(sets: Sequence[set[int]], atoms: int) -> np.ndarray:
    words = (atoms + 63) // 64
    out = np.zeros((len(sets), words), np.uint64)
    for row, members in enumerate(sets):
        for atom in members:
            out[row, atom // 64] |= np.uint64(1 << (atom % 64))
    return out.reshape(-1)


def power(word: Word, k: int) -> Word:
    """The cycle k times over; once it is cut at its first atom, the power 0 is that atom."""
    atoms, letters = word
    return atoms[:-1] * k + atoms[:1], letters * k


def rotations(word: Word) -> Iterator[Word]:
    """All rotations of a word that ends where it began; any other word, and one without letters, has only itself."""
    atoms, letters = word
    yield word
    if atoms[0] == atoms[-1]:
        for i in range(1, len(letters)):
            yield atoms[i:-1] + atoms[: i + 1], letters[i:] + letters[:i]


@dataclass
class Question:
    """Is every word of `left` accepted by one of `right`?"""

    atoms: int
    letters: int
    left: Guarded
    right: list[Guarded]
    rotate: list[bool]
    loops: bool
    below: set[tuple[int, int]]
    domain: list[set[int]] = field(default_factory=list)
    range: list[set[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        everything = [set(range(self.atoms)) for _ in range(self.letters)]
        self.domain = self.domain or everything
        self.range = self.range or everything

    def counts(self, word: Word) -> bool:
        """Whether a word of any kind is one of the left words in question."""
        atoms, letters = word
        placed = all(
            atoms[i] in self.domain[letter] and atoms[i + 1] in self.range[letter] for i, letter in enumerate(letters)
        )
        equal = {(r, r) for r in range(self.letters)}
        return placed and (not self.loops or atoms[0] == atoms[-1]) and self.left.reads(word, equal)

    def accepts(self, word: Word) -> bool:
        for right, rotate in zip(self.right, self.rotate, strict=True):
            for rotation in rotations(word) if rotate else [word]:
                # A word that leads on by some power leads on by one no larger than the number of states.
                powers = [power(rotation, k) for k in range(right.states + 1)] if self.loops else [rotation]
                if any(right.reads(one, self.below) for one in powers):
                    return True
        return False

    def words(self, length: int) -> Iterator[Word]:
        """The left words of a length."""
        before = {s: [t for t in self.left.transitions if t[0] == s] for s in range(self.left.states)}
        found: set[Word] = set()

        def go(state: int, word: Word) -> None:
            atoms, letters = word
            if len(letters) == length:
                found.add(word)
                return
            for _, guard, letter, target in before[state]:
                if atoms[-1] in guard:
                    for atom in range(self.atoms):
                        go(target, ((*atoms, atom), (*letters, letter)))

        for state in self.left.initial:
            for atom in range(self.atoms):
                go(state, ((atom,), ()))
        return (word for word in sorted(found) if self.counts(word))

    def shortest_refused(self, length: int) -> int | None:
        """The length of a shortest left word that is refused, up to a length."""
        return next((n for n in range(length + 1) for word in self.words(n) if not self.accepts(word)), None)

    def ask(self, **budget: object) -> tuple[_core.Included, Word, int, _core.Limit]:
        below = np.zeros((self.letters, self.letters), np.uint8)
        for r, s in self.below:
            below[r, s] = 1
        found = _core.include(
            self.left.core(self.atoms),
            [right.core(self.atoms) for right in self.right],
            self.rotate,
            self.loops,
            self.letters,
            below.reshape(-1),
            bits(self.domain, self.atoms),
            bits(self.range, self.atoms),
            _core.Budget(**budget),  # type: ignore[arg-type]
        )
        return found.included, (tuple(found.atoms), tuple(found.letters)), found.nodes, found.limit
