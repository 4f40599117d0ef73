"""Table 1 of the Kater paper, and the queries of its Section 3.7: each file of examples/proofs has its verdict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porf
from tests.papers.executions import history

FOLDER = Path(__file__).parents[2] / "examples" / "proofs"
FILES = sorted(FOLDER.glob("*.kat"))
# Table 1: ✗ in the paper.
FAIL = {"c11_orig_to_power", "c11_orig_to_power_weak"}
ROWS = {
    *("c11_to_imm", "imm_to_tso", "c11_to_tso", "c11_strong_to_tso"),
    *("imm_to_arm8", "c11_to_arm8", "c11_strong_to_arm8"),
    *("c11_ra_to_power", "c11_sc_to_power_weak", "c11_sc_accesses_to_power", "c11_sc_fences_to_power"),
    *("c11_orig_to_power_weak", "c11_orig_to_power", "power_to_power_simpl"),
    *("ra_ra2", "ra_ra3", "rc11_rc11_alt", "tso_tso_fm", "sc_sc_fm", "eco_eco2", "coherence_coherence2"),
}
FOREVER = {"forever_sc": "holds", "forever_c11_orig": "fails"}


def test_every_row_is_here() -> None:
    assert len(ROWS) == 21
    assert {path.stem for path in FILES} == ROWS | FOREVER.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_gives_the_papers_verdict(path: Path) -> None:
    expected = FOREVER.get(path.stem, "fails" if path.stem in FAIL else "holds")
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert re.search(rf"\b{expected}\b", first)
    results = porf.prove(path)
    assert results
    assert [result.verdict for result in results] == [expected] * len(results)
    assert all((result.counterexample is not None) == (expected == "fails") for result in results)


@pytest.mark.parametrize("name", sorted(FAIL))
def test_the_counterexample_is_what_c11_forbids_and_power_allows(name: str) -> None:
    """It is shorter than the paper's by one event: a write begins it, not a read of one."""
    (result,) = porf.prove(FOLDER / f"{name}.kat")
    assert result.counterexample is not None
    word = "[W ; SC] ; po ; [W ; REL] ; rfe ; [R ; SC] ; fre ; [W ; SC] ; po ; [R ; SC] ; fre"
    assert result.counterexample.record()["word"] == word
    source = history("w x 1 sc; w y 1 rel | r y 1 sc; r y 2 | w y 2 sc; r x 0 sc")
    assert porf.check(source, "c11", verify=True).inconsistent
    compiled = history("f sc; w x 1; f rel; w y 1 | f sc; r y 1; f acq; r y 2 | f sc; w y 2; f sc; r x 0")
    assert porf.check(compiled, "power", verify=True).consistent
