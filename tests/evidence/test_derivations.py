"""Derivations, the evidence of the causal criteria: tampered ones are rejected; words, JSON and pictures show them."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from porf import _core, check, loads
from porf.checking.global_order import witness_of
from porf.errors import EvidenceError
from porf.evidence.data import Derivation, Edge, Proof
from porf.evidence.verify import verify
from porf.execution import Execution
from porf.generate import broken, interleaving
from porf.language import evaluate
from porf.models import MODELS
from tests.checking.small_executions import reads_and_writes

FIG_1B = """
T0 w z 1 id=z1
T0 w x 1 id=x1
T0 w y 1 id=y1
T1 w x 2 id=x2
T1 r z 0 id=rz
T1 r y 1 id=ry
T1 r x 2 id=rx
"""


def rejected(g: Execution, model: str, proof: Proof, words: str | None = None) -> bool:
    with pytest.raises(EvidenceError, match=words):
        verify(g, MODELS[model], "inconsistent", None, proof)
    return True


def proof_of(g: Execution, model: str) -> Proof:
    proof = check(g, model, algorithm="kernel", verify=True).proof
    assert proof is not None
    return proof


def with_derivation(proof: Proof, at: int, derivation: Derivation) -> Proof:
    return replace(proof, derivations=(*proof.derivations[:at], derivation, *proof.derivations[at + 1 :]))


def test_an_edge_needs_its_derivation() -> None:
    g = loads(FIG_1B)
    proof = proof_of(g, "cm")
    assert len(proof.derivations) == 2
    assert rejected(g, "cm", replace(proof, derivations=()), "no hb edge")
    assert rejected(g, "cm", replace(proof, derivations=proof.derivations[1:]), "which it may not")
    assert rejected(g, "cm", replace(proof, derivations=proof.derivations[::-1]), "which it may not")


def test_a_rule_is_kept() -> None:
    g = loads(FIG_1B)
    proof = proof_of(g, "cm")
    first = proof.derivations[0]
    *walk, back = first.path
    wrong = {
        "own thread": replace(first, thread=0),
        "not about its edge": replace(first, edge=Edge(0, "hb", 3)),
        "do not meet": replace(first, path=(*walk[:-1], back)),
        "does not end in a read": replace(first, path=(*walk, Edge(6, "po", 3))),
        "without a rule": replace(first, edge=Edge(1, "so", 3)),
        "no rf edge": replace(first, path=(walk[0], Edge(2, "rf", 6), back)),
        "no po edge": replace(first, path=(Edge(1, "po", 6), back)),
        "is not in po-loc": replace(first, keeps="po-loc"),
        "which it may not": replace(first, path=(Edge(1, "cf", 6), back)),
    }
    for words, derivation in wrong.items():
        assert rejected(g, "cm", with_derivation(proof, 0, derivation), words)


def test_a_view_takes_no_other_view_s_edges() -> None:
    """Fig. 1a: each thread's view orders the writes its own way. Only together they are a cycle."""
    g = loads("T0 w x 1\nT0 r x 2\nT1 w x 2\nT1 r x 1\n")
    proof = proof_of(g, "ccm")
    assert {derivation.thread for derivation in proof.derivations} == {0, 1}
    second = proof.derivations[1]
    joint = replace(second, path=(Edge(2, "hb", 0), Edge(0, "hb", 2), *second.path))
    assert rejected(g, "ccm", with_derivation(proof, 1, joint), "which it may not")
    assert rejected(g, "cm", replace(proof, axiom="happens-before"), "does not break it")


def test_the_store_order_stays_in_its_location() -> None:
    """Fig. 1c: two rw edges. A conflict of another location is of no use for them."""
    g = loads("T0 w x 1\nT0 w x 2\nT0 r y 1\nT1 w y 1\nT1 w y 2\nT1 r y 2\nT1 r x 1\n")
    proof = proof_of(g, "ccm")
    assert [edge.relation for edge in proof.cycle] == ["po", "rw", "po", "rw"]
    elsewhere = replace(proof.derivations[1], path=(Edge(6, "rf^-1", 0), Edge(0, "po", 4), Edge(4, "po", 1)))
    assert rejected(g, "ccm", with_derivation(proof, 1, elsewhere), "no po edge")


def test_a_conflict_in_the_store_order() -> None:
    """What T0 sees makes a conflict of y for T1's read; the store order of y has it, and T0 read before that."""
    g = loads(
        "T0 w y 1 id=y1\nT0 w x 1 id=x1\nT0 r x 2\nT0 r y 1 id=r\n"
        "T1 w x 2 id=x2\nT1 r y 2\nT3 w y 2 id=y2\nT3 r x 0 id=s\n"
    )
    proof = proof_of(g, "ccm")
    assert [edge.relation for edge in proof.cycle] == ["po", "rw", "po", "rw"]
    derived = {derivation.edge.relation: derivation for derivation in proof.derivations[:3]}
    assert [edge.relation for edge in derived["cf"].path] == ["po", "hb", "po", "rf^-1"]
    assert [edge.relation for edge in derived["rw"].path] == ["rf^-1", "cf"]
    assert check(g, "cm").consistent
    assert check(g, "ccv").consistent


def test_a_conflict_of_ppo_takes_no_own_write() -> None:
    g = loads(
        "T0 r x 1\nT0 r x 2\nT1 w x 1\nT2 r y 1\nT2 r y 2\nT3 w y 2\nT4 w x 2\nT4 w y 1\nT4 r y 2\nT4 r x 1 id=r\n"
    )
    proof = proof_of(g, "wccm")
    at, derivation = next((at, d) for at, d in enumerate(proof.derivations) if d.edge.relation == "cf")
    assert derivation.keeps == "ppo"
    own = Derivation(Edge(7, "cf", 5), (Edge(7, "po", 8), Edge(8, "rf^-1", 5)), "ppo")
    assert rejected(g, "wccm", with_derivation(proof, at, own), "not in ppo")


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_is_noticed(seed: int) -> None:
    """An edge of a derivation moved, dropped or renamed: rejected, unless what it says is still so."""
    rng = random.Random(seed)
    damaged = noticed = 0
    while damaged < 150:
        g, model = reads_and_writes(rng), rng.choice(("ccv", "cm", "ccm", "wccm"))
        proof = check(g, model, algorithm="kernel").proof
        if proof is None or not proof.derivations:
            continue
        at = rng.randrange(len(proof.derivations))
        derivation = proof.derivations[at]
        where = rng.randrange(len(derivation.path))
        edge = derivation.path[where]
        other = rng.randrange(-g.locations, len(g))
        change = rng.choice((replace(edge, source=other), replace(edge, target=other), replace(edge, relation="rf")))
        if change == edge:
            continue
        path = (*derivation.path[:where], change, *derivation.path[where + 1 :])
        damaged += 1
        noticed += rejected(g, model, with_derivation(proof, at, replace(derivation, path=path)))
    assert noticed == damaged


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", ["ccv", "cm", "ccm", "wccm"])
def test_a_large_history_is_not_taken_for_consistent(model: str, seed: int) -> None:
    """Beyond the sizes of model files, the verifier computes the criterion by itself."""
    rng = random.Random(seed)
    refuted = 0
    for at in range(12):
        g = broken(interleaving(300, 4, 4, updates=0, group_by_thread=True, seed=rng.randrange(1000)), at)
        found = check(g, model, algorithm="kernel")
        if found.consistent:
            found.verify()
            continue
        refuted += 1
        rows = np.arange(len(g), dtype=np.int32)
        with pytest.raises(EvidenceError, match="the witness fails"):
            verify(g, MODELS[model], "consistent", witness_of(g, rows, interleaving=False), None)
    assert refuted > 3


@pytest.mark.parametrize("seed", range(4))
def test_the_plain_check_says_what_the_model_files_say(seed: int) -> None:
    rng = random.Random(400 + seed)
    for _ in range(250):
        g = reads_and_writes(rng)
        for criterion in _core.CausalAxioms:
            plain = _core.satisfies_causal(g.core, criterion)
            assert plain == (not evaluate(MODELS[criterion.name.lower()].file, g, []).violated)


def test_in_words() -> None:
    verdict = check(loads(FIG_1B), "cm")
    assert verdict.explain() == (
        "this cycle breaks the axiom happens-before of cm:\n\n"
        "         z1       T0 w z 1\n"
        "  -hb->  init(z)  init z 0  [2]\n"
        "  -po->  z1       T0 w z 1\n\n"
        "  [1] hb: x1 before x2 in T1's view, because x1 is before rx (x1 -po-> y1 -rf-> ry -po-> rx), which reads x2\n"
        "  [2] hb: z1 before init(z) in T1's view, because z1 is before rz (z1 -po-> x1 -hb-> x2 [1] -po-> rz), "
        "which reads init(z)"
    )


def test_in_json() -> None:
    record = check(loads(FIG_1B), "cm").record()
    edge = record["cycle"][0]
    assert (edge["from"], edge["relation"], edge["to"], edge["because"]["view"]) == ("z1", "hb", "init(z)", "T1")
    inner = edge["because"]["path"][1]
    assert (inner["from"], inner["relation"], inner["to"]) == ("x1", "hb", "x2")
    assert [step["relation"] for step in inner["because"]["path"]] == ["po", "rf", "po", "rf^-1"]
    assert record["cycle"][1]["because"] is None


def test_in_a_picture() -> None:
    picture = check(loads(FIG_1B), "cm").draw()
    assert "x1 hb x2" in picture  # the edge's own words
    assert "in T1's view" in picture
    for event in ("z1", "x1", "y1", "x2", "rz", "ry", "rx", "init z 0"):
        assert event in picture
