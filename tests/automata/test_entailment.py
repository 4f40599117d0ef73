"""One model implies another: what is proved, and that no execution says otherwise."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from porf.automata.entailment import prove_stronger
from porf.checking.budget import Budget
from porf.comparison.hierarchy import stored
from porf.comparison.separate import separate
from porf.comparison.vocabulary import Lens, Question
from porf.models import MODELS, find_model
from tests.seeds import seeds

KNOWN = [
    *(
        ("sc", weaker)
        for weaker in ("tso", "pso", "rmo", "sra", "ra", "rc20", "relaxed", "rc11", "cpp20", "imm", "arm8", "power")
    ),
    *(("tso", weaker) for weaker in ("pso", "rmo", "sra", "ra", "rc20", "relaxed", "imm", "power")),
    *(("sra", weaker) for weaker in ("ra", "rc20", "relaxed")),
    *(("ra", "rc20"), ("rc20", "relaxed"), ("pso", "relaxed")),
]


@pytest.mark.parametrize(("strong", "weak"), KNOWN)
def test_what_is_known_is_proved(strong: str, weak: str) -> None:
    assert prove_stronger(MODELS[strong], MODELS[weak], None, Budget()) is not None


@pytest.mark.parametrize("third", seeds(1, 3))
def test_no_pair_that_an_execution_separates_is_proved(third: int) -> None:
    separated = [pair for pair, entry in stored().entries.items() if entry.history is not None]
    assert len(separated) > 200
    for strong, weak in separated[third::3]:
        assert prove_stronger(MODELS[strong], MODELS[weak], None, Budget(seconds=5)) is None, (strong, weak)


STEPS = ["po", "po-loc", "rf", "rfe", "rfi", "mo", "moe", "moi", "fr", "fre", "fri"]
TESTS = {
    "one": ["W", "R", "U", "W \\ U", "R \\ U", "F", "geACQ", "geREL", "SC", "~geREL"],
    "two": ["W", "R", "U", "F", "geACQ", "geREL", "SC", "W & U", "~geACQ", "RLX"],
}


def relation(rng: random.Random, view: str, depth: int = 2) -> str:
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return rng.choice([*STEPS, "rmw"] if view == "two" else STEPS)
    if kind < 0.5:
        return f"[{rng.choice(TESTS[view])}]; {relation(rng, view, depth - 1)}"
    if kind < 0.65:
        return f"({relation(rng, view, depth - 1)}; {relation(rng, view, depth - 1)})"
    if kind < 0.7:
        return f"({relation(rng, view, depth - 1)} & loc)"
    if kind < 0.75:
        return f"({relation(rng, view, depth - 1)} \\ {relation(rng, view, depth - 1)})"
    return f"({relation(rng, view, depth - 1)} | {relation(rng, view, depth - 1)})"


Axiom = tuple[str, list[str]]  # its kind, and the parts of a union


def axioms(rng: random.Random, view: str) -> list[Axiom]:
    out = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(["acyclic", "acyclic", "irreflexive"])
        out.append((kind, [relation(rng, view) for _ in range(rng.randint(1, 4))]))
    if rng.random() < 0.6:
        out.append(("acyclic", ["po-loc", "rf", "mo", "fr"]))
    if view == "two" and rng.random() < 0.4:
        out.append(("empty", ["rmw & (fr; mo)"]))
    return out


def weakened(rng: random.Random, strong: list[Axiom]) -> list[Axiom]:
    """Some of the axioms, with parts left out."""
    kept = [axiom for axiom in strong if rng.random() < 0.7] or strong[:1]
    return [(kind, rng.sample(parts, max(1, len(parts) - 1))) for kind, parts in kept]


def written(view: str, model: list[Axiom], path: Path) -> Path:
    lines = [f"{kind} {' | '.join(parts)}" for kind, parts in model]
    path.write_text("\n".join([f"(* Events: {view} *)", *lines]))
    return path


def proofs_are_not_refuted(seed: int, tries: int, events: int, folder: Path) -> tuple[int, int]:
    rng = random.Random(seed)
    proved = separated = 0
    for _ in range(tries):
        views = rng.choice([("one", "one"), ("one", "two"), ("two", "two")])
        known = axioms(rng, views[0])
        close = rng.random() < 0.5
        wanted = weakened(rng, known) if close else axioms(rng, views[1])
        strong, weak = written(views[0], known, folder / "strong.cat"), written(views[1], wanted, folder / "weak.cat")
        a, b = find_model(strong), find_model(weak)
        proof = prove_stronger(a, b, None, Budget(seconds=5))
        if proof is None and rng.random() < 0.7:
            continue
        question = Question(Lens.of(a), Lens.of(b))
        found = separate([question], events, Budget(seconds=5))[question].found
        assert proof is None or found is None, (strong.read_text(), weak.read_text(), found)
        proved += proof is not None
        separated += found is not None
    return proved, separated


@pytest.mark.parametrize("seed", seeds(2, 4))
def test_proofs_between_random_models_have_no_small_counterexample(seed: int, tmp_path: Path) -> None:
    proved, _ = proofs_are_not_refuted(seed, 30, 3, tmp_path)
    assert proved > 3


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_proofs_between_random_models_have_no_small_counterexample(seed: int, tmp_path: Path) -> None:
    proved, separated = proofs_are_not_refuted(seed, 400, 4, tmp_path)
    assert proved > 40
    assert separated > 4
