"""Random kat statements, as text. The right side is mostly the left one changed in a few places, so that many hold."""

from __future__ import annotations

import random
from dataclasses import dataclass

Tree = tuple["str | Tree", ...]  # an operator and its operands; a letter or a test alone is ("letter", name)

EMPTY: Tree = ("letter", "0")
IDENTITY: Tree = ("letter", "id")


@dataclass(frozen=True)
class Alphabet:
    """Which letters and tests expressions are made of, and what has to be declared for them."""

    letters: tuple[str, ...]
    tests: tuple[str, ...]
    declarations: str = ""
    converse: bool = False


def declared(letters: str, tests: str) -> str:
    return "".join(f"relation {name}\n" for name in letters) + "".join(f"predicate {name}\n" for name in tests)


FREE = Alphabet(("r", "s"), ("P",), declared("rs", "P"))
CONVERSE = Alphabet(("r", "s"), ("P",), declared("rs", "P"), converse=True)
LOCAL = Alphabet(("r", "r-loc", "s", "po", "po-loc", "rf", "mo", "fr"), ("R", "W"), declared("rs", ""), converse=True)
BASE = Alphabet(
    ("po", "po", "po-loc", "rf", "rfe", "rfi", "mo", "moe", "moi", "fr", "fre", "fri", "rmw", "ctrl", "detour"),
    ("R", "W", "F", "SC", "ACQ", "EXCL"),
)
BASE_CONVERSE = Alphabet(("po", "po-loc", "rf", "rfe", "mo", "fr", "rmw", "any"), ("R", "W", "F", "SC"), converse=True)
CORE = Alphabet(("po", "rf", "mo", "fr"), ("R", "W", "F"))
FENCES = Alphabet(("po", "po", "po", "po-loc", "rfe", "mo", "fr"), ("R", "W", "F", "SC", "F;SC", "R|W", "ACQ"))


def expression(rng: random.Random, alphabet: Alphabet, size: int) -> Tree:
    """About `size` letters and tests."""
    if size <= 1:
        if rng.random() < 0.2:
            return ("letter", f"[{rng.choice(alphabet.tests)}]") if rng.random() < 0.85 else IDENTITY
        letter: Tree = ("letter", rng.choice(alphabet.letters))
        return ("^-1", letter) if alphabet.converse and rng.random() < 0.25 else letter
    if rng.random() < 0.25:
        return (rng.choice("*+?"), expression(rng, alphabet, size - 1))
    if alphabet.converse and rng.random() < 0.08:
        return ("^-1", expression(rng, alphabet, size - 1))
    cut = rng.randint(1, size - 1)
    operator = rng.choice(";;|")
    return (operator, expression(rng, alphabet, cut), expression(rng, alphabet, size - cut))


def changed(rng: random.Random, alphabet: Alphabet, tree: Tree) -> Tree:
    """The tree with one part made larger, smaller or other."""
    if tree[0] != "letter" and rng.random() < 0.7:
        at = rng.randrange(1, len(tree))
        part = tree[at]
        assert isinstance(part, tuple)
        return (*tree[:at], changed(rng, alphabet, part), *tree[at + 1 :])
    other = expression(rng, alphabet, rng.randint(1, 2))
    parts = [part for part in tree[1:] if isinstance(part, tuple)]
    return rng.choice(
        [
            ("|", tree, other),
            ("|", other, tree),
            ("*", tree),
            ("+", tree),
            ("?", tree),
            (";", tree, ("?", other)),
            ("*", ("|", tree, other)),
            ("+", ("|", tree, other)),
            (";", tree, ("*", tree)),
            rng.choice(parts) if parts else other,
            (tree[0], *reversed(tree[1:])) if len(tree) == 3 else tree,
            (";", tree, other),
            other,
        ]
    )


def text_of(tree: Tree) -> str:
    operator, *parts = tree
    shown = [part if isinstance(part, str) else text_of(part) for part in parts]
    if operator == "letter":
        return shown[0]
    if len(shown) == 1:
        return f"({shown[0]}){operator}"
    return "(" + f" {operator} ".join(shown) + ")"


def sides(rng: random.Random, alphabet: Alphabet, most: int = 5) -> tuple[Tree, Tree]:
    """The left and the right of an inclusion."""
    left = expression(rng, alphabet, rng.randint(1, most))
    right = left
    if rng.random() < 0.15:
        right = expression(rng, alphabet, rng.randint(1, most))
    else:
        for _ in range(rng.randint(1, 3)):
            right = changed(rng, alphabet, right)
    return (right, left) if rng.random() < 0.1 else (left, right)


def statement(rng: random.Random, alphabet: Alphabet, most: int = 5) -> str:
    left, right = map(text_of, sides(rng, alphabet, most))
    return rng.choices(
        [
            f"{left} <= {right}",
            f"{left} & id <= {right}",
            f"{left} & id <= rot ({right})",
            f"{left} = {right}",
            f"{left} & id <= 0",
            f"{left} <= 0",
        ],
        weights=[8, 4, 3, 2, 0.3, 0.3],
    )[0]


def assumption(rng: random.Random, alphabet: Alphabet) -> str:
    """One of the shapes that Kater knows, and a few more."""
    a, b = rng.choice(alphabet.letters), rng.choice(alphabet.letters)
    p, q = rng.choice(alphabet.tests), rng.choice(alphabet.tests)
    small = text_of(expression(rng, alphabet, rng.randint(1, 3)))
    return rng.choice(
        [
            f"{a};{a} <= {a}",
            f"{a}+ <= {a}",
            f"{a} <= {b}",
            f"{small} <= {a}",
            f"{small} <= {a}",
            f"{a};{b} <= {a}",
            f"{a} <= [{p}];{a};[{q}]",
            f"{a} <= [{p}];{a}",
            f"{small} = 0",
            f"{a};{b} <= 0",
            f"{a};{b} <= id",
            f"{small} <= id",
            f"[{p}];{a};[{q}] <= [{p}];{a};[{p}];{a};[{q}]",
            f"[{p}];{a};[{q}] <= {a};[{rng.choice(alphabet.tests)}];{b}",
            f"[{p}];{a} <= [{p}];{a};[{q}];{a}",
            f"{a} = {b};{rng.choice(alphabet.letters)}",
            f"{a} <= {b} | {rng.choice(alphabet.letters)}",
            f"[{p};{q}] = 0",
            f"{a} <= {a}?",
            f"{small} & id <= 0",
        ]
    )


def scheme(rng: random.Random) -> str:
    """A compilation scheme: something stands between two events of a thread, or they are not in one thread."""
    kinds = ["R", "W", "F", "R;SC", "W;SC", "F;SC", "R;ACQ", "W;REL", "R|W", "F;ACQ", "SC", "R|W|F"]
    step = rng.choice(["po", "po", "po", "po-loc"])
    source = f"[{rng.choice(kinds)}];" if rng.random() < 0.85 else ""
    target = f";[{rng.choice(kinds)}]" if rng.random() < 0.85 else ""
    fence = rng.choice(["F", "F", "F;SC", "F;ACQ", "F;REL", "W", "R"])
    return (
        source
        + rng.choices(
            [
                f"{step}{target} <= {source}{step};[{fence}];{step}{target}",
                f"{step}{target} <= {step};[{fence}];{step}",
                f"{step}{target} <= {step};[{fence}];{step};[{rng.choice(['F', 'W', 'R', 'F;SC'])}];{step}",
                f"{step}{target} = 0",
            ],
            weights=[6, 2, 1, 1],
        )[0]
    )
