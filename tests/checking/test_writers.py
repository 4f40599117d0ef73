"""Histories with open reads and unknown starts: verdicts equal brute force over all choices of writers and orders."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import porf
from porf.cli import main
from porf.errors import EvidenceError
from porf.evidence.data import Lemma, Refusal
from porf.execution import INITIAL, NO_VALUE, Execution
from porf.models import find_model
from tests.checking.brute_force import orders, satisfiable
from tests.seeds import seeds

EVERYTHING = ("sc", "tso", "pso", "rmo", "ra", "wra", "sra", "rc20", "relaxed", "rc11", "imm", "x86tso")
ACCESSES = ("cc", "ccv", "cm", "ccm")


def history(rng: random.Random, updates: bool) -> Execution:
    """A few events on few values; most reads have several candidates."""
    while True:
        lines, threads = [], rng.randint(1, 3)
        for loc in ("x", "y"):
            if rng.random() < 0.3:
                lines.append(f"init {loc} _")
        for _ in range(rng.randint(3, 8)):
            op = rng.choices("rwuf", (5, 5, 2 * updates, updates))[0]
            thread, loc, value = f"T{rng.randrange(threads)}", rng.choice("xxy"), rng.randint(0, 2)
            order = rng.choice(("rlx", "acq", "rel", "sc")) if updates else "rlx"
            if op == "f":
                lines.append(f"{thread} f {order if order != 'rlx' else 'sc'}")
            elif op == "u":
                lines.append(f"{thread} u {loc} {value}->{rng.randint(0, 2)}")
            else:
                order = {"acq": "rlx", "rel": "rel"}.get(order, order) if op == "w" else order.replace("rel", "rlx")
                unknown = op == "r" and rng.random() < 0.1
                lines.append(f"{thread} {op} {loc} {'_' if unknown else value} {order}{' rf=?' * unknown}")
        try:
            found = porf.loads("\n".join(lines))
        except porf.PorfError:
            continue  # a value that nobody wrote
        if len(found.open_reads) > 0 and len(list(choices(found, 200))) < 200 and orders(found) <= 24:
            return found


def choices(execution: Execution, most: int) -> Iterator[Execution]:
    """The history with each choice of writers under which locations start once; `most` of them at most."""
    found = execution.open_reads
    offers = [found.of(at).tolist() for at in range(len(found))]
    for chosen in itertools.islice(itertools.product(*offers), most):
        rf = execution.rf.copy()
        rf[found.rows] = chosen
        shown = {
            (int(execution.loc[row]), int(execution.read_value[row]))
            for row in np.flatnonzero(np.isin(execution.op, (0, 2)) & (rf == INITIAL)).tolist()
            if execution.read_value is not None and execution.read_value[row] != NO_VALUE
        }
        unknown = [loc for loc, _ in shown if execution.init_value[loc] == NO_VALUE]
        if len(unknown) == len(set(unknown)):
            yield replace(execution, rf=rf)


@pytest.mark.parametrize("seed", seeds(4, 120))
@pytest.mark.parametrize("name", [*EVERYTHING, *ACCESSES, "a file"])
def test_verdicts_equal_all_choices(name: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name} {seed}")
    file = tmp_path / "mine.cat"
    file.write_text('"mine"\nacyclic po-loc | rf | co | fr as coherence\nacyclic po | rf as causality\n')
    model = find_model(str(file) if name == "a file" else name)
    for _ in range(4):
        g = history(rng, updates=name not in ACCESSES)
        if name in ("x86tso",):
            g = replace(g, order=np.ones_like(g.order))
            g = g.restrict(np.flatnonzero(g.op != 3)).execution if bool((g.op == 3).any()) else g
            if not len(g.open_reads):
                continue
        try:
            verdict = porf.check(g, model)
        except porf.PorfError as error:
            assert "interpret" in str(error) or "has no" in str(error)  # what the model does not speak of
            continue
        expected = any(satisfiable(chosen, model.file) for chosen in choices(g, 1000))
        assert verdict.answer == ("consistent" if expected else "inconsistent"), porf.formats.dumps(g).decode()
        verdict.verify()
        assert verdict.explain()
        json.dumps(verdict.record())
        assert verdict.draw().startswith("<svg")


STALE = "T0 w x 1\nT1 w x 1\nT2 r x 1 id=r\nT2 r x 0\n"


def test_a_witness_with_other_writers_is_refused() -> None:
    execution = porf.loads("T0 w x 1\nT1 w x 1\nT2 r x 1\nT0 w x 2\nT2 r y 0")
    verdict = porf.check(execution, "sc")
    assert verdict.chosen is not None
    verdict.verify()
    for writer in (INITIAL, 3, 2):  # the start and another value, and no write
        rf = verdict.chosen.rf.copy()
        rf[2] = writer
        with pytest.raises(EvidenceError, match="cannot read what was chosen"):
            replace(verdict, chosen=replace(verdict.chosen, rf=rf)).verify()


def test_a_start_cannot_be_chosen_twice() -> None:
    execution = porf.loads("init x _\nT0 r x 1\nT0 r x 2\nT1 w x 1\nT1 w x 2")
    verdict = porf.check(execution, "sc")
    assert verdict.consistent and verdict.chosen is not None
    both = replace(verdict.chosen, rf=np.array([-1, -1, -1, -1], np.int32))
    with pytest.raises(EvidenceError, match="cannot start with two values"):
        replace(verdict, chosen=both).verify()


def test_a_refusal_without_one_of_its_lemmas_is_refused() -> None:
    verdict = porf.check(porf.loads(STALE), "ra")
    refusal = verdict.refusal
    assert verdict.inconsistent and refusal is not None and len(refusal.lemmas) == 2
    with pytest.raises(EvidenceError, match="leave a choice"):
        replace(verdict, refusal=Refusal(refusal.reads, refusal.lemmas[:1])).verify()
    bare = tuple(Lemma(lemma.choices) for lemma in refusal.lemmas)
    with pytest.raises(EvidenceError, match="without a proof"):
        replace(verdict, refusal=Refusal(refusal.reads, bare)).verify()
    swapped = tuple(Lemma(a.choices, b.proof) for a, b in zip(refusal.lemmas, refusal.lemmas[::-1], strict=True))
    with pytest.raises(EvidenceError):
        replace(verdict, refusal=Refusal(refusal.reads, swapped)).verify()


def test_the_report_says_of_each_candidate_why_it_cannot_be(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "h.txt"
    path.write_text(STALE)
    assert main(["check", "-m", "sc,ra,rc11", "--verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert said.count("r  T2 r x 1  may read") == 3
    assert said.count("e0  T0 w x 1: no, [1]") == 3
    assert said.count("e1  T1 w x 1: no, [2]") == 3
    assert main(["check", "-m", "sc", "--json", str(path)]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["refusal"]["candidates"] == {"r": ["e0", "e1"]}
    assert [lemma["if"] for lemma in record["refusal"]["lemmas"]] == [{"r": "e0"}, {"r": "e1"}]


def test_the_witness_names_writers_and_starts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "h.txt"
    path.write_text("init x _\nT0 r x 7 id=a\nT1 w y 1 id=b\nT1 w y 2\nT1 w y 1 id=c\nT2 r y 1 id=d\nT2 r y 2\n")
    assert main(["check", "-m", "sc", "--verify", "--json", str(path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["writers"] == {"d": "b"}
    assert record["starts"] == {"x": 7}
    assert main(["check", "-m", "ra", "--verify", str(path)]) == 0
    said = capsys.readouterr().out
    assert "with these writers: d reads b" in said
    assert "and these starts: x = 7" in said


def test_budgets_and_the_row_order() -> None:
    rng = random.Random(5)
    rows = [f"T{rng.randrange(4)} {rng.choice('rw')} x {rng.randint(1, 4)}" for _ in range(400)]
    execution = porf.loads("\n".join([*(f"T4 w x {value}" for value in range(1, 5)), *rows]))
    verdict = porf.check(execution, "sc", algorithm="row-order")
    assert verdict.answer == "undecided"
    assert porf.check(execution, "sc", seconds=0.001).answer == "undecided"
    sequential = porf.loads("T0 w x 1\nT1 w x 1\nT2 r x 1\nT0 w x 2\nT1 w x 1\nT2 r x 1")
    assert porf.check(sequential, "sc").algorithm == "row-order"
