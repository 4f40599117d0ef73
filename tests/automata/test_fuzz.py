"""`porf prove` on random statements: against the exact decision where there is no theory, else against small graphs."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from porf.automata.prove import Judgement, prove_text
from porf.checking.budget import Budget
from porf.errors import ModelError
from tests.automata import random_statements as some
from tests.automata.derivatives import included
from tests.automata.meaning import read
from tests.automata.oracle import refutations
from tests.seeds import seeds

ALPHABETS = {
    "free": some.FREE,
    "converse": some.CONVERSE,
    "local": some.LOCAL,
    "base": some.BASE,
    "base with converse": some.BASE_CONVERSE,
    "core": some.CORE,
    "fences": some.FENCES,
}
BATCH = 20
QUICK = dict.fromkeys(ALPHABETS, 3)
FULL = dict.fromkeys(ALPHABETS, 400)


def proved(text: str) -> list[Judgement]:
    return prove_text(text, budget=Budget(seconds=5))


def judged(text: str, most: int) -> Counter[str]:
    """How often each verdict came with and without a small graph that refutes; a proof never does."""
    results = proved(text)
    file = read(text)
    refuted = {refutation.line for refutation in refutations(file, (2, most), effort=2000)}
    for result in results:
        assert result.verdict != "holds" or result.line not in refuted, f"proved, but false: {text}\n{result.statement}"
    return Counter(f"{result.verdict}, {'refuted' if result.line in refuted else 'not refuted'}" for result in results)


def assertions(statements: list[str]) -> str:
    return "".join(f"assert {statement}\n" for statement in statements)


def without_assumptions(name: str, batches: int) -> None:
    alphabet, rng, counts = ALPHABETS[name], random.Random(f"{name} {batches}"), Counter[str]()
    for _ in range(batches):
        lines = assertions([some.statement(rng, alphabet) for _ in range(BATCH)])
        counts += judged(alphabet.declarations + lines, most=4)
    assert counts["holds, not refuted"] > 0.2 * counts.total()
    assert counts["fails, refuted"] > 0.2 * counts.total()


@pytest.mark.parametrize("name", QUICK)
def test_proofs_have_no_small_counterexample(name: str) -> None:
    without_assumptions(name, QUICK[name])


@pytest.mark.full
@pytest.mark.parametrize("name", FULL)
def test_thousands_of_proofs_have_no_small_counterexample(name: str) -> None:
    without_assumptions(name, FULL[name])


@pytest.mark.parametrize("seed", seeds(8, 20))
def test_without_a_theory_the_verdict_is_exact(seed: int) -> None:
    rng, alphabet = random.Random(seed), some.FREE
    pairs = [some.sides(rng, alphabet, 6) for _ in range(250)]
    text = alphabet.declarations + assertions([f"{some.text_of(a)} <= {some.text_of(b)}" for a, b in pairs])
    expected = ["holds" if included(a, b, alphabet) else "fails" for a, b in pairs]
    assert [result.verdict for result in proved(text)] == expected
    assert {"holds", "fails"} == set(expected)


def assumed(rng: random.Random, alphabet: some.Alphabet, most: int) -> list[str]:
    """Assumptions that are not refused."""
    while True:
        schemes = alphabet is some.FENCES and rng.random() < 0.8
        drawn = [some.scheme(rng) if schemes else some.assumption(rng, alphabet) for _ in range(rng.randint(1, most))]
        out = [f"assume {one}\n" for one in drawn]
        try:
            prove_text(alphabet.declarations + "".join(out))
        except ModelError:
            continue
        return out


def under_assumptions(name: str, batches: int) -> None:
    alphabet, rng, counts = ALPHABETS[name], random.Random(f"assume {name} {batches}"), Counter[str]()
    for _ in range(batches):
        theory = "".join(assumed(rng, alphabet, 3))
        lines = assertions([some.statement(rng, alphabet, 4) for _ in range(6)])
        counts += judged(alphabet.declarations + theory + lines, most=4)
    assert counts["holds, not refuted"] > 0.2 * counts.total()


@pytest.mark.parametrize("name", QUICK)
def test_proofs_under_assumptions_have_no_small_counterexample(name: str) -> None:
    under_assumptions(name, 3)


@pytest.mark.full
@pytest.mark.parametrize("name", FULL)
def test_thousands_of_proofs_under_assumptions_have_no_small_counterexample(name: str) -> None:
    under_assumptions(name, 300)


@pytest.mark.parametrize("name", ["free", "base", "fences"])
def test_the_order_of_assumptions_does_not_matter(name: str) -> None:
    alphabet, rng = ALPHABETS[name], random.Random(name)
    for _ in range(4):
        theory = assumed(rng, alphabet, 3)
        lines = assertions([some.statement(rng, alphabet, 4) for _ in range(4)])
        verdicts = {
            tuple(result.verdict for result in proved(alphabet.declarations + "".join(order) + lines))
            for order in permutations(theory)
        }
        assert len(verdicts) == 1, (theory, lines, verdicts)
