"""Many litmus tests in one call: folders, lists of names, and a table of what is expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porf.cli import main
from tests.cli.calling import refused

TEST = "X86_64 {name}\n{{ }}\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n {fence} | {fence} ;\n"
TEST += " movl (y),%eax | movl (x),%eax ;\n"
TEST += "exists (0:rax=0 /\\ 1:rax=0)\n"
TABLE = "test\tmodel\tobservation\tstates\nSB\tx86tso\tSometimes\t4\nSB+mfences\tx86tso\tNever\t3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "more").mkdir()
    (tmp_path / "SB.litmus").write_text(TEST.format(name="SB", fence="nop"))
    (tmp_path / "more" / "SB+mfences.litmus").write_text(TEST.format(name="SB+mfences", fence="mfence"))
    (tmp_path / "good.tsv").write_text(TABLE)
    return tmp_path


def explore(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> str:
    assert main(["explore", *map(str, arguments), "--model", "x86tso"]) == code
    return capsys.readouterr().out


def test_a_folder_is_all_tests_in_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = explore(capsys, folder)
    assert "Observation SB Sometimes 1 3" in said
    assert "Observation SB+mfences Never 0 3" in said


def test_a_list_names_files_beside_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "more" / "all").write_text("# a comment\n\nSB+mfences.litmus\n@inner\n")
    (folder / "more" / "inner").write_text("../SB.litmus\n")
    said = explore(capsys, f"@{folder / 'more' / 'all'}")
    assert [line.split()[1] for line in said.splitlines() if line.startswith("Test")] == ["SB+mfences", "SB"]


def test_what_differs_from_a_table_is_said_and_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "good.tsv"
    assert explore(capsys, folder, "--expect", file) == f"{file}: 2 as expected, 0 different\n"
    file.write_text(TABLE.replace("Never\t3", "Never\t4").replace("SB\t", "SB2\t"))
    said = explore(capsys, folder, "--expect", file, code=1).splitlines()
    assert said == [
        "test        model   expected  found",
        "SB+mfences  x86tso  Never 4   Never 3",
        f"{file}: 0 as expected, 1 different, 1 not in the table",
    ]
    file.write_text("test\tobservation\nSB\tAlways\n")
    found = json.loads(explore(capsys, folder, "--expect", file, "--json", code=1))
    assert found["different"] == [{"test": "SB", "model": "x86tso", "expected": "Always", "found": "Sometimes"}]


def test_bad_input_of_campaigns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    table = folder / "bad.tsv"
    for text, said in (
        ("name\tobservation\n", "there is no column 'test'"),
        ("test\tobservation\nSB\n", "bad.tsv:2: 1 columns, but the first line names 2"),
        ("test\tobservation\nSB\tMaybe\n", "'Maybe' is none of Never, Sometimes, Always"),
        ("test\tobservation\tstates\nSB\tNever\tx\n", "'x' is no number of states"),
        ("test\tobservation\tstates\nSB\tNever\t" + "9" * 5000 + "\n", "9' is no number of states"),
        ("test\tobservation\nSB\tNever\nSB\tAlways\n", "SB is there twice, and differs"),
    ):
        table.write_text(text)
        assert said in refused(capsys, "explore", str(folder), "--expect", str(table))
    assert "No such file" in refused(capsys, "explore", str(folder), "--expect", str(folder / "none.tsv"))
    assert "there is no litmus test in this directory" in refused(capsys, "explore", str(folder / "empty"))
    assert "No such file" in refused(capsys, "explore", f"@{folder / 'nowhere'}")
    (folder / "round").write_text("@round\n")
    assert "this list names itself" in refused(capsys, "explore", f"@{folder / 'round'}")


def test_tests_in_assembly_are_not_tested_at_random(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test = str(folder / "SB.litmus")
    assert "porf explore" in refused(capsys, "test", test)
    for option in (["--jobs", "2"], ["--limit", "3"], ["--replay", "abc"]):
        refused(capsys, "explore", test, "--model", "x86tso", *option)


def test_a_condition_that_is_excluded_comes_with_an_execution(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test = folder / "SB.litmus"
    test.write_text(test.read_text().replace("exists", "~exists"))
    said = explore(capsys, test, code=1)
    assert "condition: an execution ends with 0:rax=0; 1:rax=0;" in said
    assert "r y 0 <- init  :6" in said
