"""What all verbs share: forms of output, errors as records, colours, interrupts, completion, hints between verbs."""

from __future__ import annotations

import importlib
import io
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from porf.cli import main
from porf.cli.colour import coloured
from porf.cli.command import VERBS, parser_of
from porf.output import form_of, forms
from tests.cli.calling import PORF, refused, run


@pytest.mark.usefixtures("files")
def test_the_suffix_decides_the_form(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["check", "good.txt", "bad.txt", "wrong.txt", "-m", "ra", "--json"]
    for name in ("out.svg", "out.json", "out.jsonl", "out.txt"):
        assert main([*call, "-o", name]) == 2
        printed = capsys.readouterr().out
    assert ElementTree.parse(files / "out.svg").getroot().tag.endswith("svg")
    records = json.loads((files / "out.json").read_text())
    assert [record.get("verdict") for record in records] == ["consistent", "inconsistent", None]
    lines = [json.loads(line) for line in (files / "out.jsonl").read_text().splitlines()]
    for record in (*records, *lines, *(printed_records := [json.loads(line) for line in printed.splitlines()])):
        record.pop("seconds", None)
    assert records == lines == printed_records
    assert "bad.txt: inconsistent in ra" in (files / "out.txt").read_text()


@pytest.mark.parametrize(
    "call",
    [
        ["check", "good.txt", "-m", "ra"],
        ["show", "good.txt"],
        ["compare", "sc", "tso"],
        ["models", "--hierarchy"],
        ["stress"],
        ["prove", "x.kat"],
        ["explore", "x.py"],
    ],
)
@pytest.mark.parametrize(("name", "said"), [("x.png", "unknown suffix '.png'"), ("x", "the file name has no suffix")])
def test_an_unknown_suffix_is_refused_before_any_work(
    call: list[str], name: str, said: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = refused(capsys, *call, "-o", name)
    assert said in words
    assert f"hint: use a name that ends in one of {' '.join(sorted(forms()))}" in words
    assert not (files / name).exists()


def test_a_form_is_one_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    (tmp_path / "markdown.py").write_text(
        'SUFFIXES = (".md",)\n\ndef render(results):\n    return "".join(f"- {r.headline()}\\n" for r in results)\n'
    )
    package = importlib.import_module("porf.output")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    forms.cache_clear()
    try:
        assert form_of("x.md").SUFFIXES == (".md",)
        assert main(["check", "bad.txt", "-m", "ra", "-o", "out.md"]) == 1
        assert (files / "out.md").read_text().startswith("- inconsistent in ra: ")
    finally:
        forms.cache_clear()
        sys.modules.pop("porf.output.markdown", None)


@pytest.mark.usefixtures("files")
def test_nothing_to_draw_is_said_and_is_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.kat").write_text("assert rf <= rf\n")
    assert main(["prove", "x.kat", "-o", "x.svg"]) == 0
    assert "x.svg is not written: there is nothing to draw" in capsys.readouterr().err
    assert not Path("x.svg").exists()


@pytest.mark.usefixtures("files")
def test_wrong_input_is_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.txt", "-m", "ra", "--json"]) == 2
    said = capsys.readouterr()
    error = json.loads(said.out)["error"]
    assert (error["file"], error["line"], error["column"]) == ("wrong.txt", 1, 8)
    assert error["message"] == "'1one' is not a value" and error["hint"]
    assert said.err.startswith("error: wrong.txt:1:8: '1one' is not a value")
    for call in (
        ["compare", "tso", "scc"],
        ["models", "--check", "tsoo"],
        ["prove", "none.kat"],
        ["explore", "none.c"],
    ):
        assert main([*call, "--json"]) == 2
        assert list(json.loads(capsys.readouterr().out)["error"]) == ["file", "line", "column", "message", "hint"]


def test_porf_alone_prints_the_help() -> None:
    alone, asked = run(), run("--help")
    assert (alone.returncode, alone.stdout) == (0, asked.stdout)
    assert all(f"    {verb}" in alone.stdout for verb in VERBS)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (["check", "p.c", "-m", "sc"], "this looks like a program: porf explore p.c"),
        (["check", "t.litmus", "-m", "sc"], "this looks like a program: porf explore t.litmus"),
        (["check", "s.kat", "-m", "sc"], "this looks like a file of statements: porf prove s.kat"),
        (["explore", "good.txt"], "this looks like a history: porf check good.txt --model M"),
        (["prove", "good.txt"], "this looks like a history: porf check good.txt --model M"),
    ],
)
def test_the_hint_names_the_right_verb(
    call: list[str], hint: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("p.c", "t.litmus", "s.kat"):
        (files / name).write_text("assert rf <= rf\n")
    assert f"hint: {hint}\n" in refused(capsys, *call)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    text = "x: inconsistent in ra\n  -rf->  a\n  hint: none"
    shown = coloured(text, _Terminal())
    assert shown == "x: \x1b[31minconsistent\x1b[0m in ra\n  \x1b[32m-rf->\x1b[0m  a\n  \x1b[36mhint:\x1b[0m none"
    assert coloured(text, io.StringIO()) == text
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured(text, _Terminal()) == text


def test_tables_are_as_wide_as_the_terminal() -> None:
    for columns in (80, 140):
        done = run("check", "--help", env={**os.environ, "COLUMNS": str(columns)})
        assert columns - 20 < max(map(len, done.stdout.splitlines())) <= columns


def test_on_a_terminal_the_verdict_has_a_colour(files: Path) -> None:
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    call = [PORF, "check", "bad.txt", "-m", "ra"]
    subprocess.run(call, stdout=theirs, stderr=subprocess.DEVNULL, env=plain, timeout=60, check=False)
    assert b"\x1b[31minconsistent\x1b[0m" in os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("call", "left"),
    [
        (["generate", "weak", "-o", "out.npz"], "out.npz"),
        (["convert", "good.txt", "out.txt"], "out.txt"),
        (["check", "good.txt", "bad.txt", "-m", "ra,sc"], "good.txt, bad.txt"),
        (["prove", "a.kat", "b.kat"], "a.kat, b.kat"),
        (["explore", "a.py", "b.py"], "a.py, b.py"),
        (["compare", "sc", "tso"], ""),
        (["models", "--hierarchy"], ""),
    ],
)
def test_an_interrupt_is_exit_code_3_in_every_verb(
    call: list[str], left: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    for place in (
        "porf.generate.weak",
        "porf.formats.load",
        "porf.automata.prove.read",
        "porf.programs.read.read_programs",
        "porf.comparison.compare.compare",
        "porf.comparison.hierarchy.stored",
    ):
        monkeypatch.setattr(place, interrupt)
    assert main(call) == 3
    assert capsys.readouterr().err == (f"interrupted; left out: {left}\n" if left else "interrupted\n")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("porf ch", "check"),
        ("porf check --seco", "--seconds"),
        ("porf check x.txt -m ts", "tso"),
        ("porf generate we", "weak"),
        ("porf generate weak --wind", "--window"),
        ("porf completion z", "zsh"),
        ("porf check goo", "good.txt"),
    ],
)
@pytest.mark.usefixtures("files")
def test_bash_completes(typed: str, found: str) -> None:
    words = typed.split()
    script = f"{run('completion', 'bash').stdout}\nCOMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}\n"
    done = subprocess.run(["bash", "-c", script + '_porf; echo "${COMPREPLY[*]}"'], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{found}\n", "")


def test_completion_knows_every_verb_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        script = capsys.readouterr().out
        assert all(verb in script for verb in VERBS)
        [verbs] = (action for action in parser_of()._actions if action.choices)
        assert isinstance(verbs.choices, dict)
        for verb in verbs.choices.values():
            for option in (o for action in verb._actions for o in action.option_strings if o.startswith("--")):
                assert (f"-l {option[2:]}" if shell == "fish" else option) in script
