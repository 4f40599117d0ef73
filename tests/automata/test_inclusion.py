"""Inclusion of guarded automata, against all short words of random ones; and cases that need one idea each."""

from __future__ import annotations

import random

import numpy as np
import pytest

from porf import _core
from porf._core import Included
from tests.automata.words_by_hand import Guarded, Question, bits
from tests.seeds import seeds

HOLDS, FAILS, CUT = Included
TIME, STEPS, MEMORY = _core.Limit.TIME, _core.Limit.STEPS, _core.Limit.MEMORY


def some(rng: random.Random, atoms: int, share: float) -> set[int]:
    return {atom for atom in range(atoms) if rng.random() < share}


def line(rng: random.Random, atoms: int, letters: int) -> Guarded:
    """States in a line, so that words are long, and some more transitions."""
    n = rng.randint(2, 5)
    transitions = [(i, some(rng, atoms, 0.8), rng.randrange(letters), i + 1) for i in range(n - 1)]
    for _ in range(rng.randint(0, 3)):
        transitions.append((rng.randrange(n), some(rng, atoms, 0.6), rng.randrange(letters), rng.randrange(n)))
    return Guarded(n, [0], transitions, [set() for _ in range(n - 1)] + [some(rng, atoms, 0.8)])


def tangle(rng: random.Random, atoms: int, letters: int) -> Guarded:
    """States with a transition or more each, seldom final at the beginning."""
    n = rng.randint(1, 4)
    transitions = [
        (rng.randrange(n), some(rng, atoms, 0.85), rng.randrange(letters), rng.randrange(n))
        for _ in range(rng.randint(n, 3 * n))
    ]
    final = [some(rng, atoms, 0.8) if rng.random() < 0.5 else set() for _ in range(n)]
    if rng.random() < 0.7:
        final[0] = set()
    return Guarded(n, rng.sample(range(n), 2) if n > 1 and rng.random() < 0.2 else [0], transitions, final)


def random_question(rng: random.Random) -> Question:
    atoms, letters = rng.randint(1, 4), rng.randint(1, 3)
    right = [tangle(rng, atoms, letters) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    limited = rng.random() < 0.5
    return Question(
        atoms,
        letters,
        line(rng, atoms, letters) if rng.random() < 0.8 else tangle(rng, atoms, letters),
        right,
        [rng.random() < 0.5 for _ in right],
        rng.random() < 0.6,
        {(r, s) for r in range(letters) for s in range(letters) if r == s or rng.random() < 0.2},
        [some(rng, atoms, 0.8) for _ in range(letters)] if limited else [],
        [some(rng, atoms, 0.8) for _ in range(letters)] if limited else [],
    )


def check(question: Question, longest: int) -> tuple[Included, int]:
    """Holds the answer against all left words up to a length; returns it, and the length of the word it gave."""
    answer, word, _, _ = question.ask()
    if answer == HOLDS:
        assert question.shortest_refused(longest) is None
        return answer, 0
    assert answer == FAILS
    assert question.counts(word) and not question.accepts(word)
    assert question.shortest_refused(min(longest, len(word[1]) - 1)) is None
    return answer, len(word[1])


@pytest.mark.parametrize("batch", seeds(6, 16))
def test_random_automata_against_all_short_words(batch: int) -> None:
    rng = random.Random(batch)
    seen: dict[tuple[bool, Included | int], int] = {}
    for _ in range(400):
        question = random_question(rng)
        longest = next(n for n in (2, 3, 4, 5) if n == 5 or (question.atoms * question.letters) ** (n + 1) > 4000)
        answer, length = check(question, longest)
        seen[question.loops, answer] = seen.get((question.loops, answer), 0) + 1
        seen[question.loops, 10 + length] = seen.get((question.loops, 10 + length), 0) + 1
    for loops in (False, True):
        assert all(seen.get((loops, kind), 0) >= 10 for kind in (HOLDS, FAILS, 11, 12, 13))


@pytest.mark.full
@pytest.mark.parametrize("batch", range(100, 140))
def test_many_random_automata_against_all_short_words(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(400):
        check(random_question(rng), 3)


def word(*letters: int, atoms: int = 1) -> Guarded:
    """The automaton of one word of letters, with any atoms."""
    every = set(range(atoms))
    transitions = [(i, every, letter, i + 1) for i, letter in enumerate(letters)]
    return Guarded(len(letters) + 1, [0], transitions, [set() for _ in letters] + [every])


def ask(left: Guarded, right: Guarded, rotate: bool, loops: bool, atoms: int = 1, letters: int = 2) -> Included:
    equal = {(r, r) for r in range(letters)}
    return Question(atoms, letters, left, [right], [rotate], loops, equal).ask()[0]


def test_a_cycle_is_accepted_by_its_square() -> None:
    """Kokologiannakis et al. 2023, before Proposition 3.10: irreflexive(r;r) implies irreflexive(r)."""
    for rotate in (False, True):
        assert ask(word(0), word(0, 0), rotate, loops=True) == HOLDS
        assert ask(word(0, 0), word(0), rotate, loops=True) == FAILS
        assert ask(word(0), word(0, 0), rotate, loops=False) == FAILS


def test_a_cycle_is_accepted_if_a_power_is_among_those_of_another() -> None:
    """Words of three letters, against words of which the number of letters is 2 modulo 5: the fourth power."""
    five = Guarded(5, [0], [(i, {0}, 0, (i + 1) % 5) for i in range(5)], [set(), set(), {0}, set(), set()])
    assert ask(word(0, 0, 0), five, False, loops=True) == HOLDS
    assert ask(word(0, 0, 0, 0, 0), five, False, loops=True) == FAILS


def test_rotation_needs_a_cycle() -> None:
    assert ask(word(0, 1), word(1, 0), False, loops=True) == FAILS
    assert ask(word(0, 1), word(1, 0), True, loops=True) == HOLDS
    assert ask(word(0, 1, 0, 1), word(1, 0), True, loops=True) == FAILS
    assert ask(word(0, 1), word(1, 0, 1, 0), True, loops=True) == HOLDS
    assert ask(word(0, 1), word(1, 0), True, loops=False) == HOLDS  # there is only one atom
    assert ask(word(0, 1, atoms=2), word(1, 0, atoms=2), True, loops=False, atoms=2) == FAILS
    assert ask(word(0, 1, atoms=2), word(1, 0, atoms=2), True, loops=True, atoms=2) == HOLDS


def test_a_word_between_two_atoms_that_nothing_tells_apart_is_no_cycle() -> None:
    question = Question(3, 2, word(0, 1, atoms=3), [word(1, 0, atoms=3)], [True], False, {(0, 0), (1, 1)})
    answer, (atoms, letters), _, _ = question.ask()
    assert answer == FAILS and letters == (0, 1) and atoms[0] != atoms[-1]


def test_a_cycle_through_an_atom_that_is_accepted_alone_is_accepted() -> None:
    """The power 0: with rotation any atom of the cycle, otherwise its first."""
    left = Guarded(3, [0], [(0, {0}, 0, 1), (1, {1}, 0, 2)], [set(), set(), {0}])
    for atom, rotate, expected in ((0, False, HOLDS), (1, False, FAILS), (1, True, HOLDS), (2, True, FAILS)):
        assert ask(left, Guarded(1, [0], [], [{atom}]), rotate, loops=True, atoms=3) == expected


def test_letters_below_others_and_between_their_atoms() -> None:
    left, right = word(0, atoms=2), Guarded(2, [0], [(0, {0}, 1, 1)], [set(), {1}])
    below = {(0, 0), (1, 1), (0, 1)}
    assert Question(2, 2, left, [right], [False], False, below).ask()[0] == FAILS
    assert Question(2, 2, left, [right], [False], False, below, [{0}, {0, 1}], [{1}, {0, 1}]).ask()[0] == HOLDS
    equal = {(0, 0), (1, 1)}
    assert Question(2, 2, left, [right], [False], False, equal, [{0}, {0, 1}], [{1}, {0, 1}]).ask()[0] == FAILS


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize("atom", [0, 63, 64, 129])
def test_more_atoms_than_bits_in_a_word(atom: int, loops: bool) -> None:
    every = set(range(130))
    left = word(0, atoms=130)
    right = Guarded(2, [0], [(0, every - {atom}, 0, 1)], [set(), every])
    question = Question(130, 1, left, [right], [loops], loops, {(0, 0)})
    answer, (atoms, letters), _, _ = question.ask()
    assert answer == FAILS and atoms[0] == atom and letters == (0,)
    question.right.append(Guarded(2, [0], [(0, {atom}, 0, 1)], [set(), every]))
    question.rotate.append(loops)
    assert question.ask()[0] == HOLDS


def near_the_end(n: int, letters: tuple[int, ...]) -> Guarded:
    """Words of 0 and 1 in which one of the letters stands n before the end, and then a letter that tells which."""
    transitions = [(0, {0}, 0, 0), (0, {0}, 1, 0)]
    for letter in letters:
        chain = [0, *range(1 + letter * n, 1 + letter * n + n), 2 * n + 1]
        transitions.append((chain[0], {0}, letter, chain[1]))
        transitions += [(chain[i], {0}, r, chain[i + 1]) for i in range(1, n) for r in (0, 1)]
        transitions.append((chain[n], {0}, 2 + letter, chain[n + 1]))
    return Guarded(2 * n + 2, [0], transitions, [set() for _ in range(2 * n + 1)] + [{0}])


def subsets(n: int, *letters: int) -> Question:
    """The right side, which may begin anywhere, must remember n letters: it comes to 2^n sets of states, no two of them
    within each other."""
    right = [near_the_end(n, (letter,)) for letter in letters]
    for automaton in right:
        automaton.initial = list(range(automaton.states))
    return Question(1, 4, near_the_end(n, (0, 1)), right, [False] * len(right), False, {(r, r) for r in range(4)})


def test_the_word_is_a_shortest_one() -> None:
    answer, _, nodes, _ = subsets(9, 0, 1).ask()
    assert answer == HOLDS and nodes >= 2**9
    answer, (_, letters), _, _ = subsets(9, 0).ask()
    assert answer == FAILS and len(letters) == 10 and letters[0] == 1 and letters[-1] == 3


def test_a_budget_cuts() -> None:
    question = subsets(16, 0, 1)
    assert question.ask(steps=20_000)[0::3] == (CUT, STEPS)
    assert question.ask(bytes=100_000)[0::3] == (CUT, MEMORY)
    assert question.ask(seconds=1e-9)[0::3] == (CUT, TIME)
    with pytest.raises(ZeroDivisionError):
        question.ask(progress=lambda steps: 1 // 0)


def empty(dtype: type[np.generic]) -> np.ndarray:
    return np.empty(0, dtype)


@pytest.mark.parametrize(
    "change",
    [
        {"states": -1},
        {"atoms": -1},
        {"initial": [2]},
        {"initial": [-1]},
        {"source": [2]},
        {"target": [-1]},
        {"letter": [-1]},
        {"letter": [0, 0]},
        {"guard": []},
        {"final": [1]},
    ],
    ids=str,
)
def test_bad_automata_are_refused(change: dict[str, int | list[int]]) -> None:
    good: dict[str, int | list[int]] = {"states": 2, "atoms": 1, "initial": [0], "source": [0], "letter": [0]}
    good |= {"target": [1], "guard": [1], "final": [0, 1]}

    def make(fields: dict[str, int | list[int]]) -> _core.GuardedAutomaton:
        kinds = {"guard": np.uint64, "final": np.uint64}
        columns = {k: v if isinstance(v, int) else np.array(v, kinds.get(k, np.int32)) for k, v in fields.items()}
        return _core.GuardedAutomaton(**columns)  # type: ignore[arg-type]

    assert make(good).states == 2
    with pytest.raises(ValueError, match=r"automaton|atoms"):
        make(good | change)


def test_bad_questions_are_refused() -> None:
    one, two = word(0).core(1), word(0, atoms=2).core(2)
    flags, sets = np.ones(1, np.uint8), bits([{0}], 1)
    assert _core.include(one, [one], [False], False, 1, flags, sets, sets, _core.Budget()).included == HOLDS
    with pytest.raises(ValueError, match="different atoms"):
        _core.include(one, [two], [False], False, 1, flags, sets, sets, _core.Budget())
    with pytest.raises(ValueError, match="rotate"):
        _core.include(one, [one], [], False, 1, flags, sets, sets, _core.Budget())
    with pytest.raises(ValueError, match="below"):
        _core.include(one, [one], [False], False, 1, empty(np.uint8), sets, sets, _core.Budget())
    with pytest.raises(ValueError, match="sets of atoms"):
        _core.include(one, [one], [False], False, 1, flags, empty(np.uint64), sets, _core.Budget())
    with pytest.raises(ValueError, match="letter"):
        _core.include(
            one, [one], [False], False, 0, empty(np.uint8), empty(np.uint64), empty(np.uint64), _core.Budget()
        )
    with pytest.raises(ValueError, match="letters"):
        _core.include(one, [one], [False], False, -1, flags, sets, sets, _core.Budget())
