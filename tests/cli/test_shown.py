"""What names and messages may hold never steers a terminal, and JSON is always valid UTF-8."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porf
from porf.cli.command import main
from porf.errors import shown
from porf.evidence.svg import draw

NASTY = {"c0": "\x1b[2J", "c1": "\x9b2J", "bidi": "\u202e", "isolate": "\u2066", "surrogate": "\udc80", "del": "\x7f"}


def unsafe(text: str) -> list[str]:
    return [c for c in text if not (c.isprintable() or c in "\n\t")]


@pytest.mark.parametrize("name", NASTY)
def test_what_steers_a_terminal_is_escaped(name: str) -> None:
    text = f"a{NASTY[name]}b\n\tc"
    assert not unsafe(shown(text)) and shown(text).startswith("a\\") and shown(text).endswith("b\n\tc")


def test_other_letters_stay() -> None:
    assert shown("größe → x…\n∪ 東") == "größe → x…\n∪ 東"


@pytest.mark.parametrize("name", ["c1", "bidi", "isolate"])
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_names_in_verdicts_and_files(
    name: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    location = f"x{NASTY[name]}y"
    path = tmp_path / "h.jsonl"
    rows = [
        {"thread": "T0", "op": "w", "loc": location, "value": 1},
        {"thread": "T0", "op": "r", "loc": location, "rf": "init"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for suffix in (".txt", ".json", ".jsonl", ".svg"):
        main(["check", str(path), "--model", "ra", *options, "-o", str(tmp_path / f"out{suffix}")])
        out = capsys.readouterr()
        assert not unsafe(out.out) and not unsafe(out.err)
        assert not unsafe((tmp_path / f"out{suffix}").read_bytes().decode("utf-8"))
        if options:
            assert location in json.dumps(json.loads(out.out), ensure_ascii=False)


def test_errors_keep_their_carets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.cat"
    path.write_text("let a\u202e = po\n", encoding="utf-8")
    assert main(["check", "examples/histories/iriw.txt", "--model", str(path)]) == 2
    said = capsys.readouterr().err
    assert not unsafe(said)
    line, caret = said.splitlines()[1:3]
    assert line.index("a ") + 1 == caret.index("^")


def test_file_names_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no\x1b[31m\u202e\udc80such.txt", "--model", "ra"]) == 2
    assert not unsafe(capsys.readouterr().err)
    with pytest.raises(SystemExit):
        main(["check", "--\x1b[31m"])
    assert not unsafe(capsys.readouterr().err)


def test_pictures(tmp_path: Path) -> None:
    execution = porf.Execution.from_events([("T\u202e", "w", "x\x9b", 1), ("T1", "r", "x\x9b", 1)])
    assert not unsafe(draw(execution, title="a\udc80b"))
