"""The verifier accepts what the procedures prove and rejects what was tampered with."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porf import check, loads
from porf.checking.verdict import Verdict
from porf.errors import EvidenceError
from porf.evidence.data import Edge, Proof, Step, Witness
from porf.evidence.verify import verify
from porf.execution import Execution, initial_write
from porf.language import evaluate
from porf.models import MODELS, Model, find_model
from tests.checking.brute_force import hard_execution
from tests.checking.fig2_by_hand import ByHand
from tests.checking.small_executions import execution
from tests.checking.test_generic import base_edges

NAMES = ("sc", "tso", "ra", "sra", "wra", "rc20", "relaxed")
RELATIONS = ("po", "rf", "mo", "fr", "rmw", "rf^-1", "mo^-1", "fr^-1", "po^-1", "addr", "loc", "id", "any", "", "hb")


def verdicts(seed: int, count: int, answer: str) -> Iterator[Verdict]:
    rng = random.Random(seed)
    while count:
        g, name = hard_execution(rng), rng.choice(NAMES)
        verdict = check(g, name, algorithm=rng.choice(("auto", "generic")))
        if verdict.answer == answer:
            count -= 1
            yield verdict


def accepted(g: Execution, model: Model, proof: Proof) -> bool:
    try:
        verify(g, model, "inconsistent", None, proof)
    except EvidenceError:
        return False
    return True


def truly_valid(g: Execution, model: Model, proof: Proof) -> bool:
    """By sets of pairs, and by the axioms on the whole execution."""
    return _valid(ByHand(g), model, proof, [])


def _valid(hand: ByHand, model: Model, proof: Proof, known: list[tuple[int, int]]) -> bool:
    known = list(known)
    for step in proof.steps:
        if not _valid(hand, model, step.refutation, [*known, (step.after, step.before)]):
            return False
        known.append((step.before, step.after))
    edges = base_edges(hand, known)
    for edge in proof.cycle:
        if edge.relation in ("loc", "id", "any"):
            continue  # true of events whatever the evidence is
        forth = edges.get(edge.relation.removesuffix("^-1"), set())
        back = edge.relation.endswith("^-1")
        if ((edge.target, edge.source) if back else (edge.source, edge.target)) not in forth:
            return False
    return proof.axiom in evaluate(model.file, hand.g, known).violated


def references(g: Execution) -> list[int]:
    return [*range(len(g)), *(initial_write(x) for x in range(g.locations))]


def tampered_cycles(rng: random.Random, g: Execution, proof: Proof) -> Iterator[Proof]:
    at = rng.randrange(len(proof.cycle))
    edge = proof.cycle[at]
    others: tuple[list[Edge], ...] = (
        [replace(edge, target=rng.choice(references(g)))],
        [replace(edge, source=rng.choice(references(g)))],
        [replace(edge, relation=rng.choice(RELATIONS))],
        [Edge(edge.target, edge.relation, edge.source)],
        [],
    )
    for other in others:
        cycle = (*proof.cycle[:at], *other, *proof.cycle[at + 1 :])
        if cycle != proof.cycle:
            yield replace(proof, cycle=cycle)


def tampered_steps(rng: random.Random, proof: Proof) -> Iterator[Proof]:
    at = rng.randrange(len(proof.steps))
    step = proof.steps[at]
    before, after = proof.steps[:at], proof.steps[at + 1 :]
    yield replace(proof, steps=(*before, *after))
    yield replace(proof, steps=(*before, replace(step, before=step.after, after=step.before), *after))
    yield replace(proof, steps=(*before, replace(step, refutation=replace(step.refutation, axiom="other")), *after))
    yield replace(proof, steps=(*after, step, *before))


@pytest.mark.parametrize("seed", range(4))
def test_a_tampered_proof_is_rejected_unless_it_still_proves(seed: int) -> None:
    rng = random.Random(seed)
    rejected = kept = 0
    for verdict in verdicts(seed, 120, "inconsistent"):
        g, model, proof = verdict.execution, verdict.model, verdict.proof
        assert proof is not None
        assert accepted(g, model, proof)
        changed = list(tampered_cycles(rng, g, proof))
        changed += list(tampered_steps(rng, proof)) if proof.steps else []
        changed += [replace(proof, axiom=axiom.name) for axiom in model.file.axioms if axiom.name != proof.axiom]
        for false in changed:
            if accepted(g, model, false):
                assert truly_valid(g, model, false), (model.name, false)
                kept += 1
            else:
                rejected += 1
        assert not accepted(g, model, replace(proof, axiom="no-such-axiom"))
        assert not accepted(g, model, replace(proof, cycle=()))
    assert rejected > 500
    assert rejected > 3 * kept


def stands_on(g: Execution, proof: Proof) -> set[tuple[int, int]]:
    """The mo edges under a closing cycle."""
    out = set()
    for edge in proof.cycle:
        if edge.relation in ("mo", "fr"):
            out.add((g.writer(edge.source) if edge.relation == "fr" else edge.source, edge.target))
    return out


def test_a_step_that_the_cycle_stands_on_cannot_be_dropped() -> None:
    dropped = 0
    for verdict in verdicts(5, 200, "inconsistent"):
        g, proof = verdict.execution, verdict.proof
        assert proof is not None
        for step in proof.steps:
            if (step.before, step.after) in stands_on(g, proof):
                rest = tuple(s for s in proof.steps if (s.before, s.after) != (step.before, step.after))
                assert not accepted(g, verdict.model, replace(proof, steps=rest))
                dropped += 1
    assert dropped > 50


def test_no_proof_convicts_a_consistent_execution() -> None:
    """Proofs of other executions, of stronger models, and random ones: none may stand here."""
    rng = random.Random(11)
    innocent = list(verdicts(21, 150, "consistent"))
    proofs = [verdict.proof for verdict in verdicts(22, 150, "inconsistent") if verdict.proof]
    for verdict in innocent:
        g = verdict.execution
        for proof in rng.sample(proofs, 12):
            for axiom in verdict.model.file.axioms:
                assert not accepted(g, verdict.model, replace(proof, axiom=axiom.name))
        for _ in range(12):
            assert not accepted(g, verdict.model, random_proof(rng, g, verdict.model, 2))


def random_proof(rng: random.Random, g: Execution, model: Model, depth: int) -> Proof:
    refs = references(g)
    events = [rng.choice(refs) for _ in range(rng.randint(1, 4))]
    pairs = zip(events, events[1:] + events[:1], strict=True)
    cycle = tuple(Edge(a, rng.choice(("po", "rf", "mo", "fr", "rf^-1")), b) for a, b in pairs)
    steps = []
    for _ in range(rng.randint(0, 2) if depth else 0):
        steps.append(Step(rng.choice(refs), rng.choice(refs), random_proof(rng, g, model, depth - 1)))
    return Proof(rng.choice(model.file.axioms).name, cycle, tuple(steps))


@pytest.mark.parametrize("ref", [99, -99])
def test_events_that_are_not_there_are_rejected(ref: int) -> None:
    g = loads("T0 w x 1\nT0 w x 2\nT1 r x 2\nT1 r x 1\n")
    proof = check(g, "ra").proof
    assert proof is not None
    for at, edge in enumerate(proof.cycle):
        for false in (replace(edge, source=ref), replace(edge, target=ref)):
            for relation in RELATIONS:
                cycle = (*proof.cycle[:at], replace(false, relation=relation), *proof.cycle[at + 1 :])
                assert not accepted(g, MODELS["ra"], replace(proof, cycle=cycle))
    step = proof.steps[0]
    for wrong in (replace(step, before=ref), replace(step, after=ref)):
        assert not accepted(g, MODELS["ra"], replace(proof, steps=(wrong,)))


# Witnesses


def tampered_witnesses(rng: random.Random, g: Execution, witness: Witness) -> Iterator[Witness]:
    writes, start = witness.writes, witness.start
    plain = Witness(writes, start)
    if len(writes) > 1:
        a, b = rng.sample(range(len(writes)), 2)
        swapped = writes.copy()
        swapped[[a, b]] = swapped[[b, a]]
        yield replace(plain, writes=swapped)
        twice = writes.copy()
        twice[a] = twice[b]
        yield replace(plain, writes=twice)
    if len(writes):
        yield Witness(writes[:-1], np.minimum(start, len(writes) - 1))
        yield replace(plain, writes=np.concatenate([writes[:-1], [len(g)]]).astype(np.int32))
        yield replace(plain, writes=np.concatenate([writes[:-1], [-1]]).astype(np.int32))
    if g.locations > 1 and start[1] < start[2]:
        moved = start.copy()
        moved[1] += 1
        yield replace(plain, start=moved)
    yield replace(plain, start=start[:-1])
    yield replace(plain, start=start + 1)


def lists_each_write_once(g: Execution, witness: Witness) -> bool:
    if len(witness.start) != g.locations + 1 or witness.start[0] != 0 or witness.start[-1] != len(witness.writes):
        return False
    for loc in range(g.locations):
        expected = [row for row in range(len(g)) if g.loc[row] == loc and g.writes(row)]
        if sorted(witness.of(loc).tolist()) != expected:
            return False
    return True


def holds(g: Execution, model: Model, witness: Witness) -> bool:
    """By the model file alone."""
    if not lists_each_write_once(g, witness):
        return False
    lines = [witness.of(loc).tolist() for loc in range(g.locations)]
    return not evaluate(model.file, g, [pair for line in lines for pair in itertools.pairwise(line)]).violated


def witness_accepted(g: Execution, model: Model, witness: Witness) -> bool:
    try:
        verify(g, model, "consistent", witness, None)
    except EvidenceError:
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_a_witness_is_accepted_iff_the_model_file_holds_under_it(seed: int) -> None:
    rng = random.Random(seed)
    told = {True: 0, False: 0}
    for verdict in verdicts(seed + 50, 150, "consistent"):
        g, model, witness = verdict.execution, verdict.model, verdict.witness
        assert witness is not None
        for candidate in (Witness(witness.writes, witness.start), *tampered_witnesses(rng, g, witness)):
            expected = holds(g, model, candidate)
            assert witness_accepted(g, model, candidate) == expected, (model.name, candidate)
            told[expected] += 1
    assert min(told.values()) > 150


def test_a_witness_of_one_model_offered_for_a_stronger_one() -> None:
    stronger = {"relaxed": ("rc20", "ra", "sra", "sc"), "wra": ("ra", "sra"), "ra": ("sra", "sc"), "tso": ("sc",)}
    refused = 0
    for verdict in verdicts(77, 900, "consistent"):
        g, witness = verdict.execution, verdict.witness
        assert witness is not None
        for name in stronger.get(verdict.model.name, ()):
            given = Witness(witness.writes, witness.start)
            assert witness_accepted(g, MODELS[name], given) == holds(g, MODELS[name], given)
            refused += not holds(g, MODELS[name], given)
    assert refused > 5


def test_an_interleaving_is_held_to_its_word() -> None:
    g = loads("T0 w x 1\nT1 r x 1\nT1 w x 2\n")
    verdict = check(g, "sc")
    witness = verdict.witness
    assert witness is not None
    assert witness.interleaving is not None
    for rows in ([1, 0, 2], [0, 2, 1], [0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], []):
        assert not witness_accepted(g, MODELS["sc"], replace(witness, interleaving=np.array(rows, np.int32)))
    weak = loads("T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0\n")
    found = check(weak, "ra").witness
    assert found is not None
    assert not witness_accepted(weak, MODELS["ra"], replace(found, interleaving=np.arange(4, dtype=np.int32)))


def test_an_interleaving_proves_nothing_in_a_users_model(tmp_path: Path) -> None:
    (tmp_path / "never.cat").write_text('"never"\nempty po as nothing\n')
    g = loads("T0 w x 1\nT0 w x 2\n")
    witness = check(g, "sc").witness
    assert witness is not None
    assert witness.interleaving is not None
    assert not witness_accepted(g, find_model(tmp_path / "never.cat"), witness)


@pytest.mark.parametrize("answer", ["consistent", "inconsistent"])
def test_an_answer_without_evidence_is_rejected(answer: str) -> None:
    with pytest.raises(EvidenceError, match="without a"):
        verify(loads("T0 w x 1\n"), MODELS["ra"], answer, None, None)


def test_an_axiom_that_more_order_mends_is_not_broken_by_less(tmp_path: Path) -> None:
    """`total` fails as long as two writes are unordered: that is no reason to reject an execution."""
    path = tmp_path / "total.cat"
    path.write_text('"total"\nempty ((W * W) & loc) \\ (mo | mo^-1 | id) as total\nacyclic po | mo as order\n')
    model = find_model(path)
    g = loads("T0 w x 1\nT1 w x 2\n")
    assert check(g, model, verify=True).consistent
    claims = [Proof("total", ()), Proof("total", (Edge(0, "loc", 1),))]
    for claim in claims:
        assert not accepted(g, model, claim)


# Long ones


def counter(updates: int) -> Execution:
    """T0 counts to `updates` by updates; T1 reads a late value, then an early one."""
    rows = [(0, 2, 0, 4, at - 1) for at in range(updates)]
    rows += [(1, 0, 0, 4, updates - 1), (1, 0, 0, 4, 0)]
    return execution(rows, 2, 1)


@pytest.mark.parametrize("model", ["relaxed", "rc20", "ra", "wra", "sra"])
def test_a_long_chain_of_updates(model: str) -> None:
    verdict = check(counter(20_000 if model == "ra" else 3000), model, verify=True)
    assert verdict.inconsistent
    assert_bounded(verdict)


@pytest.mark.parametrize("model", ["relaxed", "ra"])
def test_a_chain_of_updates_is_checked_all_along(model: str) -> None:
    """Dropping one of thousands of steps, or turning it round, is noticed."""
    g = counter(700)
    proof = check(g, model).proof
    assert proof is not None
    assert len(proof.steps) > 600
    for at in (0, 1, 400, len(proof.steps) - 1):
        step = proof.steps[at]
        turned = replace(step, before=step.after, after=step.before)
        for steps in (proof.steps[:at] + proof.steps[at + 1 :], (*proof.steps[:at], turned, *proof.steps[at + 1 :])):
            assert not accepted(g, MODELS[model], replace(proof, steps=steps))


def test_a_cycle_through_five_hundred_threads() -> None:
    """Each thread reads what the next one writes afterwards."""
    threads = 500
    rows = []
    for t in range(threads):
        rows.append((t, 0, t, 1, 2 * ((t + 1) % threads) + 1))
        rows.append((t, 1, (t - 1) % threads, 1, -1))
    g = execution(rows, threads, threads)
    for model in ("relaxed", "ra", "sra", "wra", "rc20"):
        verdict = check(g, model, verify=True)
        assert (verdict.answer, verdict.axiom) == ("inconsistent", "po-rf")
        assert_bounded(verdict)


@pytest.mark.parametrize("model", ["relaxed", "ra", "sra"])
def test_a_cycle_of_forced_edges_over_many_chains(model: str) -> None:
    """Write i is read before write i + 1 by a thread of its own, round and round; each is updated, too."""
    chains = 300
    rows = [(at, 1, 0, 4, -1) for at in range(chains)]
    rows += [(at, 2, 0, 4, at) for at in range(chains)]
    for at in range(chains):
        rows += [(chains + at, 0, 0, 4, at), (chains + at, 0, 0, 4, (at + 1) % chains)]
    verdict = check(execution(rows, 2 * chains, 1), model, algorithm="kernel", verify=True)
    assert verdict.inconsistent
    assert_bounded(verdict)


def assert_bounded(verdict: Verdict) -> None:
    assert len(verdict.explain()) < 100_000
    assert len(str(verdict.record())) < 6_000_000
    assert verdict.draw().startswith("<svg")


def test_a_chain_of_updates_is_told_one_update_at_a_time() -> None:
    text = "T0 u x 0->1 id=a\nT0 u x 1->2 id=b\nT0 u x 2->3 id=c\nT1 r x 3 id=late\nT1 r x 1 id=early\n"
    told = check(loads(text), "ra", verify=True).explain()
    assert "mo: a before c, because c reads b, which is after a [2]" in told
    assert "mo: a before b, because b reads a" in told


def test_an_update_is_not_from_read_before_itself() -> None:
    g = loads("T1 w y 2 id=a\nT2 w y 5 id=b\nT1 u y 5->6 id=u\nT1 u y 2->8 id=v\n")
    verdict = check(g, "ra")
    assert verdict.proof is not None
    assert accepted(g, verdict.model, verdict.proof)
    up = Step(1, 2, Proof("write-coherence", (Edge(2, "mo", 1), Edge(1, "rf", 2))))
    back = Step(2, 0, Proof("read-coherence", (Edge(3, "fr", 2), Edge(2, "po", 3))))
    honest = (Edge(2, "rf^-1", 1), Edge(1, "mo", 2), Edge(2, "mo", 0), Edge(0, "po", 2))
    assert accepted(g, verdict.model, Proof("read-coherence", honest, (up, back)))
    short = (Edge(2, "fr", 2), Edge(2, "mo", 0), Edge(0, "po", 2))
    assert not accepted(g, verdict.model, Proof("read-coherence", short, (up, back)))


def test_a_path_between_initial_writes_verifies(tmp_path: Path) -> None:
    """The initial write of a location is part of the evidence though no event of the path accesses the location."""
    file = tmp_path / "total.cat"
    file.write_text("empty ~(po | po^-1 | id) as total\n")
    verdict = check(loads("T0 w x 1\nT0 w y 1\n"), file, verify=True)
    assert verdict.inconsistent
    assert verdict.proof is not None and all(edge.source < 0 > edge.target for edge in verdict.proof.cycle)
