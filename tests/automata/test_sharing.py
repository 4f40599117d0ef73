"""What statements and models share is shared in proofs, too: doubled sets, relations and terms end soon."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf.automata.atoms import TooManyAtomsError, clauses_of
from porf.errors import ModelError
from porf.language import formula as f

LEVELS = 40
SETS = "\n".join(["let s0 = W", *(f"let s{k} = (s{k - 1} | R) & (s{k - 1} | F)" for k in range(1, LEVELS + 1))])


def test_doubled_sets_are_proved_about(tmp_path: Path) -> None:
    path = tmp_path / "sets.kat"
    path.write_text(f"{SETS}\nassert [s{LEVELS}] ; po <= po\nassert po <= [s{LEVELS}] ; po\n")
    assert [found.verdict for found in porf.prove(path, seconds=20)] == ["holds", "fails"]


def test_doubled_sets_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "sets.cat"
    path.write_text(f'"sets"\n{SETS}\nacyclic [s{LEVELS}] ; po | rf | mo | fr as x\n')
    assert porf.compare(path, "sc", seconds=20).relation == "weaker"


def test_doubled_unions_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "unions.cat"
    lines = ["let a0 = po", *(f"let a{k} = a{k - 1} | (a{k - 1} ; rf)" for k in range(1, LEVELS + 1))]
    path.write_text('"unions"\n' + "\n".join(lines) + f"\nacyclic a{LEVELS} | rf | mo | fr as x\n")
    assert porf.compare(path, "sc", seconds=2).forth.holds is not False  # it is stronger; that may stay open


def test_clauses_without_end_are_given_up() -> None:
    formula: f.Formula = False
    for k in range(20):
        formula = f.disjunction(formula, f.conjunction(f"a{k}", f"b{k}"))
    with pytest.raises(TooManyAtomsError):
        clauses_of(formula)


def test_assumptions_that_say_too_much_have_a_place(tmp_path: Path) -> None:
    names = [f"P{k}" for k in range(40)]
    pairs = " | ".join(f"({a} ; {b})" for a, b in zip(names[::2], names[1::2], strict=True))
    path = tmp_path / "much.kat"
    declared = "\n".join(f"predicate {name}" for name in names)
    path.write_text(f"{declared}\nassume id <= [{pairs}]\nassert po <= po\n")
    with pytest.raises(ModelError, match="too much of events") as caught:
        porf.prove(path)
    assert caught.value.line == 41


def test_what_is_nested_too_deeply_for_proofs_has_a_place(tmp_path: Path) -> None:
    path = tmp_path / "deep.kat"
    lines = [f"let a{k} = (a{k - 1} ; rf)?" for k in range(1, 300)]
    path.write_text("\n".join(["let a0 = po", *lines, "assert a299 <= any"]))
    with pytest.raises(ModelError, match="nested too deeply for proofs") as caught:
        porf.prove(path)
    assert caught.value.line is not None
