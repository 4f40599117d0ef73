"""`porf prove`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porf.cli import main


@pytest.fixture
def kat(tmp_path: Path) -> Path:
    return tmp_path / "claims.kat"


def test_what_holds_is_exit_0(kat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kat.write_text("assert rf;fr <= mo\nassert po;po <= po\n")
    assert main(["prove", str(kat)]) == 0
    out = capsys.readouterr().out
    assert out == f"{kat}:1: holds: rf;fr <= mo\n{kat}:2: holds: po;po <= po\n"


def test_what_fails_is_exit_1_with_an_execution_and_a_litmus_test(
    kat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kat.write_text("assert po <= po\nassert [W;SC];po;[R;SC] <= rf\n")
    picture = tmp_path / "out.svg"
    assert main(["prove", str(kat), "-o", str(picture)]) == 1
    out = capsys.readouterr().out
    assert "counterexample: [W ; SC] ; po ; [R ; SC]" in out
    assert "T0 w x 1 sc id=a" in out
    assert "atomic_store_explicit(x, 1, memory_order_seq_cst);" in out
    assert "exists (" in out
    assert picture.read_text().startswith("<svg")


def test_json_has_a_line_a_statement(kat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kat.write_text("assert rf <= po\nassert rf <= rf\n")
    assert main(["prove", str(kat), "--json"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["file"], first["line"], first["statement"], first["verdict"]) == (str(kat), 1, "rf <= po", "fails")
    assert first["counterexample"]["word"] == "[W] ; rfe ; [R]"
    assert first["seconds"] >= 0
    assert (second["verdict"], second["counterexample"]) == ("holds", None)


def test_a_wrong_file_is_exit_2_and_loses_no_other(
    kat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kat.write_text("assert rf <= rff\n")
    good = tmp_path / "good.kat"
    good.write_text("assert rf <= rf\n")
    assert main(["prove", str(kat), str(tmp_path / "none.kat"), str(good)]) == 2
    out, err = capsys.readouterr()
    assert f"{kat}:1:14: unknown name 'rff'" in err
    assert "             ^^^" in err
    assert "hint: did you mean 'rf'?" in err
    assert "there is no such model file" in err
    assert "holds: rf <= rf" in out


def test_unknown_is_exit_3(kat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = "".join(f"predicate P{k}\n" for k in range(16))
    tests = " | ".join(f"[P{k}]" for k in range(16))
    kat.write_text(f"{declared}assert ({tests});po <= po;({tests})\n")
    assert main(["prove", str(kat)]) == 3
    assert "because: too many independent predicates" in capsys.readouterr().out


def test_a_file_without_assertions_says_so(kat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kat.write_text("let hb = (po | rf)+\n")
    assert main(["prove", str(kat)]) == 0
    assert "nothing is asserted" in capsys.readouterr().out
