"""`porf stress`: what it prints, saves and returns."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from porf import check, load
from porf.cli import main
from tests.cli.calling import PORF, refused
from tests.stress.test_hunt import NO_READS

SMALL = ("--ops", "40", "--locations", "2", "--mix", "r=1,w=1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "no-reads.cat").write_text(NO_READS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_says_what_it_ran_and_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stress", "--model", "relaxed,ra", "--rounds", "3", *SMALL, "--seed", "7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 threads on ")
    assert lines[0].endswith(", 2 locations, rounds of 40 operations, seed 7")
    assert lines[-3:-1] == ["relaxed: no violation in 120 operations", "ra: no violation in 120 operations"]
    assert lines[-1].startswith("120 operations in ")


def test_one_thread_alone_is_said_to_show_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stress", "--threads", "1", "--rounds", "2"]) == 0
    out = capsys.readouterr().out
    assert "only one core takes part" in out
    assert "sc: no violation in 20,000 operations\ntso: no violation in 20,000 operations\n" in out


def test_a_violation_is_explained_saved_and_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["stress", "--model", "relaxed,no-reads.cat", "--rounds", "2", *SMALL]
    assert main([*call, "--history", "seen.txt", "-o", "seen.svg"]) == 1
    out = capsys.readouterr().out
    assert "<stress, seed 0, round 1>: inconsistent in no-reads: nobody-reads" in out
    assert "no-reads: violated in round 1, after 40 operations" in out
    assert "<stress, seed 0, round 1> saved in seen.txt" in out
    saved = load(folder / "seen.txt")
    assert len(saved) == 40
    assert check(saved, folder / "no-reads.cat", verify=True).inconsistent
    assert (folder / "seen.svg").read_text().startswith("<svg")


def test_without_a_violation_the_last_round_is_saved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["stress", "--model", "relaxed", "--rounds", "3", *SMALL]
    assert main([*call, "--history", "last.npz", "-o", "none.svg"]) == 0
    assert "<stress, seed 0, round 3> saved in last.npz" in capsys.readouterr().out
    assert len(load(folder / "last.npz")) == 40
    assert not (folder / "none.svg").exists()


def test_json_is_an_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stress", "--model", "relaxed,no-reads.cat", "--rounds", "2", *SMALL, "--json"]) == 1
    violation, *summaries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (violation["kind"], violation["round"], violation["verdict"]) == ("violation", 1, "inconsistent")
    assert violation["cycle"]
    assert [s["model"] for s in summaries] == ["relaxed", "no-reads"]
    fields = ["kind", "model", "violations", "first_round", "rounds", "operations", "undecided"]
    assert all(list(s) == [*fields, "threads", "cores", "seed", "seconds"] for s in summaries)
    counts = [[s[field] for field in fields[2:]] for s in summaries]
    assert counts == [[0, None, 2, 80, 0], [1, 1, 1, 40, 0]]


def test_undecided_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    # A matrix of so many events takes more memory than the generic procedure may have.
    assert main(["stress", "--model", "no-reads.cat", "--rounds", "1", "--ops", "1000000"]) == 3
    assert "undecided in 1 round" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--threads", "0"], "threads is 0"),
        (["--threads", "two"], "--threads"),
        (["--ops", "1"], "2 threads share 1 operations"),
        (["--locations", "-1"], "locations is -1"),
        (["--mix", "r=1,x=1"], "unknown operation 'x'"),
        (["--layout", "spred"], "did you mean 'spread'?"),
        (["--seconds", "0"], "not a positive number"),
        (["--rounds", "-2"], "not positive"),
        (["--seed", "-2"], "'-2' is no seed"),
        (["--model", ","], "no model is named"),
        (["--model", "tos"], "did you mean 'tso'?"),
        (["--model", "rc20"], "rc20 has no sc fence"),
        (["--history", "nowhere/out.txt"], "cannot be written"),
        (["--history", "-"], "name a file"),
        (["-o", "seen.png"], "unknown suffix '.png'"),
    ],
)
def test_a_wrong_call_is_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "stress", *arguments)
    assert words in said
    assert "\n  hint: " in said


def test_ctrl_c_prints_what_was_found_so_far() -> None:
    call = [PORF, "stress", "--model", "relaxed", "--seconds", "60", *SMALL]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        running.stdout.readline()  # the opening: it runs now
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        out, said = running.communicate(timeout=30)
    assert running.returncode == 3
    assert out.startswith("relaxed: no violation in ")
    assert said == "interrupted\n"
