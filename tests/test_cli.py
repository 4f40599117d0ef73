"""Every verb of the command line: what it prints, its exit code, and what it says when called wrongly."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from porf import load, loads, save
from porf.cli import main
from porf.models import MODELS

PORF = str(Path(sys.executable).with_name("porf"))
GOOD = "T0 w x 1\nT1 r x 1\n"
BAD = "T0 w x 1 id=a\nT0 w x 2 id=b\nT1 r x 2 id=c\nT1 r x 1 id=d\n"  # in every model here: read backwards
WEAK = "T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0\n"  # store buffering: not sc, fine in the others
NOT_A_HISTORY = "T0 w x one\n"
FIELDS = [
    *("source", "model", "model_file", "verdict", "axiom", "cycle", "witness"),
    *("algorithm", "events", "threads", "seconds"),
]
USER_MODEL = '"mine"\nacyclic po | rf as causality\nirreflexive fr; po as own\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"good": GOOD, "bad": BAD, "weak": WEAK, "wrong": NOT_A_HISTORY}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PORF, *arguments], input=stdin, capture_output=True, text=True, timeout=60, **options)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Runs what must be refused: exit code 2, nothing on stdout; what stderr says."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code  # type: ignore[assignment]
    said = capsys.readouterr()
    assert code == 2, said
    assert said.out == ""
    assert said.err.startswith("error: ")
    return said.err


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
    assert [(record["source"], record["model"]) for record in records] == expected


@pytest.mark.usefixtures("files")
def test_undecided_gives_way_to_inconsistent_and_both_to_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    row_order = ["--model", "ra", "--algorithm", "row-order"]
    assert main(["check", "good.txt", "weak.txt", *row_order]) == 3
    assert "weak.txt: undecided in ra: the row order is not a sequential interleaving" in capsys.readouterr().out
    assert main(["check", "weak.txt", "wrong.txt", *row_order]) == 2
    assert main(["check", "weak.txt", "-m", "pso,ra", "--algorithm", "kernel"]) == 2  # pso has no kernel; ra is decided
    assert "weak.txt: consistent in ra" in capsys.readouterr().out


def test_undecided_gives_way_to_inconsistent(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "interleaving", "-n", "400", "--group-by-thread", "-o", "large.npz"])
    assert main(["check", "large.npz", "-m", "pso", "--steps", "1"]) == 3
    capsys.readouterr()
    assert main(["check", "large.npz", "bad.txt", "-m", "pso", "--steps", "50", "--json"]) == 1
    answers = [json.loads(line)["verdict"] for line in capsys.readouterr().out.splitlines()]
    assert answers == ["undecided", "inconsistent"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("budget", [("--steps", "1"), ("--seconds", "0.000001")])
def test_a_spent_budget_never_says_consistent(
    files: Path, model: str, budget: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    events = "20000" if MODELS[model].kernel else "1500"  # a small one is decided before anybody looks at the clock
    main(["generate", "weak", "-n", events, "-k", "8", "--updates", "0.2", "--seed", "5", "-o", "weak.npz"])
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
    from porf.check import coherence
    from porf.check.verdict import Outcome
    from porf.evidence.data import Witness

    false = Witness(np.array([1, 0], np.int32), np.array([0, 2], np.int64))
    monkeypatch.setattr(coherence, "decide", lambda *_: Outcome("consistent", "guess", witness=false))
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
        ("x86", ("unknown model 'x86'", "hint: the models are sc, tso")),
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
    assert "hint: write an sc fence as an acq_rel update" in shown[3]


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
@pytest.mark.parametrize("model", ["relaxed", "rc20", "ra", "wra", "sra"])
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
        ["good.txt", "-m", "sc"],
        ["good.txt", "-m", "ra", "--algorithm", "generic"],
        ["good.txt", "-m", "ra", "--steps", "5"],
        ["good.txt", "-m", "ra", "--format", "npz"],
    ],
)
@pytest.mark.usefixtures("files")
def test_what_cannot_be_followed_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "hint: " in refused(capsys, "check", "--follow", *arguments)


# calls


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "VERB"),
        (["chek", "good.txt"], "did you mean 'check'?"),
        (["check", "good.txt"], "--model"),
        (["check", "-m", "ra"], "FILE"),
        (["check", "good.txt", "-m", "ra", "--algorithm", "kernal"], "did you mean 'kernel'?"),
        (["check", "good.txt", "-m", "ra", "--format", "tex"], "did you mean 'text'?"),
        (["check", "good.txt", "-m", "ra", "--steps", "0"], "not a positive whole number"),
        (["check", "good.txt", "-m", "ra", "--seconds", "soon"], "not a positive number"),
        (["check", "good.txt", "-m", "ra", "--seconds", "nan"], "not a positive number"),
        (["check", "good.txt", "-m", "ra", "--jsn"], "--jsn"),
        (["convert", "good.txt"], "OUT"),
        (["convert", "good.txt", "nowhere/out.txt"], "cannot be written"),
        (["convert", "missing.txt", "out.txt"], "no such file"),
        (["generate"], "KIND"),
        (["generate", "triangle"], "no graph is given"),
        (["generate", "interleaving", "-n", "-3"], "-3"),
        (["generate", "interleaving", "--reads", "2"], "2"),
        (["generate", "interleaving", "--orders", "seq"], "seq"),
        (["models", "raa"], "did you mean 'ra'?"),
        (["check", "some.npz", "--follow", "-m", "ra"], "npz cannot be followed"),
        (["show", "missing.txt"], "no such file"),
        (["show", "good.txt", "-m", "raa"], "did you mean 'ra'?"),
        (["show", "good.txt", "-o", "nowhere/out.svg"], "cannot be written"),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_wrong_call_is_refused_with_a_hint(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, *arguments)
    assert words in said
    assert "\n  hint: " in said


@pytest.mark.usefixtures("files")
def test_a_terminal_that_lacks_a_letter_still_gets_the_verdict() -> None:
    Path("greek.txt").write_text("λ w x 1\nλ r x 0\n", encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run("check", "greek.txt", "-m", "relaxed", env=ascii_only)
    assert (done.returncode, done.stderr) == (1, "")
    assert "\\u03bb w x 1" in done.stdout
    assert run("models", env=ascii_only).returncode == 0
    ElementTree.fromstring(run("show", "greek.txt", env=ascii_only).stdout)


@pytest.mark.usefixtures("files")
def test_out_of_memory_is_undecided(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("porf.formats.load", exhausted)
    assert main(["check", "good.txt", "-m", "ra"]) == 3
    assert capsys.readouterr().err.startswith("error: out of memory\n  hint: ")


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("porf 0.")
    done = run("--help")
    assert done.returncode == 0
    for word in ("check", "show", "convert", "models", "generate", "Exit codes: 0 it holds"):
        assert word in done.stdout


def test_the_installed_command_answers(files: Path) -> None:
    assert run("check", "good.txt", "-m", "ra").returncode == 0
    assert run("check", "bad.txt", "-m", "ra").returncode == 1
    wrong = run("check", "wrong.txt", "-m", "ra")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: wrong.txt:1:8: 'one' is not a value\n  T0 w x one\n         ^^^\n  hint: ")


@pytest.mark.parametrize("arguments", [["models"], ["check", "bad.txt", "-m", "ra"], ["show", "bad.txt"]])
@pytest.mark.usefixtures("files")
def test_a_broken_pipe_is_quiet_and_no_verdict(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run([PORF, *arguments], stdout=gone, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.stderr == b""
    assert done.returncode == 141


def test_an_interrupt_ends_a_long_check_promptly(files: Path) -> None:
    """To find the order of a thousand writes takes the generic procedure far longer than a test has."""
    main(["generate", "interleaving", "-n", "4000", "-d", "1", "--updates", "0", "--group-by-thread", "-o", "long.npz"])
    with subprocess.Popen(
        [PORF, "check", "long.npz", "-m", "pso"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(1.5)
        assert process.poll() is None, "the check was not long"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")


def test_an_interrupt_ends_a_stream(files: Path) -> None:
    with subprocess.Popen(
        [PORF, "check", "-", "-m", "ra", "--follow"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"interrupted\n"


# convert, generate, models, show


@pytest.mark.parametrize("first", ["txt", "jsonl", "npz"])
@pytest.mark.parametrize("second", ["txt", "jsonl", "npz"])
def test_convert_round_trips_between_all_formats(files: Path, first: str, second: str) -> None:
    mix = ["-n", "200", "-k", "3", "-d", "4", "--fences", "0.1", "--orders", "mixed", "--seed", "3"]
    assert main(["generate", "weak", *mix, "-o", "a.jsonl"]) == 0
    for a, b in (("a.jsonl", f"b.{first}"), (f"b.{first}", f"c.{second}"), (f"c.{second}", "d.jsonl")):
        assert main(["convert", a, b]) == 0
    assert (files / "a.jsonl").read_bytes() == (files / "d.jsonl").read_bytes()


@pytest.mark.usefixtures("files")
def test_convert_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", "bad.txt", "-"]) == 0
    text = capfdbinary.readouterr().out
    assert loads(text).describe(0) == "w x 1"
    assert main(["convert", "bad.txt", "-", "--to", "jsonl"]) == 0
    assert json.loads(capfdbinary.readouterr().out.splitlines()[0])["id"] == "a"


KINDS = {
    "interleaving": ["-n", "30"],
    "weak": ["-n", "30", "--window", "4"],
    "broken": ["-n", "30"],
    "triangle": ["--nodes", "6", "--probability", "0.5"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_makes_a_history_reproducible(kind: str, files: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert main(["generate", kind, *KINDS[kind], "--seed", seed, "-o", f"{name}.txt"]) == 0
    a, b, c = ((files / f"{name}.txt").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_generated_histories_are_what_they_say(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(5):
        main(["generate", "interleaving", "-n", "60", "--seed", str(seed), "-o", "i.npz"])
        assert main(["check", "i.npz", "-m", "sc"]) == 0
        main(["generate", "weak", "-n", "60", "--seed", str(seed), "-o", "w.npz"])
        assert main(["check", "w.npz", "-m", "ra,rc20"]) == 0
    main(["generate", "broken", "good.txt", "-o", "b.txt"])
    assert load("b.txt").rf.tolist() != load("good.txt").rf.tolist()
    (files / "triangle").write_text("0 1\n1 2\n2 0\n")
    (files / "path").write_text("0 1\n1 2\n2 3\n")
    for graph, code in (("triangle", 1), ("path", 0)):
        main(["generate", "triangle", "--graph", graph, "-o", "t.npz"])
        assert main(["check", "t.npz", "-m", "ra"]) == code
    capsys.readouterr()


def test_models_are_a_table_and_records(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    table = capsys.readouterr().out
    assert main(["models", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["name"] for record in records] == list(MODELS)
    for record in records:
        assert list(record) == ["name", "title", "decided_by", "complexity", "source"]
        assert all(record.values())
        assert record["title"] in table
    assert main(["models", "ra"]) == 0
    assert capsys.readouterr().out == MODELS["ra"].path.read_text()
    assert main(["models", "ra", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "ra"


@pytest.mark.parametrize(("name", "model", "code"), [("bad", None, 0), ("bad", "ra", 1), ("weak", "ra", 0)])
def test_show_writes_a_picture(
    files: Path, name: str, model: str | None, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    extra = ["-m", model] if model else []
    assert main(["show", f"{name}.txt", *extra, "-o", "out.svg"]) == code
    said = capsys.readouterr().out
    assert ("drawn in out.svg" in said) == (model is not None)
    assert ElementTree.parse(files / "out.svg").getroot().tag.endswith("svg")
    assert main(["show", f"{name}.txt", *extra]) == code
    assert ElementTree.fromstring(capsys.readouterr().out).tag.endswith("svg")


def test_show_of_a_large_history_draws_a_part(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "interleaving", "-n", "5000", "-o", "i.npz"])
    assert main(["show", "i.npz"]) == 0
    out = capsys.readouterr().out
    assert ElementTree.fromstring(out).tag.endswith("svg")
    assert len(out) < 500_000


def test_a_bug_is_no_verdict(monkeypatch: pytest.MonkeyPatch, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def stumble(*_: object, **__: object) -> None:
        raise RuntimeError("stumbled")

    monkeypatch.setattr("porf.formats.load", stumble)
    assert main(["check", "good.txt", "-m", "ra"]) == 70
    told = capsys.readouterr().err
    assert "this is a bug in porf: RuntimeError: stumbled" in told
    assert "to see it again: porf" in told


def test_a_name_that_does_not_say_the_format_is_not_guessed(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "good.txt", "good.foo"]) == 2
    assert "the name does not say the format" in capsys.readouterr().err
    assert not Path("good.foo").exists()


def test_show_takes_one_model(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "good.txt", "-m", "ra,sc"]) == 2
    assert "one model" in capsys.readouterr().err
