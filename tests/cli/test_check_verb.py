"""`porf check`: what it prints, its exit codes, and what it says of what it cannot judge."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from porf import loads, save
from porf.cli import main
from porf.models import MODELS
from tests.cli.calling import BAD, FIELDS, PORF, USER_MODEL, WEAK, refused, run

# check: codes


@pytest.mark.parametrize(
    ("names", "models", "code"),
    [
        (["good"], "ra", 0),
        (["bad"], "ra", 1),
        (["good", "bad"], "ra", 1),
        (["good", "weak"], "ra,tso,pso,rmo,sra,wra,rc20,relaxed", 0),
        (["weak"], "sc", 1),
        (["weak"], "ra,sc", 1),
        (["bad"], ",".join(MODELS), 1),
        (["good"], ",".join(MODELS), 0),
        (["good"], "RA", 0),
        (["wrong", "good"], "ra", 2),
        (["bad", "wrong"], "ra", 2),
    ],
)
@pytest.mark.usefixtures("files")
def test_the_worst_verdict_is_the_exit_code(
    names: list[str], models: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *(f"{name}.txt" for name in names), "--model", models, "--json", "--verify"]) == code
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    readable = [name for name in names if name != "wrong"]
    expected = [(f"{name}.txt", model.lower()) for name in readable for model in models.split(",")]
    assert [(record["source"], record["model"]) for record in records if "error" not in record] == expected
    wrong = [record["error"]["file"] for record in records if "error" in record]
    assert wrong == ["wrong.txt"] * names.count("wrong")


@pytest.mark.usefixtures("files")
def test_undecided_gives_way_to_inconsistent_and_both_to_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    row_order = ["--model", "ra", "--algorithm", "row-order"]
    assert main(["check", "good.txt", "weak.txt", *row_order]) == 3
    assert "weak.txt: undecided in ra: the row order is not a sequential interleaving" in capsys.readouterr().out
    assert main(["check", "weak.txt", "wrong.txt", *row_order]) == 2
    assert main(["check", "weak.txt", "-m", "pso,ra", "--algorithm", "gradual"]) == 2  # it decides neither
    assert main(["check", "weak.txt", "-m", "cc,sc", "--algorithm", "frontier"]) == 2  # cc has none; sc is decided
    assert "weak.txt: inconsistent in sc" in capsys.readouterr().out
    assert main(["check", "weak.txt", "-m", "ra"]) == 0
    assert "weak.txt: consistent in ra" in capsys.readouterr().out


def test_undecided_gives_way_to_inconsistent(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "interleaving", "-n", "400", "--group-by-thread", "-o", "large.npz"])
    assert main(["check", "large.npz", "-m", "pso", "--steps", "1"]) == 3
    capsys.readouterr()
    assert main(["check", "large.npz", "bad.txt", "-m", "pso", "--steps", "300", "--json"]) == 1
    answers = [json.loads(line)["verdict"] for line in capsys.readouterr().out.splitlines()]
    assert answers == ["undecided", "inconsistent"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("budget", [("--steps", "1"), ("--seconds", "0.000001")])
def test_a_spent_budget_never_says_consistent(
    files: Path, model: str, budget: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    events = "20000" if MODELS[model].kernel else "1500"  # a small one is decided before anybody looks at the clock
    updates = "0.2" if "updates" in MODELS[model].header.interprets else "0"
    main(["generate", "weak", "-n", events, "-k", "8", "--updates", updates, "--seed", "5", "-o", "weak.npz"])
    code = main(["check", "weak.npz", "-m", model, "--json", *budget])
    record = json.loads(capsys.readouterr().out)
    assert (code, record["verdict"]) == (3, "undecided")
    assert record["witness"] is None
    assert record["note"]


# check: answers


@pytest.mark.usefixtures("files")
def test_a_record_has_the_fields_of_the_design(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "good.txt", "weak.txt", "bad.txt", "--json", "-m", "ra"])
    good, weak, bad = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    for record in (good, weak, bad):
        assert list(record) == FIELDS
        assert record["seconds"] >= 0
    assert good["witness"] == {"mo": {"x": ["e0"]}}
    assert weak["witness"] == {"mo": {"x": ["e0"], "y": ["e2"]}}
    assert (weak["verdict"], weak["axiom"], weak["cycle"]) == ("consistent", None, None)
    assert (weak["algorithm"], weak["events"], weak["threads"]) == ("coherence", 4, 2)
    assert (bad["source"], bad["model"], bad["model_file"]) == ("bad.txt", "ra", "ra.cat")
    assert (bad["verdict"], bad["witness"]) == ("inconsistent", None)
    assert bad["axiom"] in {axiom.name for axiom in MODELS["ra"].file.axioms}
    cycle = bad["cycle"]
    for edge, onward in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert list(edge) == ["from", "relation", "to", "because"]
        assert edge["to"] == onward["from"]
        assert (edge["because"] is None) == (edge["relation"] in ("po", "rf"))
    assert {edge["from"] for edge in cycle} <= {"a", "b", "c", "d"}


@pytest.mark.usefixtures("files")
def test_words_name_the_cycle_and_its_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad.txt", "-m", "ra"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("bad.txt: inconsistent in ra: write-coherence (coherence, 4 events, ")
    assert "mo: b before a, because b happens before d, which reads a (b -rf-> c -po-> d)" in out


@pytest.mark.parametrize("model", ["relaxed", "rc20", "ra", "wra", "sra"])
@pytest.mark.parametrize("seed", range(6))
def test_generic_and_kernel_agree(files: Path, model: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    source = f"-n 14 -k 3 -d 2 --updates 0.2 --orders {'ra' if model == 'rc20' else 'rlx'} --seed {seed}"
    assert main(["generate", "broken", *source.split(), "-o", "h.txt"]) == 0
    kernel = main(["check", "h.txt", "-m", model, "--algorithm", "kernel", "--verify"])
    assert main(["check", "h.txt", "-m", model, "--algorithm", "generic", "--verify"]) == kernel
    assert kernel in (0, 1)
    assert "(generic, 14 events" in capsys.readouterr().out


def test_verify_complains_of_false_evidence(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from porf.checking import kernel
    from porf.checking.verdict import Answer, Outcome
    from porf.evidence.data import Witness

    false = Witness(np.array([1, 0], np.int32), np.array([0, 2], np.int64))
    monkeypatch.setattr(kernel, "decide", lambda *_: Outcome(Answer.CONSISTENT, "guess", witness=false))
    assert main(["check", "bad.txt", "-m", "ra"]) == 0
    capsys.readouterr()
    assert main(["check", "bad.txt", "-m", "ra", "--verify"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "the witness fails" in said.err


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for data in (BAD.encode(), as_bytes(BAD, "jsonl"), as_bytes(BAD, "npz")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["check", "-", "-m", "relaxed"]) == 1
        assert capsys.readouterr().out.startswith("<stdin>: inconsistent in relaxed")


def as_bytes(text: str, kind: str) -> bytes:
    from porf.formats import dumps

    return dumps(loads(text), kind)


# check: models


@pytest.mark.parametrize("suffix", ["cat", "kat"])
def test_a_model_file_is_a_model(files: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    (files / f"mine.{suffix}").write_text(USER_MODEL if suffix == "cat" else "acyclic po | rf\n")
    code = main(["check", "weak.txt", "bad.txt", "-m", f"mine.{suffix},ra", "--json", "--verify"])
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 1
    assert [record["model"] for record in records] == ["mine", "ra"] * 2
    assert records[0]["model_file"] == f"mine.{suffix}"
    assert (records[0]["verdict"], records[0]["algorithm"]) == ("consistent", "generic")


def test_a_broken_model_file_is_shown_with_a_caret(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "broken.cat").write_text('"broken"\nacyclic po | | rf as x\n')
    said = refused(capsys, "check", "good.txt", "-m", "ra,broken.cat")
    assert said.startswith("error: broken.cat:2:14: ")
    assert "\n  acyclic po | | rf as x\n               ^\n  hint: " in said
    assert said.count("error:") == 1


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("raa", ("unknown model 'raa'", "did you mean 'ra'?")),
        ("vax", ("unknown model 'vax'", "hint: the models are sc, tso")),
        ("missing.cat", ("missing.cat: there is no such model file", "hint: ")),
        ("good.txt/", ("not a model file", "hint: a model file ends in .cat or .kat")),
        (",", ("no model is named", "hint: --model ra")),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_model_that_is_none(model: str, words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "check", "good.txt", "-m", model)
    for word in words:
        assert word in said


# check: sc under rc20

SC_LINES = {
    "access": ("init x 0\nT0 w y 1\n\nsc w x 1 sc id=disc # sc\n", 4, 10, "sc", "rc20 has no sc access"),
    "fence": ("# sc\nT0 f sc id=sc\n", 2, 6, "sc", "rc20 has no sc fence"),
}


@pytest.mark.parametrize("name", SC_LINES)
@pytest.mark.parametrize("follow", [False, True])
def test_sc_under_rc20_is_refused_in_text(
    files: Path, name: str, follow: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    text, line, column, word, message = SC_LINES[name]
    (files / "sc.txt").write_text(text)
    said = refused(capsys, "check", "sc.txt", "-m", "rc20", *(["--follow"] if follow else []))
    assert said.startswith(f"error: sc.txt:{line}:{column}: {message}")
    shown = said.splitlines()
    assert shown[1] == "  " + text.splitlines()[line - 1]
    assert shown[2] == "  " + " " * (column - 1) + "^" * len(word)
    assert "hint: replace sc fences by acq_rel updates" in shown[3]


@pytest.mark.parametrize("follow", [False, True])
def test_sc_under_rc20_is_refused_in_json(files: Path, follow: bool, capsys: pytest.CaptureFixture[str]) -> None:
    init = '{"value": 7, "init": "sc"}\n'
    line = '{"id": "sc", "thread": "sc", "op": "w", "loc": "sc", "order": "sc", "value": 1}'
    (files / "sc.jsonl").write_text(init + line + "\n")
    said = refused(capsys, "check", "sc.jsonl", "-m", "rc20", *(["--follow"] if follow else []))
    column = line.index('"sc", "value"') + 1
    assert said.startswith(f"error: sc.jsonl:2:{column}: rc20 has no sc access")
    assert said.splitlines()[2] == "  " + " " * (column - 1) + "^^^^"
    assert "hint: " in said


@pytest.mark.parametrize("name", ["sc.npz", "no_suffix"])
def test_sc_under_rc20_is_refused_in_npz(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    save(loads("T0 w x 1\nT0 w x 2 sc\n"), files / name, "npz")
    said = refused(capsys, "check", name, "-m", "rc20")
    assert said.startswith(f"error: {name}: order[1]: rc20 has no sc access")
    assert main(["check", name, "-m", "rc20,ra"]) == 2
    assert f"{name}: consistent in ra" in capsys.readouterr().out


# check: streams


@pytest.mark.parametrize("kind", ["text", "jsonl"])
def test_follow_stops_at_the_first_breaking_event(kind: str) -> None:
    lines = as_bytes(BAD, kind)
    with subprocess.Popen(
        [PORF, "check", "-", "-m", "ra", "--follow"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=False
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines)
        process.stdin.flush()  # and the stream stays open
        assert process.stdout.readline() == b"<stdin>:4: d breaks ra\n"
        assert process.stdout.readline().startswith(b"<stdin>: inconsistent in ra: write-coherence")
        assert process.wait(30) == 1
        process.stdin.close()


@pytest.mark.parametrize("kind", ["text", "jsonl"])
@pytest.mark.parametrize("model", ["relaxed", "rc20", "ra", "wra", "sra", "sc", "tso"])
def test_follow_answers_as_check_does(kind: str, model: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suffix = {"text": "txt", "jsonl": "jsonl"}[kind]
    for seed in range(8):
        save(loads((files / "bad.txt").read_bytes()), files / f"h.{suffix}", kind)
        if seed:
            mix = f"-n 30 -k 3 -d 2 --updates 0 --orders ra --seed {seed} -o h.{suffix}"
            main(["generate", "broken", *mix.split()])
        code = main(["check", f"h.{suffix}", "-m", model, "--json"])
        whole = json.loads(capsys.readouterr().out)
        try:
            followed = main(["check", f"h.{suffix}", "-m", model, "--json", "--follow", "--verify"])
        finally:
            said = capsys.readouterr()
        if "in a stream a write comes before its readers" in said.err:
            continue
        record = json.loads(said.out)
        assert (followed, record["verdict"]) == (code, whole["verdict"])
        assert list(record) == FIELDS
        assert record["events"] <= whole["events"]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_stream_is_wrong_input(text: str) -> None:
    done = run("check", "-", "-m", "ra", "--follow", stdin=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no events" in done.stderr
    assert "hint: " in done.stderr


def test_a_stream_may_end_without_a_violation() -> None:
    done = run("check", "-", "-m", "ra", "--follow", stdin=WEAK)
    assert done.returncode == 0
    assert done.stdout.startswith("<stdin>: consistent in ra")


@pytest.mark.parametrize(
    "arguments",
    [
        ["good.txt", "bad.txt", "-m", "ra"],
        ["good.txt", "-m", "ra,wra"],
        ["good.txt", "-m", "pso"],
        ["good.txt", "-m", "sc", "--strict"],
        ["good.txt", "-m", "sc", "--first"],
        ["good.txt", "-m", "ra", "--algorithm", "generic"],
        ["good.txt", "-m", "ra", "--steps", "5"],
        ["good.txt", "-m", "ra", "--format", "npz"],
    ],
)
@pytest.mark.usefixtures("files")
def test_what_cannot_be_followed_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "hint: " in refused(capsys, "check", "--follow", *arguments)
