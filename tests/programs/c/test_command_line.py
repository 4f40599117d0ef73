"""`porf explore FILE.c -- ARGUMENTS`, as people call it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from porf.cli import main

RACE = """#include <pthread.h>
int x[N];
void *thread(void *unused) {
  x[N - 1] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  int seen = x[N - 1];
  pthread_join(t, 0);
  return seen;
}
"""

CHOICE = """#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  assert(__VERIFIER_nondet_int() < 3);
}
"""


def test_a_bug_has_its_lines_and_a_command_that_shows_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("race.c").write_text(RACE)
    assert main(["explore", "race.c", "--model", "sc", "--", "-DN=2", "-I", "a b"]) == 1
    told = capsys.readouterr().out
    assert "race: unsafe under sc: data race" in told
    assert "race.c:4:12 in thread" in told and "race.c:10:14 in main" in told and "x[1]" in told
    command = told.rpartition("Again: ")[2].splitlines()[0]
    assert command.endswith("-- -DN=2 -I 'a b'")
    assert main(shlex.split(command)[1:]) == 1
    assert "data race" in capsys.readouterr().out


def test_macros_are_given_with_d_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "race.c"
    path.write_text(RACE)
    assert main(["explore", str(path), "-m", "sc", "-D", "N=(1 + 1)", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["errors"][0]["kind"] == "data race"


def test_unknown_values_are_all_explored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "choice.c"
    path.write_text(CHOICE)
    assert main(["explore", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["executions"] == 2 and "all numbers from 0 to 1" in found["notes"][0]
    assert main(["explore", str(path), "--nondet=-1..2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["executions"] == 4
    assert main(["explore", str(path), "--nondet", "0..3"]) == 1
    assert "--nondet=0..3 --replay" in capsys.readouterr().out
