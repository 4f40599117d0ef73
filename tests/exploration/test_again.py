"""Tokens and commands of reports: they do not depend on how things are spelt, and show the same bug again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from porf.cli import main
from porf.cli.command import parser_of
from porf.cli.explore import ELSEWHERE, WITHOUT_EFFECT
from porf.exploration import explore
from porf.exploration.fingerprint import shape, whole
from porf.programs.c import read_c
from tests.again import run_again

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
BUGGY = str(HERE / "buggy_programs.py")

C = """
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 1
#endif
#ifndef M
#define M 1
#endif
static atomic_int x, y;
static int plain;
static void *one(void *unused) {
    plain = N;
    for (int i = 0; i < M; i++) atomic_fetch_add(&x, 1);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
#ifdef LEAK
    malloc(4);
#elif defined HANG
    while (atomic_load(&x) != 9);
#elif defined WEAK
    int none = 0;
    if (!atomic_compare_exchange_weak(&y, &none, 1)) assert(0);
#elif defined CHOICE
    assert(__VERIFIER_nondet_int() != 3);
#else
    assert(atomic_load(&x) != M);
    plain = 2;
#endif
    pthread_join(t, NULL);
    return 0;
}
"""
MODEL = '"mine"\nacyclic po | rf as causality\nacyclic po-loc | rf | mo | fr as coherence\n'
COMMANDS = [
    [],
    ["--keep-going"],
    ["--model", "rc11,sc,tso,ra"],
    ["--model", "mine.cat"],
    ["--model", "./my models/../mine.cat,sc", "--keep-going"],
    ["--keep-going", "--model", "sc"],
    ["-D", "N=2"],
    ["-D", "N=(1 + 1)", "-D", "M=2"],
    ["--unroll", "9"],
    ["--strategy", "tracer", "--model", "ra"],
    ["--jobs", "2"],
    ["--equivalence", "mo", "--model", "ra"],
    ["--limit", "500", "--seconds", "50", "--memory", "500", "--self-check"],
    ["-D", "LEAK", "--leaks"],
    ["-D", "HANG", "--liveness"],
    ["-D", "CHOICE", "--nondet", "0..3"],
    ["-D", "CHOICE", "--nondet=-1..3"],
    ["--", "-DN=(1 + 1)", "-DM=2"],
    ["--unroll", "9", "--keep-going", "-D", "LEAK", "--leaks", "--", "-DM=2"],
]


def records(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    main(["explore", "--json", *arguments])
    told = capsys.readouterr()
    assert not told.err
    return [json.loads(line) for line in told.out.splitlines()]


@pytest.mark.parametrize("options", COMMANDS, ids=" ".join)
def test_commands_are_complete(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("it's here", "my models"):
        Path(folder).mkdir()
    Path("it's here/a program.c").write_text(C)
    Path("mine.cat").write_text(MODEL)
    found = records(capsys, "it's here/a program.c", *options)
    assert any(record["errors"] for record in found)
    for record in found:
        run_again(capsys, record)


def test_a_program_of_several_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.c").write_text("int part(void);\nint main(void) { return 1 / part(); }\n")
    (tmp_path / "part.c").write_text("int part(void) { return 0; }\n")
    [record] = records(capsys, str(tmp_path / "main.c"), str(tmp_path / "part.c"))
    assert record["errors"]
    run_again(capsys, record)


def test_every_option_is_repeated_or_known_to_have_no_effect() -> None:
    """An option that is new is one or the other: by default it is repeated, so that a command cannot be incomplete."""
    [verb] = [action for action in parser_of(["explore"])._actions if action.dest == "verb" or action.choices]
    explored = verb.choices["explore"]  # type: ignore[index]
    names = {action.dest for action in explored._actions if action.option_strings}
    assert names >= ELSEWHERE | WITHOUT_EFFECT


@pytest.mark.parametrize("model", ["rc20", "sc", "rc11"])
def test_programs_in_python(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    for record in records(capsys, BUGGY, "--model", model):
        run_again(capsys, record)


@pytest.mark.parametrize(
    "file", sorted([*EXAMPLES.glob("litmus/*.litmus"), *EXAMPLES.glob("programs/*")]), ids=lambda f: f.name
)
def test_examples(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for record in records(capsys, str(file), "--model", "ra", "--limit", "2000", "--keep-going"):
        run_again(capsys, record)


def token_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    [record] = records(capsys, *arguments)
    token: str = record["errors"][0]["replay"]
    return token


def test_a_token_does_not_depend_on_how_its_path_is_spelt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "program.c"
    path.write_text(C)
    copy = tmp_path / "a_copy_of_it.c"
    copy.write_text(C)
    monkeypatch.chdir(tmp_path)
    spelt = [str(path), "folder/program.c", "./folder/../folder/program.c", str(copy), "a_copy_of_it.c"]
    assert len({token_of(capsys, each) for each in spelt}) == 1


def test_a_token_does_not_depend_on_how_a_model_is_spelt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "program.c"
    path.write_text(C)
    (tmp_path / "mine.cat").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    tokens = {token_of(capsys, "program.c", "--model", model) for model in ("mine.cat", str(tmp_path / "mine.cat"))}
    assert len(tokens) == 1


ASSERTION = """
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
int main(void) { int v = x; assert(%s); }
"""


def test_a_token_does_not_depend_on_arithmetic_between_events(tmp_path: Path) -> None:
    """Another compiler may compute the same in another way; checkpoints count executions, and do not mix."""
    first, second, other = (tmp_path / name for name in ("first.c", "second.c", "other.c"))
    first.write_text(ASSERTION % "v * 2 + 2 != 2")
    second.write_text(ASSERTION % "v + v + 2 != 2")
    other.write_text(ASSERTION % "v * 2 + 2 != 4")
    programs = [read_c(str(path)) for path in (first, second, other)]
    assert shape(programs[0]) == shape(programs[1]) != shape(programs[2])
    assert whole(programs[0]) != whole(programs[1])
    [bug] = explore(programs[0], "sc").bugs
    [again] = explore(programs[1], "sc", replay=bug.token).bugs
    assert (again.kind, again.token) == (bug.kind, bug.token)


def test_a_token_of_a_bug_that_is_gone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(ASSERTION % "v != 0")
    command = shlex.split(records(capsys, str(path))[0]["errors"][0]["again"])[1:]
    path.write_text(ASSERTION % "v < 5")
    assert main(command) == 2
    path.write_text(ASSERTION % "v + 1 != 0")
    assert main(command) == 2
    assert "a bug that the program does not have" in capsys.readouterr().err
    path.unlink()
    assert main(command) == 2
