"""Calls that make no sense, interruptions, and the other verbs: convert, generate, models, show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from porf import load, loads
from porf.cli import main
from porf.models import ALL_MODELS, MODELS
from tests.cli.calling import PORF, refused, run

EXAMPLES = Path(__file__).parents[2] / "examples"

# calls


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jsn"], "VERB"),
        (["chek", "good.txt"], "did you mean 'check'?"),
        (["check", "good.txt"], "--model"),
        (["check", "-m", "ra"], "FILE"),
        (["check", "good.txt", "-m", "ra", "--algorithm", "kernal"], "did you mean 'kernel'?"),
        (["check", "good.txt", "-m", "ra", "--format", "tex"], "did you mean 'text'?"),
        (["check", "good.txt", "-m", "ra", "--steps", "0"], "not a positive whole number"),
        (["check", "good.txt", "-m", "ra", "--seconds", "soon"], "not a positive number"),
        (["check", "good.txt", "-m", "ra", "--seconds", "nan"], "not a positive number"),
        (["check", "good.txt", "-m", "ra", "--jsn"], "unknown argument '--jsn'\n  hint: porf check --help"),
        (["convert", "good.txt", "-", "--to", "tex"], "unknown format 'tex'"),
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
    assert capsys.readouterr().out == "good.txt: undecided: it would need more memory than it is allowed\n"
    monkeypatch.setattr("porf.models.table.model_table", exhausted)
    assert main(["models"]) == 3
    assert capsys.readouterr().err.startswith("error: out of memory\n  hint: ")


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("porf 0.")
    done = run("--help")
    assert done.returncode == 0
    for word in ("check", "show", "convert", "models", "generate", "Exit codes: 0 yes"):
        assert word in done.stdout


def test_the_installed_command_answers(files: Path) -> None:
    assert run("check", "good.txt", "-m", "ra").returncode == 0
    assert run("check", "bad.txt", "-m", "ra").returncode == 1
    wrong = run("check", "wrong.txt", "-m", "ra")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    said = "error: wrong.txt:1:8: '1one' is not a value\n  T0 w x 1one\n         ^^^^\n  hint: "
    assert wrong.stderr.startswith(said)


@pytest.mark.parametrize("arguments", [["models"], ["check", "bad.txt", "-m", "ra"], ["show", "bad.txt"]])
@pytest.mark.usefixtures("files")
def test_a_broken_pipe_is_quiet_and_no_verdict(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run([PORF, *arguments], stdout=gone, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.stderr == b""
    assert done.returncode == 141


def let_work(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Waits until it has worked so long, on its own clock where the system has one: a loaded machine starts slowly."""
    clock, deadline = Path(f"/proc/{process.pid}/stat"), time.monotonic() + 60
    if not clock.exists():
        time.sleep(seconds)
    while clock.exists() and time.monotonic() < deadline:
        if sum(map(int, clock.read_text().split()[13:15])) / os.sysconf("SC_CLK_TCK") >= seconds:
            return
        time.sleep(0.05)


def test_an_interrupt_ends_a_long_check_promptly(files: Path) -> None:
    """To find the order of a thousand writes takes the generic procedure far longer than a test has."""
    main(["generate", "interleaving", "-n", "4000", "-d", "1", "--updates", "0", "--group-by-thread", "-o", "long.npz"])
    with subprocess.Popen(
        [PORF, "check", "long.npz", "long.npz", "-m", "pso", "--algorithm", "generic"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        let_work(process, 1.5)
        assert process.poll() is None, "the check was not long"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (3, b"interrupted; left out: long.npz\n")
    assert out.startswith(b"long.npz: undecided in pso: interrupted")
    assert out.count(b"undecided") == 1  # the second file is not begun


def test_an_interrupt_ends_a_stream(files: Path) -> None:
    with subprocess.Popen(
        [PORF, "check", "-", "-m", "ra", "--follow"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 3
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
    assert [record["name"] for record in records] == list(ALL_MODELS)
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
    assert "drawn in out.svg" in said
    assert ElementTree.parse(files / "out.svg").getroot().tag.endswith("svg")
    assert main(["show", f"{name}.txt", *extra, "-o", "out.txt"]) == code
    assert "written to out.txt" in capsys.readouterr().out
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
    assert "the file name does not determine the format" in capsys.readouterr().err
    assert not Path("good.foo").exists()


def test_show_takes_one_model(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "good.txt", "-m", "ra,sc"]) == 2
    assert "one model" in capsys.readouterr().err


def test_the_command_line_starts_without_numpy() -> None:
    """What every call pays for; the verbs import what they need."""
    code = (
        "import sys; from porf.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.parametrize("program", ["litmus/MP.litmus", "programs/treiber_stack.c", "programs/ticket_lock.py"])
def test_a_built_in_model_is_explored_without_what_reads_model_files(program: str) -> None:
    """Most programs are explored in less time than it takes to import these."""
    heavy = "{'numpy', 'porf.language.parse', 'porf.comparison', 'porf.automata'}"
    code = (
        f"import sys; from porf.cli import main; code = main(['explore', {str(EXAMPLES / program)!r}, '-m', 'rc11'])\n"
        f"sys.exit(f'exit code {{code}}' if code else ' '.join({heavy} & set(sys.modules)) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)
