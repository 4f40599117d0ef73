"""The generic decision procedure against all modification orders of small executions, and its evidence."""

from __future__ import annotations

import itertools
import random

import pytest

from porf.checking.generic import search
from porf.errors import UsageError
from porf.evidence.data import Edge, Proof, Witness
from porf.execution import Execution
from porf.language import ModelFile, evaluate, load_model_file, parse_model
from porf.language.model_file import BUNDLED
from tests.checking.fig2_by_hand import MODELS, ByHand
from tests.checking.small_executions import execution, litmus_execution, modification_orders, random_execution
from tests.seeds import seeds

FILES = {name: load_model_file(BUNDLED / f"{name}.cat") for name in MODELS}


def mo_of(witness: Witness, g: Execution) -> list[tuple[int, int]]:
    pairs = []
    for x in range(g.locations):
        line = witness.of(x).tolist()
        assert sorted(line) == [e for e in range(len(g)) if g.loc[e] == x and g.writes(e)]
        pairs += list(itertools.pairwise(line))
    return pairs


def base_edges(hand: ByHand, known: list[tuple[int, int]]) -> dict[str, set[tuple[int, int]]]:
    mo = {(~x, e) for x in range(hand.g.locations) for e in hand.w if e >= 0 and hand.loc(e) == x} | set(known)
    while more := {(a, d) for a, b in mo for c, d in mo if b == c} - mo:
        mo |= more
    back = {(b, a) for a, b in hand.rf}
    fr = {(r, v) for r, w in back for u, v in mo if u == w and r != v}
    edges = {"po": set(hand.po), "rf": set(hand.rf), "rf^-1": back, "mo": mo, "fr": fr}
    for kind, (sources, targets) in hand.g.dependencies.items():
        edges[kind] = set(zip(sources.tolist(), targets.tolist(), strict=True))
    return edges


def verify(proof: Proof, model: ModelFile, hand: ByHand, known: list[tuple[int, int]]) -> None:
    """Every step refutes the opposite edge, and every cycle is made of edges known where it stands."""
    known = list(known)
    for step in proof.steps:
        verify(step.refutation, model, hand, [*known, (step.after, step.before)])
        known.append((step.before, step.after))
    edges = base_edges(hand, known)
    assert proof.cycle
    for edge in proof.cycle:
        assert (edge.source, edge.target) in edges[edge.relation], edge
    for edge, onward in zip(proof.cycle, proof.cycle[1:], strict=False):
        assert edge.target == onward.source
    if proof.axiom != "weak-atomicity":
        assert proof.cycle[-1].target == proof.cycle[0].source
    assert proof.axiom in evaluate(model, hand.g, known).violated


@pytest.mark.parametrize("seed", seeds(5, 12))
def test_agrees_with_all_modification_orders(seed: int) -> None:
    rng = random.Random(seed)
    for at in range(300):
        g = litmus_execution(rng)
        if at % 4 == 0:
            g = random_execution(rng, rng.randint(1, 8), rng.randint(1, 4), rng.randint(1, 2))
        hand = ByHand(g)
        consistent = hand.consistent()
        for name, model in FILES.items():
            verdict, evidence = search(g, model)
            assert verdict == ("consistent" if name in consistent else "inconsistent"), (name, g)
            if isinstance(evidence, Witness):
                assert evaluate(model, g, mo_of(evidence, g)).violated == []
            else:
                assert isinstance(evidence, Proof)
                verify(evidence, model, hand, [])


def test_the_models_form_the_known_hierarchy() -> None:
    """Each chain from strong to weak; every step but the rarest is seen to be strict."""
    rng = random.Random(7)
    allowed = []
    for _ in range(1500):
        g = litmus_execution(rng)
        allowed.append({name for name in MODELS if search(g, FILES[name])[0] == "consistent"})
    chains = [
        ("sc", "tso", "pso", "rmo"),
        ("sc", "sra", "ra", "rc20", "relaxed"),
        ("ra", "wra"),
        ("pso", "relaxed"),
    ]
    for chain in chains:
        for strong, weak in itertools.pairwise(chain):
            assert all(weak in models for models in allowed if strong in models), (strong, weak)
            assert (strong, weak) == ("sra", "ra") or any(weak in models and strong not in models for models in allowed)


def test_two_plus_two_writes_separate_sra_from_ra() -> None:
    """Each thread writes both locations, then reads the first write of the other: po and mo form a ring."""
    rows = [(0, 1, 0, 1, -1), (0, 1, 1, 1, -1), (0, 0, 1, 1, 3)]
    rows += [(1, 1, 1, 1, -1), (1, 1, 0, 1, -1), (1, 0, 0, 1, 0)]
    g = execution(rows, 2, 2)
    assert search(g, FILES["ra"])[0] == "consistent"
    verdict, proof = search(g, FILES["sra"])
    assert verdict == "inconsistent" and isinstance(proof, Proof)
    assert "strong-write-coherence" in {proof.axiom, *(step.refutation.axiom for step in proof.steps)}


def clauses_as_execution(rng: random.Random, variables: int, clauses: int) -> Execution:
    """Each location has two writes, and their order is a truth value; a clause is a ring of threads.

    A thread reads the later write of one literal and then the earlier write of the next, so that three false
    literals close a cycle. Probing sees one value at a time, hence such executions need proofs by cases.
    """
    rows = [(2 * x + value, 1, x, 1, -1) for x in range(variables) for value in (0, 1)]
    threads = 2 * variables
    for _ in range(clauses):
        literals = [(x, rng.randrange(2)) for x in rng.sample(range(variables), 3)]
        for (x, first), (y, second) in zip(literals, [*literals[1:], literals[0]], strict=True):
            rows += [(threads, 0, x, 1, 2 * x + 1 - first), (threads, 0, y, 1, 2 * y + second)]
            threads += 1
    return execution(rows, threads, variables)


def depth(proof: Proof) -> int:
    return max((1 + depth(step.refutation) for step in proof.steps), default=0)


def test_proofs_by_cases() -> None:
    rng = random.Random(5)
    verdicts, deepest = [], 0
    for _ in range(25):
        g = clauses_as_execution(rng, 5, rng.randint(6, 16))
        hand = ByHand(g)
        for name in ("sc", "tso", "sra"):
            expected = any(hand.holds(name, hand.order(mo)) for mo in modification_orders(g))
            verdict, evidence = search(g, FILES[name])
            assert verdict == ("consistent" if expected else "inconsistent")
            verdicts.append(verdict)
            if isinstance(evidence, Proof):
                verify(evidence, FILES[name], hand, [])
                deepest = max(deepest, depth(evidence))
    assert len(set(verdicts)) == 2
    assert deepest >= 2


def test_store_buffering_closes_in_four_edges() -> None:
    g = execution([(0, 1, 0, 1, -1), (0, 0, 1, 1, -1), (1, 1, 1, 1, -1), (1, 0, 0, 1, -1)], 2, 2)
    verdict, proof = search(g, FILES["sc"])
    assert verdict == "inconsistent" and isinstance(proof, Proof)
    expected = (Edge(0, "po", 1), Edge(1, "fr", 2), Edge(2, "po", 3), Edge(3, "fr", 0))
    assert proof == Proof("sc", expected)
    assert {name for name in MODELS if search(g, FILES[name])[0] == "consistent"} == set(MODELS) - {"sc"}


def test_a_model_without_mo_still_gets_an_order() -> None:
    g = execution([(0, 1, 0, 1, -1), (1, 0, 0, 1, 0), (1, 1, 0, 1, -1)], 2, 1)
    verdict, witness = search(g, FILES["wra"])
    assert verdict == "consistent" and isinstance(witness, Witness)
    assert witness.of(0).tolist() == [0, 2]


def test_a_negated_axiom_is_decided_on_total_orders() -> None:
    model = parse_model("~empty [U];mo;[W] as update-first")
    g = execution([(0, 1, 0, 1, -1), (1, 2, 0, 1, -1)], 2, 1)
    verdict, witness = search(g, model)
    assert verdict == "consistent" and isinstance(witness, Witness)
    assert witness.of(0).tolist() == [1, 0]
    only_write = execution([(0, 1, 0, 1, -1), (1, 1, 0, 1, -1)], 2, 1)
    assert search(only_write, model)[0] == "inconsistent"


def test_a_spent_budget_decides_nothing() -> None:
    g = execution([(t, 1, 0, 1, -1) for t in range(9)], 9, 1)
    never = parse_model("~empty mo & 0 as never")  # every order is tried, and none will do
    assert search(g, never, steps=1) == ("undecided", None)
    assert search(g, never, seconds=1e-6) == ("undecided", None)


def test_progress_is_reported_and_may_interrupt() -> None:
    class StopError(Exception):
        pass

    def stop(_: int) -> None:
        raise StopError

    g = execution([(t, 1, 0, 1, -1) for t in range(9)], 9, 1)
    with pytest.raises(StopError):
        search(g, parse_model("~empty mo & 0 as never"), progress=stop)


def test_mo_of_different_locations_is_refused() -> None:
    g = execution([(0, 1, 0, 1, -1), (0, 1, 1, 1, -1)], 1, 2)
    with pytest.raises(UsageError, match="one location"):
        evaluate(FILES["sc"], g, [(0, 1)])
